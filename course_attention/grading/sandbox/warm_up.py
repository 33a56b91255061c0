"""What a notebook's process runs once, before the first submission: the calls to come, on the course's own helpers.

What torch does for the first time, on tensors of a shape for the first time, takes several times as long, on fake
tensors above all. A process that has done it all once hands that on to its forks. The helpers are gone by then.
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
def rehearsal(notebook: CourseNotebook, seed: int) -> list[dict[str, Any]]:
    """For each exercise on torch: the helper's source, and the calls that its judge will make at a seed."""
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
