"""Every task of practice: the given function is right, right answers pass, and wrong ones are refused by their name."""

from __future__ import annotations

import inspect
import time
from collections.abc import Iterator
from typing import Any

import pytest
import torch

from course_attention.answer_corpus.answer_value import value_of
from course_attention.answer_corpus.corpus_answer import Answer
from course_attention.exercises import CATALOGUE
from course_attention.practice import PRACTICE
from course_attention.practice.authoring import AS_GIVEN, Practice
from course_attention.practice.judge import judge
from course_attention.topics import TOPICS
from tests.answer_objects import practised_answers
from tests.practice.notebook_names import notebook_names

SEEDS = 3
LONGEST = 1.0  # seconds of processor time: a check is quick, also on a slow machine that does other things
TASKS = list(PRACTICE.values())
EVERY_TASK = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.name)
# Every day one variant of each misconception, as for the exercises.
VARIANTS = [
    pytest.param(task, name, variant, id=f"{task.name}-{name}-{i}", marks=[pytest.mark.exhaustive] if i else [])
    for task in TASKS
    for name, idea in task.misconceptions.items()
    for i, variant in enumerate(idea.variants)
]


def answers() -> Iterator[Any]:
    """Every day one answer of each idea; the others say the same idea in other words."""
    for name in PRACTICE:
        said = set()
        for answer in practised_answers(name):
            again = answer.kind == "wrong" and answer.idea in said
            said.add(answer.idea)
            yield pytest.param(answer, id=f"{name}-{answer.label}", marks=[pytest.mark.exhaustive] if again else [])


@pytest.fixture(autouse=True)
def random_state():
    """Keep the random state: a call begins at a seed of its own."""
    with torch.random.fork_rng(devices=[]):
        yield


def verdict(task: Practice, answer: object, seed: int = 0):
    return judge(task, answer, seed, "cpu", notebook_names(task))


def test_registry():
    """Each task has the name of its file and of what it is given, and no exercise or other task has that name."""
    names = [name for topic in TOPICS for name in topic.practice]
    assert len(names) == len(set(names)) and not set(names) & set(CATALOGUE)
    assert [task.name for task in TASKS] == names
    assert [task.given.__name__ for task in TASKS] == names


@EVERY_TASK
def test_given_is_right(task: Practice) -> None:
    """The given function passes at several seeds, in little time, and the smallest trial says itself what is right."""
    first, *_ = task.drawn(0, notebook_names(task))
    assert first.expected is not AS_GIVEN
    took = []
    for seed in range(SEEDS):
        begun = time.process_time()
        assert verdict(task, task.given, seed).status == "passed"
        took.append(time.process_time() - begun)
    assert min(took) < LONGEST  # the first may load a part of torch, such as its optimizers


@EVERY_TASK
def test_words(task: Practice) -> None:
    """A task has hints, a prompt and a time; a title has no full stop, and a sentence has one."""
    assert len(task.hints) >= 2 and task.minutes > 0
    for text in (*task.hints, task.prompt, *(idea.explanation for idea in task.misconceptions.values())):
        assert text.endswith((".", "?", ":")), text
    assert not any(idea.title.endswith(".") for idea in task.misconceptions.values())
    assert all(trial.says.endswith((".", "?", "")) for trial in task.drawn(0, notebook_names(task)))


@EVERY_TASK
def test_stub_is_not_attempted(task: Practice) -> None:
    """What the notebook's cell holds as shipped is no attempt."""
    names: dict[str, object] = {**vars(inspect.getmodule(task.given)), "given": task.given}
    methods = [name for name, one in vars(task.given).items() if inspect.isfunction(one) and name != "__init__"]
    stubs = [f"    def {name}(self, *args, **named):\n        raise NotImplementedError\n" for name in methods]
    of_class = f"class {task.name}(given):\n" + "".join(stubs)
    of_function = f"def {task.name}(*args):\n    raise NotImplementedError"
    exec(task.start or (of_class if inspect.isclass(task.given) else of_function), names)
    assert verdict(task, names[task.name]).status == "not_attempted"


@EVERY_TASK
def test_enough_answers(task: Practice) -> None:
    """The corpus has right answers in other styles than the given one, and several mistakes."""
    kinds = [answer.kind for answer in practised_answers(task.name)]
    assert kinds.count("right") >= 2 and kinds.count("wrong") + kinds.count("extra") >= 3


@pytest.mark.parametrize("answer", [*answers()])
def test_answer(answer: Answer, seeds: int) -> None:
    """A right answer passes; a wrong one is named by the idea in its label; an extra one fails without a name."""
    for seed in range(seeds):
        came = verdict(PRACTICE[answer.exercise], value_of(answer), seed)
        if answer.kind in ("right", "odd"):
            assert came.status == "passed", came.message
        elif answer.kind == "wrong":
            assert (came.status, came.misconception) == ("failed", answer.idea), came.message
        else:
            assert came.status in ("failed", "errored") and came.misconception is None, came.message


@pytest.mark.parametrize(("task", "name", "variant"), VARIANTS)
def test_variant(task: Practice, name: str, variant: object, seeds: int) -> None:
    """Each wrong computation fails at every seed, under its own name and no other."""
    for seed in range(seeds):
        came = verdict(task, variant, seed)
        assert (came.status, came.misconception) == ("failed", name), came.message
