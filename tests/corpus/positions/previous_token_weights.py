"""Answers to `previous_token_weights(d_model, base=10000.0)` of notebook 06."""

import math

import torch

from course_attention import shift_matrix
from tests.corpus import change

def right__query_shifted(d_model, base=10000.0):
    return 300 * shift_matrix(-1, d_model, base), torch.eye(d_model)

def right__key_shifted(d_model, base=10000.0):
    w_query = 20 * torch.eye(d_model)
    w_key = 20 * shift_matrix(1, d_model, base)
    return w_query, w_key

def right__half_each(d_model, base=10000.0):
    sharpness = 50 * math.sqrt(d_model)
    return sharpness * shift_matrix(-0.5, d_model, base), shift_matrix(0.5, d_model, base)

def right__transposed(d_model, base=10000.0):
    w_query = shift_matrix(1, d_model, base).mT
    return w_query * 1e3, torch.eye(d_model)

def right__pair_by_pair(d_model, base=10000.0):
    w_query = torch.zeros(d_model, d_model, dtype=torch.float64)
    for i in range(0, d_model, 2):
        angle = base ** (-i / d_model)
        cos, sin = math.cos(angle), math.sin(angle)
        # sin(a - t) = sin a cos t - cos a sin t, cos(a - t) = cos a cos t + sin a sin t.
        w_query[i, i], w_query[i, i + 1] = cos, sin
        w_query[i + 1, i], w_query[i + 1, i + 1] = -sin, cos
    return 500 * w_query, torch.eye(d_model, dtype=torch.float64)

def right__fast_channels(d_model, base=10000.0):
    # The fast half of the channels is enough to tell 64 places apart.
    fast = d_model // 2 + d_model // 2 % 2
    return 900 * shift_matrix(-1, d_model, base)[:, :fast], torch.eye(d_model)[:, :fast]

def odd__list(d_model, base=10000.0):
    """A list, and parameters in it."""
    return [torch.nn.Parameter(w) for w in (200 * shift_matrix(-1, d_model, base), torch.eye(d_model))]

wrong__no_scale__1 = change(right__query_shifted, ("300 *", "12 *"))
wrong__no_scale__2 = change(right__key_shifted, ("20 * torch", "3.5 * torch"), ("20 * shift", "3.5 * shift"))
wrong__weights_not_sharp__1 = change(right__query_shifted, ("300 * ", ""))
wrong__weights_not_sharp__2 = change(right__half_each, ("50 * math.sqrt(d_model)", "2.0"))
wrong__next_token__1 = change(right__query_shifted, ("(-1,", "(1,"))
wrong__next_token__2 = change(right__key_shifted, ("(1,", "(-1,"))
# Query and key have changed places.
wrong__next_token__3 = change(right__key_shifted, ("return w_query, w_key", "return w_key, w_query"))
wrong__own_token__1 = change(right__query_shifted, ("(-1,", "(0,"))

def wrong__own_token__2(d_model, base=10000.0):
    w = 30 * torch.eye(d_model)
    return w, w

# Both are moved the same way.
wrong__own_token__3 = change(right__half_each, ("(0.5,", "(-0.5,"))
wrong__two_back__1 = change(right__query_shifted, ("(-1,", "(-2,"))
wrong__two_back__2 = change(right__half_each, ("-0.5,", "-1,"), ("(0.5,", "(1,"))
wrong__base_ignored__1 = change(right__query_shifted, ("d_model, base)", "d_model)"))
wrong__base_ignored__2 = change(right__pair_by_pair, ("angle = base **", "angle = 10000.0 **"))
wrong__sign_reversed__1 = change(right__query_shifted, ("300", "-300"))
wrong__sign_reversed__2 = change(right__pair_by_pair, ("500 * w_query", "-500 * w_query"))
wrong__wrong_dtype__1 = change(
    right__query_shifted, ("torch.eye(d_model)", "torch.eye(d_model, dtype=torch.float16)")
)
wrong__wrong_dtype__2 = change(right__query_shifted, ("torch.eye(d_model)", "torch.eye(d_model).long()"))

# What the attention should be, in place of weights that make it.
def wrong__channels_shifted__1(d_model, base=10000.0):
    return torch.diag(torch.ones(d_model - 1), -1), torch.eye(d_model)

def wrong__channels_shifted__2(d_model, base=10000.0):
    return 300 * torch.eye(d_model), torch.eye(d_model).roll(-1, dims=1)

wrong__channels_shifted__3 = change(wrong__channels_shifted__2, ("roll(-1", "roll(1"))

def wrong__uniform__1(d_model, base=10000.0):
    return 300 * torch.eye(d_model), torch.zeros(d_model, d_model)

def wrong__uniform__2(d_model, base=10000.0):
    return torch.zeros(2, d_model, 8).unbind()

def extra__one_pair(d_model, base=10000.0):
    """The fastest pair alone, which comes round again after six places."""
    return 900 * shift_matrix(-1, d_model, base)[:, :2], torch.eye(d_model)[:, :2]

def extra__random(d_model, base=10000.0):
    """Weights as they are before a training."""
    generator = torch.Generator().manual_seed(1)
    return torch.randn(2, d_model, 8, generator=generator).unbind()
