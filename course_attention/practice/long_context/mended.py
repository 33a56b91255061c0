"""A mask for a text longer than the training: the distances of the training, all of them, and no other."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course_attention.mechanisms.masking import causal_mask, window_mask
from course_attention.practice.authoring import Misconception, Practice, Trial


def mended(n_tokens, n_trained):
    """Let each query see the last n_trained keys. Separate pieces of n_trained tokens are right as well."""
    return window_mask(n_tokens, n_trained)


def _distances(n_tokens):
    place = torch.arange(n_tokens)
    return place[:, None] - place


def causal(n_tokens, n_trained):
    return causal_mask(n_tokens)


def twice_as_wide(n_tokens, n_trained):
    return window_mask(n_tokens, 2 * n_trained)


def one_distance_more(n_tokens, n_trained):
    return window_mask(n_tokens, n_trained + 1)


def one_distance_less(n_tokens, n_trained):
    return window_mask(n_tokens, n_trained - 1)


def half_as_wide(n_tokens, n_trained):
    return window_mask(n_tokens, n_trained // 2)


def few_keys(n_tokens, n_trained):
    away = _distances(n_tokens)
    far = (away >= n_trained) & (away < n_trained + n_trained // 2)
    return window_mask(n_tokens, n_trained // 2) | far


def furthest_keys(n_tokens, n_trained):
    return _distances(n_tokens) >= n_trained


def no_upper_end(n_tokens, n_trained):
    return _distances(n_tokens) < n_trained


def both_sides(n_tokens, n_trained):
    return _distances(n_tokens).abs() < n_trained


def pieces_both_ways(n_tokens, n_trained):
    piece = torch.arange(n_tokens) // n_trained
    return piece[:, None] == piece


def the_next_keys(n_tokens, n_trained):
    return mended(n_tokens, n_trained).T


def without_itself(n_tokens, n_trained):
    away = _distances(n_tokens)
    return (away > 0) & (away < n_trained)


def without_itself_moved(n_tokens, n_trained):
    away = _distances(n_tokens)
    return (away > 0) & (away <= n_trained)


def only_itself(n_tokens, n_trained):
    return torch.eye(n_tokens, dtype=torch.bool)


def last_keys_of_the_text(n_tokens, n_trained):
    return causal_mask(n_tokens) & (torch.arange(n_tokens) >= n_tokens - n_trained)


def first_keys_of_the_text(n_tokens, n_trained):
    return causal_mask(n_tokens) & (torch.arange(n_tokens) < n_trained)


def true_where_blocked(n_tokens, n_trained):
    return ~mended(n_tokens, n_trained)


def from_behind(n_tokens, n_trained):
    mask = torch.zeros(n_tokens, n_tokens, dtype=torch.bool)
    for i in range(n_tokens):
        mask[i, i - n_trained + 1 : i + 1] = True
    return mask


def zeros_and_ones(n_tokens, n_trained):
    return mended(n_tokens, n_trained).float()


def numpy_array(n_tokens, n_trained):
    return mended(n_tokens, n_trained).numpy()


def whole_zeros_and_ones(n_tokens, n_trained):
    return mended(n_tokens, n_trained).long()


def _in_words(distances: list[int]) -> str:
    """Return distances, in order, as they are said: "0 to 2, 6 to 8"."""
    ranges: list[list[int]] = []
    for one in distances:
        if ranges and one == ranges[-1][1] + 1:
            ranges[-1][1] = one
        else:
            ranges.append([one, one])
    return ", ".join(f"{first} to {last}" if first < last else f"{first}" for first, last in ranges) or "none"


def _what_it_allows(answer: Callable[..., Any], n_tokens: int, n_trained: int) -> Any:
    """Say of a mask which distances occur, whether each query sees a key, and whether they see enough of them."""
    mask = answer(n_tokens, n_trained)
    if mask is None:
        return None
    kind = f"{mask.dtype} {tuple(mask.shape)}" if isinstance(mask, Tensor) else type(mask).__name__
    if kind != f"torch.bool ({n_tokens}, {n_tokens})":
        return kind, "not looked at", "not looked at", "not looked at"
    mask = mask.cpu()
    distances = _in_words(_distances(n_tokens)[mask].unique().tolist())
    pieces, rest = divmod(n_tokens, n_trained)
    enough = pieces * n_trained * (n_trained + 1) // 2 + rest * (rest + 1) // 2
    seen = int(mask.sum())
    right = seen >= enough and distances == _in_words(list(range(n_trained)))
    pairs = "as many as in separate pieces, or more" if right else f"{seen}; separate pieces have {enough}"
    blind = (~mask.any(dim=-1)).nonzero().flatten().tolist()
    return kind, distances, f"none, of query {blind[0]}" if blind else "one or more", pairs


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield six tokens after a training with three, and longer texts, which separate pieces may cut unevenly."""
    says = (
        "In a piece of {n} tokens, the last token sees its own key at distance 0, and the first token's at distance "
        "{last}. All distances from one to the other should occur, and no new one. "
        "Every query sees its own key, and together they see as many keys as in separate pieces, or more."
    )
    yield Trial(
        "6 tokens, and a training with pieces of 3",
        {"n_tokens": 6, "n_trained": 3},
        ("torch.bool (6, 6)", "0 to 2", "one or more", "as many as in separate pieces, or more"),
        _what_it_allows,
        says=says.format(n=3, last=2),
    )
    for n_trained in (4, 8):
        n_tokens = 3 * n_trained + int(torch.randint(n_trained, (), generator=generator))
        yield Trial(
            f"{n_tokens} tokens, and a training with pieces of {n_trained}",
            {"n_tokens": n_tokens, "n_trained": n_trained},
            run=_what_it_allows,
            says=says.format(n=n_trained, last=n_trained - 1),
        )


PRACTICE = Practice(
    name="mended",
    prompt="A mask with which a long text brings no new distance, and loses none of the training's.",
    minutes=6,
    hints=(
        "Take a piece of n_trained tokens, as in the training. Which distances i − j occur in it between a query i and "
        "a key j? In the long text, the same ones may occur.",
        "A key must not come after its query, and it must not be further back than the first token of a piece is from "
        "the last. You have written a mask like this in notebook 05.",
        "With all distances at hand, `away = place[:, None] - place`, the mask is two comparisons that are joined by "
        "`&`: `(away >= …) & (away < …)`. `window_mask` makes them for you.",
    ),
    given=mended,
    trials=trials,
    returns=("mask", "distances", "keys of each query", "pairs of query and key"),
    misconceptions={
        "mended-still-all-keys": Misconception(
            "Each query still sees everything before it",
            "This is the causal mask. At the end of a long text it lets a query look back to the beginning, and these "
            "distances are new. Look at the smallest case: which distances can occur in 3 tokens?",
            (causal,),
        ),
        "mended-too-wide": Misconception(
            "A query sees keys that are too far away",
            "The mask has the right form, and is too wide. In the training, no key was further away than the first "
            "token of a piece is from the last.",
            (twice_as_wide,),
        ),
        "mended-one-too-far": Misconception(
            "One distance is new",
            "In a piece of 3 tokens the largest distance is 2. Distances begin at 0, so a piece has as many of them as "
            "it has tokens.",
            (one_distance_more,),
        ),
        "mended-narrower-than-needed": Misconception(
            "Distances that the model knows are lost",
            "No distance is new, so the loss falls. But the model was trained with more: keys that it could use are "
            "blocked. The largest distance of the training may occur as well.",
            (half_as_wide, one_distance_less),
        ),
        "mended-few-keys": Misconception(
            "The number of keys is that of the training, and their distances are not",
            "This is “few keys, new distances”: the second half of the keys is further away than any key of the "
            "training. That mask was made to show what does harm.",
            (few_keys,),
        ),
        "mended-far-keys": Misconception(
            "The keys that are near are blocked, and the far ones are allowed",
            "In this course, True means *may attend*. New distances are the ones to block.",
            (furthest_keys, true_where_blocked),
        ),
        "mended-future": Misconception(
            "A query sees keys that come after it",
            "A distance i − j below 0 means that the key comes later. The model writes one token after the other, so "
            "the mask is causal, whatever else it blocks.",
            (no_upper_end, both_sides, pieces_both_ways),
        ),
        "mended-only-future": Misconception(
            "Queries and keys are exchanged",
            "Rows are queries and columns are keys. Here each token sees itself and what comes after it.",
            (the_next_keys,),
        ),
        "mended-without-itself": Misconception(
            "A query does not see its own key",
            "The smallest distance of the training is 0: a query's own key. Without it, the first token sees nothing.",
            (without_itself, without_itself_moved),
        ),
        "mended-only-itself": Misconception(
            "A query sees nothing but itself",
            "No distance is new, but nothing before the token can be read. All distances of the training may occur.",
            (only_itself,),
        ),
        "mended-last-keys": Misconception(
            "The last tokens of the whole text are the only keys",
            "The keys at the end of the text are near for the last queries alone. Which keys are near depends on the "
            "query, so the mask needs the distance i − j, not the key's place j.",
            (last_keys_of_the_text,),
        ),
        "mended-first-keys": Misconception(
            "The first tokens of the text are the only keys",
            "For a query at the end of a long text, the first tokens are the furthest of all. Which keys are near "
            "depends on the query, so the mask needs the distance i − j, not the key's place j.",
            (first_keys_of_the_text,),
        ),
        "mended-from-behind": Misconception(
            "At the beginning the window starts with a negative number",
            "In Python, a negative start counts from the end, so the first queries see nothing. The first key has the "
            "number 0: `max(0, i - n_trained + 1)`.",
            (from_behind,),
        ),
        "mended-numbers": Misconception(
            "The mask holds numbers, and not True and False",
            "Zeros and ones are in the right places. A mask of this course is a boolean tensor: `.bool()` makes one, "
            "and a comparison gives one by itself.",
            (zeros_and_ones, whole_zeros_and_ones),
        ),
        "mended-array": Misconception(
            "The mask is a NumPy array",
            "The model takes tensors. Torch has functions of the same kind, and `torch.from_numpy(mask)` makes a "
            "tensor of an array.",
            (numpy_array,),
        ),
    },
)
