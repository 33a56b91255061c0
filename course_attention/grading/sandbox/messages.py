"""Turns calls and outcomes into plain data for the channel, and back. Nothing that a worker sends is trusted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from course_attention.execution.protocol import Array, Call, Outcome, Raised, Result, TorchAttention
from course_attention.grading.sandbox.channel import MAX_AXES

# What an outcome may hold. A right answer has at most 720 numbers, and the judge keeps the outcomes of all its calls.
_LONGEST_TEXT = 2000
_LONGEST_NAME = 200
_MOST_RESULTS = 1000  # and names, groups, gradients
_MOST_ARRAYS = 100
_MOST_NUMBERS = 100_000  # in all arrays together, and along one axis of a shape that is shown
_FORMS = ("single", "tuple", "list", "mapping", "nothing")


def call_to_plain(call: Call) -> dict[str, Any]:
    """Turn a call into plain data."""
    return {
        "arguments": {name: _argument_to_plain(value) for name, value in call.arguments.items()},
        "device": call.device,
        "cotangents": list(call.cotangents),
        "settings": None if call.settings is None else dict(call.settings),
        "weights": {name: _argument_to_plain(value) for name, value in call.weights.items()},
        "again": call.again,
        "measure": call.measure,
    }


def call_from_plain(plain: Mapping[str, Any]) -> Call:
    """Make a call from plain data, which comes from the judge and is trusted."""
    return Call(
        arguments={name: _argument_from_plain(value) for name, value in plain["arguments"].items()},
        device=plain["device"],
        cotangents=tuple(plain["cotangents"]),
        settings=plain["settings"],
        weights={name: _argument_from_plain(value) for name, value in plain["weights"].items()},
        again=plain["again"],
        measure=plain["measure"],
    )


def outcome_to_plain(outcome: Outcome) -> dict[str, Any]:
    """Turn an outcome into plain data."""
    error = outcome.error
    room = _MOST_NUMBERS
    values: list[np.ndarray | None] = []
    results = outcome.results[:_MOST_RESULTS]
    for result in results:  # what is not sent has a shape to be told wrong
        sent = result.values
        if sent is None or sent.size > room or not _is_small(sent) or len(values) >= _MOST_ARRAYS:
            values.append(None)
        else:
            values.append(sent)
            room -= sent.size
    return {
        "results": [
            [r.kind, r.dtype, r.device, list(r.shape[:MAX_AXES]), v]
            for r, v in zip(results, values, strict=True)
        ],
        "form": outcome.form,
        "error": None
        if error is None
        else {
            name: value[:_LONGEST_TEXT] if isinstance(value, str) else value
            for name, value in vars(error).items()
        },
        "changed": list(outcome.changed),
        "gradients": dict(outcome.gradients),
        "names": [name[:_LONGEST_NAME] for name in outcome.names[:_MOST_RESULTS]],
        "groups": list(outcome.groups[:_MOST_RESULTS]),
        "largest": outcome.largest,
        "steady": outcome.steady,
        "is_stub": outcome.is_stub,
    }


def outcome_from_plain(plain: Any) -> Outcome:
    """Make an outcome from what a worker has sent, which may be anything.

    Raises:
        ValueError: it is no outcome.
    """
    try:
        error = plain["error"]
        outcome = Outcome(
            results=tuple(_result(item) for item in _few(plain["results"])),
            form=_one_of(plain["form"], _FORMS),
            error=None if error is None else _raised(error),
            changed=_texts(plain["changed"]),
            gradients={_name(name): _numbers(plain["gradients"][name]) for name in _few(plain["gradients"])},
            names=_texts(plain["names"]),
            groups=tuple(_whole(n) for n in _few(plain["groups"])),
            largest=_whole(plain["largest"]),
            steady=_flag(plain["steady"]),
            is_stub=_flag(plain["is_stub"]),
        )
    except (LookupError, TypeError, AttributeError) as wrong:
        raise ValueError(f"what came is no outcome: {repr(wrong)[:_LONGEST_NAME]}") from None
    arrays = [result.values for result in outcome.results] + list(outcome.gradients.values())
    if sum(array.size for array in arrays if array is not None) > 2 * _MOST_NUMBERS:
        raise ValueError("more numbers than any answer has")
    if outcome.form == "mapping" and len(outcome.names) != len(outcome.results):
        raise ValueError("a mapping with more or fewer names than results")
    return outcome


def _argument_to_plain(value: Any) -> Any:
    if isinstance(value, Array):
        return {"is": "array", "values": value.values, "dtype": value.dtype, "strided": value.strided}
    if isinstance(value, TorchAttention):
        weights = {name: _argument_to_plain(array) for name, array in value.weights.items()}
        return {"is": "attention", "sizes": [value.embed_dim, value.num_heads], "weights": weights}
    if isinstance(value, tuple):
        return {"is": "tuple", "items": [_argument_to_plain(item) for item in value]}
    return {"is": "plain", "value": value}


def _argument_from_plain(plain: Mapping[str, Any]) -> Any:
    if plain["is"] == "array":
        return Array(plain["values"], plain["dtype"], plain["strided"])
    if plain["is"] == "attention":
        weights = {name: _argument_from_plain(array) for name, array in plain["weights"].items()}
        embed_dim, num_heads = plain["sizes"]
        return TorchAttention(embed_dim, num_heads, weights)
    if plain["is"] == "tuple":
        return tuple(_argument_from_plain(item) for item in plain["items"])
    return plain["value"]


def _result(plain: Any) -> Result:
    kind, dtype, device, shape, values = plain
    if values is not None and not isinstance(values, np.ndarray):
        raise ValueError("values that are no array")
    if values is not None and tuple(shape) != values.shape:
        raise ValueError("a shape that is not that of its values")
    if values is not None and not _is_small(values):
        raise ValueError("an array of more rows than any answer has")
    sizes = tuple(_whole(n) for n in shape[:MAX_AXES])
    return Result(_name(kind), _name(dtype), _name(device), sizes, values)


def _is_small(values: np.ndarray) -> bool:
    """Whether an array can be shown: rows without a number in them take no memory, and each takes a line."""
    return values.ndim <= MAX_AXES and max(values.shape, default=0) <= _MOST_NUMBERS


def _raised(plain: Mapping[str, Any]) -> Raised:
    fields: dict[str, Any] = {name: _text(plain[name]) for name in ("type", "message", "line", "stage")}
    fields |= {name: _flag(plain[name]) for name in ("unwritten", "device_mismatch", "undecided")}
    return Raised(**fields)


def _numbers(value: Any) -> np.ndarray | None:
    if value is None:
        return None
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
        raise ValueError("a gradient that is no array of numbers")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a text was expected")
    return value[:_LONGEST_TEXT]


def _name(value: Any) -> str:
    return _text(value)[:_LONGEST_NAME]


def _texts(values: Any) -> tuple[str, ...]:
    return tuple(_name(value) for value in _few(values))


def _few(values: Any) -> Any:
    if not isinstance(values, (list, dict)) or len(values) > _MOST_RESULTS:
        raise ValueError(f"a list of at most {_MOST_RESULTS} was expected")
    return values


def _whole(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 2**62:
        raise ValueError("a whole number was expected")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError("true or false was expected")
    return value


def _one_of(value: Any, allowed: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(f"one of {', '.join(allowed)} was expected")
    return value
