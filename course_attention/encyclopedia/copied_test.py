"""A test for a misconception that a reader can copy into a project of their own: the smallest case, in three lines."""

from typing import Any

import numpy as np

from course_attention.encyclopedia.entry_verdict import verdict_on
from course_attention.encyclopedia.mistaken_code import mistaken_code
from course_attention.exercises import CATALOGUE
from course_attention.judging.exercise import FunctionExercise, ModuleExercise
from course_attention.judging.verdict import Example

MOST_NUMBERS = 40  # of inputs and result, in a test that holds its case
DIGITS = 5


def copied_test(id: str) -> str:
    """Return the code of a test that fails for code with this misconception, and passes for right code.

    Where the smallest case is small, the test holds it, and needs torch (or NumPy) alone. Elsewhere it asks the judge.
    """
    name = mistaken_code(id).exercise
    exercise, example = CATALOGUE[name].exercise, verdict_on(id).example
    lines: list[str] = []
    if isinstance(exercise, FunctionExercise) and not isinstance(exercise, ModuleExercise) and example is not None:
        lines = _with_its_case(exercise, example)
    if lines:
        return "\n".join(lines)
    if exercise.kind == "value":
        return ""
    return (
        "from course_attention.testing import assert_right\n\n\n"
        f"def test_{name}():\n"
        f'    assert_right("{name}", your_{name})'
    )


def _with_its_case(exercise: FunctionExercise, example: Example) -> list[str]:
    """Return the lines of a test that holds its case; nothing where the case is no plain call, or is too large."""
    returns = exercise.returns
    numbers = [np.asarray(one) for one in (*example.inputs.values(), example.expected) if one is not None]
    if example.expected is None or example.part not in returns.names or returns.groups:
        return []
    if any(one.dtype == object for one in numbers) or not all(name.isidentifier() for name in example.inputs):
        return []
    if sum(one.size for one in numbers) > MOST_NUMBERS or not all(map(_is_finite, numbers)) or _is_near(example):
        return []
    library = exercise.library
    given = ", ".join(f"{name}={_literal(value, library)}" for name, value in example.inputs.items())
    called = f"your_{exercise.name}({given})"
    if returns.mapping:
        called += f'["{example.part}"]'
    elif len(returns.names) > 1:
        called += f"[{returns.names.index(example.part)}]"
    expected = _literal(np.asarray(example.expected), library)
    if returns.number:
        compared = f"assert float(result) == pytest.approx({np.asarray(example.expected).item():.6g}, rel=1e-3)"
        imports = ["import pytest", "import torch"] if library == "torch" else ["import numpy as np", "import pytest"]
    elif library == "torch":
        compared = f"torch.testing.assert_close(result, {expected}, rtol=1e-3, atol=1e-4, check_dtype=False)"
        imports = ["import torch"]
    else:
        compared = f"np.testing.assert_allclose(result, {expected}, rtol=1e-3, atol=1e-4)"
        imports = ["import numpy as np"]
    if returns.number and "torch" not in called and "np." not in called:
        imports = ["import pytest"]
    return [*imports, "", "", f"def test_{exercise.name}():", f"    result = {called}", f"    {compared}"]


def _is_near(example: Example) -> bool:
    """Whether the difference is too small for the tolerance of the test."""
    expected, received = np.asarray(example.expected, float), example.received
    if received is None or np.shape(received) != expected.shape:
        return False
    return np.allclose(expected, np.asarray(received, float), rtol=1e-2, atol=1e-3)


def _is_finite(array: np.ndarray) -> bool:
    """Whether every number of it is finite in float32 too, which torch.tensor makes of what the test writes down."""
    with np.errstate(over="ignore"):
        return array.dtype.kind not in "fc" or bool(np.isfinite(array.astype(np.complex64)).all())


def _literal(value: Any, library: str) -> str:
    """Return a value as it is written in the test: as an array where it is one."""
    made = "torch.tensor" if library == "torch" else "np.array"
    if isinstance(value, (np.ndarray, list, tuple)):
        return f"{made}({_rounded(np.asarray(value).tolist())})"
    return repr(value.item() if isinstance(value, np.generic) else value)


def _rounded(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_rounded, value))}]"
    return f"{value:.{DIGITS}g}" if isinstance(value, float) and not value.is_integer() else repr(value)
