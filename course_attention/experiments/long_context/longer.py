"""The model's blocks of notebook 11, for texts of any length.

They are the function and the classes of the notebook once more, for a script, which cannot import from a notebook. A
test holds the two together.
"""

import math

import torch

from course_attention.mechanisms.language_model import DecoderOnlyBlock, grouped_query_attention
from course_attention.mechanisms.masking import masked_softmax
from course_attention.mechanisms.multi_head import merge_heads, split_heads

TRAINED = 512  # tokens in each piece of the model's training


def turned(x, positions, frequencies):
    """Each pair of neighbouring channels, turned by position × frequency."""
    turns = torch.exp(1j * positions[:, None] * frequencies)
    return torch.view_as_real(torch.view_as_complex(x.unflatten(-1, (-1, 2)).contiguous()) * turns).flatten(-2)


class LongBlock(DecoderOnlyBlock):
    """The model's block, for texts of any length."""

    frequencies, allowed, scale = None, None, 1.0  # how fast each pair turns; who may see whom; factor of the scores

    def attend(self, x, cache):
        query = split_heads(self.w_query(x), self.n_heads)
        key, value = (split_heads(w(x), self.n_groups) for w in (self.w_key, self.w_value))
        if cache is not None:
            key, value = torch.cat([cache[0], key], dim=-2), torch.cat([cache[1], value], dim=-2)
        at = torch.arange(key.shape[-2], device=x.device)
        now = at[-query.shape[-2] :]  # the positions of the queries
        allowed = self.allowed[now[0] : now[-1] + 1, : len(at)]
        seen = allowed.any(dim=0)  # the other keys stay in the cache, and need no scores now
        seen_key, seen_value = key[..., seen, :], value[..., seen, :]
        output, self.weights = self.mix(query, seen_key, seen_value, now, at[seen], allowed[:, seen])
        return self.w_out(merge_heads(output)), (key, value)

    def mix(self, query, key, value, now, at, allowed):
        query, key = turned(query, now, self.frequencies), turned(key, at, self.frequencies)
        return grouped_query_attention(self.scale * query, key, value, allowed)


class NoNewDistance(LongBlock):
    """All keys are there. Those that are too far away are scored at the largest distance of the training."""

    def mix(self, query, key, value, now, at, allowed):
        key, value = (part.repeat_interleave(self.n_heads // self.n_groups, dim=-3) for part in (key, value))
        near = turned(query, now, self.frequencies) @ turned(key, at, self.frequencies).mT
        far = turned(query, 0 * now + TRAINED - 1, self.frequencies) @ key.mT  # a query at 511, and the key at 0
        scores = self.scale * torch.where(now[:, None] - at < TRAINED, near, far) / math.sqrt(query.shape[-1])
        weights = masked_softmax(scores, allowed)
        return weights @ value, weights
