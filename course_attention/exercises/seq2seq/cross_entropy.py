from functools import partial

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


def oracle(logits: np.ndarray, targets: np.ndarray) -> np.ndarray:
    """Return the mean of −ln p of the targets."""
    losses = []
    for row, target in zip(logits, targets, strict=True):
        shifted = row - max(row)
        losses.append(np.log(sum(np.exp(shifted))) - shifted[target])
    return np.array(sum(losses) / len(losses))


def _shifted_by_one_maximum(logits: np.ndarray) -> np.ndarray:
    shifted = logits - logits.max()  # a row far below the largest logit underflows
    return shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))


def _loss(logits, targets, logs=log_softmax, mean=np.mean) -> np.ndarray:
    return mean(-np.take_along_axis(logs(logits), targets[:, None], axis=-1)[:, 0])


def _guarded(logits: np.ndarray, tiny: float) -> np.ndarray:
    return np.log(np.exp(log_softmax(logits)) + tiny)


def _binary(logits: np.ndarray, targets: np.ndarray) -> np.ndarray:
    others = np.arange(logits.shape[-1]) != targets[:, None]
    return _loss(logits, targets) - np.log1p(-np.where(others, np.exp(log_softmax(logits)), 0)).sum() / len(logits)


def noise(logits: np.ndarray, targets: np.ndarray) -> tuple[float]:
    return (2 * largest(logits) + logits.shape[-1],)


def cases(draw: Draw) -> list[Case]:
    def case(title, property, n, n_classes, **kind) -> Case:
        targets = Array(draw.rng.integers(n_classes, size=n), "int64")
        return Case(title, property, {"logits": draw.normal(n, n_classes, **kind), "targets": targets})

    by_hand = {"logits": draw.halves(2, 3), "targets": Array(draw.rng.permutation(3)[:2], "int64")}
    opposite = {
        "logits": Array(np.array([[1e4, 1e4 - 1, 1e4 - 2], [-1e4, -1e4 + 2, -1e4 + 1]]), "float64"),
        "targets": Array(np.array([1, 0]), "int64"),
    }
    large = {
        "logits": Array(np.array([[1e4, -1e4, 0.0], [-1e4, 0.0, 1e4]]), "float32"),
        "targets": Array(np.array([1, 0]), "int64"),
    }
    return [
        Case("2 rows, 3 classes", properties.VALUES, by_hand, gradient=True),
        case("4 rows, 5 classes", properties.VALUES, 4, 5),
        case("5 rows, 3 classes", properties.VALUES, 5, 3),
        case("3 rows, 3 classes", properties.VALUES, 3, 3),
        case("one row", properties.EDGES, 1, 4),
        case("one class", properties.EDGES, 3, 1),
        case("257 rows, 130 classes", properties.EDGES, 257, 130),
        case("inputs that are not contiguous", properties.STRIDES, 4, 5, strided=True),
        Case("one row near 10,000 and one near −10,000", properties.LARGE_SCORES, opposite),
        Case("logits of ±10,000", properties.LARGE_SCORES, large),
        case("5 rows, 7 classes, in float32", properties.DTYPES, 5, 7, dtype="float32"),
        case("3 rows, 4 classes, in bfloat16", properties.DTYPES, 3, 4, dtype="bfloat16"),
    ]


EXERCISE = FunctionExercise(
    name="cross_entropy",
    prompt="The mean cross-entropy of logits and the indices of the right classes.",
    points=3,
    difficulty=2,
    minutes=8,
    hints=(
        "Turn the logits of each row into ln p of every class. `log_softmax` along the classes does it, and never "
        "forms a p that is 0.",
        "Of each row one number counts: ln p of its target. Two arrays of indices of the same length, one for the "
        "rows and one for the columns, take one number from each row.",
        "Minus the mean of these n numbers is the loss. `torch.arange(len(targets))` counts the rows.",
    ),
    ready_made=("torch.nn.functional.cross_entropy", "torch.nn.CrossEntropyLoss"),
    returns=Returns(names=("loss",)),
    oracle=oracle,
    cases=cases,
    mutant_inputs={
        "n_classes": lambda inputs: inputs.whole(2, 11),
        "targets": lambda inputs: inputs.integers(inputs.of("n_classes"), "n"),
    },
    noise=noise,
    misconceptions={
        "cross-entropy-of-probabilities": Misconception(
            "The softmax is taken twice",
            "What goes into the second softmax are probabilities, which lie between 0 and 1. Their softmax is "
            "nearly uniform, so the loss can never come near 0.",
            each(_loss, "logs", softmax_twice),
        ),
        "cross-entropy-sum": Misconception(
            "The losses are summed, not averaged",
            "A sum grows with the number of rows, and so does the step that is taken with it.",
            (partial(_loss, mean=np.sum),),
        ),
        "cross-entropy-sign": Misconception(
            "The sign is wrong",
            "ln p is negative, and the loss is −ln p. It is positive, and falls towards 0 as the targets become "
            "likely.",
            (partial(_loss, mean=lambda losses: -losses.mean()),),
        ),
        "cross-entropy-overflows": Misconception(
            "exp overflows, or a logarithm is taken of 0",
            "exp of a large logit is infinite, and a small enough probability is rounded to 0, whose logarithm is "
            "−∞. `log_softmax` takes the largest logit of each row away first, and never forms the probability.",
            each(_loss, "logs", *UNSTABLE, _shifted_by_one_maximum),
        ),
        "cross-entropy-clamped": Misconception(
            "The probability is kept away from 0 by a small number",
            "An impossible target should cost as much as its logits say. With a small number added to p, or p cut "
            "off below, the loss stops growing, and its gradient is 0 just where the model is most wrong.",
            each(_loss, "logs", *(partial(_guarded, tiny=tiny) for tiny in (1e-12, 1e-10, 1e-9, 1e-8, 1e-6))),
        ),
        "cross-entropy-without-softmax": Misconception(
            "The logits are taken for ln p",
            "Logits sum to anything. What turns them into the logarithms of probabilities?",
            each(_loss, "logs", lambda logits: logits),
        ),
        "cross-entropy-without-logarithm": Misconception(
            "The logarithm is missing",
            "The loss is −ln p. A target that the model finds impossible costs without limit; computed from p "
            "itself it costs only 1 more than one that is certain.",
            each(_loss, "logs", *WITHOUT_LOGARITHM),
        ),
        "cross-entropy-in-bits": Misconception(
            "The logarithm is taken to base 2",
            "ln is the logarithm to base e. The same loss in bits is larger by 1 / ln 2.",
            (partial(_loss, mean=lambda losses: losses.mean() / np.log(2)),),
        ),
        "cross-entropy-exponentiated": Misconception(
            "exp is taken of the loss",
            "That is the perplexity, which is easier to report. The loss is the mean of −ln p itself.",
            (partial(_loss, mean=lambda losses: np.exp(losses.mean())),),
        ),
        "logarithm-of-the-mean": Misconception(
            "The logarithm is taken of the mean, not of each probability",
            "Each row adds −ln p of its own target. The logarithm of the mean of all p is another number, in which a "
            "row with a very improbable target hardly shows.",
            (partial(_loss, mean=lambda losses: -np.log(np.exp(-losses).mean())),),
        ),
        "most-probable-class": Misconception(
            "The most probable class is scored, not the target",
            "The loss of the most probable class is small, whether it is right or not. `targets` says which class of "
            "each row is right.",
            (lambda logits, targets: -log_softmax(logits).max(axis=-1).mean(),),
        ),
        "softmax-over-rows": Misconception(
            "The softmax runs over the rows",
            "Each row has probabilities of its own: they sum to 1 over the classes, the last axis.",
            each(_loss, "logs", partial(log_softmax, axis=0)),
        ),
        "softmax-over-everything": Misconception(
            "One softmax runs over all rows together",
            "Each row has probabilities of its own: they sum to 1 over the classes of that row.",
            each(_loss, "logs", partial(log_softmax, axis=None)),
        ),
        "every-row-with-every-target": Misconception(
            "Each row is taken with the targets of all rows",
            "`logs[:, targets]` gives (n, n): of every row, the classes of all targets. Row i has one target, "
            "`targets[i]`.",
            (lambda logits, targets: -log_softmax(logits)[:, targets].mean(),),
        ),
        "mean-over-classes": Misconception(
            "The mean also counts the classes that are not the target",
            "n losses are averaged, one for each row. Where all other classes are set to 0 and the mean is taken "
            "over the whole array, it is divided by n · n_classes.",
            (lambda logits, targets: _loss(logits, targets) / logits.shape[-1],),
        ),
        "all-classes-scored": Misconception(
            "The classes that are wrong are scored as well",
            "Each row adds −ln p of its target and nothing else. Since the probabilities of a row sum to 1, the "
            "others fall when that of the target rises.",
            (_binary,),
        ),
    },
)
