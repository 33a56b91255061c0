"""An ablation: the output of multi-head attention when the part of one head is left out of the sum."""

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from course_attention.mechanisms.multi_head import head_outputs
from course_attention.practice.authoring import Misconception, Practice, Trial


def output_without(model, x, head):
    """The sum of what all heads but one add to the output."""
    parts = head_outputs(x, *model.weights, model.n_heads)  # (n_sentences, n_heads, n_words, d_out)
    return parts.sum(dim=1) - parts[:, head]


def _parts(model, x):
    return head_outputs(x, *model.weights, model.n_heads)


def that_head_alone(model, x, head):
    return _parts(model, x)[:, head]


def all_heads(model, x, head):
    return _parts(model, x).sum(dim=1)


def mean_of_the_others(model, x, head):
    return output_without(model, x, head) / (model.n_heads - 1)


def divided_by_all(model, x, head):
    return output_without(model, x, head) / model.n_heads


def first_head(model, x, head):
    return output_without(model, x, 0)


def last_head(model, x, head):
    return output_without(model, x, model.n_heads - 1)


def heads_not_summed(model, x, head):
    parts = _parts(model, x)
    return torch.cat([parts[:, :head], parts[:, head + 1 :]], dim=1)


def heads_not_summed_zeros(model, x, head):
    parts = _parts(model, x).clone()
    parts[:, head] = 0
    return parts


def summed_over_words(model, x, head):
    parts = heads_not_summed(model, x, head)
    return parts.sum(dim=2)


class Heads(nn.Module):
    """What the notebook's models keep: their four matrices, and the number of heads."""

    def __init__(self, n_heads: int, *weights: Tensor) -> None:
        super().__init__()
        self.n_heads = n_heads
        self.weights = nn.ParameterList(weights)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two words and two heads whose parts can be told at once, then drawn weights and three heads."""
    even = torch.zeros(2, 2)
    yield Trial(
        "two words; both heads give them equal weights, head 0 brings channel 0 and head 1 channel 1",
        {
            "model": Heads(2, even, even, torch.eye(2), torch.eye(2)),
            "x": torch.tensor([[[2.0, 4.0], [0.0, 8.0]]]),
            "head": 0,
        },
        torch.tensor([[[0.0, 6.0], [0.0, 6.0]]]),
        says="Head 0 adds (1, 0) at both words, and head 1 adds (0, 6). Without head 0, (0, 6) is left.",
    )
    for n_heads in (2, 3):
        weights = [
            torch.randn(shape, generator=generator) / 2
            for shape in ((6, 2 * n_heads), (6, 2 * n_heads), (6, 3 * n_heads), (3 * n_heads, 5))
        ]
        for head in range(n_heads):
            yield Trial(
                f"2 sentences of 4 words, {n_heads} heads, without head {head}",
                {
                    "model": Heads(n_heads, *weights),
                    "x": torch.randn(2, 4, 6, generator=generator),
                    "head": head,
                },
            )


PRACTICE = Practice(
    name="output_without",
    prompt="What a model gives when the part of one head is left out of the sum over the heads.",
    minutes=6,
    hints=(
        "`head_outputs(x, *model.weights, model.n_heads)` gives what each head adds to the output. What is its shape?",
        "The shape is (n_sentences, n_heads, n_words, d_out). The sum over the heads, along axis 1, is the "
        "whole output.",
        "The part of one head is `parts[:, head]`. Take it away from the whole.",
    ),
    given=output_without,
    trials=trials,
    returns=("output",),
    misconceptions={
        "ablation-nothing-left-out": Misconception(
            "No head is left out",
            "This is the sum over all heads, the whole output of the model.",
            (all_heads,),
        ),
        "ablation-head-alone": Misconception(
            "The part of that head alone is returned",
            "It is the part that is to be left out. What is asked for is the sum of all the others.",
            (that_head_alone,),
        ),
        "ablation-mean": Misconception(
            "The parts are averaged, not summed",
            "The output of the model is the sum of what its heads add. Where one is left out, the others "
            "stay as they are.",
            (mean_of_the_others, divided_by_all),
        ),
        "ablation-always-the-same-head": Misconception(
            "The same head is left out, whichever is asked for",
            "`head` says which head to leave out.",
            (first_head, last_head),
        ),
        "ablation-not-summed": Misconception(
            "The heads are not summed",
            "There is still an axis for the heads, or the sum went along another axis. Axis 1 of what `head_outputs` "
            "gives goes over the heads.",
            (heads_not_summed, heads_not_summed_zeros, summed_over_words),
        ),
    },
)
