from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from course_attention.authoring import Array, Case, Draw, FunctionExercise, Misconception, Returns, properties
from course_attention.exercises.common.attention import largest
from course_attention.exercises.common.log_softmax import (
    UNSTABLE,
    WITHOUT_LOGARITHM,
    log_softmax,
    softmax_twice,
)
from course_attention.exercises.common.variants import each


def oracle(logits: np.ndarray, targets: np.ndarray, pad_token: int) -> np.ndarray:
    """Return the mean of −log p over the targets that are not padding."""
    losses = []
    for index in np.ndindex(targets.shape):
        if targets[index] != pad_token:
            shifted = logits[index] - max(logits[index])
            losses.append(np.log(sum(np.exp(shifted))) - shifted[targets[index]])
    return np.array(sum(losses) / len(losses))


def _mixed(logits: np.ndarray) -> np.ndarray:
    """Give the logits the shape of transposed ones, with the numbers in their order."""
    *batch, n_tokens, n_classes = logits.shape
    return logits.reshape(*batch, n_classes, n_tokens).swapaxes(-1, -2)


def _mean_of_all(losses: np.ndarray, counted: np.ndarray) -> np.ndarray:
    return np.where(counted, losses, 0.0).sum() / counted.sum()


def _mean_of_means(losses: np.ndarray, counted: np.ndarray) -> np.ndarray:
    return (np.where(counted, losses, 0.0).sum(axis=-1) / counted.sum(axis=-1)).mean()


def _loss(
    logits: np.ndarray,
    targets: np.ndarray,
    pad_token: int,
    logs: Callable = log_softmax,
    mean: Callable = _mean_of_all,
    counts: Callable = lambda targets, pad_token: targets != pad_token,
) -> np.ndarray:
    losses = -np.take_along_axis(logs(logits), targets[..., None], axis=-1)[..., 0]
    return mean(losses, counts(targets, pad_token))


def _without_pad_class(logits: np.ndarray, targets: np.ndarray, pad_token: int) -> np.ndarray:
    kept = np.where(np.arange(logits.shape[-1]) == pad_token, -np.inf, logits)
    return _loss(kept, targets, pad_token)


def _without_predicted_padding(logits: np.ndarray, targets: np.ndarray, pad_token: int) -> np.ndarray:
    predicted = logits.argmax(axis=-1)
    return _loss(logits, targets, pad_token, counts=lambda targets, pad_token: predicted != pad_token)


def _with_blank_logits(logits: np.ndarray, targets: np.ndarray, pad_token: int) -> np.ndarray:
    """Count padding at log(n_classes), whatever is predicted."""
    kept = np.where((targets == pad_token)[..., None], 0.0, logits)
    return _loss(kept, targets, pad_token, counts=lambda targets, pad_token: np.ones(targets.shape, dtype=bool))


def _up_to_first_padding(logits: np.ndarray, targets: np.ndarray, pad_token: int) -> np.ndarray:
    """Let a sequence end at its first padding, which argmax finds at 0 where there is none."""
    lengths = (targets == pad_token).argmax(axis=-1)
    return _loss(logits, targets, pad_token, counts=lambda t, _: np.arange(t.shape[-1]) < lengths[..., None])


def noise(logits: np.ndarray, targets: np.ndarray, pad_token: int) -> tuple[float]:
    return (2 * largest(logits) + logits.shape[-1],)


def cases(draw: Draw) -> list[Case]:
    """No padding, padding of different lengths, a class that is the padding's, classes as many as tokens."""

    def targets(batch: tuple[int, ...], n: int, n_classes: int, pad_token: int, padded: bool, full: bool) -> Array:
        classes = [c for c in range(n_classes) if c != pad_token]
        drawn = draw.rng.choice(classes, size=(*batch, n))
        if padded:
            # A different number of targets in each item, and at least one.
            lengths = (draw.rng.permutation(int(np.prod(batch))) % (n - 1) + 1).reshape(batch)
            if full:
                lengths.flat[0] = n
            drawn[np.arange(n) >= lengths[..., None]] = pad_token
        return Array(drawn, "int64")

    def case(
        title,
        name,
        batch,
        n,
        n_classes,
        pad_token=0,
        padded=True,
        full=False,
        gradient=False,
        by_hand=False,
        **kind,
    ) -> Case:
        make = draw.halves if by_hand else draw.normal
        arguments = {
            "logits": make(*batch, n, n_classes, **kind),
            "targets": targets(batch, n, n_classes, pad_token, padded, full),
            "pad_token": pad_token,
        }
        return Case(title, name, arguments, gradient)

    large = {
        "logits": Array(np.array([[[1e4, -1e4, 0.0], [-1e4, 0.0, 1e4], [0.0, 1e4, -1e4]]]), "float32"),
        "targets": Array(np.array([[1, 2, 0]]), "int64"),
        "pad_token": 0,
    }
    return [
        case(
            "batch 1, 2 tokens, 3 classes",
            properties.VALUES,
            (1,),
            2,
            3,
            padded=False,
            by_hand=True,
            gradient=True,
        ),
        case("batch 2, 4 tokens, 5 classes", properties.VALUES, (2,), 4, 5, padded=False),
        case(
            "batch 2, 3 tokens, 3 classes, padded",
            properties.PADDING,
            (2,),
            3,
            3,
            by_hand=True,
            gradient=True,
        ),
        case("batch 3, 4 tokens, 5 classes, padded", properties.PADDING, (3,), 4, 5),
        case("the last class is the padding's", properties.PADDING, (3,), 4, 6, pad_token=5),
        case("a class in the middle is the padding's", properties.PADDING, (3,), 4, 5, pad_token=2),
        case("batch 4, 5 tokens, 4 classes, padded", properties.PADDING, (4,), 5, 4, pad_token=2),
        case("one sequence without padding, one with it", properties.PADDING, (2,), 4, 5, pad_token=3, full=True),
        case("inputs that are not contiguous", properties.STRIDES, (2,), 4, 5, strided=True),
        case("batch 2, one token", properties.EDGES, (2,), 1, 4, padded=False),
        case("batch 2, 300 classes", properties.EDGES, (2,), 4, 300, pad_token=299, dtype="float32"),
        case("batch 2, 257 tokens", properties.LONG_SEQUENCES, (2,), 257, 3, pad_token=1),
        Case("logits of ±10,000", properties.LARGE_SCORES, large),
        case("batch 2, in float32", properties.DTYPES, (2,), 5, 7, dtype="float32"),
        case("batch 2, in bfloat16", properties.DTYPES, (2,), 3, 4, dtype="bfloat16"),
    ]


def _targets_for_mutants(inputs: Any) -> Array:
    targets = inputs.integers(inputs.of("n_classes"), "... n_tokens")
    targets.values.flat[0] = (inputs.of("pad_token") + 1) % inputs.of("n_classes")  # all padding has no loss
    return targets


EXERCISE = FunctionExercise(
    name="sequence_loss",
    prompt="The mean cross-entropy over all targets that are not padding.",
    points=2,
    difficulty=2,
    minutes=10,
    hints=(
        "For each place: minus the logarithm of the probability that the softmax of the logits gives the target. "
        "Then take the mean, but only over some of the places.",
        "`F.cross_entropy` expects the classes on the second axis of the logits, or logits of shape (places, classes) "
        "with targets of shape (places,). `flatten` makes the second form.",
        "Look through the keywords of `F.cross_entropy` for one that leaves a target out of sum and count.",
    ),
    returns=Returns(names=("loss",)),
    oracle=oracle,
    cases=cases,
    mutant_inputs={
        "...": lambda inputs: inputs.shape("batch"),
        "n_classes": lambda inputs: inputs.whole(2, 11),
        "pad_token": lambda inputs: inputs.whole(0, inputs.of("n_classes") - 1),
        "targets": _targets_for_mutants,
    },
    noise=noise,
    misconceptions={
        "loss-counts-padding": Misconception(
            "Padding is counted among the targets",
            "Each target that is padding adds a loss of its own to the mean, so the result depends on how much padding "
            "there is. Leave these targets out of the sum, and out of the count.",
            (
                partial(_loss, counts=lambda targets, pad_token: np.ones(targets.shape, dtype=bool)),
                _with_blank_logits,
            ),
        ),
        "loss-divides-by-all": Misconception(
            "Padding is left out of the sum, but not of the count",
            "A mean divides by the number of what was summed. Here padding lowers the loss, whatever the model does.",
            (partial(_loss, mean=lambda losses, counted: np.where(counted, losses, 0.0).mean()),),
        ),
        "loss-per-sequence": Misconception(
            "It is the mean of each sequence's mean",
            "Then a token of a short sequence counts for more than one of a long sequence. Take one mean "
            "over all targets of the batch.",
            (partial(_loss, mean=_mean_of_means),),
        ),
        "loss-summed": Misconception(
            "The losses are summed, not averaged",
            "A sum grows with the batch and with the length of its sequences, and so does the step that "
            "is taken with it.",
            (partial(_loss, mean=lambda losses, counted: np.where(counted, losses, 0.0).sum()),),
        ),
        "loss-divided-by-batch": Misconception(
            "The sum is divided by the number of sequences",
            "A mean over targets divides by the number of targets.",
            (
                partial(_loss, mean=lambda losses, counted: np.where(counted, losses, 0.0).sum() / len(counted)),
                partial(_loss, mean=lambda losses, counted: np.where(counted, losses, 0.0).sum(axis=-1).mean()),
            ),
        ),
        "loss-sign": Misconception(
            "The sign is wrong",
            "A log-probability is negative, and the loss is minus the log-probability. So the loss is "
            "positive, and falls towards 0 as the targets become likely.",
            (lambda logits, targets, pad_token: -_loss(logits, targets, pad_token),),
        ),
        "loss-without-softmax": Misconception(
            "The logits are taken for log-probabilities",
            "Logits sum to anything. What turns them into the logarithms of probabilities?",
            each(_loss, "logs", lambda logits: logits),
        ),
        "loss-without-logarithm": Misconception(
            "The logarithm is missing",
            "Cross-entropy is −log p. A target that the model finds impossible costs without limit. "
            "Computed from p itself, it costs only 1 more than a target that is certain.",
            each(_loss, "logs", *WITHOUT_LOGARITHM),
        ),
        "classes-mixed-with-tokens": Misconception(
            "The classes are mixed with the tokens",
            "`F.cross_entropy` looks for the classes on the second axis, where the tokens stand. Where "
            "the logits are given as they are, or brought into that shape by `reshape`, scores of several"
            " tokens are taken for the classes of one. `transpose` exchanges two axes.",
            each(_loss, "logs", lambda logits: log_softmax(_mixed(logits))),
        ),
        "loss-softmax-twice": Misconception(
            "The softmax is taken twice",
            "`F.cross_entropy` takes logits and has a softmax inside. If it is given probabilities, which"
            " lie between 0 and 1, the loss can never come near 0.",
            each(_loss, "logs", softmax_twice),
        ),
        "softmax-over-tokens": Misconception(
            "The softmax runs over the tokens",
            "Each place has probabilities of its own: they sum to 1 over the classes, the last axis of the logits.",
            each(_loss, "logs", partial(log_softmax, axis=-2)),
        ),
        "softmax-overflows": Misconception(
            "The logarithm is taken of a probability that is 0, or of one that overflows",
            "exp of a large logit is infinite, and a small enough probability is rounded to 0, whose "
            "logarithm is −∞. `log_softmax` and `F.cross_entropy` never form the probability.",
            each(_loss, "logs", *UNSTABLE),
        ),
        "pad-token-assumed": Misconception(
            "0 is taken for the padding, whatever pad_token says",
            "The caller says which target is padding.",
            (partial(_loss, counts=lambda targets, pad_token: targets != 0),),
        ),
        "padding-in-predictions": Misconception(
            "Padding is looked for among the predictions",
            "Whether a place counts is for its target to say: it is left out where the target is pad_token, whatever "
            "class the model finds most probable there.",
            (_without_predicted_padding,),
        ),
        "loss-shifted": Misconception(
            "The targets are shifted against the logits",
            "Here the logits at a place are already those for the target at the same place. The shift by one token is "
            "made before, where the model gets its input. Shifted once more, each token is judged by the target of "
            "another one.",
            (
                lambda logits, targets, pad_token: _loss(logits[..., :-1, :], targets[..., 1:], pad_token),
                lambda logits, targets, pad_token: _loss(logits[..., 1:, :], targets[..., :-1], pad_token),
            ),
        ),
        "full-sequence-left-out": Misconception(
            "A sequence without padding is left out",
            "The length of a sequence is taken from the place of its first padding. Where there is no padding, `argmax`"
            " gives 0, as if the sequence were empty. Compare each target with pad_token: then no length is needed.",
            (_up_to_first_padding,),
        ),
        "other-base": Misconception(
            "The logarithm has another base than e",
            "The loss is asked for in nats, the unit of the natural logarithm. `torch.log` takes that one; "
            "`torch.log2` gives bits.",
            each(
                _loss,
                "logs",
                lambda logits: log_softmax(logits) / np.log(2),
                lambda logits: log_softmax(logits) / np.log(10),
            ),
        ),
        "pad-class-left-out": Misconception(
            "The padding's class is left out of the softmax",
            "Only targets that are padding are left out. The padding's class stays among those that the "
            "model may predict; otherwise no target would teach the model not to predict it.",
            (_without_pad_class,),
        ),
        "padding-inverted": Misconception(
            "Only the padding is counted",
            "Targets equal to pad_token are the ones to leave out.",
            (partial(_loss, counts=lambda targets, pad_token: targets == pad_token),),
        ),
    },
)
