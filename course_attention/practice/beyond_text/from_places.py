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
    """Yield choices that tell the digit, and unseen ones of which a part tells another digit."""
    labels = torch.arange(10).repeat(2)
    telling = F.one_hot(labels, 16).float()
    yield Trial(
        "the digit k has the place k chosen, in the pictures that are learned from and in the 5 unseen ones",
        {"chosen": telling, "labels": labels, "chosen_unseen": telling[3:8], "labels_unseen": labels[3:8]},
        1.0,
        says="The choice tells the digit, so a layer that has been trained names all of them rightly.",
        tolerance=1e-5,
    )
    misled = labels[:8].clone()
    misled[:6] = 9
    yield Trial(
        "the same, but in 6 of the 8 unseen pictures the choice tells another digit",
        {"chosen": telling, "labels": labels, "chosen_unseen": telling[:8], "labels_unseen": misled},
        0.25,
        says="The layer can be right about 2 of the 8 unseen pictures, and these are what it is measured on.",
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
