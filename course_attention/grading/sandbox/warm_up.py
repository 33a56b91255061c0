"""Warms a notebook's process up: before the first submission it makes the judge's calls on the course's own helpers.

A call that torch makes for the first time, or on tensors of a new shape, takes several times as long, above all on
fake tensors. A process that has made all calls once passes that on to its forks. The helpers are gone by then.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from course_attention.course import helper_source
from course_attention.course.cells import CourseNotebook
from course_attention.exercises import CATALOGUE
from course_attention.grading.sandbox.messages import call_to_plain
from course_attention.judging.contract import tried_on_fakes
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.prepared import prepared_cases


@lru_cache(maxsize=16)
def warm_up_calls(notebook: CourseNotebook, seed: int) -> list[dict[str, Any]]:
    """Return for each exercise on torch the helper's source, and the calls that its judge will make at a seed."""
    parts = []
    for name in notebook.exercises:
        exercise = CATALOGUE[name].exercise
        if not isinstance(exercise, FunctionExercise) or exercise.library != "torch":
            continue
        cases = prepared_cases(exercise, seed)
        calls = [prepared.case.call("cpu") for prepared in cases]
        if "device" in exercise.contract_checks:
            calls += [prepared.case.call("fake-cuda") for prepared in tried_on_fakes(cases)]
        source = helper_source.source_of(helper_source.topic_of(name), [name])
        parts.append({"name": name, "source": source, "calls": [call_to_plain(call) for call in calls]})
    return parts
