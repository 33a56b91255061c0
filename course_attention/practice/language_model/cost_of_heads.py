"""What each head is worth: by how much the loss rises when it alone is taken away."""

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.language_model.replaced import replaced


def cost_of_heads(loss, n_layers, n_heads):
    """Measure the loss without each head in turn, and subtract the loss of the whole model."""
    without = [[loss(replaced((layer, head), 0.0)) for head in range(n_heads)] for layer in range(n_layers)]
    return torch.tensor(without) - loss()


def _without(loss, n_layers, n_heads):
    return torch.tensor([[loss(replaced((layer, head), 0.0)) for head in range(n_heads)] for layer in range(n_layers)])


def loss_without(loss, n_layers, n_heads):
    return _without(loss, n_layers, n_heads)


def wrong_sign(loss, n_layers, n_heads):
    return loss() - _without(loss, n_layers, n_heads)


def ratio(loss, n_layers, n_heads):
    return _without(loss, n_layers, n_heads) / loss()


def heads_first(loss, n_layers, n_heads):
    return cost_of_heads(loss, n_layers, n_heads).T


def flat(loss, n_layers, n_heads):
    return cost_of_heads(loss, n_layers, n_heads).flatten()


def less_than_the_mean(loss, n_layers, n_heads):
    without = _without(loss, n_layers, n_heads)
    return without - without.mean()


def one_after_another(loss, n_layers, n_heads):
    gone = []

    def change(layer, weights):
        for one in gone:
            weights = replaced(one, 0.0)(layer, weights)
        return weights

    found = torch.zeros(n_layers, n_heads)
    for layer in range(n_layers):
        for head in range(n_heads):
            gone.append((layer, head))
            found[layer, head] = loss(change)
    return found - loss()


def weights_of_one(loss, n_layers, n_heads):
    without = [[loss(replaced((layer, head), 1.0)) for head in range(n_heads)] for layer in range(n_layers)]
    return torch.tensor(without) - loss()


class Worth:
    """A loss that each head lowers by what it is worth, in proportion to its weights; two heads help each other.

    Args:
        worth: (n_layers, n_heads).
        base: the loss when all heads are there.
        together: by how much it rises more when the first head of the first layer and the last head of the last are
            both gone.
    """

    def __init__(self, worth: Tensor, base: float, together: float = 0.0) -> None:
        self.worth, self.base, self.together = worth, base, together

    def __call__(self, change: Callable[[int, Tensor], Tensor] | None = None) -> float:
        """Return the loss of a model whose weights are changed like this."""
        n_layers, n_heads = self.worth.shape
        kept = torch.ones(n_layers, n_heads, dtype=self.worth.dtype)
        if change is not None:
            for layer in range(n_layers):
                kept[layer] = change(layer, torch.ones(1, n_heads, 1, 1)).flatten()
        lost = 1 - kept
        return (self.base + (self.worth * lost).sum() + self.together * lost[0, 0] * lost[-1, -1]).item()


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a model of two heads, then larger ones whose heads help or harm."""
    yield Trial(
        "one layer of two heads; the loss is 2.0, without head 0 it is 2.5, and without head 1 it is 1.75",
        {"loss": Worth(torch.tensor([[0.5, -0.25]]), 2.0), "n_layers": 1, "n_heads": 2},
        torch.tensor([[0.5, -0.25]]),
        says="Without head 0 the loss rises by 0.5. Without head 1 it falls by 0.25, so the rise is −0.25.",
        tolerance=1e-4,
    )
    for n_layers, n_heads in ((2, 3), (3, 2)):
        yield Trial(
            f"{n_layers} layers of {n_heads} heads",
            {
                "loss": Worth(torch.randn(n_layers, n_heads, generator=generator).double(), 3.0, together=1.0),
                "n_layers": n_layers,
                "n_heads": n_heads,
            },
            says="One head is taken away while all others stay, and the loss of the whole model is subtracted.",
            tolerance=1e-4,
        )


PRACTICE = Practice(
    name="cost_of_heads",
    prompt="By how much does the loss rise without each head?",
    minutes=6,
    hints=(
        "`replaced((layer, head), 0.0)` is the change that takes a head away, and `loss(change)` measures the model "
        "with it.",
        "A loop over the layers, and in it one over the heads: a row for each layer.",
        "`loss()` is the loss of the whole model. It is subtracted from all of them.",
    ),
    given=cost_of_heads,
    trials=trials,
    returns=("rise of the loss",),
    misconceptions={
        "cost-of-heads-not-subtracted": Misconception(
            "The loss of the whole model is not subtracted",
            "These are the losses without each head. The *rise* is asked for.",
            (loss_without,),
        ),
        "cost-of-heads-sign": Misconception(
            "The sign is wrong",
            "A head that is missed makes the loss larger when it is taken away: its cost is positive.",
            (wrong_sign,),
        ),
        "cost-of-heads-ratio": Misconception(
            "The losses are divided",
            "By how much the loss rises is a difference, in nats.",
            (ratio,),
        ),
        "cost-of-heads-form": Misconception(
            "The result does not have a row for each layer",
            "Its shape is (n_layers, n_heads).",
            (heads_first, flat),
        ),
        "cost-of-heads-one-after-another": Misconception(
            "Heads that were taken away stay away",
            "One head is taken away while all others are there. So each measurement begins with the whole model.",
            (one_after_another,),
        ),
        "cost-of-heads-mean": Misconception(
            "The mean of the losses is subtracted",
            "Subtract the loss of the whole model, `loss()`.",
            (less_than_the_mean,),
        ),
        "cost-of-heads-not-removed": Misconception(
            "The heads are not taken away",
            "A head adds nothing when all its weights are 0: `replaced((layer, head), 0.0)`.",
            (weights_of_one,),
        ),
    },
)
