"""Inputs that the judge does not draw: they say whether a mutant that it lets pass is another function.

The shapes are read off the annotations of the package's helpers, so that a new exercise needs nothing here unless its
numbers have a rule of their own, which then stands in `_RULES`.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import course_attention
from course_attention.execution.protocol import Array, Step, TorchAttention
from course_attention.exercises import CATALOGUE
from course_attention.judging.case import Case
from course_attention.judging.drawing import rounded

# Where the contract says `(batch, …)`, there is exactly one batch axis.
_ONE_BATCH = {"EncoderBlock", "DecoderBlock", "shift_right", "sequence_loss", "image_patches"}
_SETTINGS: dict[str, tuple[str, ...]] = {
    "SelfAttention": ("d_model", "d_key", "d_value"),
    "MultiHeadAttention": ("d_model", "n_heads", "d_key", "d_value"),
    "EncoderBlock": ("d_model", "n_heads", "d_hidden"),
    "DecoderBlock": ("d_model", "n_heads", "d_hidden"),
    "DecoderOnlyBlock": ("d_model", "n_heads", "n_groups", "d_hidden"),
}


class Drawn:
    """One set of arguments: sizes by their names, the same name the same size.

    Args:
        name: of the exercise.
        seed: the same seed gives the same numbers.
    """

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self.rng = np.random.default_rng([seed, 2718])
        self.dtype = str(self.rng.choice(["float64", "float64", "float32", "float16", "bfloat16"]))
        wide = 3.0 if self.dtype == "float16" else 30.0  # products of larger numbers overflow in float16
        self.spread = float(self.rng.choice([0.3, 1.0, 1.0, wide]))
        self.sizes: dict[str, int] = {}
        one = name in _ONE_BATCH or CATALOGUE[name].topic.name == "seq2seq"
        axes = 1 if one else 0 if name == "position_similarity" else int(self.rng.integers(0, 4))
        self.leading = tuple(int(n) for n in self.rng.integers(1, 4, size=axes))

    def size(self, dim: str) -> int:
        if dim.isdigit():
            return int(dim)
        if dim not in self.sizes:
            self.sizes[dim] = _RULES.get(dim, _any_size)(self)
        return self.sizes[dim]

    def shape(self, dims: str) -> tuple[int, ...]:
        shape: tuple[int, ...] = ()
        for dim in dims.split():
            shape += self.leading if dim == "..." else (self.size(dim.removeprefix("#")),)
        return shape

    def floats(self, *shape: int) -> Array:
        numbers = self.spread * self.rng.normal(size=shape)
        return Array(rounded(numbers, self.dtype), self.dtype, bool(self.rng.integers(2)))

    def mask(self, dims: str) -> Array | None:
        """None, or a mask of the scores' shape or one that broadcasts to it; rows of nothing are among them."""
        if self.rng.random() < 0.25:
            return None
        shape = self.shape(dims)
        if "#" in dims:
            own = sum("#" in dim for dim in dims.split())
            shape = shape[self.rng.choice([0, len(shape) - own]) :]
            shape = tuple(1 if self.rng.random() < 0.15 else n for n in shape)
        mask = self.rng.random(shape) < self.rng.choice([0.2, 0.5, 0.9, 1.0])
        return Array(mask, "bool", bool(self.rng.integers(2)))

    def value(self, parameter: inspect.Parameter, hint: Any) -> Any:
        options = [o for o in (typing.get_args(hint) or (hint,)) if o is not type(None)]
        tensor = next((o for o in options if hasattr(o, "dim_str")), None)
        pair = next((o for o in options if typing.get_origin(o) is tuple), None)
        if parameter.name in _NUMBERS:
            return _NUMBERS[parameter.name](self)
        if pair is not None:
            return (
                None
                if self.rng.random() < 0.3
                else tuple(self.floats(*self.shape(t.dim_str)) for t in typing.get_args(pair))
            )
        if tensor is None:
            return self.size(parameter.name)
        if "bool" in tensor.dtypes:
            return self.mask(tensor.dim_str)
        if parameter.default is None and self.rng.random() < 0.4:
            if parameter.name == "key":  # then the queries are the keys
                self.sizes["n_keys"] = self.size("n_queries")
            return None
        array = self.floats(*self.shape(tensor.dim_str))
        return self.apart(array) if parameter.name == "scores" else array

    def apart(self, scores: Array) -> Array:
        """The same scores, in some cases with the rows far from each other, and rising or falling along a row."""
        far = float(self.rng.choice([0.0, 20.0, 1000.0]))
        rows, slopes = (self.rng.normal(size=(*scores.values.shape[:-1], 1)) for _ in range(2))
        drift = far * (rows + slopes * np.arange(scores.values.shape[-1]))
        return Array(rounded(scores.values + drift, self.dtype), self.dtype, scores.strided)


def _any_size(drawn: Drawn) -> int:
    return int(drawn.rng.choice([1, 2, 3, 4, 5, 6, 7, 9, 13]))


def _multiple(of: str) -> Callable[[Drawn], int]:
    return lambda drawn: drawn.size(of) * int(drawn.rng.integers(1, 4))


def _even(drawn: Drawn) -> int:
    return 2 * int(drawn.rng.integers(1, 6))


def _model_size(drawn: Drawn) -> int:
    if drawn.name in ("split_heads", "EncoderBlock", "DecoderBlock", "MultiHeadAttention"):
        return drawn.size("n_heads") * int(drawn.rng.integers(1, 4))
    if drawn.name == "DecoderOnlyBlock":
        return drawn.size("n_heads") * drawn.size("d_head")
    return _even(drawn) if drawn.name == "shift_matrix" else _any_size(drawn)


def _heads(drawn: Drawn) -> int:
    if drawn.name == "alibi_bias":
        return int(2 ** drawn.rng.integers(0, 6))
    return (
        drawn.size("n_groups") * int(drawn.rng.integers(1, 4))
        if drawn.name in ("grouped_query_attention", "DecoderOnlyBlock")
        else int(drawn.rng.integers(1, 5))
    )


# Sizes, by the names of axes, that are not free.
_RULES: dict[str, Callable[[Drawn], int]] = {
    "n_heads": _heads,
    "n_groups": lambda drawn: int(drawn.rng.integers(1, 4)),
    "d_model": _model_size,
    "d_keys": _multiple("n_heads"),
    "d_values": _multiple("n_heads"),
    "d_head": lambda drawn: (
        _even(drawn) if drawn.name in ("rotary", "DecoderOnlyBlock") else _any_size(drawn)
    ),
    "d_key": lambda drawn: _even(drawn) if drawn.name == "rotary_attention" else _any_size(drawn),
    "n_offsets": lambda drawn: 2 * int(drawn.rng.integers(0, 5)) + 1,
    "kernel_size": lambda drawn: 2 * int(drawn.rng.integers(0, 5)) + 1,
    "n_classes": lambda drawn: int(drawn.rng.integers(2, 12)),
    "height": _multiple("size"),
    "width": lambda drawn: (
        _multiple("size")(drawn) if drawn.name == "image_patches" else int(drawn.rng.integers(1, 15))
    ),
    "block_size": lambda drawn: int(drawn.rng.integers(1, 15)),
}


def _positions(drawn: Drawn, axis: str) -> Array:
    return Array(drawn.rng.integers(0, 500, size=drawn.size(axis)), "int64", bool(drawn.rng.integers(2)))


def _targets(drawn: Drawn) -> Array:
    shape = drawn.shape("... n_tokens")
    targets = drawn.rng.integers(drawn.size("n_classes"), size=shape)
    targets.flat[0] = (drawn.sizes["pad_token"] + 1) % drawn.size("n_classes")
    return Array(targets, "int64", bool(drawn.rng.integers(2)))


def _pad_token(drawn: Drawn) -> int:
    return drawn.sizes.setdefault("pad_token", int(drawn.rng.integers(drawn.size("n_classes"))))


def _start_token(drawn: Drawn) -> int:
    return drawn.sizes.setdefault("start_token", int(drawn.rng.integers(12)))


def _end_token(drawn: Drawn) -> int:
    """Another one than the start token: no contract says what becomes of a row that begins with its end."""
    return (_start_token(drawn) + int(drawn.rng.integers(1, 12))) % 12


def _step(drawn: Drawn) -> Step:
    writes = drawn.rng.integers(12, size=(drawn.size("batch"), 13))
    return Step(Array(writes, "int64"), _start_token(drawn), n_vocabulary=12)


def _sizes_of_costs(drawn: Drawn) -> Array:
    n = drawn.sizes.setdefault("n_costs", int(drawn.rng.integers(2, 12)))
    return Array(np.cumsum(drawn.rng.uniform(1, 50, size=n)), "float64", bool(drawn.rng.integers(2)))


# Arguments that are no tensors of any numbers, by their names.
_NUMBERS: dict[str, Callable[[Drawn], Any]] = {
    "base": lambda drawn: float(drawn.rng.choice([10000.0, 50.0, 3.0])),
    "offset": lambda drawn: int(drawn.rng.integers(-20, 60)),
    "positions": lambda drawn: _positions(drawn, "n_tokens"),
    "query_positions": lambda drawn: _positions(drawn, "n_queries"),
    "key_positions": lambda drawn: _positions(drawn, "n_keys"),
    "lengths": lambda drawn: Array(
        drawn.rng.integers(0, drawn.size("n_keys") + 1, size=drawn.size("batch")),
        "int64",
        bool(drawn.rng.integers(2)),
    ),
    "tokens": lambda drawn: Array(
        drawn.rng.integers(50, size=drawn.shape("... n_tokens")),
        "int32" if drawn.rng.integers(2) else "int64",
        bool(drawn.rng.integers(2)),
    ),
    "start_token": _start_token,
    "temperature": lambda drawn: float(drawn.rng.choice([0.0, 0.5, 1.0, 2.0])),
    "top_k": lambda drawn: drawn.rng.choice([None, 1, 2, 3]),
    "top_p": lambda drawn: drawn.rng.choice([None, 0.3, 0.7, 0.9]),
    "pad_token": _pad_token,
    "targets": lambda drawn: (_pad_token(drawn), _targets(drawn))[1],
    "sizes": _sizes_of_costs,
    "costs": lambda drawn: Array(
        np.exp(drawn.rng.normal(3, 4, size=drawn.sizes["n_costs"])), "float64", bool(drawn.rng.integers(2))
    ),
    "end_token": _end_token,
    "max_length": lambda drawn: int(drawn.rng.integers(1, 12)),
    "step": lambda drawn: _step(drawn),
    "torch_attention": lambda drawn: _torch_attention(drawn),
}


def _torch_attention(drawn: Drawn) -> TorchAttention:
    n_heads = int(drawn.rng.integers(1, 5))
    d = n_heads * int(drawn.rng.integers(1, 4))
    plain = [Array(a.values, a.dtype) for a in (drawn.floats(3 * d, d), drawn.floats(d, d))]
    return TorchAttention(d, n_heads, dict(zip(("in_proj_weight", "out_proj.weight"), plain, strict=True)))


def _softmax(drawn: Drawn) -> dict[str, Any]:
    shape = tuple(int(n) for n in drawn.rng.integers(1, 6, size=drawn.rng.integers(1, 5)))
    drawn.dtype = drawn.dtype.removeprefix("b") if "bfloat" not in drawn.dtype else "float32"
    return {
        "scores": drawn.apart(drawn.floats(*shape)),
        "axis": int(drawn.rng.integers(-len(shape), len(shape))),
    }


def _kept_by_a_forward_pass(drawn: Drawn, arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments of a backward pass, with an output and a logsumexp that belong to its queries, keys and values."""
    query, key, value = (arguments[n].values for n in ("query", "key", "value"))
    scores = query @ key.swapaxes(-1, -2) / np.sqrt(query.shape[-1])
    logsumexp = np.logaddexp.reduce(scores, axis=-1)
    output = np.exp(scores - logsumexp[..., None]) @ value
    made = {"output": output, "logsumexp": logsumexp}
    return arguments | {
        n: Array(rounded(values, drawn.dtype), drawn.dtype, arguments[n].strided)
        for n, values in made.items()
    }


def case(name: str, seed: int) -> Case:
    """A case for an exercise, of sizes, dtypes, strides and masks that the judge does not draw.

    Args:
        name: of the exercise.
        seed: the same seed gives the same case.
    """
    drawn, entry = Drawn(name, seed), CATALOGUE[name]
    helper = getattr(course_attention, name)
    taken = inspect.unwrap(helper if entry.kind == "function" else helper.forward)
    settings = {n: drawn.size(n) for n in _SETTINGS.get(name, ())} or None
    hints = typing.get_type_hints(taken)
    if name == "softmax":
        arguments = _softmax(drawn)
    else:
        parameters = [
            p
            for p in inspect.signature(taken).parameters.values()
            if p.name not in ("self", "device", "dtype")
        ]
        if name == "gaussian_scores":
            drawn.sizes["width"] = float(drawn.rng.uniform(0.3, 5))  # type: ignore[assignment]
        arguments = {p.name: drawn.value(p, hints.get(p.name)) for p in parameters}
        if name == "attention_backward":
            arguments = _kept_by_a_forward_pass(drawn, arguments)
    weights = {}
    if settings:
        shapes = {n: tuple(w.shape) for n, w in helper(**settings).state_dict().items()}
        weights = {n: Array(drawn.floats(*s).values, drawn.dtype) for n, s in shapes.items()}
    graded = "gradients" in entry.exercise.contract_checks and drawn.dtype == "float64" and drawn.spread < 10
    return Case(f"own case {seed}", "values", arguments, graded, settings, weights)


def cases(name: str, number: int) -> Iterator[Case]:
    """So many cases for an exercise."""
    return (case(name, seed) for seed in range(number))
