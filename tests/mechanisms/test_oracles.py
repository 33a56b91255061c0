"""The helpers agree with their oracles whatever the sizes, which are drawn from the helpers' own annotations."""

from __future__ import annotations

import typing

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import course_attention
from course_attention.exercises import CATALOGUE

sizes = st.integers(min_value=1, max_value=5)
NUMBERS = {  # what is drawn for arguments that are no tensors
    "gaussian_scores": {"width": st.floats(0.1, 10)},
    "online_logsumexp": {"block_size": sizes},
    "blockwise_attention": {"block_size": sizes},
}
HELPERS = [
    *("attention_scores", "attention_distribution", "attention_output", "attend_and_concat"),
    *("attention", "attention_columns", "mean_attention", "cross_attention"),
    *("bilinear_scores", "additive_scores", "gaussian_scores"),
    *("project", "self_attention", "interaction_matrix", "merge_heads", "masked_softmax"),
    "append_positions",
    *("online_logsumexp", "blockwise_attention", "linear_attention"),
]


def drawn_arrays(helper: typing.Callable, data: st.DataObject) -> dict[str, np.ndarray]:
    """Draw an array for each tensor of a helper: sizes of one name are equal, masks random, a batch may be missing."""
    batch, known = data.draw(st.lists(sizes, max_size=3)), {}
    rng = np.random.default_rng(data.draw(st.integers(0, 2**16)))
    arrays = {}
    for name, hint in typing.get_type_hints(helper).items():
        rules = [option for option in typing.get_args(hint) or (hint,) if hasattr(option, "dim_str")]
        if name == "return" or not rules:
            continue
        shape: list[int] = []
        for dim in rules[0].dim_str.replace("#", "").split():
            if dim != "..." and dim not in known:
                known[dim] = data.draw(sizes)
            shape += batch if dim == "..." else [known[dim]]
        arrays[name] = rng.random(shape) < 0.6 if "bool" in rules[0].dtypes else rng.normal(size=shape)
    return arrays


@pytest.mark.parametrize("name", HELPERS)
@given(data=st.data())
def test_any_shape(name: str, data: st.DataObject) -> None:
    """A helper gives what its oracle gives, sizes of 1, rows without an allowed key and no batch included."""
    helper, exercise = getattr(course_attention, name), CATALOGUE[name].exercise
    arrays = drawn_arrays(helper, data)
    numbers = {argument: data.draw(values) for argument, values in NUMBERS.get(name, {}).items()}
    expected = exercise.results(exercise.oracle, arrays | numbers)
    received = helper(**{argument: torch.from_numpy(array) for argument, array in arrays.items()}, **numbers)
    for right, came in zip(expected, received if isinstance(received, tuple) else (received,), strict=True):
        np.testing.assert_allclose(came.numpy(), right, atol=1e-11)
