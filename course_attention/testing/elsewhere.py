"""Judges code that was written for another contract, by the part of ours that it is meant to meet."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import lru_cache
from inspect import signature
from typing import Any

import course_attention
from course_attention.execution.protocol import Device
from course_attention.exercises import CATALOGUE
from course_attention.judging import judge as judge_exercise
from course_attention.judging import properties
from course_attention.judging.asked import Asked
from course_attention.judging.drawing import EPSILON
from course_attention.judging.drawn_cases import drawn_cases
from course_attention.judging.exercise import Coarse, Exercise, FunctionExercise, Misconception, Returns
from course_attention.judging.properties import PROPERTIES
from course_attention.judging.verdict import Verdict
from course_attention.presentation.verdict_text import verdict_text
from course_attention.testing.adapter import ARRAYS, MASKS, Arrays, Mask, adapter
from course_attention.testing.axes import OURS, Axes


def judge(
    name: str,
    implementation: Any,
    *,
    layout: str = OURS,
    mask: Mask = "allowed",
    arrays: Arrays | None = None,
    results: Sequence[str] = (),
    without: Collection[str] = (),
    dtypes: Collection[str] = (),
    seed: int = 0,
    device: Device = "cpu",
) -> Verdict:
    """Judge code of your own by the contract of an exercise, in this process.

    Args:
        name: the exercise, such as "attention".
        implementation: a function, a module class, or a number, as the exercise asks for. A function gets the arguments
            by name where it has the same names in the same order, else by position.
        layout: where the code has the axes of its queries, keys, values and outputs: "... n d" for any number of
            leading axes, as in the course, or all of them in their order, such as "batch heads n d", "batch n heads d"
            or "n batch d". Masks and weights have their leading axes first.
        mask: "allowed" where True lets a query attend, "blocked" where True keeps it from that, "added" where 0 and −∞
            are added to the scores.
        arrays: "torch" or "numpy": whose arrays the code takes and returns, where it is not the exercise's own library.
            With NumPy, gradients, devices and bfloat16 are not asked for.
        results: the results that the code returns, in its order, where these are not all: `["output"]`.
        without: what the code was not made for: names of arguments that it does not take and that have a default or may
            be None, or of properties, such as "nothing allowed" or "strides".
        dtypes: the floating dtypes that the code takes; all four where none is given. Gradients are asked for in
            float64 alone.
        seed: draws the cases.
        device: "cpu", where a simulated GPU is tried as well, or "cuda".

    Returns:
        The verdict: `verdict.status` is "passed" or says why not, and `verdict.message` says it in words.

    Raises:
        ValueError: there is no exercise of that name, an option names nothing that the exercise has, nothing would be
            left to ask, or device is "cuda" where there is no CUDA device.

    Example:
        >>> from torch.nn.functional import scaled_dot_product_attention
        >>> judge("attention", scaled_dot_product_attention, results=["output"]).status
        'passed'
        >>> judge("attention", scaled_dot_product_attention, results=["output"], mask="blocked").misconception
        'mask-inverted'
    """
    exercise = _exercise(name)
    if not isinstance(exercise, FunctionExercise):
        if (layout, mask, arrays) != (OURS, "allowed", None) or results or without or dtypes:
            raise ValueError(f"{name} is answered by a {exercise.kind}: only seed and device can be chosen for it")
        return judge_exercise(exercise, implementation, seed, device)
    library = arrays or exercise.library
    _require_one_of(MASKS, mask, "mask")
    _require_one_of(ARRAYS, library, "arrays")
    is_other = (layout, mask, library) != (OURS, "allowed", exercise.library)
    if exercise.kind == "module" and is_other:
        raise ValueError(f"{name} is answered by a module class: layout, mask and arrays are for functions")
    axes = Axes(layout)
    narrowed = _narrowed(name, tuple(results), frozenset(without), frozenset(dtypes), library)
    if not drawn_cases(narrowed, seed):
        raise ValueError(f"{name}: nothing is left to ask for without {', '.join(sorted(without))}")
    if is_other and callable(implementation):
        implementation = adapter(implementation, narrowed, axes, mask, library)
    return judge_exercise(narrowed, implementation, seed, device)


def assert_right(name: str, implementation: Any, *, seeds: Sequence[int] = (0,), **how: Any) -> None:
    """Fail a test, with the verdict as its text, where code does not meet the contract of an exercise.

    Args:
        name, implementation: as in `judge`.
        seeds: each draws other cases.
        how: the options of `judge`, such as `layout="batch n heads d"`.

    Raises:
        AssertionError: the verdict is not "passed".
        ValueError: as in `judge`.

    Example:
        >>> from torch.nn.functional import softmax
        >>> assert_right("masked_softmax", lambda scores: softmax(scores, -1), without=["allowed"])
    """
    __tracebackhide__ = True  # pytest then shows the line of the test and not this one
    for seed in seeds:
        verdict = judge(name, implementation, seed=seed, **how)
        if verdict.status != "passed":
            raise AssertionError(f"{name} at seed {seed}: {verdict_text(verdict)}")


def _exercise(name: str) -> Exercise:
    if name not in CATALOGUE:
        near = get_close_matches(name, CATALOGUE, n=3)
        meant = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(CATALOGUE)}"
        raise ValueError(f"no exercise is called {name!r}; {meant}")
    return CATALOGUE[name].exercise


def _require_one_of(choices: tuple[str, ...], came: str, option: str) -> None:
    if came not in choices:
        raise ValueError(f"{option} should be one of {', '.join(map(repr, choices))}; got {came!r}")


@lru_cache(maxsize=32)  # the cases are kept with the exercise, and a test asks for the same one again and again
def _narrowed(
    name: str, results: tuple[str, ...], without: frozenset[str], dtypes: frozenset[str], arrays: str
) -> FunctionExercise:
    """Return the exercise that asks for no more than this."""
    exercise = CATALOGUE[name].exercise
    assert isinstance(exercise, FunctionExercise)
    asked = _asked(exercise, without, dtypes, arrays)
    return replace(_returning(exercise, results, asked), asked=asked)


def _asked(exercise: FunctionExercise, without: frozenset[str], dtypes: frozenset[str], arrays: str) -> Asked:
    defaults = _defaults(exercise.name)
    by_name = {one.name: one for one in PROPERTIES}
    if unknown := sorted(without - {*defaults, *by_name}):
        raise ValueError(
            f"{exercise.name} cannot be asked for without {unknown[0]!r}; the arguments that can be left out are "
            f"{', '.join(defaults) or 'none'}, and the properties are {', '.join(by_name)}"
        )
    if unknown := sorted(dtypes - {*EPSILON}):
        raise ValueError(f"dtypes should be among {', '.join(EPSILON)}; got {unknown[0]!r}")
    # A name that an argument and a property share, such as "base", means the argument: without it, no case has another.
    left_out = {by_name[name] for name in without if name not in defaults}
    tried = [dtype for dtype in EPSILON if dtype in dtypes or not dtypes]
    if arrays == "numpy":
        left_out |= {properties.GRADIENTS, properties.DEVICE}
        tried = [dtype for dtype in tried if dtype != "bfloat16"]
    if "float64" not in tried:
        left_out.add(properties.GRADIENTS)
    if not tried:
        raise ValueError("NumPy has no bfloat16: dtypes should name another")
    missing = {name: defaults[name] for name in without if name in defaults}
    return Asked(frozenset(left_out), missing, () if len(tried) == len(EPSILON) else tuple(tried))


def _defaults(name: str) -> dict[str, Any]:
    """Return the arguments that need not be there, and what they then are."""
    parameters = signature(getattr(course_attention, name)).parameters
    may_be_none = {name: None for name, one in parameters.items() if str(one.annotation).endswith("| None")}
    return may_be_none | {name: one.default for name, one in parameters.items() if one.default is not one.empty}


def _returning(exercise: FunctionExercise, results: tuple[str, ...], asked: Asked) -> FunctionExercise:
    """Return the exercise with these results in this order, and with computations that fill in what is missing."""
    returns = exercise.returns
    if unknown := [one for one in results if one not in returns.names]:
        raise ValueError(f"{exercise.name} has the results {', '.join(returns.names)}; got {unknown[0]!r}")
    if not asked.missing and results in ((), returns.names):
        return exercise
    places = [returns.names.index(one) for one in results or returns.names]
    filled = {name: one for name, one in asked.missing.items() if name in signature(exercise.oracle).parameters}

    def chosen(every: Any) -> tuple[Any, ...]:
        items = every if isinstance(every, tuple | list) else (every,)
        return tuple(items[place] for place in places)

    def chosen_of(compute: Callable[..., Any]) -> Callable[..., Any]:
        return lambda **arguments: chosen(compute(**filled, **arguments))

    def variant(one: Any) -> Any:
        return Coarse(chosen_of(one.compute), chosen_of(one.noise)) if isinstance(one, Coarse) else chosen_of(one)

    def narrow(idea: Misconception | tuple[Any, ...]) -> Misconception | tuple[Any, ...]:
        if isinstance(idea, Misconception):
            return replace(idea, variants=tuple(map(variant, idea.variants)))
        return tuple(map(variant, idea))

    return replace(
        exercise,
        returns=_only(returns, places),
        oracle=chosen_of(exercise.oracle),
        noise=chosen_of(exercise.noise) if exercise.noise else None,
        misconceptions={id: narrow(idea) for id, idea in exercise.misconceptions.items()},
    )


def _only(returns: Returns, places: Sequence[int]) -> Returns:
    if places == list(range(len(returns.names))):
        return returns  # with the tuples that are within it
    axes = tuple(returns.axes[place] for place in places) if returns.axes else ()
    return replace(returns, names=tuple(returns.names[place] for place in places), axes=axes, groups=())
