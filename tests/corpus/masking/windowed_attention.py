"""Answers to the practice `windowed_attention(query, key, value, width)` of notebook 05."""

import torch

from course_attention.mechanisms.attention import attention
from tests.corpus import change

def right__loop(query, key, value, width):
    outputs = []
    for i in range(query.shape[0]):
        first = max(i + 1 - width, 0)
        output, _ = attention(query[i].unsqueeze(0), key[first : i + 1], value[first : i + 1])
        outputs.append(output.squeeze(0))
    return torch.stack(outputs)

def right__by_hand(query, key, value, width):
    output = value.new_zeros(len(query), value.shape[-1])
    for i, q in enumerate(query):
        keys, values = key[: i + 1][-width:], value[: i + 1][-width:]
        weights = torch.softmax(keys @ q / q.shape[0] ** 0.5, dim=0)
        output[i] = weights @ values
    return output

def wrong__windowed_all_scores__1(query, key, value, width):
    i = torch.arange(len(query))
    distance = i[:, None] - i
    return attention(query, key, value, (distance >= 0) & (distance < width))[0]

wrong__windowed_one_more__1 = change(right__loop, ("i + 1 - width", "i - width"))
wrong__windowed_one_less__1 = change(right__loop, ("i + 1 - width", "i + 2 - width"))
wrong__windowed_without_itself__1 = change(
    right__loop,
    ("i + 1 - width", "i - width"),
    ("key[first : i + 1], value[first : i + 1]", "key[first:i], value[first:i]"),
)
wrong__windowed_no_window__1 = change(
    right__by_hand, ("key[: i + 1][-width:], value[: i + 1][-width:]", "key[: i + 1], value[: i + 1]")
)
wrong__windowed_from_behind__1 = change(right__loop, ("max(i + 1 - width, 0)", "i + 1 - width"))
wrong__windowed_ahead__1 = change(
    right__by_hand, ("key[: i + 1][-width:], value[: i + 1][-width:]", "key[i : i + width], value[i : i + width]")
)
wrong__windowed_equal_weights__1 = change(right__by_hand, ("weights @ values", "values.mean(0)"))
wrong__windowed_blocks__1 = change(right__loop, ("max(i + 1 - width, 0)", "i - i % width"))

# The scores are not divided by the root of d.
extra__not_scaled = change(right__by_hand, (" / q.shape[0] ** 0.5", ""))
# The last output only.
extra__last = change(right__loop, ("torch.stack(outputs)", "outputs[-1]"))
