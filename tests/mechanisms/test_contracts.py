"""Bad input to a helper: an error that states the rule, what was expected and what came."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Callable

import pytest
import torch
from jaxtyping import Float, Int
from torch import Tensor

import course_attention
from course_attention import (
    attend_and_concat,
    attention,
    attention_distribution,
    bilinear_scores,
    gaussian_scores,
)
from course_attention.mechanisms.contracts import checked
from course_attention.mechanisms.number_rules import RULES


def _qkv(*changes: tuple[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    return {"query": torch.ones(2, 4), "key": torch.ones(3, 4), "value": torch.ones(3, 5)} | dict(changes)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("key", torch.ones(7, 3)), "key must be (..., n_keys, d_key=4), as query has d_key 4; got (7, 3)"),
        (
            ("value", torch.ones(2, 5)),
            "value must be (..., n_keys=3, d_value), as key has n_keys 3; got (2, 5)",
        ),
        (("query", torch.ones(4)), "query must be (..., n_queries, d_key); got (4,)"),
        (("allowed", torch.ones(3).bool()), "allowed must be (..., n_queries=2, n_keys=3); got (3,)"),
        (("allowed", torch.ones(3, 2).bool()), "allowed must be (..., n_queries=2, n_keys=3), as query has"),
        (
            ("allowed", torch.ones(5, 2, 3).bool()),
            "the leading dimensions of allowed must broadcast to the scores'; got (5,) against ()",
        ),
        (("key", torch.ones(3, 4).double()), "one dtype; query has torch.float32, key has torch.float64"),
        (("key", torch.ones(3, 4, device="meta")), "one device; query is on cpu, key on meta"),
    ],
    ids=lambda case: case[0] if isinstance(case, tuple) else None,
)
def test_shapes(change: tuple[str, torch.Tensor], message: str) -> None:
    """A shape, dtype or device that does not fit is told with the sizes that are known."""
    with pytest.raises(ValueError, match=re.escape(message)):
        attention(**_qkv(change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("query", [[1.0]]), "query must be a Tensor; got list"),
        (("query", torch.ones(2, 4).long()), "query must hold floating-point numbers; got torch.int64"),
        (
            ("allowed", torch.ones(2, 3)),
            "allowed must be a boolean mask, True = may attend; got torch.float32",
        ),
    ],
)
def test_types(change: tuple[str, object], message: str) -> None:
    """Something else than a tensor, or a tensor of another kind, is told by its type."""
    with pytest.raises(TypeError, match=re.escape(message)):
        attention(**_qkv(change))


def test_batch_must_broadcast() -> None:
    """Batches of different sizes are told apart from one that is missing."""
    with pytest.raises(ValueError, match="leading dimensions of memory must broadcast"):
        attend_and_concat(torch.ones(2, 4), torch.ones(3, 5, 4))
    output, _ = attention(torch.ones(2, 4), torch.ones(6, 3, 4), torch.ones(6, 3, 5))
    assert output.shape == (6, 2, 5)


def test_other_helpers_check_too() -> None:
    """The rule of each helper comes from its own annotations."""
    with pytest.raises(ValueError, match=r"weight must be \(d_query=4, d_key=4\)"):
        bilinear_scores(torch.ones(2, 4), torch.ones(3, 4), torch.ones(3, 4))
    with pytest.raises(ValueError, match="allowed must be"):
        attention_distribution(torch.ones(2, 3), torch.ones(2, 4).bool())
    assert gaussian_scores(torch.ones(1, 2), torch.ones(3, 2), width=1).shape == (1, 3)


def test_source_is_the_taught_one() -> None:
    """The check stands around a helper, not in it: what is shown and pasted is the helper alone."""
    assert inspect.getsource(attention).startswith("def attention(")
    assert list(inspect.signature(attention).parameters) == ["query", "key", "value", "allowed"]


def test_annotations_hold() -> None:
    """jaxtyping and beartype find every annotation true on results as well as arguments."""
    program = """
import torch
from jaxtyping import install_import_hook
with install_import_hook("course_attention.mechanisms", "beartype.beartype"):
    from course_attention.mechanisms import attention as a, seq2seq as s
one = torch.rand(2, 3, 4)
for t in (one, one.double(), one[0]):
    a.attention(t, t, t, torch.ones(3, 3).bool()); a.mean_attention(t, t, t); a.gaussian_scores(t, t, 1.0)
    w = torch.rand(4, 4).to(t)
    a.bilinear_scores(t, t, w); a.additive_scores(t, t, w, w, w[0]); a.cross_attention(t, t, w, w, w)
    s.attend_and_concat(t[..., 0, :], t, torch.ones(t.shape[:-1]).bool())
a.attention_columns(one[0], one[0], one[0])
try:
    a.attention(one, one[..., :2], one)
except Exception as error:
    print(type(error).__module__)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "jaxtyping" in done.stdout


def test_names_are_public() -> None:
    """Each exercise has its helper under its own name, and dir() lists it."""
    from course_attention.exercises import CATALOGUE

    assert set(CATALOGUE) <= set(course_attention.__all__) <= set(dir(course_attention))
    with pytest.raises(AttributeError, match="no attribute 'attention_matrix'"):
        _ = course_attention.attention_matrix


def test_whole_numbers() -> None:
    """An argument that counts something holds whole numbers, and needs no dtype in common with the others."""

    def place(positions: Int[Tensor, "n_tokens"], x: Float[Tensor, "n_tokens d"]) -> Tensor:
        return x[positions]

    helper = checked(place)
    assert helper(torch.tensor([1, 0]), torch.eye(2)).tolist() == [[0, 1], [1, 0]]
    with pytest.raises(TypeError, match=re.escape("positions must hold whole numbers; got torch.float32")):
        helper(torch.ones(2), torch.eye(2))
    with pytest.raises(ValueError, match=re.escape("x must be (n_tokens=3, d), as positions has n_tokens 3")):
        helper(torch.tensor([1, 0, 1]), torch.eye(2))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: course_attention.split_heads(torch.ones(2, 6), 4),
            "divides the last axis of x; got 4 for 6 channels",
        ),
        (lambda: course_attention.causal_mask(-1), "n_queries must be a whole number, 0 or more; got -1"),
        (
            lambda: course_attention.shift_matrix(1, 5),
            "d_model must be even: sine and cosine come in pairs; got 5",
        ),
        (lambda: course_attention.alibi_bias(6, 2, 2), "n_heads must be a power of two; got 6"),
        (
            lambda: course_attention.relative_bias(torch.ones(2, 4), 3, 3),
            "table must be of an odd number of columns",
        ),
        (
            lambda: course_attention.rotary(torch.ones(2, 3), torch.arange(2)),
            "x must be of an even number of channels",
        ),
        (
            lambda: gaussian_scores(torch.ones(1, 2), torch.ones(1, 2), 0.0),
            "width must be a positive number; got 0.0",
        ),
    ],
)
def test_numbers(call: Callable, message: str) -> None:
    """A number that breaks a rule is told the rule, and what came."""
    with pytest.raises(ValueError, match=re.escape(message)):
        call()


def test_rules_name_arguments() -> None:
    """A rule speaks of an argument that its helper has."""
    for helper, rules in RULES.items():
        assert {rule.argument for rule in rules} <= set(inspect.signature(getattr(course_attention, helper)).parameters)
