"""The forward pass of a classifier of patches, with patches that may be hidden."""

from collections.abc import Iterator

import torch
import torch.nn.functional as F

from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.beyond_text.picture_parts import SmallClassifier, drawn_classifier


def recognise(model, x, kept=None):
    """Send the tokens through the blocks, under a mask that hides patches, and read the class token."""
    allowed = None if kept is None else F.pad(kept, (1, 0), value=True).unsqueeze(1)
    for block in model.blocks:
        x = block(x, allowed)
    return model.classify(x[:, 0])


def _after(model, x, *masks):
    for block, allowed in zip(model.blocks, masks, strict=True):
        x = block(x, allowed)
    return x


def _mask(kept, value=True, front=True):
    return None if kept is None else F.pad(kept, (1, 0) if front else (0, 1), value=value).unsqueeze(1)


def logits_of_all(model, x, kept=None):
    return model.classify(_after(model, x, _mask(kept), _mask(kept)))


def mean_of_tokens(model, x, kept=None):
    return model.classify(_after(model, x, _mask(kept), _mask(kept)).mean(dim=1))


def last_patch(model, x, kept=None):
    return model.classify(_after(model, x, _mask(kept), _mask(kept))[:, -1])


def first_block_alone(model, x, kept=None):
    return model.classify(model.blocks[0](x, _mask(kept))[:, 0])


def second_block_alone(model, x, kept=None):
    return model.classify(model.blocks[1](x, _mask(kept))[:, 0])


def probabilities(model, x, kept=None):
    return recognise(model, x, kept).softmax(dim=-1)


def not_classified(model, x, kept=None):
    return _after(model, x, _mask(kept), _mask(kept))[:, 0]


def nothing_hidden(model, x, kept=None):
    return recognise(model, x)


def opposite(model, x, kept=None):
    return recognise(model, x, None if kept is None else ~kept)


def class_token_hidden(model, x, kept=None):
    return model.classify(_after(model, x, _mask(kept, False), _mask(kept, False))[:, 0])


def column_behind(model, x, kept=None):
    return model.classify(_after(model, x, _mask(kept, front=False), _mask(kept, front=False))[:, 0])


def set_to_zero(model, x, kept=None):
    return recognise(model, x if kept is None else x * F.pad(kept, (1, 0), value=True).unsqueeze(-1))


def hidden_in_the_first(model, x, kept=None):
    return model.classify(_after(model, x, _mask(kept), None)[:, 0])


def hidden_in_the_second(model, x, kept=None):
    return model.classify(_after(model, x, None, _mask(kept))[:, 0])


def queries_hidden(model, x, kept=None):
    turned = None if kept is None else _mask(kept).mT
    return model.classify(_after(model, x, turned, turned)[:, 0])


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield tokens to add up by hand, all seen and some hidden, then drawn models and masks."""
    model = SmallClassifier(torch.ones(1, 4), None, torch.ones(1, 1))
    x = torch.zeros(1, 17, 1)
    x[0, 0], x[0, 1], x[0, 2] = 1.0, 10.0, 100.0
    only_first = torch.arange(16)[None] == 0
    yield Trial(
        "the class token is 1, the first two patches are 10 and 100, and the others 0; only the first patch is kept; "
        "a block adds to each token the sum of all that may be seen; logit k is k times the class token",
        {"model": model, "x": x, "kept": only_first},
        45.0 * torch.arange(10.0)[None],
        says="The class token and the first patch may be seen: 1 + 10 = 11. So the first block makes 12 and 21 of "
        "them. Their sum is 33, and the second block makes 45 of the class token.",
    )
    yield Trial(
        "the same, and `kept` is None",
        {"model": model, "x": x},
        2110.0 * torch.arange(10.0)[None],
        says="All 17 tokens may be seen. The first block adds 111 to each of them, so their sum is 111 + 17 · 111 = "
        "1998. The second block makes 112 + 1998 = 2110 of the class token.",
    )
    for n_pictures in (2, 3):
        yield Trial(
            f"{n_pictures} pictures, about half of the patches are kept",
            {
                "model": drawn_classifier(generator),
                "x": torch.randn(n_pictures, 17, 3, generator=generator),
                "kept": torch.rand(n_pictures, 16, generator=generator) < 0.5,
            },
            says="The mask goes into both blocks: (batch, 1, 17), the class token in front.",
        )


PRACTICE = Practice(
    name="recognise",
    prompt="Logits of the ten digits, read from the class token, with patches that may be hidden.",
    minutes=6,
    hints=(
        "`F.pad(kept, (1, 0), value=True)` is (batch, 17). `.unsqueeze(1)` gives it an axis for the queries.",
        "A loop over `model.blocks`: `x = block(x, allowed)`. Where `kept` is None, `allowed` is None.",
        "The class token is `x[:, 0]`, and `model.classify` makes ten logits of it.",
    ),
    given=recognise,
    trials=trials,
    returns=("logits",),
    misconceptions={
        "recognise-all-tokens": Misconception(
            "There are logits for all 17 tokens",
            "The digit is read from the class token only: `x[:, 0]`.",
            (logits_of_all,),
        ),
        "recognise-other-token": Misconception(
            "The digit is not read from the class token",
            "The class token is in front: `x[:, 0]`. Neither the last patch nor the mean of all tokens is asked for.",
            (mean_of_tokens, last_patch),
        ),
        "recognise-one-block": Misconception(
            "Only one of the two blocks is in effect",
            "What the first block gives goes into the second: `x = block(x, allowed)` in a loop.",
            (first_block_alone, second_block_alone),
        ),
        "recognise-probabilities": Misconception(
            "Probabilities are returned",
            "The loss expects logits, and applies the softmax itself.",
            (probabilities,),
        ),
        "recognise-not-classified": Misconception(
            "The class token is returned as it comes out of the blocks",
            "`model.classify` makes ten logits of it.",
            (not_classified,),
        ),
        "recognise-nothing-hidden": Misconception(
            "`kept` is ignored",
            "While all patches are seen, the logits are right. The mask of `kept` has to go into the blocks.",
            (nothing_hidden,),
        ),
        "recognise-inverted": Misconception(
            "The patches that should be kept are hidden",
            "True means that a patch may be seen, in `kept` as in a mask.",
            (opposite,),
        ),
        "recognise-class-token-hidden": Misconception(
            "The class token is hidden, too",
            "Every token may attend to it: pad the mask with True, `value=True`.",
            (class_token_hidden,),
        ),
        "recognise-column-behind": Misconception(
            "The column of the class token is behind the patches",
            "The class token is in front: `(1, 0)` pads on the left, and `(0, 1)` on the right.",
            (column_behind,),
        ),
        "recognise-set-to-zero": Misconception(
            "Hidden tokens are set to 0",
            "A token of zeros is still attended to, and takes a part of the weight. The mask goes into the blocks.",
            (set_to_zero,),
        ),
        "recognise-one-mask": Misconception(
            "The patches are hidden in one block only",
            "In the other block they are seen. Both blocks get the mask.",
            (hidden_in_the_first, hidden_in_the_second),
        ),
        "recognise-queries-hidden": Misconception(
            "The mask says who may look, and not what may be seen",
            "Keys are columns: the mask has the shape (batch, 1, 17), one row for all queries.",
            (queries_hidden,),
        ),
    },
)
