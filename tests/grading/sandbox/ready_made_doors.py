"""Calls all that torch and SciPy have under a name; prints what gives a softmax or attention and is not refused.

It runs in a process of its own: the guards stay, and some of what it calls changes torch for good.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch

from course_attention.grading.policy.ready_made import READY_MADE, ready_made
from course_attention.grading.sandbox.worker import withheld

NAMESPACES = (
    "torch",
    "torch.nn",
    "torch.nn.functional",
    "torch.nn.attention",
    "torch.nn.attention.flex_attention",
    "torch.special",
    "torch.masked",
    "torch.masked._ops",
    "torch.sparse",
    "torch.Tensor",
    "torch._C.TensorBase",
    "torch._C._nn",
    "torch._C._special",
    "torch._C._VariableFunctions",
    "torch._VF",
    "torch._refs",
    "torch._refs.special",
    "torch._refs.nn.functional",
    "torch._decomp.decompositions",
    "scipy.special",
    "scipy.special._logsumexp",
    "sklearn.utils.extmath",
)
# What would end, stop or change this process, and computes nothing.
LEFT_OUT = (
    "set_",
    "_set",
    "_cuda",
    "_jit",
    "_dist",
    "_mps",
    "_mtia",
    "_xpu",
    "_accelerator",
    "init",
    "_init",
    "fork",
)
LEFT_OUT += (
    "_crash",
    "_abort",
    "_host",
    "wait",
    "_wait",
    "save",
    "load",
    "compile",
    "_pop",
    "_push",
    "_demangle",
)

SCORES = torch.linspace(-1.0, 2.0, 12, dtype=torch.float64).reshape(3, 4)
SCORES_32 = SCORES.float()
QUERY, KEY, VALUE = (torch.linspace(-1.0, end, 24).reshape(1, 2, 3, 4).sin() for end in (2.0, 5.0, 9.0))
SHARES = torch.exp(SCORES) / torch.exp(SCORES).sum(-1, keepdim=True)
WEIGHTS = torch.exp(QUERY @ KEY.mT / 2)
Attempt = tuple[tuple[Any, ...], dict[str, Any]]
SOFTMAX_CALLS: tuple[Attempt, ...] = (
    *(
        ((one, -1, *rest), {})
        for one in (SCORES, SCORES_32)
        for rest in ((), (False,), (None,), (None, None))
    ),
    ((SCORES.numpy(), -1), {}),
    ((SCORES,), {"dim": -1}),
    ((-SCORES,), {"dim": -1}),
    ((SCORES,), {"axis": -1}),
    ((SCORES.numpy(),), {"axis": -1}),
    ((SCORES, torch.zeros(3, 4, dtype=torch.bool), -1), {}),
)
ATTENTION_CALLS: tuple[Attempt, ...] = (
    ((QUERY, KEY, VALUE), {}),
    ((QUERY, KEY, VALUE, None, 0.0, False), {}),
    ((QUERY, KEY, VALUE, 0.0, False), {}),
)
# Exercise → the calls that are tried, and what is ready-made where one of them gives it.
LOOKED_FOR = {
    "softmax": (SOFTMAX_CALLS, (SHARES, SHARES.log())),
    "attention": (ATTENTION_CALLS, ((WEIGHTS / WEIGHTS.sum(-1, keepdim=True)) @ VALUE,)),
}


def callables() -> Iterator[tuple[str, Callable[..., Any]]]:
    """Every callable of the namespaces and every operator, under its name."""
    for name in NAMESPACES:
        try:
            space = importlib.import_module(name)
        except ImportError:
            owner, _, own = name.rpartition(".")
            try:
                space = getattr(importlib.import_module(owner), own)
            except (ImportError, AttributeError):
                continue  # SciPy need not be installed, and each torch has other private names
        for own in dir(space):
            found = getattr(space, own, None)
            if callable(found) and not own.startswith(LEFT_OUT):
                yield f"{name}.{own}", found
    for own in sorted({schema.name for schema in torch._C._jit_get_all_schemas()}):
        if own.startswith("aten::") and not own.removeprefix("aten::").startswith(LEFT_OUT):
            with contextlib.suppress(Exception):
                yield own, getattr(torch.ops.aten, own.removeprefix("aten::"))


def gives(function: Callable[..., Any], calls: Sequence[Attempt]) -> Iterator[Any]:
    """What a callable gives for each call, and what the module gives that it makes."""
    for args, kwargs in calls:
        with contextlib.suppress(Exception):
            yield function(*args, **kwargs)
    if isinstance(function, type) and issubclass(function, torch.nn.Module):
        for args in ((-1,), ()):
            with contextlib.suppress(Exception):
                yield function(*args)(SCORES)


def is_one_of(right: Sequence[torch.Tensor], came: Any) -> bool:
    """Whether what came, or the first thing in it, has these numbers."""
    if isinstance(came, (tuple, list)) and came:
        came = came[0]
    if isinstance(came, np.ndarray) and came.dtype.kind == "f":
        came = torch.from_numpy(came)
    if type(came) is not torch.Tensor or not came.is_floating_point():
        return False
    return any(
        came.shape == r.shape and bool(torch.allclose(came.double(), r.double(), atol=1e-5)) for r in right
    )


def _watching(exercise: str, guarded: bool) -> contextlib.AbstractContextManager[None]:
    """Refuse as a session does while it judges this exercise."""
    return withheld.watching(ready_made(exercise) if guarded else (), deep=exercise == "softmax")


def look(everything: list[tuple[str, Callable[..., Any]]], start: int, guarded: bool) -> None:
    """Call one after another, and say which is called, and whether it is open."""
    kept = [one.clone() for one in (SCORES, SCORES_32, QUERY, KEY, VALUE)]
    for index, (name, function) in list(enumerate(everything))[start:]:
        os.write(1, f"{index}\n".encode())
        signal.alarm(5)  # ends this process
        for exercise, (calls, right) in LOOKED_FOR.items():
            withheld.used.clear()
            with warnings.catch_warnings(), _watching(exercise, guarded):
                warnings.simplefilter("ignore")
                came = list(gives(function, calls))
            if not withheld.used and any(is_one_of(right, one) for one in came):
                os.write(1, f"open for {exercise}: {name}\n".encode())
        for one, before in zip((SCORES, SCORES_32, QUERY, KEY, VALUE), kept, strict=True):
            one.set_(before.clone())  # what worked in place is undone


def main(guarded: bool, only: str = "") -> None:
    """Look at everything, in processes of their own: some callables end theirs, and the next goes on behind them.

    Args:
        guarded: refuse what is ready-made.
        only: the start of the names that are looked at.
    """
    if guarded:
        withheld.wrap_ready_made(sorted({name for several in READY_MADE.values() for name in several}))
        importlib.import_module("sklearn.utils.extmath")  # takes long to load, and is wrapped where it is
        withheld.wrap_late()
    everything, start = [one for one in callables() if one[0].startswith(only)], 0
    while start < len(everything):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            os.dup2(writing, 1)
            with contextlib.suppress(BaseException):
                look(everything, start, guarded)
                os._exit(0)
            os._exit(1)
        os.close(writing)
        with open(reading, encoding="utf-8") as said:
            for line in said:
                if line.startswith("open "):
                    print(line, end="", flush=True)
                elif line.strip().isdigit():
                    start = int(line) + 1
        if os.waitpid(child, 0)[1]:
            print(f"ended: {everything[start - 1][0]}", flush=True)
    print(f"looked at: {len(everything)}")


if __name__ == "__main__":
    main(sys.argv[1] == "guarded", *sys.argv[2:])
