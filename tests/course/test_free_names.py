"""The names that a source takes from around it are found wherever they stand, and no local one is."""

from __future__ import annotations

import pytest

from course_attention.course.free_names import free_names


@pytest.mark.parametrize(
    ("source", "free"),
    [
        ("def f(x, k=first):\n    return g(x)", "first g"),
        ("def f(x):\n    def inner(y):\n        return x + y + z\n    return inner", "z"),
        ("def f(x):\n    return [g(i) for i in x if i != z]", "g z"),
        ("def f(x):\n    return lambda y, z=z: x + y + z", "z"),
        ("@decorated\ndef f(x: Shape) -> Result: ...", "Result Shape decorated"),
        ("from __future__ import annotations\nimport numpy as np\ndef f(x): return np.exp(x) + e", "e"),
        (
            "class A(nn.Module):\n    size = n\n    def forward(self, x):\n        return size + self.size",
            "n nn size",
        ),
        ("class A:\n    size = 3\n    twice = 2 * size", ""),
        ("def f(x):\n    total = x\n    total += 1", ""),
        ("def f(x):\n    global total\n    total += x", "total"),
        (
            "def f(x):\n    try:\n        return g(x)\n    except Wrong as error:\n        return error",
            "Wrong g",
        ),
        ("def f(x):\n    if (n := len(x)) > most:\n        return n", "most"),
        ("def f(x):\n    import math\n    return math.pi * x", ""),
        ("def f(x):\n    return f(x - 1) if x else __name__", ""),
        ("g = partial(f, axis=-1)", "f partial"),
        ("a, b = c", "c"),
        ("x = 1\ny = x + z", "z"),
        ("def f(x):\n    x[first:, ::step] = np.pi\n    del x", "first np step"),
        ("def f(x):\n    match x:\n        case Point(a, b): return a + c", "Point c"),
    ],
)
def test_free_names(source: str, free: str) -> None:
    """Each construct of the language is looked through."""
    assert free_names(source) == tuple(free.split())
