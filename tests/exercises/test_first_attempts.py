"""First attempts of a beginner's, with two faults or an error: what is said first, and whether it helps."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import Tensor

from course_attention import attention
from course_attention.exercises import CATALOGUE
from course_attention.judging import judge, properties
from course_attention.presentation.verdict_text import verdict_text


def _weighted(scores: Tensor, value: Tensor) -> tuple[Tensor, Tensor]:
    weights = F.softmax(scores, dim=-1)
    return weights @ value, weights


def _scores(query: Tensor, key: Tensor) -> Tensor:
    return query @ key.mT / math.sqrt(query.shape[-1])


def mask_as_index(query, key, value, allowed=None):
    scores = _scores(query, key)
    if allowed is not None:
        scores[~allowed] = -math.inf
    return _weighted(scores, value)


def mask_never_missing(query, key, value, allowed=None):
    return _weighted(_scores(query, key).masked_fill(~allowed, -1e9), value)


def mask_as_condition(query, key, value, allowed=None):
    scores = _scores(query, key)
    if allowed:
        scores = scores.masked_fill(~allowed, -math.inf)
    return _weighted(scores, value)


def results_exchanged(query, key, value, allowed=None):
    scores = _scores(query, key)
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -1e9)
    return _weighted(scores, value)[::-1]


def merged_by_reshape(x, w_query, w_key, w_value, w_out, n_heads, allowed=None):
    query, key, value = ((x @ w).unflatten(-1, (n_heads, -1)).transpose(-2, -3) for w in (w_query, w_key, w_value))
    output, weights = attention(query, key, value, allowed)
    return output.reshape(*x.shape[:-1], -1) @ w_out, weights


def without_a_batch(query, key, w_query, w_key, w_score):
    return torch.tanh((query @ w_query)[:, None] + (key @ w_key)[None]) @ w_score


def logits_as_they_are(logits, targets, pad_token):
    return F.cross_entropy(logits, targets, ignore_index=pad_token)


def nan_written_over(scores, allowed=None):
    weights = F.softmax(scores if allowed is None else scores.masked_fill(~allowed, -math.inf), dim=-1)
    weights[weights.isnan()] = 0
    return weights


def slice_at_the_edge(kernel, n_tokens):
    mixing, half = kernel.new_zeros(n_tokens, n_tokens), len(kernel) // 2
    for i in range(n_tokens):
        mixing[i, i - half : i + half + 1] = kernel
    return mixing


def root_in_float32_and_fill(query, key, value, allowed=None):
    scores = query @ key.mT / torch.sqrt(torch.tensor(query.shape[-1]))
    weights = F.softmax(scores if allowed is None else scores.masked_fill(~allowed, -1e9), dim=-1)
    weights = weights if allowed is None else weights * allowed
    return weights @ value, weights


def softmax_without_an_axis(query, key, value, allowed=None):
    scores = _scores(query, key)
    weights = F.softmax(scores if allowed is None else scores.masked_fill(~allowed, -math.inf))
    return weights @ value, weights


def all_axes_turned(query, key, value, allowed=None):
    scores = query @ key.T / math.sqrt(query.shape[-1])
    weights = (scores if allowed is None else scores.masked_fill(~allowed, -math.inf)).softmax(-1).nan_to_num()
    return weights @ value, weights


def kept_for_the_next_call(query, key, value, allowed=None, kept={}):  # noqa: B006 - that it is kept is the mistake
    sizes = (key.shape[-2:], query.dtype)
    if sizes not in kept:
        kept[sizes] = query.new_full((key.shape[-2],), query.shape[-1] ** -0.5)
    scores = query @ key.mT * kept[sizes]
    weights = scores.masked_fill(torch.tensor(False) if allowed is None else ~allowed, -math.inf).softmax(-1)
    return weights.nan_to_num() @ value, weights.nan_to_num()


def every_state_with_every_memory(state, memory):
    return state @ memory.mT


def loss_without_a_tensor(logits, targets, pad_token):
    return F.cross_entropy(logits.mT, targets, ignore_index=pad_token).item()


def temperature_divides(logits, temperature=1.0, top_k=None, top_p=None):
    return F.softmax(logits / temperature, dim=-1)


def with_dropout(query, key, value, allowed=None):
    _, weights = attention(query, key, value, allowed)
    weights = F.dropout(weights, 0.5)
    return weights @ value, weights


def only_the_past(query, key, value, allowed=None):
    n_queries, n_keys = query.shape[-2], key.shape[-2]
    past = torch.ones(n_queries, n_keys, dtype=torch.bool, device=query.device).tril(n_keys - n_queries)
    return attention(query, key, value, past if allowed is None else past & allowed)


def any_of_equal(query, key, value, index_scores, k, allowed=None):
    index = index_scores if allowed is None else index_scores.masked_fill(~allowed, float("-inf"))
    places = index.topk(min(k, key.shape[-2]), dim=-1).indices
    chosen = torch.zeros_like(index, dtype=torch.bool).scatter(-1, places, True)
    chosen = chosen if allowed is None else chosen & allowed
    scores = query @ key.mT / query.shape[-1] ** 0.5
    weights = scores.masked_fill(~chosen, float("-inf")).softmax(-1).masked_fill(~chosen, 0.0)
    return weights @ value, weights


def output_alone_set_to_zero(query, key, value, allowed=None):
    scores = _scores(query, key)
    if allowed is None:
        return _weighted(scores, value)
    output, weights = _weighted(scores.masked_fill(~allowed, torch.finfo(scores.dtype).min), value)
    return output * allowed.any(dim=-1, keepdim=True), weights


def key_of_a_blind_query_erased(x, w_query, w_key, w_value, allowed=None):
    seeing = x if allowed is None else x * allowed.any(dim=-1, keepdim=True)
    return attention(x @ w_query, seeing @ w_key, seeing @ w_value, allowed)


def states_written_over(x, w, u, b):
    states = x.new_zeros(len(x), len(b))
    for i in range(len(x)):
        states[i] = torch.tanh(w @ x[i] + u @ states[i - 1] + b)
    return states


def first_state_for_all(state, memory):
    return memory @ state[0]


def items_added_up(distribution, memory):
    return torch.einsum("bn,cnd->bd", distribution, memory)


def positive_scores(state, memory):
    return torch.einsum("bd,bnd->bn", state, memory).abs()


def slopes_in_whole_numbers(n_heads, n_queries, n_keys):
    slopes = 2 ** (-8 * torch.arange(1, n_heads + 1) // n_heads)
    return -slopes[:, None, None] * (torch.arange(n_queries)[:, None] - torch.arange(n_keys)).abs()


def axes_from_the_front(query, key, width):
    return -((query.unsqueeze(2) - key.unsqueeze(1)) ** 2).sum(-1) / (2 * width**2)


def arrays_of_numpy(torch_attention):
    weights = torch_attention.in_proj_weight.detach().float().numpy()
    names = ("w_query.weight", "w_key.weight", "w_value.weight", "w_out.weight")
    return dict.fromkeys(names, weights[: torch_attention.embed_dim])


TOLD: list[tuple[str, Callable[..., Any], str, str]] = [
    ("attention", mask_as_index, "A query that may attend to nothing gives NaN", "`x[mask]` needs a mask"),
    ("attention", mask_never_missing, "The answer raised TypeError", "Something is None here"),
    ("attention", mask_as_condition, "The answer raised RuntimeError", "not with one. True in `allowed`"),
    ("attention", results_exchanged, "The results come in another order", "(output, weights)"),
    (
        "additive_scores",
        without_a_batch,
        "The answer raised RuntimeError",
        "every number of leading dimensions",
    ),
    ("sequence_loss", logits_as_they_are, "The classes are mixed with the tokens", "the second axis"),
    ("masked_softmax", nan_written_over, "The gradient cannot be taken", "`x = x + 1`, not `x += 1`"),
    ("convolution_mixing", slice_at_the_edge, "The answer raised RuntimeError", "fewer than b − a"),
    (
        "attention",
        root_in_float32_and_fill,
        "The numbers are right to the precision of float32 only",
        "in float16 it raises",
    ),
    ("attention", softmax_without_an_axis, "The softmax runs over the first axis", "not told its axis"),
    ("attention", all_axes_turned, "The answer raised RuntimeError", "`.mT` exchanges the last two alone"),
    (
        "attention",
        kept_for_the_next_call,
        "The answer works on the CPU alone",
        "kept from one call to the next",
    ),
    ("attention_scores", every_state_with_every_memory, "The shape is wrong", "met every other one"),
    ("sequence_loss", loss_without_a_tensor, "A plain number is returned, not a tensor", "`.item()`"),
    ("next_token_probabilities", temperature_divides, "It holds without top_k, but not with it", "4 tokens, top_k 2"),
    ("attention", with_dropout, "The same inputs give something else at every call", "a dropout"),
    ("top_k_attention", any_of_equal, "It goes wrong where index scores are equal", "`topk` does not promise that"),
    ("attention", only_the_past, "A position that is not blocked has a weight of 0", "blocks this one"),
    ("attention", output_alone_set_to_zero, "A blocked position has a weight", "nothing allowed"),
    (
        "self_attention",
        key_of_a_blind_query_erased,
        "Where one query may attend to nothing, others come out wrong",
        "leave the others as they are",
    ),
    ("rnn_states", states_written_over, "The gradient cannot be taken", "kept in a list"),
    (
        "attention_scores",
        first_state_for_all,
        "It holds for the first item of a batch, but not for the others",
        "Smallest case: batch 2",
    ),
    (
        "attention_output",
        items_added_up,
        "It holds for one item, but not for a batch of several",
        "as if it came alone",
    ),
    ("alibi_bias", slopes_in_whole_numbers, "The numbers are not right", "All numbers are 0."),
    ("attention_scores", positive_scores, "The numbers are not right", "has lost its sign"),
    (
        "gaussian_scores",
        axes_from_the_front,
        "It does not hold for every number of leading dimensions",
        "Count axes from the end",
    ),
    ("transplant", arrays_of_numpy, "A result has another type than asked for", "got an array of NumPy's"),
]


@pytest.mark.parametrize(("name", "answer", "idea", "said"), TOLD, ids=lambda value: getattr(value, "__name__", ""))
def test_what_is_told(name: str, answer: Callable, idea: str, said: str) -> None:
    """The headline is about what goes wrong first, and the words below it fit what was written."""
    verdict = CATALOGUE[name].judge(answer)
    assert verdict.idea == idea and said in verdict_text(verdict)


def test_the_mask_comes_later() -> None:
    """Where the mask is to be looked at next, the case above has none."""
    verdict = CATALOGUE["multi_head_attention"].judge(merged_by_reshape)
    assert verdict.idea.endswith("then look at the mask") and verdict.example.inputs.get("allowed") is None


def test_the_plain_case_is_shown() -> None:
    """A mistake that shows everywhere is shown in a plain case, and not where nothing is allowed."""

    def inverted(query, key, value, allowed=None):
        scores = _scores(query, key)
        weights = (scores if allowed is None else scores.masked_fill(allowed, -math.inf)).softmax(-1)
        return weights.nan_to_num() @ value, weights.nan_to_num()

    for seed in range(3):
        verdict = CATALOGUE["attention"].judge(inverted, seed=seed)
        assert verdict.misconception == "mask-inverted" and verdict.example.inputs["allowed"].any(axis=-1).all()


def test_small_weight_where_blocked() -> None:
    """A weight of 1e-13 at a blocked position is more than rounding, whatever its size."""

    def filled(query, key, value, allowed=None):
        scores = _scores(query, key)
        weights = (scores if allowed is None else scores.masked_fill(~allowed, -30.0)).softmax(-1)
        weights = weights if allowed is None else weights * allowed.any(dim=-1, keepdim=True)
        return weights @ value, weights

    exercise = CATALOGUE["attention"].exercise
    moderate = replace(
        exercise,
        misconceptions={},
        cases=lambda draw: [c for c in exercise.cases(draw) if c.property != properties.LARGE_SCORES],
    )
    assert judge(moderate, filled).idea == "A blocked position has a weight"
