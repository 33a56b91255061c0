"""What an answer may not use is found where it is used, and only there."""

from __future__ import annotations

import importlib
import time

import pytest
import torch

from course_attention.course import helper_source
from course_attention.course.cells import course_notebook
from course_attention.exercises import CATALOGUE
from course_attention.grading.policy.copied import same_source
from course_attention.grading.policy.forbidden import found_in

SDPA = "torch.nn.functional.scaled_dot_product_attention"
BODY = "def attention(query, key, value, allowed=None):\n    "


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (BODY + "return F.scaled_dot_product_attention(query, key, value), None", SDPA),
        (
            "from torch.nn.functional import scaled_dot_product_attention as s\n"
            + BODY
            + "return s(query, key, value)",
            SDPA,
        ),
        (
            "import torch as t\n" + BODY + "return t.nn.functional.scaled_dot_product_attention(query, key, value)",
            SDPA,
        ),
        ("import torch.nn.functional as fun\nattention = fun.scaled_dot_product_attention", SDPA),
        (
            "def helper(q):\n    return F.scaled_dot_product_attention(q, q, q)\n" + BODY + "return helper(query)",
            SDPA,
        ),
        (
            "from course_attention import attention as theirs\nattention = theirs",
            "course_attention.attention",
        ),
        (
            "import course_attention as ca\n" + BODY + "return ca.attention(query, key, value)",
            "course_attention.attention",
        ),
        (
            "import course_attention as ca\n" + BODY + "return ca.multi_head_attention",
            "course_attention.multi_head_attention",
        ),
        ("from course_attention.mechanisms.attention import attention", "course_attention.attention"),
        (BODY + "return query  # not F.scaled_dot_product_attention", ""),
        (BODY + '"""Like F.scaled_dot_product_attention."""\n    return query', ""),
        (BODY + "return query\nprint(F.scaled_dot_product_attention)", ""),
        (
            BODY + "from course_attention import attend_and_concat\n    return attend_and_concat(query, key)",
            "",
        ),
        (BODY + "return F.softmax(query @ key.mT, dim=-1) @ value", ""),
        ("%%time\n" + BODY + "return F.scaled_dot_product_attention", SDPA),
        (BODY + "return query" + ".mT" * 20_000 + " # course_attention", ""),
        ("not python (", ""),
    ],
)
def test_found(source: str, found: str) -> None:
    """Found under any name it is imported by, in the answer and what it calls; not in comments and other lines."""
    assert found_in("attention", source) == found


@pytest.mark.parametrize(
    ("source", "added", "found"),
    [
        ("from scipy.special import softmax", "", "scipy.special.softmax"),
        ("def softmax(x, axis=-1):\n    return torch.as_tensor(x).softmax(axis)", "", "torch.Tensor.softmax"),
        (
            "def softmax(x, axis=-1):\n    t = torch.tensor(x)\n    return t.softmax(axis)",
            "",
            "torch.Tensor.softmax",
        ),
        ("def softmax(x, axis=-1):\n    return layer(x)", "layer = nn.Softmax(-1)", "torch.nn.Softmax"),
        ("def softmax(x, axis=-1):\n    print(shares)", "shares = F.softmax(scores, -1)", ""),
        ("def softmax(x, axis=-1):\n    return x.exp()", "print(x.softmax(-1))", ""),
    ],
)
def test_found_for_softmax(source: str, added: str, found: str) -> None:
    """An import is an answer, and so are a tensor's method and a layer made before; what a call returned is free."""
    assert found_in("softmax", source, [added]) == found


def test_containing() -> None:
    """A helper of an earlier notebook that contains the exercise is found; one that is a part of it is not."""
    source = (
        "from course_attention import cross_attention, attention\ndef self_attention(x, a, b, c, allowed=None):\n    "
    )
    assert (
        found_in("self_attention", source + "return cross_attention(x, x, a, b, c)")
        == "course_attention.cross_attention"
    )
    assert found_in("self_attention", source + "return attention(x @ a, x @ b, x @ c, allowed)") == ""


def test_names_are_true() -> None:
    """Every name stands for something: in PyTorch, and in the course before the exercise."""
    named = {(name, entry.name) for entry in CATALOGUE.values() for name in entry.exercise.ready_made}
    assert len({exercise for _, exercise in named}) > 15
    for full, exercise in named:
        owner, _, attribute = full.rpartition(".")
        if owner == "course_attention":
            assert CATALOGUE[attribute].notebook < CATALOGUE[exercise].notebook
        elif owner == "torch.Tensor":
            assert hasattr(torch.Tensor, attribute)
        elif owner.startswith("torch"):
            assert hasattr(importlib.import_module(owner), attribute), full


@pytest.mark.parametrize(
    "cells",
    [
        ["softmax = 1\n" * 130_000],
        ["a = b.softmax.c\n" * 3_000] * 10,
        [f"def f{i}(x): return softmax(x)" for i in range(12_000)],
        [f"f{i} = f{i + 1}.softmax" for i in range(12_000)],
        ["softmax" + ".a" * 24_000] * 10,
        ["x = [softmax, " + "0," * 24_000 + "]"] * 10,
    ],
    ids=["a cell of 1.6 MB", "lines", "small cells", "a chain of cells", "dots", "a list"],
)
def test_cost_of_a_submission(cells: list[str]) -> None:
    """All exercises of a notebook together are looked into in seconds, whatever stands in the added cells."""
    began = time.process_time()
    for name in course_notebook("04_multi_head_attention").exercises:
        found_in(name, f"{name} = f0", cells)
        same_source(cells[0], helper_source.own_source(name))
    assert time.process_time() - began < 6
