"""Transfer: a new model takes over the embedding and the encoder of a trained one, frozen or not."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import nn

from course_attention.practice.authoring import Misconception, Practice, Trial


def take_over(new, trained, frozen):
    """Copy the weights of both parts, and say whether the training may change them."""
    for name in ("embed_source", "encoder"):
        part = getattr(new, name)
        part.load_state_dict(getattr(trained, name).state_dict())
        part.requires_grad_(not frozen)


def nothing(new, trained, frozen):
    for name in ("embed_source", "encoder"):
        getattr(trained, name).state_dict()


def wrong_way(new, trained, frozen):
    for name in ("embed_source", "encoder"):
        getattr(trained, name).load_state_dict(getattr(new, name).state_dict())
        getattr(new, name).requires_grad_(not frozen)


def shared(new, trained, frozen):
    for name in ("embed_source", "encoder"):
        setattr(new, name, getattr(trained, name))
        getattr(new, name).requires_grad_(not frozen)


def shared_never_frozen(new, trained, frozen):
    shared(new, trained, False)


def shared_encoder_frozen(new, trained, frozen):
    shared(new, trained, False)
    new.encoder.requires_grad_(not frozen)


def shared_embedding_frozen(new, trained, frozen):
    shared(new, trained, False)
    new.embed_source.requires_grad_(not frozen)


def never_frozen(new, trained, frozen):
    take_over(new, trained, False)


def always_frozen(new, trained, frozen):
    take_over(new, trained, True)


def opposite(new, trained, frozen):
    take_over(new, trained, not frozen)


def trained_one_frozen(new, trained, frozen):
    take_over(new, trained, False)
    for name in ("embed_source", "encoder"):
        getattr(trained, name).requires_grad_(not frozen)


def everything(new, trained, frozen):
    take_over(new, trained, frozen)
    for name in ("embed_target", "decoder", "output"):
        getattr(new, name).load_state_dict(getattr(trained, name).state_dict())


def everything_frozen(new, trained, frozen):
    take_over(new, trained, frozen)
    new.requires_grad_(not frozen)


def everything_taken_and_frozen(new, trained, frozen):
    new.load_state_dict(trained.state_dict())
    new.requires_grad_(not frozen)


def encoder_alone(new, trained, frozen):
    new.encoder.load_state_dict(trained.encoder.state_dict())
    new.encoder.requires_grad_(not frozen)


def embedding_alone(new, trained, frozen):
    new.embed_source.load_state_dict(trained.embed_source.state_dict())
    new.embed_source.requires_grad_(not frozen)


def embedding_not_frozen(new, trained, frozen):
    take_over(new, trained, frozen)
    new.embed_source.requires_grad_(True)


class Parts(nn.Module):
    """The parts of a Transformer, each with few weights."""

    def __init__(self, generator: torch.Generator | None = None, value: float = 0.0, n_blocks: int = 1) -> None:
        super().__init__()
        self.embed_source, self.embed_target = nn.Embedding(3, 1), nn.Embedding(3, 1)
        self.encoder, self.decoder = (nn.ModuleList(nn.Linear(1, 1) for _ in range(n_blocks)) for _ in range(2))
        self.output = nn.Linear(1, 1)
        with torch.no_grad():
            for parameter in self.parameters():
                if generator is None:
                    parameter.fill_(value)
                else:
                    parameter.copy_(torch.randn(parameter.shape, generator=generator))


def _numbers(*parts: nn.Module) -> list[float]:
    return [number for part in parts for one in part.parameters() for number in one.flatten().tolist()]


def _trains(*parts: nn.Module) -> str:
    flags = [parameter.requires_grad for part in parts for parameter in part.parameters()]
    return "trains" if all(flags) else "is frozen" if not any(flags) else "is frozen in part"


def _taken(answer: Callable[..., Any], new: Parts, trained: Parts, frozen: bool) -> Any:
    """Return the weights of the new model and of the trained one, and what may be trained afterwards."""
    answer(new, trained, frozen)
    known = {parameter.data_ptr() for parameter in trained.parameters()}
    is_shared = any(parameter.data_ptr() in known for parameter in new.parameters())
    return (
        _numbers(new.embed_source, new.encoder),
        _numbers(new.embed_target, new.decoder, new.output),
        _numbers(trained),
        "share their weights" if is_shared else "have weights of their own",
        _trains(new.embed_source, new.encoder),
        _trains(new.embed_target, new.decoder, new.output),
        _trains(trained),
    )


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a model of zeros that takes over ones, frozen, then drawn models, frozen and not."""
    yield Trial(
        "all weights of the new model are 0, and those of the trained one are 1; frozen is True",
        {"new": Parts(value=0.0), "trained": Parts(value=1.0), "frozen": True},
        ([1.0] * 5, [0.0] * 7, [1.0] * 12, "have weights of their own", "is frozen", "trains", "trains"),
        _taken,
        says="Afterwards the source embedding and the encoder of the new model hold ones and are frozen. Its other "
        "parts hold zeros and train. The trained model is as it was.",
        changes=("new", "trained"),
    )
    for frozen in (False, True):
        yield Trial(
            f"drawn weights, 2 blocks; frozen is {frozen}",
            {
                "new": Parts(generator, n_blocks=2),
                "trained": Parts(generator, n_blocks=2),
                "frozen": frozen,
            },
            run=_taken,
            says="Where frozen is True, training leaves the two parts as they are. Where it is False, they train on.",
            changes=("new", "trained"),
        )


PRACTICE = Practice(
    name="take_over",
    prompt="Give a new Transformer the source embedding and the encoder of a trained one.",
    minutes=6,
    hints=(
        "Two parts are concerned: `embed_source` and `encoder`. For each of them there are two things to do.",
        "`new.encoder.load_state_dict(trained.encoder.state_dict())` copies the weights of the encoder into the new "
        "model.",
        "`new.encoder.requires_grad_(not frozen)` decides whether training may change them.",
    ),
    given=take_over,
    trials=trials,
    returns=(
        "embed_source and encoder",
        "the other parts",
        "the trained model's weights",
        "the two models",
        "what was taken over",
        "the rest of the new model",
        "the trained model",
    ),
    misconceptions={
        "transfer-nothing": Misconception(
            "Nothing is taken over",
            "The new model is as it was. `part.load_state_dict(…)` copies weights into a part.",
            (nothing,),
        ),
        "transfer-wrong-way": Misconception(
            "The weights go the wrong way",
            "The trained model gets the random weights of the new one, and what it had learned is lost. Load the "
            "weights of `trained` into `new`.",
            (wrong_way,),
        ),
        "transfer-shared": Misconception(
            "Both models share the same weights",
            "After `new.encoder = trained.encoder` there is one encoder in two models: training the one changes the "
            "other. Copy the numbers instead.",
            (shared, shared_never_frozen, shared_encoder_frozen, shared_embedding_frozen),
        ),
        "transfer-never-frozen": Misconception(
            "Nothing is frozen where frozen is True",
            "The weights are right, but training would change them. `part.requires_grad_(False)` freezes a part.",
            (never_frozen,),
        ),
        "transfer-always-frozen": Misconception(
            "The parts are frozen where frozen is False",
            "They are to train on in that case, together with the decoder.",
            (always_frozen,),
        ),
        "transfer-exchanged": Misconception(
            "Frozen and trained are exchanged",
            "`requires_grad_(True)` lets a part train, so that is right where frozen is False: write "
            "`part.requires_grad_(not frozen)`.",
            (opposite,),
        ),
        "transfer-trained-frozen": Misconception(
            "Parts of the trained model are frozen",
            "It is the new model that will be trained, so freeze the parts of `new`.",
            (trained_one_frozen,),
        ),
        "transfer-decoder-too": Misconception(
            "More is taken over than the source side",
            "The decoder, the target embedding and the output layer of the new model stay new.",
            (everything, everything_taken_and_frozen),
        ),
        "transfer-everything-frozen": Misconception(
            "The whole new model is frozen",
            "Then nothing could be learned. Only the two parts that were taken over are frozen.",
            (everything_frozen,),
        ),
        "transfer-one-part": Misconception(
            "One of the two parts is missing",
            "Both the source embedding and the encoder are taken over, and both are frozen where frozen is True.",
            (encoder_alone, embedding_alone, embedding_not_frozen),
        ),
    },
)
