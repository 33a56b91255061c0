"""A control: how well a linear layer does that knows nothing but which places were chosen."""

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import nn

from course_attention.practice.authoring import Misconception, Practice, Trial


def train(model, loss_of, n_steps, rate):
    """Train a model as the notebook's `train` does."""
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    falling = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.02, total_iters=n_steps)
    for _ in range(n_steps):
        loss = loss_of(model)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        falling.step()
    return model.eval()


def from_places(chosen, labels, chosen_unseen, labels_unseen):
    """Train a linear layer on the choices, and measure it on those in other pictures."""
    linear = nn.Linear(16, 10)
    train(linear, lambda model: F.cross_entropy(model(chosen), labels), n_steps=200, rate=0.1)
    return (linear(chosen_unseen).argmax(dim=-1) == labels_unseen).float().mean().item()


def measured_on_the_learned(chosen, labels, chosen_unseen, labels_unseen):
    return from_places(chosen, labels, chosen, labels)


def learned_from_the_unseen(chosen, labels, chosen_unseen, labels_unseen):
    return from_places(chosen_unseen, labels_unseen, chosen_unseen, labels_unseen)


def exchanged(chosen, labels, chosen_unseen, labels_unseen):
    return from_places(chosen_unseen, labels_unseen, chosen, labels)


def errors(chosen, labels, chosen_unseen, labels_unseen):
    return 1 - from_places(chosen, labels, chosen_unseen, labels_unseen)


def percentage(chosen, labels, chosen_unseen, labels_unseen):
    return 100 * from_places(chosen, labels, chosen_unseen, labels_unseen)


def number_of_right_ones(chosen, labels, chosen_unseen, labels_unseen):
    return len(labels_unseen) * from_places(chosen, labels, chosen_unseen, labels_unseen)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield choices that tell the digit, and unseen ones of which a part tells another digit.

    One trial, because each trains a layer, and a student waits for it.
    """
    labels = torch.arange(10).repeat(2)
    telling = F.one_hot(labels, 16).float()
    n_misled = int(torch.randint(5, 7, (), generator=generator))  # with 4, the share of wrong ones would be the same
    misled = labels[:8].clone()
    misled[:n_misled] = 9
    yield Trial(
        f"the digit k has the place k chosen, but in {n_misled} of the 8 unseen pictures it tells another digit",
        {"chosen": telling, "labels": labels, "chosen_unseen": telling[:8], "labels_unseen": misled},
        1 - n_misled / 8,
        says=f"The layer can be right about {8 - n_misled} of the 8 unseen pictures, on which it is measured.",
        tolerance=1e-5,
    )


PRACTICE = Practice(
    name="from_places",
    prompt="The accuracy on unseen digits of a linear layer that knows nothing but the choice.",
    minutes=10,
    hints=(
        "The layer is `nn.Linear(16, 10)`: from 16 places to 10 logits.",
        "`train(linear, loss_of, n_steps=200, rate=0.1)` wants a function of the model: `lambda model: "
        "F.cross_entropy(model(chosen), labels)`.",
        "The digit is where the logits of `linear(chosen_unseen)` are largest. How often is it the right one?",
    ),
    given=from_places,
    trials=trials,
    returns=("accuracy",),
    misconceptions={
        "from-places-measured-on-learned": Misconception(
            "The layer is measured on pictures that it was trained on",
            "It learns from `chosen` and `labels`, and is measured on `chosen_unseen` and `labels_unseen`.",
            (measured_on_the_learned, learned_from_the_unseen),
        ),
        "from-places-exchanged": Misconception(
            "The two sets of pictures have changed places",
            "The layer learns from `chosen` and is measured on `chosen_unseen`.",
            (exchanged,),
        ),
        "from-places-errors": Misconception(
            "The share of wrong digits is returned",
            "The accuracy is the share of the right ones.",
            (errors,),
        ),
        "from-places-scale": Misconception(
            "The result is no share between 0 and 1",
            "Divide the number of right digits by the number of unseen pictures.",
            (percentage, number_of_right_ones),
        ),
    },
)
