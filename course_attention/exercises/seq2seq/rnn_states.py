from dataclasses import replace
from functools import partial

import numpy as np

from course_attention.authoring import (
    Array,
    Case,
    Draw,
    FunctionExercise,
    Misconception,
    Returns,
    properties,
    rounded,
)
from course_attention.exercises.common.attention import dot, largest


def oracle(x: np.ndarray, w: np.ndarray, u: np.ndarray, b: np.ndarray) -> np.ndarray:
    """h_i = tanh(W x_i + U h_{i−1} + b), h_0 = 0."""
    states = np.zeros((len(x) + 1, len(b)))
    for i, embedded in enumerate(x):
        for k in range(len(b)):
            states[i + 1, k] = np.tanh(dot(w[k], embedded) + dot(u[k], states[i]) + b[k])
    return states[1:]


def _recurrent(
    x, w, u, b, step=lambda read, carried, b: np.tanh(read + carried + b), carry=lambda h, x, i: h, first=np.zeros_like
) -> np.ndarray:
    states, h = [], first(b)
    for i in range(len(x)):
        h = step(w @ x[i], u @ carry(h, x, i), b)
        states.append(h)
    return np.stack(states)


def _last_input(h: np.ndarray, x: np.ndarray, i: int) -> np.ndarray:
    return x[i - 1] if i else np.zeros_like(h)


def _sum_carried(x: np.ndarray, w: np.ndarray, u: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.tanh(_recurrent(x, w, u, b, step=lambda read, carried, b: read + carried + b))


def _shifted(x: np.ndarray, w: np.ndarray, u: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.concatenate([np.zeros((1, len(b))), _recurrent(x, w, u, b)[:-1]])


def noise(x: np.ndarray, w: np.ndarray, u: np.ndarray, b: np.ndarray) -> tuple[float]:
    """Multiply what a step rounds with how often it comes again: U makes it smaller in each step."""
    step = largest(np.abs(x) @ np.abs(w).T) + largest(np.abs(u).sum(axis=-1)) + largest(b) + 1
    return (step * (1 + len(b)) / (1 - min(float(np.linalg.norm(u, 2)), 0.9)),)


def cases(draw: Draw) -> list[Case]:
    def case(title, property, n, d_embedding, d_hidden, **kind) -> Case:
        # A rounding error fades from step to step where U shortens every vector: by half here, at least.
        u = draw.normal(d_hidden, d_hidden, **kind)
        values = u.values / (2 * np.linalg.norm(u.values, 2))
        arguments = {
            "x": draw.normal(n, d_embedding, **kind),
            "w": draw.normal(d_hidden, d_embedding, **kind),
            "u": replace(u, values=rounded(values, u.dtype)),
            "b": draw.normal(d_hidden, **kind),
        }
        return Case(title, property, arguments, gradient=n == 2)

    by_hand = {
        "x": draw.halves(2, 2),
        "w": draw.halves(2, 2),
        "u": Array(np.array([[0.5, -0.25], [0.25, 0.5]]), "float64"),
        "b": draw.halves(2),
    }
    return [
        Case("2 rows of x, d_hidden 2", properties.VALUES, by_hand),
        case("3 rows of x, d_embedding 3 and d_hidden 2", properties.VALUES, 3, 3, 2),
        case("2 rows of x, d_embedding 2 and d_hidden 3", properties.VALUES, 2, 2, 3),
        case("4 rows of x, d_embedding = d_hidden = 3", properties.VALUES, 4, 3, 3),
        case("one row of x", properties.EDGES, 1, 3, 2),
        case("d_hidden 1", properties.EDGES, 3, 2, 1),
        case("257 rows of x", properties.EDGES, 257, 3, 4),
        case("inputs that are not contiguous", properties.STRIDES, 5, 3, 4, strided=True),
        case("5 rows of x, in float32", properties.DTYPES, 5, 4, 3, dtype="float32"),
        case("3 rows of x, in bfloat16", properties.DTYPES, 3, 3, 2, dtype="bfloat16"),
    ]


EXERCISE = FunctionExercise(
    name="rnn_states",
    prompt="Read a text with a recurrent layer, and give its state after each character.",
    points=3,
    difficulty=1,
    minutes=8,
    hints=(
        "Begin with h₀ = 0 and go through the rows of x. What does each step need from the one before?",
        "The equation has the matrices on the left of the vectors: `w @ x[i]` and `u @ h`.",
        "Keep each state in a list, and stack the list at the end: `torch.stack` makes (n_source, d_hidden) of it. "
        "`x.new_zeros(len(b))` is an h₀ of the dtype and on the device of x.",
    ),
    ready_made=("torch.nn.RNN", "torch.nn.RNNCell", "torch.rnn_tanh", "torch.rnn_tanh_cell"),
    returns=Returns(names=("states",), axes=("n_source, d_hidden",)),
    oracle=oracle,
    cases=cases,
    noise=noise,
    misconceptions={
        "no-recurrence": Misconception(
            "The state before plays no part",
            "Each state here is made from its own row of x alone. The network then remembers nothing: "
            "h_i has to depend on h_{i−1} as well, through U.",
            (
                partial(_recurrent, step=lambda read, carried, b: np.tanh(read + b)),
                partial(_recurrent, step=lambda read, carried, b: np.tanh(read)),
            ),
        ),
        "other-first-state": Misconception(
            "The state before the first character is not 0",
            "h_0 = 0: before the first character nothing has been read. Whatever stands there instead is carried on "
            "into every state.",
            (partial(_recurrent, first=np.ones_like), partial(_recurrent, first=lambda b: b)),
        ),
        "recurrence-on-input": Misconception(
            "U is applied to the last input, not to the last state",
            "A row of x knows nothing of the rows before it. The state does: that is how something of the "
            "first character reaches the last state.",
            (partial(_recurrent, carry=_last_input),),
        ),
        "bias-in-every-product": Misconception(
            "The bias is added twice",
            "W x_i + U h_{i−1} + b has one bias, for the sum of both products.",
            (partial(_recurrent, step=lambda read, carried, b: np.tanh(read + carried + 2 * b)),),
        ),
        "bias-missing": Misconception(
            "The bias is left out",
            "It is added to the two products, before the tanh.",
            (partial(_recurrent, step=lambda read, carried, b: np.tanh(read + carried)),),
        ),
        "activation-missing": Misconception(
            "The tanh is left out",
            "Without it every state is a linear function of the inputs, and a state may grow without limit.",
            (partial(_recurrent, step=lambda read, carried, b: read + carried + b),),
        ),
        "activation-on-a-part": Misconception(
            "The tanh is taken of a part of the sum",
            "tanh acts on the whole sum, W x_i + U h_{i−1} + b, so that every number of a state lies between −1 and 1.",
            (
                partial(_recurrent, step=lambda read, carried, b: np.tanh(read + b) + carried),
                partial(_recurrent, step=lambda read, carried, b: np.tanh(read + carried) + b),
                partial(_recurrent, step=lambda read, carried, b: np.tanh(read) + carried + b),
                partial(_recurrent, step=lambda read, carried, b: np.tanh(read) + np.tanh(carried) + b),
                partial(_recurrent, step=lambda read, carried, b: np.tanh(read + b) + np.tanh(carried)),
                partial(_recurrent, step=lambda read, carried, b: np.tanh(read) + np.tanh(carried + b)),
            ),
        ),
        "state-before-tanh": Misconception(
            "What is carried on is the sum, and not its tanh",
            "h_{i−1} is the state that the last step gave, tanh included. The same vector goes into the result and "
            "into the next step.",
            (_sum_carried,),
        ),
        "other-activation": Misconception(
            "Another function is taken than the tanh",
            "The equation of this layer has tanh, which is 0 at 0 and lies between −1 and 1.",
            (
                partial(_recurrent, step=lambda read, carried, b: 1 / (1 + np.exp(-read - carried - b))),
                partial(_recurrent, step=lambda read, carried, b: np.maximum(read + carried + b, 0.0)),
            ),
        ),
        "matrix-on-the-right": Misconception(
            "The state stands on the left of U",
            "`h @ u` sums over the rows of U, and `u @ h` over its columns, as the equation does. Both have the "
            "same shape, because U is square.",
            (lambda x, w, u, b: _recurrent(x, w, u.T, b),),
        ),
        "states-shifted": Misconception(
            "Each state is the one from before its own character",
            "Row i of the result is the state after character i has been read. h_0 = 0 is not part of it.",
            (_shifted,),
        ),
        "read-backwards": Misconception(
            "The text is read from its end",
            "h_1 belongs to the first row of x, and each further state to the next row.",
            (
                lambda x, w, u, b: _recurrent(x[::-1], w, u, b)[::-1],
                lambda x, w, u, b: _recurrent(x[::-1], w, u, b),
            ),
        ),
        "order-reversed": Misconception(
            "The states come in reverse order",
            "The first row of the result is h_1, the last is h_N.",
            (lambda x, w, u, b: _recurrent(x, w, u, b)[::-1],),
        ),
        "last-state-everywhere": Misconception(
            "Every row holds the last state",
            "A list that holds one tensor many times shows its last change in every place. Each step has to make "
            "a new tensor.",
            (lambda x, w, u, b: np.repeat(_recurrent(x, w, u, b)[-1:], len(x), axis=0),),
        ),
    },
)
