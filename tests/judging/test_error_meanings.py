"""A message of Python's or torch's is followed by what it means here. The messages are real ones."""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable

import numpy as np
import pytest
import torch
from torch import nn

from course_attention import attention
from course_attention.execution.protocol import Array, Raised, Step
from course_attention.judging import judge
from course_attention.judging.error_meanings import meaning
from course_attention.judging.exercise import FunctionExercise

X = torch.ones(2, 3)
NOTHING = None  # by a name: where `None[0]` is written out, Python warns already


def _raise_unpacking() -> None:
    _a, _b, _c = X.shape


def _raise_chunk() -> None:
    _query, _key, _value = X.mT.chunk(3, dim=1)


def _raise_packing() -> None:
    (_a,) = X.shape


def _raise_view() -> None:
    X.mT.view(6)


def _raise_none() -> None:
    _keys, _values = None  # type: ignore[misc]


def _raise_slice() -> None:
    X.clone()[0, 2:4] = torch.ones(2)


def _raise_bool() -> None:
    _inverted = ~X


def _raise_fewer_rows() -> None:
    Step(Array(np.zeros((2, 3)), "int64"), start_token=1, n_vocabulary=2).logits(np.array([[1]]))


def _raise_float_tokens() -> None:
    Step(Array(np.zeros((1, 3)), "int64"), start_token=1, n_vocabulary=2).logits(np.array([[1.0]]))


def _raise_beyond() -> None:
    Step(Array(np.zeros((1, 1)), "int64"), start_token=1, n_vocabulary=2).logits(np.array([[1, 0]]))


def _raise_overlap() -> None:
    row = torch.arange(3)
    row[1:] = row[:-1]


def _raise_relu_left_out() -> None:
    given = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 2)).state_dict()
    module = nn.Module()
    module.inner = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 2))
    module.load_state_dict({f"inner.{name}": array for name, array in given.items()})


REAL: dict[str, tuple[Callable, str]] = {
    "fewer axes": (_raise_unpacking, "x has fewer axes here than there are names"),
    "fewer parts": (_raise_chunk, "fewer parts than there are names"),
    "more axes": (_raise_packing, "always the last"),
    "axis 2": (lambda: X.transpose(1, 2), "Count from the end"),
    "bmm": (lambda: torch.bmm(X, X), "Count from the end"),
    "einsum": (lambda: torch.einsum("bij,bjk->bik", X, X), "Count from the end"),
    "product": (lambda: X @ X, "to be transposed"),
    "batched product": (lambda: torch.ones(2, 2, 3) @ torch.ones(2, 2, 3), "to be transposed"),
    "sum": (lambda: X + torch.ones(2), "do not line up"),
    "index of fewer axes": (lambda: X.gather(-1, X.argmax(-1)), "`[..., None]` puts one back"),
    "scattered": (lambda: X.scatter(-1, X.argmax(-1), 1.0), "`[..., None]` puts one back"),
    "taken along": (lambda: X.take_along_dim(X.argmax(-1), -1), "`[..., None]` puts one back"),
    "stack": (lambda: torch.stack([X, X.sum(-1)]), "`torch.cat` joins"),
    "expand": (lambda: X.expand(3), "a size for each axis"),
    "maximum without its axis": (lambda: X - X.amax(-1), "with `keepdim=True` the axis stays"),
    "maximum of an array": (lambda: X.numpy() - X.numpy().max(-1), "with `keepdims=True` the axis stays"),
    "slice": (_raise_slice, "fewer than b − a"),
    "stretched": (lambda: X.expand(2, 4), "does not fit"),
    "slice of an array": (lambda: X.numpy()[0, 2:4].__setitem__(slice(None), np.ones(2)), "fewer than b − a"),
    "mask of fewer axes": (lambda: X[None][X > 0], "spread it over"),
    "mask of an array": (lambda: X.numpy()[None][X.numpy() > 0], "spread it over"),
    "is it given": (lambda: bool(X), "if x is not None"),
    "index beyond": (lambda: X[2], "0 to n − 1"),
    "index of an array beyond": (lambda: X.numpy()[2], "0 to n − 1"),
    "too many indices": (lambda: X[0, 0, 0], "Count from the end"),
    "negative size": (lambda: torch.zeros(2 - 3), "below 0"),
    "view": (_raise_view, "`.reshape`"),
    "reshape": (lambda: X.reshape(4, 2), "another number of entries"),
    "size in reshape": (lambda: X.reshape(2, 3 / 1), "Use `//`"),  # type: ignore[arg-type]
    "size in zeros": (lambda: torch.zeros((4 / 2, 2)), "Use `//`"),  # type: ignore[arg-type]
    "number of parts": (lambda: X.chunk(6 / 2), "Use `//`"),  # type: ignore[arg-type]
    "range": (lambda: range(6 / 2), "Use `//`"),  # type: ignore[arg-type]
    "None indexed": (lambda: NOTHING[0], "None here"),  # type: ignore[index]
    "None inverted": (lambda: ~None, "None here"),  # type: ignore[operator]
    "two results": (lambda: (X, X).softmax(-1), "several results"),  # type: ignore[attr-defined]
    "dtypes": (lambda: X @ X.double().mT, "two dtypes"),
    "float16": (lambda: X.half().masked_fill(X > 0, -1e9), "does not fit"),
    "chained comparison": (lambda: 0 <= X < 2, "brackets around"),
    "chained comparison of arrays": (lambda: 0 <= X.numpy() < 2, "brackets around"),
    "not of floats": (_raise_bool, "booleans take"),
    "leaf": (lambda: torch.ones(2, requires_grad=True).add_(1), "Make a new one"),
    "arguments": (lambda: (lambda x: x)(X, X), "other arguments"),
    "name": (lambda: eval("sofmax"), "misspelt"),
    "fewer rows": (_raise_fewer_rows, "all rows of the batch"),
    "attribute": (lambda: X.sofmax, "misspelt"),
    "array in torch": (lambda: torch.log(np.ones(2)), "`np.log`"),  # type: ignore[arg-type]
    "list and tensor": (lambda: list(range(2)) + X, "`torch.cat`"),  # type: ignore[operator]
    "joined with other axes": (lambda: torch.cat([X, X[0]]), "Along which axis"),
    "joined with other lengths": (lambda: torch.cat([X, X.mT]), "Along which axis"),
    "arrays joined": (lambda: np.concatenate([X.numpy(), X.mT.numpy()]), "Along which axis"),
    "classes last": (
        lambda: nn.functional.cross_entropy(torch.ones(1, 2, 3), torch.zeros(1, 2, dtype=torch.int64)),
        "second axis",
    ),
    "two results of max": (lambda: torch.maximum(X[0], X.max(0)), "`amax`"),  # type: ignore[arg-type]
    "None unpacked": (_raise_none, "None here"),
    "float of repeats": (lambda: X.repeat_interleave(4 / 2, 0), "Use `//`"),  # type: ignore[call-overload]
    "root of a number": (lambda: torch.sqrt(4), "`math.sqrt`"),  # type: ignore[arg-type]
    "root of a tensor": (lambda: math.sqrt(X), "`torch.sqrt`"),
    "exp of an array": (lambda: math.exp(np.ones(2)), "`np.exp`"),
    "layer for its matrix": (lambda: X @ nn.Linear(3, 2), "`self.layer(x)`"),
    "pairs apart": (lambda: torch.view_as_complex(torch.ones(2, 3, 2).mT.contiguous().mT), "`.contiguous()`"),
    "t of three axes": (lambda: torch.ones(2, 3, 4).t(), "`.mT`"),
    "no package": (lambda: importlib.import_module("einopps"), "misspelt, or not installed"),
    "no self": (lambda: attention(nn.Identity(), X, X), "is `self`"),  # type: ignore[arg-type]
    "too few places": (lambda: X.reshape(2, 2, -1), "give each size a name"),
    "rows in pairs": (
        lambda: nn.functional.bilinear(torch.ones(2, 3), torch.ones(4, 3), torch.ones(1, 3, 3)),
        "every row with every other one",
    ),
    "slices of different lengths": (lambda: X[: torch.tensor([1, 2])], "one beginning and one end"),
    "made in forward": (lambda: nn.Identity().load_state_dict({"weight": torch.ones(2)}), "made in `forward`"),
    "another name": (
        lambda: nn.Linear(2, 2, bias=False).load_state_dict({"layer.weight": torch.ones(2, 2)}),
        "other names",
    ),
    "float tokens": (_raise_float_tokens, "`argmax` the token that has it"),
    "beyond max_length": (_raise_beyond, "grow by more than one in a turn"),
    "overlap": (_raise_overlap, "the two overlap"),
    "number joined": (lambda: torch.cat([1, X]), "a plain number is among them"),  # type: ignore[list-item]
    "no ReLU": (_raise_relu_left_out, "takes a place too"),
    "another size": (
        lambda: nn.Linear(2, 3, bias=False).load_state_dict({"weight": torch.ones(2, 3)}),
        "Are the two exchanged",
    ),
    "bias": (
        lambda: nn.Linear(2, 2).load_state_dict({"weight": torch.ones(2, 2)}),
        "The module has a `bias` that nobody asked for",
    ),
}


@pytest.mark.parametrize(("raises", "said"), REAL.values(), ids=REAL)
def test_what_it_means(raises: Callable, said: str) -> None:
    """The sentence fits what torch and Python say today."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - any error: its message is what is looked at
        raises()
    meant = meaning(Raised(type(caught.value).__name__, str(caught.value)))
    assert meant is not None and said in meant.text, caught.value


def test_all_axes_turned_round() -> None:
    """Where shapes do not fit, `.T` on that line is explained; it turns round the batch as well."""
    for x in (torch.ones(4, 2, 3), torch.ones(2, 3)):
        with pytest.raises(RuntimeError) as caught:
            x @ x
        plain, turned = (
            meaning(Raised("RuntimeError", str(caught.value), line)) for line in ("x @ y.mT", "x @ y.T / 2")
        )
        assert "`.mT`" in turned.text and turned.text.startswith(plain.text) and "`.T`" not in plain.text


_UNEQUAL = "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0"


@pytest.mark.parametrize(
    ("line", "said", "unsaid"),
    [
        ("scores = query * key", ("`*` works entry by entry", "`keepdim=True`"), ("such as a batch", "`.mT`")),
        ("scores = query @ key.mT", ("such as a batch", "`keepdim=True`"), ("`*`", "exchanges")),
        (
            "scores = query @ key.transpose(0, 1) / d**0.5",
            ("`transpose(0, 1)` exchanges the first two axes", "`.mT`", "such as a batch"),
            ("`*`", "`keepdim=True`"),
        ),
        ("s = torch.matmul(q, torch.transpose(k, 1, 0))", ("exchanges the first two axes",), ("`*`",)),
        ("scores = query @ key.T", ("`.T` turns round all", "such as a batch"), ("`*`",)),
        ("scores = f(*parts) - mean", ("`keepdim=True`",), ("`*`", "such as a batch")),
    ],
)
def test_what_the_line_holds(line: str, said: tuple[str, ...], unsaid: tuple[str, ...]) -> None:
    """Tensors that do not line up are explained by what stands on the line: a product, `*`, or a transpose."""
    text = meaning(Raised("RuntimeError", _UNEQUAL, line)).text
    assert all(words in text for words in said) and not any(words in text for words in unsaid), text


def test_two_matrices_have_no_batch() -> None:
    """Of two matrices, `transpose(0, 1)` exchanges what is to be exchanged."""
    for message, noted in (
        ("mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)", False),
        ("Expected size for first two dimensions of batch2 tensor to be: [2, 3] but got: [2, 4].", True),
    ):
        text = meaning(Raised("RuntimeError", message, "x @ y.transpose(0, 1)")).text
        assert ("exchanges the first two axes" in text) is noted


def test_other_names_are_no_bias() -> None:
    """Layers under other names lack more than a bias, which is among the weights asked for here."""
    with pytest.raises(RuntimeError) as caught:
        nn.Sequential(nn.LayerNorm(2)).load_state_dict({"norm.weight": torch.ones(2), "norm.bias": torch.ones(2)})
    in_one_line = " ".join(str(caught.value).split())
    assert "other names" in meaning(Raised("RuntimeError", in_one_line)).text


def test_constructor_misspelt(linear: FunctionExercise) -> None:
    """A class whose `__init__` is not found takes no sizes."""

    class Misspelt(nn.Module):
        def _init_(self, d_in: int, d_out: int) -> None:
            self.linear = nn.Linear(d_in, d_out, bias=False)

        def forward(self, x):
            return self.linear(x)

    verdict = judge(linear, Misspelt)
    assert verdict.status == "errored" and "two underscores on each side" in verdict.explanation


def test_unknown_message(weighted: FunctionExercise) -> None:
    """Where nothing is known about a message, nothing is added."""

    def answer(x, weight):
        raise ValueError("my own words")

    assert judge(weighted, answer).explanation.startswith("my own words. The line: `raise ValueError")


def test_bias_in_a_module(linear: FunctionExercise) -> None:
    """A layer with a bias that was not asked for is told so."""

    class Biased(nn.Module):
        def __init__(self, d_in: int, d_out: int) -> None:
            super().__init__()
            self.linear = nn.Linear(d_in, d_out)

    verdict = judge(linear, Biased)
    assert verdict.status == "errored" and "`bias`" in verdict.explanation and verdict.misconception is None


@pytest.mark.parametrize(
    "call",
    ["self.attention(x, allowed)", "self.attention(x,allowed)", "self.cross_attention(x, memory, memory_allowed)"],
)
def test_mask_in_the_place_of_a_key(call: str) -> None:
    """Whatever the message is, the line says that the mask is taken for a key or a value."""
    meant = meaning(
        Raised("RuntimeError", "mat1 and mat2 shapes cannot be multiplied (2x2 and 3x3)", line=f"y, _ = {call}")
    )
    assert meant is not None and meant.whole and "by its name" in meant.text


@pytest.mark.parametrize(
    "call", ["self.attention(x, allowed=allowed)", "self.attention(x, x, x, allowed)", "f(x, allowed)"]
)
def test_mask_in_its_own_place(call: str) -> None:
    """A mask that is given by name, or in the fourth place, is not what the message is about."""
    meant = meaning(
        Raised("RuntimeError", "mat1 and mat2 shapes cannot be multiplied (2x2 and 3x3)", line=f"y, _ = {call}")
    )
    assert meant is not None and not meant.whole
