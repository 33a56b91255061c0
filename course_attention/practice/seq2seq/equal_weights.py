"""Attention that cannot choose: every character of a text has the same weight, whatever the decoder's state is."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course_attention.mechanisms.seq2seq import attend_and_concat, attention_distribution, attention_output
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.seq2seq.states_of_texts import one_text, two_texts


def equal_weights(state, memory, allowed):
    """One step with the mean of the states in the place of a choice among them: equal scores give equal weights."""
    scores = torch.zeros_like(memory[..., 0])
    distribution = attention_distribution(scores, allowed)
    return torch.cat([attention_output(distribution, memory), state], dim=-1), distribution


def _with(distribution, state, memory):
    return torch.cat([attention_output(distribution, memory), state], dim=-1), distribution


def padding_included(state, memory, allowed):
    return _with(torch.ones_like(memory[..., 0]) / memory.shape[1], state, memory)


def padding_included_in_the_mean(state, memory, allowed):
    _, distribution = equal_weights(state, memory, allowed)
    return torch.cat([memory.mean(dim=1), state], dim=-1), distribution


def divided_by_the_longest(state, memory, allowed):
    return _with(allowed.to(memory.dtype) / memory.shape[1], state, memory)


def mean_divided_by_the_longest(state, memory, allowed):
    _, distribution = equal_weights(state, memory, allowed)
    return torch.cat([(memory * allowed[..., None]).mean(dim=1), state], dim=-1), distribution


def divided_twice(state, memory, allowed):
    _, distribution = equal_weights(state, memory, allowed)
    return torch.cat([(memory * distribution[..., None]).mean(dim=1), state], dim=-1), distribution


def ones(state, memory, allowed):
    return _with(allowed.to(memory.dtype), state, memory)


def ones_on_padding_too(state, memory, allowed):
    return _with(torch.ones_like(memory[..., 0]), state, memory)


def sum_in_the_place_of_the_mean(state, memory, allowed):
    _, distribution = equal_weights(state, memory, allowed)
    return torch.cat([(memory * allowed[..., None]).sum(dim=1), state], dim=-1), distribution


def no_softmax(state, memory, allowed):
    return _with(torch.zeros_like(memory[..., 0]), state, memory)


def shared_by_the_batch(state, memory, allowed):
    return _with(allowed.to(memory.dtype) / allowed.sum(), state, memory)


def shared_by_a_column(state, memory, allowed):
    return _with(allowed.to(memory.dtype) / allowed.sum(dim=0), state, memory)


def still_chosen(state, memory, allowed):
    return attend_and_concat(state, memory, allowed)


def _one_place(place: Tensor, state: Tensor, memory: Tensor) -> tuple[Tensor, Tensor]:
    return _with(torch.nn.functional.one_hot(place, memory.shape[1]).to(memory.dtype), state, memory)


def first_place(state, memory, allowed):
    return _one_place(torch.zeros_like(allowed[:, 0], dtype=torch.long), state, memory)


def last_place(state, memory, allowed):
    return _one_place(allowed.sum(dim=1) - 1, state, memory)


def last_place_of_the_memory(state, memory, allowed):
    return _one_place(torch.full_like(allowed[:, 0], memory.shape[1] - 1, dtype=torch.long), state, memory)


def mask_inverted(state, memory, allowed):
    return equal_weights(state, memory, ~allowed)


def mask_inverted_and_divided(state, memory, allowed):
    padding = (~allowed).to(memory.dtype)
    return _with(padding / padding.sum(dim=1, keepdim=True), state, memory)


def state_dropped(state, memory, allowed):
    _, distribution = equal_weights(state, memory, allowed)
    return attention_output(distribution, memory), distribution


def state_zeroed(state, memory, allowed):
    return equal_weights(torch.zeros_like(state), memory, allowed)


def output_twice(state, memory, allowed):
    _, distribution = equal_weights(state, memory, allowed)
    return torch.cat([attention_output(distribution, memory)] * 2, dim=-1), distribution


def state_first(state, memory, allowed):
    joined, distribution = equal_weights(state, memory, allowed)
    return torch.cat(joined.chunk(2, dim=-1)[::-1], dim=-1), distribution


def detached(state, memory, allowed):
    return equal_weights(state, memory.detach(), allowed)


def _trained_through(answer: Callable[..., Any], state: Tensor, memory: Tensor, allowed: Tensor) -> Any:
    """Return what the answer returns, after a backward pass from it to the states."""
    returned = answer(state, memory.requires_grad_(), allowed)
    if isinstance(returned, (tuple, list)) and isinstance(returned[0], Tensor):
        returned[0].sum().backward()
    return returned


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one text and two, with numbers that can be followed, then drawn ones, and last the two texts in training.

    In training, the gradient has to come back to the states, which a detour by NumPy would cut off.
    """
    two = {
        "state": torch.tensor([[2.0, 0.0], [0.0, 2.0]]),
        "memory": torch.tensor([[[1.0, 0.0], [3.0, 2.0]], [[5.0, 6.0], [9.0, 9.0]]]),
        "allowed": torch.tensor([[True, True], [True, False]]),
    }
    yield Trial(
        "one text of two characters and a padding",
        one_text(),
        (torch.tensor([[0.5, 2.0, 2.0, 0.0]]), torch.tensor([[0.5, 0.5, 0.0]])),
        says="The two characters have half of the weight each, and the padding has none. So the first half of `joined` "
        "is the mean of (1, 0) and (0, 4), and the second half is the state.",
    )
    yield Trial(
        "a text of two characters, and a text of one with a padding",
        two,
        (torch.tensor([[2.0, 1.0, 2.0, 0.0], [5.0, 6.0, 0.0, 2.0]]), torch.tensor([[0.5, 0.5], [1.0, 0.0]])),
        says="Each text has weights of its own: two halves in the first, and a whole in the second.",
    )
    for title, arguments in two_texts(generator):
        yield Trial(title, arguments)
    yield Trial("two texts in training, with a backward pass", two, run=_trained_through)


PRACTICE = Practice(
    name="equal_weights",
    prompt="One step of attention in which all characters of a text have the same weight, and padding has none.",
    minutes=4,
    hints=(
        "In `attend_and_concat`, only the scores depend on the state. The rest can stay as it is. What has to be "
        "true of the scores, so that the softmax gives the same weight to every character?",
        "Scores that are all the same number give equal weights. `torch.zeros_like(memory[..., 0])` has one zero "
        "for each place of each text.",
        "Three steps are left: `attention_distribution(…, …)` makes weights of the scores, and leaves the padding out; "
        "`attention_output(…, …)` makes the mean; `torch.cat([…, …], dim=-1)` joins it to the state.",
    ),
    given=equal_weights,
    trials=trials,
    returns=("joined", "distribution"),
    misconceptions={
        "equal-weights-on-padding": Misconception(
            "The padding gets a share",
            "The mean is taken over all places, also over those that hold no character. Only places where `allowed` is "
            "True may have a weight. A score of 0 does not leave a place out; `attention_distribution` does, if it "
            "gets the mask.",
            (padding_included, padding_included_in_the_mean),
        ),
        "equal-weights-divided-by-the-longest": Misconception(
            "The divisor is the length of the memory, not of the text",
            "The memory is as long as the longest text of the batch. The mean of a shorter text has a smaller divisor: "
            "the number of its own characters, where its row of `allowed` is True.",
            (divided_by_the_longest, mean_divided_by_the_longest),
        ),
        "equal-weights-divided-twice": Misconception(
            "The mean is divided once more",
            "The weights sum to 1, so the *sum* of the weighted states is their mean already. `mean` divides it by the "
            "number of places a second time.",
            (divided_twice,),
        ),
        "equal-weights-not-normalised": Misconception(
            "The states are summed, and their number is not divided out",
            "With a weight of 1 for each state, the sum grows with the length of the text. Equal weights that sum to 1 "
            "are 1 / n for n characters.",
            (ones, ones_on_padding_too, sum_in_the_place_of_the_mean),
        ),
        "equal-weights-no-softmax": Misconception(
            "All weights are 0",
            "Equal *scores* of 0 are a good start, but a weight of 0 takes nothing from a state. The softmax makes "
            "weights of the scores: each of n equal scores becomes 1 / n.",
            (no_softmax,),
        ),
        "equal-weights-shared-by-the-batch": Misconception(
            "The weights of a text do not sum to 1, because texts share them",
            "Each text has weights of its own, in a row of `distribution`, and each row sums to 1. Count the "
            "characters of each row alone: `allowed.sum(dim=1, keepdim=True)`.",
            (shared_by_the_batch, shared_by_a_column),
        ),
        "equal-weights-still-chosen": Misconception(
            "The weights still depend on the decoder's state",
            "This is attention as before. The rival is to be unable to choose, so its scores may not come from the "
            "state.",
            (still_chosen,),
        ),
        "equal-weights-one-place": Misconception(
            "One place has all the weight",
            "A fixed place is no choice either, but it shows the decoder one state alone. Equal weights give it "
            "the mean of all the states of the text.",
            (first_place, last_place, last_place_of_the_memory),
        ),
        "equal-weights-mask-inverted": Misconception(
            "Only the padding has a weight",
            "`allowed` is True where there is a character. With `~allowed`, the characters are left out.",
            (mask_inverted, mask_inverted_and_divided),
        ),
        "equal-weights-state-lost": Misconception(
            "The decoder's state is not in `joined`",
            "The weights do not depend on the state, but the output layers need it all the same. They read "
            "[a_t; s_t], and only s_t knows what has been written so far.",
            (state_dropped, state_zeroed, output_twice),
        ),
        "equal-weights-state-first": Misconception(
            "The state comes before the mean",
            "The output layers read [a_t; s_t]: first the mean, then the state.",
            (state_first,),
        ),
        "equal-weights-detached": Misconception(
            "No gradient gets back to the encoder",
            "In training, the encoder learns from the gradient that comes back through the mean. `.detach()`, a detour "
            "by NumPy and `torch.no_grad` cut it off.",
            (detached,),
        ),
    },
)
