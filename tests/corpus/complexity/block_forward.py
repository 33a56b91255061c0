"""Answers to the practice `block_forward(x, w_query, w_key, w_value, w_out, w_up, w_down, n_heads)` of notebook 07."""

import torch.nn.functional as F

from course_attention.mechanisms.attention import attention
from course_attention.mechanisms.multi_head import merge_heads, split_heads
from tests.corpus import change

def right__steps(x, w_query, w_key, w_value, w_out, w_up, w_down, n_heads):
    query = split_heads(x @ w_query, n_heads)
    key = split_heads(x @ w_key, n_heads)
    value = split_heads(x @ w_value, n_heads)
    heads, _ = attention(query, key, value)
    attended = x + merge_heads(heads) @ w_out
    hidden = F.relu(attended @ w_up)
    return attended + hidden @ w_down

def right__views(x, w_query, w_key, w_value, w_out, w_up, w_down, n_heads):
    n_tokens, d_model = x.shape
    query, key, value = (
        (x @ w).view(n_tokens, n_heads, d_model // n_heads).transpose(0, 1) for w in (w_query, w_key, w_value)
    )
    mixed = attention(query, key, value)[0].transpose(0, 1).reshape(n_tokens, d_model)
    x = mixed @ w_out + x
    return (x @ w_up).clamp(min=0) @ w_down + x

wrong__block_attention_not_added__1 = change(right__steps, ("attended = x + merge", "attended = merge"))
wrong__block_attention_not_added__2 = change(
    right__steps, ("attended = x + merge", "attended = merge"), ("return attended +", "return")
)
wrong__block_network_not_added__1 = change(right__steps, ("return attended +", "return"))
wrong__block_side_by_side__1 = change(right__steps, ("F.relu(attended @", "F.relu(x @"))
wrong__block_relu__1 = change(right__steps, ("F.relu(attended @ w_up)", "attended @ w_up"))
wrong__block_relu__2 = change(
    right__steps, ("F.relu(attended @ w_up)", "attended @ w_up"), ("hidden @ w_down", "F.relu(hidden @ w_down)")
)
wrong__block_w_out__1 = change(right__steps, (" @ w_out", ""))
wrong__block_one_head__1 = change(right__views, ("n_tokens, n_heads, d_model // n_heads", "n_tokens, 1, d_model"))
wrong__block_no_network__1 = change(right__steps, ("return attended + hidden @ w_down", "return attended"))

# The weights of attention are used in place of its output.
extra__weights = change(right__steps, ("heads, _ =", "_, heads ="))
# Queries and keys have changed places.
extra__exchanged = change(right__steps, ("attention(query, key", "attention(key, query"))
