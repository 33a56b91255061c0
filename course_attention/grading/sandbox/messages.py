"""Turns calls and outcomes into plain data for the channel, and back. Nothing that a worker sends is trusted."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from course_attention.execution.number_formats import FORMATS, from_bytes, to_bytes
from course_attention.execution.protocol import (
    Array,
    Call,
    GivenFunction,
    Outcome,
    Raised,
    Result,
    Step,
    TorchAttention,
)
from course_attention.grading.sandbox.channel import MAX_AXES

# What an outcome may hold. A right answer has thousands of numbers at most, and the judge keeps the outcomes of all
# its calls.
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
        "before": {name: _argument_to_plain(value) for name, value in call.before.items()},
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
        before={name: _argument_from_plain(value) for name, value in plain["before"].items()},
        measure=plain["measure"],
    )


def outcome_to_plain(outcome: Outcome) -> dict[str, Any]:
    """Turn an outcome into plain data. It does not tell which arguments were changed: the judge finds that out."""
    error, after = outcome.error, outcome.arguments
    return {
        "results": _results_to_plain(outcome.results[:_MOST_RESULTS]),
        "arguments": None if after is None else [list(after), _results_to_plain(tuple(after.values()))],
        "form": outcome.form,
        "error": None if error is None else {name: _cut(getattr(error, name)) for name in Raised.__dataclass_fields__},
        "gradients": dict(outcome.gradients),
        "names": [name[:_LONGEST_NAME] for name in outcome.names[:_MOST_RESULTS]],
        "groups": list(outcome.groups[:_MOST_RESULTS]),
        "largest": outcome.largest,
        "largest_line": _cut(outcome.largest_line),
        "steady": outcome.steady,
        "is_stub": outcome.is_stub,
        "milliseconds": outcome.milliseconds,
    }


def outcome_from_plain(plain: Any) -> Outcome:
    """Make an outcome from what a worker has sent, which may be anything.

    Raises:
        ValueError: it is not an outcome.
    """
    try:
        error = plain["error"]
        outcome = Outcome(
            results=tuple(_result(item) for item in _few(plain["results"])),
            form=_one_of(plain["form"], _FORMS),
            error=None if error is None else _raised(error),
            arguments=_arguments(plain["arguments"]),
            gradients={_name(name): _numbers(plain["gradients"][name]) for name in _few(plain["gradients"])},
            names=_texts(plain["names"]),
            groups=tuple(_whole(n) for n in _few(plain["groups"])),
            largest=_whole(plain["largest"]),
            largest_line=_text(plain["largest_line"]),
            steady=_flag(plain["steady"]),
            is_stub=_flag(plain["is_stub"]),
            milliseconds=_whole(plain["milliseconds"]),
        )
    except (LookupError, TypeError, AttributeError) as wrong:
        raise ValueError(f"what came is not an outcome: {repr(wrong)[:_LONGEST_NAME]}") from None
    arrays = [result.values for result in outcome.results] + list(outcome.gradients.values())
    if sum(array.size for array in arrays if array is not None) > 2 * _MOST_NUMBERS:
        raise ValueError("more numbers than any answer has")
    n_results = len(outcome.results)
    if outcome.form == "mapping" and len(outcome.names) != n_results:
        raise ValueError("a mapping with more or fewer names than results")
    if (outcome.form == "single" and n_results != 1) or (outcome.form == "nothing" and n_results):
        raise ValueError(f"a form that has no {n_results} results: {outcome.form}")
    return outcome


def _argument_to_plain(value: Any) -> Any:
    if isinstance(value, Array):
        return {"is": "array", **vars(value)}
    if isinstance(value, TorchAttention):
        weights = {name: _argument_to_plain(array) for name, array in value.weights.items()}
        return {"is": "attention", "sizes": [value.embed_dim, value.num_heads], "weights": weights}
    if isinstance(value, Step):
        sizes = [value.start_token, value.n_vocabulary]
        return {"is": "step", "writes": _argument_to_plain(value.writes), "sizes": sizes}
    if isinstance(value, GivenFunction):
        return {"is": "function", "source": value.source, "name": value.name}
    if isinstance(value, tuple):
        return {"is": "tuple", "items": [_argument_to_plain(item) for item in value]}
    return {"is": "plain", "value": value}


def _argument_from_plain(plain: Mapping[str, Any]) -> Any:
    if plain["is"] == "array":
        return Array(plain["values"], plain["dtype"], plain["strided"], plain["wants_gradient"])
    if plain["is"] == "attention":
        weights = {name: _argument_from_plain(array) for name, array in plain["weights"].items()}
        embed_dim, num_heads = plain["sizes"]
        return TorchAttention(embed_dim, num_heads, weights)
    if plain["is"] == "step":
        return Step(_argument_from_plain(plain["writes"]), *plain["sizes"])
    if plain["is"] == "function":
        return GivenFunction(plain["source"], plain["name"])
    if plain["is"] == "tuple":
        return tuple(_argument_from_plain(item) for item in plain["items"])
    return plain["value"]


def _results_to_plain(results: Sequence[Result]) -> list[list[Any]]:
    """Turn results into plain data, with their numbers as the bytes that these have in the result's own dtype.

    What is too large to be right is not sent: its shape is enough to be told wrong.
    """
    room, arrays = _MOST_NUMBERS, 0
    plain: list[list[Any]] = []
    for result in results:
        kept = result.values
        if kept is not None and (kept.size > room or not _is_small(kept) or arrays >= _MOST_ARRAYS):
            kept = None
        raw = None if kept is None else to_bytes(kept, _format(result.kind, result.dtype))
        plain.append([result.kind, result.dtype, result.device, list(result.shape[:MAX_AXES]), raw])
        if kept is not None:
            room, arrays = room - kept.size, arrays + 1
    return plain


def _cut(value: Any) -> Any:
    return value[:_LONGEST_TEXT] if isinstance(value, str) else value


def _format(kind: str, dtype: str) -> str:
    """Name the format of a result's bytes: its own dtype, or float64 for a number and for a dtype not listed."""
    return dtype if kind != "number" and dtype in FORMATS else "float64"


def _result(plain: Any) -> Result:
    kind, dtype = _name(plain[0]), _name(plain[1])
    shape = tuple(_whole(n) for n in plain[3][:MAX_AXES])
    _, _, device, _, raw = plain
    if raw is not None and not isinstance(raw, np.ndarray):
        raise ValueError("values that are not an array")
    values = None if raw is None else from_bytes(raw, _format(kind, dtype), shape)
    if values is not None and not _is_small(values):
        raise ValueError("an array of more rows than any answer has")
    if kind == "array" and values is not None:  # as `execution.arrays` reads them
        values = values.astype(np.float64)
    return Result(kind, dtype, _name(device), shape, values)


def _arguments(plain: Any) -> dict[str, Result] | None:
    if plain is None:
        return None
    names, results = plain
    if len(_few(names)) != len(_few(results)):
        raise ValueError("a name for each argument was expected")
    return dict(zip(_texts(names), map(_result, results), strict=True))


def _is_small(values: np.ndarray) -> bool:
    """Whether an array can be shown: rows without a number in them take no memory, and each takes a line."""
    return values.ndim <= MAX_AXES and max(values.shape, default=0) <= _MOST_NUMBERS


def _raised(plain: Mapping[str, Any]) -> Raised:
    fields: dict[str, Any] = {name: _text(plain[name]) for name in ("type", "message", "line", "stage")}
    fields |= {name: _flag(plain[name]) for name in ("unwritten", "device_mismatch")}
    return Raised(**fields)


def _numbers(value: Any) -> np.ndarray | None:
    if value is None:
        return None
    if not isinstance(value, np.ndarray) or value.dtype.kind != "f":
        raise ValueError("a gradient that is not an array of numbers")
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
