"""A recurrent layer: a state that every token changes."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.complexity.counted import with_count


def recurrent(x, w_in, w_hidden):
    """Start from zeros, and let each token make a new state of the old one."""
    state, states = x.new_zeros(1, len(w_hidden)), []
    for token in x.split(1):
        state = torch.tanh(token @ w_in + state @ w_hidden)
        states.append(state)
    return torch.cat(states)


def _states(x, w_in, w_hidden, step):
    state, states = x.new_zeros(1, len(w_hidden)), []
    for token in x.split(1):
        state = step(token @ w_in, state @ w_hidden)
        states.append(state)
    return torch.cat(states)


def without_tanh(x, w_in, w_hidden):
    return _states(x, w_in, w_hidden, lambda new, old: new + old)


def old_state_outside(x, w_in, w_hidden):
    return _states(x, w_in, w_hidden, lambda new, old: torch.tanh(new) + old)


def new_token_outside(x, w_in, w_hidden):
    return _states(x, w_in, w_hidden, lambda new, old: new + torch.tanh(old))


def state_never_kept(x, w_in, w_hidden):
    return torch.tanh(x @ w_in)


def every_state_from_the_first(x, w_in, w_hidden):
    first = torch.tanh(x[:1] @ w_in)
    return torch.cat([first, torch.tanh(x[1:] @ w_in + first @ w_hidden)])


def last_state_alone(x, w_in, w_hidden):
    return recurrent(x, w_in, w_hidden)[-1:]


def with_the_zeros(x, w_in, w_hidden):
    return torch.cat([x.new_zeros(1, len(w_hidden)), recurrent(x, w_in, w_hidden)])


def states_before(x, w_in, w_hidden):
    return with_the_zeros(x, w_in, w_hidden)[:-1]


def matrix_turned(x, w_in, w_hidden):
    return recurrent(x, w_in, w_hidden.T)


def zeros_on_the_cpu(x, w_in, w_hidden):
    state, states = torch.zeros(1, len(w_hidden), dtype=x.dtype), []
    for token in x.split(1):
        state = torch.tanh(token @ w_in + state @ w_hidden)
        states.append(state)
    return torch.cat(states)


def state_as_a_column(x, w_in, w_hidden):
    states = [x.new_zeros(len(w_hidden))]
    for row in x @ w_in:
        states.append(torch.tanh(row + w_hidden.T @ states[-1]))
    return torch.stack(states[1:])


def all_as_columns(x, w_in, w_hidden):
    states = [x.new_zeros(len(w_hidden))]
    for token in x:
        states.append(torch.tanh(w_in.T @ token + w_hidden.T @ states[-1]))
    return torch.stack(states[1:])


def _states_and_work(answer: Callable[..., Any], x: Tensor, w_in: Tensor, w_hidden: Tensor) -> Any:
    expected = len(x) * (w_in.numel() + w_hidden.numel())
    return with_count(answer, recurrent, (x, w_in, w_hidden), expected)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two tokens of one number, then drawn ones."""
    one = torch.ones(1, 1)
    yield Trial(
        "two tokens, 1 and 0; both matrices are 1",
        {"x": torch.tensor([[1.0], [0.0]]), "w_in": one, "w_hidden": one},
        (torch.tensor([[0.7615942], [0.6420150]]), "as many as expected"),
        _states_and_work,
        says="The first state is tanh(1 + 0) = 0.762. The second is tanh(0 + 0.762) = 0.642.",
        tolerance=1e-5,
    )
    for n_tokens, d_in, d_hidden in ((5, 3, 4), (3, 2, 2)):
        shapes = ((n_tokens, d_in), (d_in, d_hidden), (d_hidden, d_hidden))
        x, w_in, w_hidden = (torch.randn(shape, generator=generator, dtype=torch.float64) / 2 for shape in shapes)
        yield Trial(
            f"{n_tokens} tokens of length {d_in}, states of length {d_hidden}",
            {"x": x, "w_in": w_in, "w_hidden": w_hidden},
            run=_states_and_work,
            says="For each token there is one product with w_in and one with w_hidden, of row vectors: v @ W.",
        )


PRACTICE = Practice(
    name="recurrent",
    prompt="The state of a recurrent layer after each token.",
    minutes=8,
    hints=(
        "A loop over the tokens with a state that begins as zeros: `torch.zeros(1, d_hidden, device=x.device)`.",
        "`x.split(1)` gives the tokens as rows (1, d_in). The new state is `torch.tanh(token @ w_in + state "
        "@ w_hidden)`.",
        "Collect the states in a list. `torch.cat` joins rows (1, d_hidden) to (n_tokens, d_hidden).",
    ),
    given=recurrent,
    trials=trials,
    returns=("states", "multiply–adds"),
    misconceptions={
        "recurrent-no-tanh": Misconception(
            "The tanh is left out",
            "Without it the layer is linear. The formula is tanh(x W_in + h W_hidden).",
            (without_tanh,),
        ),
        "recurrent-outside-tanh": Misconception(
            "A part of the sum is outside the tanh",
            "Both products belong inside: tanh(x W_in + h W_hidden).",
            (old_state_outside, new_token_outside),
        ),
        "recurrent-state-lost": Misconception(
            "The state before is not used",
            "The first state is right. From the second token on, the state before it counts, and `state` has to be "
            "replaced in each round.",
            (state_never_kept, every_state_from_the_first),
        ),
        "recurrent-last-only": Misconception(
            "Only the last state is returned",
            "There is a state after each token: collect them in a list.",
            (last_state_alone,),
        ),
        "recurrent-zeros-returned": Misconception(
            "The zeros at the beginning are among the states",
            "The result has a row for each token, and the first row is the state *after* the first token.",
            (with_the_zeros, states_before),
        ),
        "recurrent-turned": Misconception(
            "w_hidden is transposed",
            "The state is a row, and the product is `state @ w_hidden`.",
            (matrix_turned,),
        ),
        "recurrent-columns": Misconception(
            "Products of a matrix with a single vector are not counted",
            "The states are right. But of products with a single vector v, PyTorch counts `v @ W` and not `W @ v`. "
            "Keep the state as a row: `state @ w_hidden`.",
            (state_as_a_column, all_as_columns),
        ),
        "recurrent-device": Misconception(
            "A new tensor is on the CPU",
            "The states are right. But this notebook also counts on the device “meta”, where nothing is computed: make "
            "new tensors with `device=x.device`, or with `x.new_zeros(…)`.",
            (zeros_on_the_cpu,),
        ),
    },
)
