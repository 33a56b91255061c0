"""Answers to `block_multiply_adds(n_tokens, d_model, d_hidden)` of notebook 07."""

import numpy as np
import torch
from torch.utils.flop_counter import FlopCounterMode

from course_attention import attention_multiply_adds
from tests.corpus import change

def right__formula(n_tokens, d_model, d_hidden):
    return 4 * n_tokens * d_model**2 + 2 * n_tokens**2 * d_model + 2 * n_tokens * d_model * d_hidden

def right__parts(n_tokens, d_model, d_hidden):
    projections = 4 * n_tokens * d_model * d_model
    pairs = n_tokens * n_tokens * (d_model + d_model)
    feed_forward = n_tokens * d_model * d_hidden + n_tokens * d_hidden * d_model
    return projections + pairs + feed_forward

def right__earlier_helper(n_tokens, d_model, d_hidden):
    pairs = attention_multiply_adds(n_tokens, n_tokens, d_model, d_model)
    projections = 4 * n_tokens * d_model**2
    return pairs + projections + 2 * n_tokens * d_model * d_hidden

def right__factored(n_tokens: int, d_model: int, d_hidden: int) -> int:
    return 2 * n_tokens * d_model * (2 * d_model + n_tokens + d_hidden)

def right__matmuls(n_tokens, d_model, d_hidden):
    def matmul(rows, inner, columns):
        return rows * inner * columns

    count = 0
    for _ in "QKVO":
        count += matmul(n_tokens, d_model, d_model)
    count += matmul(n_tokens, d_model, n_tokens) + matmul(n_tokens, n_tokens, d_model)
    return count + matmul(n_tokens, d_model, d_hidden) + matmul(n_tokens, d_hidden, d_model)

def right__flop_counter(n_tokens, d_model, d_hidden):
    x, square = torch.empty(n_tokens, d_model, device="meta"), torch.empty(d_model, d_model, device="meta")
    wide = torch.empty(d_model, d_hidden, device="meta")
    with FlopCounterMode(display=False) as counter:
        query, key, value = x @ square, x @ square, x @ square
        output = ((query @ key.T) @ value) @ square
        (output @ wide) @ wide.T
    return counter.get_total_flops() // 2

def odd__numpy(n_tokens, d_model, d_hidden):
    """A NumPy number."""
    return np.dot([4 * d_model, 2 * n_tokens, 2 * d_hidden], [n_tokens * d_model] * 3)

wrong__projections_forgotten__1 = change(right__parts, ("return projections +", "return"))
wrong__projections_forgotten__2 = change(right__factored, ("2 * d_model + n_tokens", "n_tokens"))
# W_O is left out.
wrong__projection_missing__1 = change(right__formula, ("4 * n_tokens", "3 * n_tokens"))
wrong__projection_missing__2 = change(right__matmuls, ('"QKVO"', '"QKV"'))
wrong__projection_missing__3 = change(right__earlier_helper, ("= 4 *", "= 3 *"))
wrong__pairs_forgotten__1 = change(right__parts, ("pairs + ", ""))
wrong__pairs_forgotten__2 = change(right__factored, ("+ n_tokens + d_hidden", "+ d_hidden"))
wrong__scores_only__1 = change(right__formula, ("2 * n_tokens**2", "n_tokens**2"))
wrong__scores_only__2 = change(right__parts, ("(d_model + d_model)", "d_model"))
wrong__feed_forward_forgotten__1 = change(right__parts, (" + feed_forward", ""))
wrong__feed_forward_forgotten__2 = change(right__factored, (" + d_hidden)", ")"))
wrong__feed_forward_once__1 = change(
    right__formula,
    ("+ 2 * n_tokens * d_model * d_hidden", "+ n_tokens * d_model * d_hidden"),
)
wrong__feed_forward_once__2 = change(right__matmuls, (" + matmul(n_tokens, d_hidden, d_model)", ""))
wrong__linear_in_length__1 = change(right__formula, ("n_tokens**2 *", "n_tokens *"))
wrong__linear_in_length__2 = change(right__factored, ("+ n_tokens +", "+ 1 +"))
wrong__pairs_of_channels__1 = change(right__formula, ("n_tokens**2 * d_model +", "n_tokens * d_model**2 +"))
wrong__pairs_of_channels__2 = change(
    right__matmuls,
    ("matmul(n_tokens, d_model, n_tokens) +", "matmul(d_model, n_tokens, d_model) +"),
    ("matmul(n_tokens, n_tokens, d_model)", "matmul(n_tokens, d_model, d_model)"),
)
wrong__hidden_width_assumed__1 = change(right__formula, ("* d_hidden", "* 4 * d_model"))
wrong__hidden_width_assumed__2 = change(right__factored, ("n_tokens + d_hidden", "n_tokens + 4 * d_model"))
wrong__hidden_squared__1 = change(right__parts, ("n_tokens * d_hidden * d_model", "n_tokens * d_hidden * d_hidden"))
wrong__hidden_squared__2 = change(right__formula, ("2 * n_tokens * d_model * d_h", "2 * n_tokens * d_hidden * d_h"))
wrong__length_forgotten__1 = change(right__factored, ("2 * n_tokens *", "2 *"))
wrong__length_forgotten__2 = change(
    right__formula,
    ("4 * n_tokens *", "4 *"),
    ("2 * n_tokens * d_model * d_h", "2 * d_model * d_h"),
)
wrong__biases_counted__1 = change(
    right__parts,
    ("+ feed_forward", "+ feed_forward + n_tokens * (d_hidden + d_model)"),
)
wrong__biases_counted__2 = change(right__formula, ("* d_hidden", "* d_hidden + n_tokens * (5 * d_model + d_hidden)"))
wrong__counted_twice__1 = change(right__factored, ("return 2", "return 4"))
wrong__counted_twice__2 = change(right__flop_counter, (" // 2", ""))

def extra__decoder(n_tokens, d_model, d_hidden):
    """A decoder's block, with two attentions."""
    return 8 * n_tokens * d_model**2 + 4 * n_tokens**2 * d_model + 2 * n_tokens * d_model * d_hidden


def wrong__part_for_one_token__1(n_tokens, d_model, d_hidden):
    return 4 * n_tokens * d_model**2 + 2 * n_tokens**2 * d_model + 2 * d_model * d_hidden


def wrong__part_for_one_token__2(n_tokens, d_model, d_hidden):
    return 4 * d_model**2 + 2 * n_tokens**2 * d_model + 2 * n_tokens * d_model * d_hidden


def wrong__hidden_squared__once(n_tokens, d_model, d_hidden):
    return 4 * n_tokens * d_model**2 + 2 * n_tokens**2 * d_model + n_tokens * d_hidden**2


def wrong__additions_counted__1(n_tokens, d_model, d_hidden):
    products = 4 * n_tokens * d_model**2 + 2 * n_tokens**2 * d_model + 2 * n_tokens * d_model * d_hidden
    return products + 2 * n_tokens * d_model


def wrong__decoder_block__1(n_tokens, d_model, d_hidden):
    return 8 * n_tokens * d_model**2 + 4 * n_tokens**2 * d_model + 2 * n_tokens * d_model * d_hidden


def wrong__third_product_of_pairs__1(n_tokens, d_model, d_hidden):
    return 4 * n_tokens * d_model**2 + 3 * n_tokens**2 * d_model + 2 * n_tokens * d_model * d_hidden


def wrong__feed_forward_over_pairs__1(n_tokens, d_model, d_hidden):
    return 4 * n_tokens * d_model**2 + 2 * n_tokens**2 * d_model + 2 * n_tokens**2 * d_model * d_hidden


def wrong__feed_forward_sizes_added__1(n_tokens, d_model, d_hidden):
    return 4 * n_tokens * d_model**2 + 2 * n_tokens**2 * d_model + n_tokens * (d_model + d_hidden)


def wrong__biases_counted__3(n_tokens, d_model, d_hidden):
    # One operation of the nonlinearity for each hidden number.
    products = 4 * n_tokens * d_model**2 + 2 * n_tokens**2 * d_model + 2 * n_tokens * d_model * d_hidden
    return products + n_tokens * d_hidden
