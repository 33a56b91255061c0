"""Questions about a right answer with one change in it: which of four properties does the change break, or none?

Each question has exactly one right choice. The judge says so when the question is drawn, at several seeds: of the four
properties, the right one never holds and the others always do. Where the change breaks nothing, all four hold, the
judge lets it pass, and it gives the same on inputs that the judge does not draw. Where wrong numbers spoil most of what
the judge looks at, as in a mask, three properties are left to choose from.
"""

import ast
import random
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from course_attention.execution.local import LocalRunner
from course_attention.exercises import CATALOGUE
from course_attention.judging import properties
from course_attention.judging.design import DesignExercise
from course_attention.judging.drawn_cases import drawn_cases
from course_attention.judging.exercise import FunctionExercise
from course_attention.judging.properties import Property
from course_attention.mutants.choices import CHOICES, FEWEST, choices, likeness
from course_attention.mutants.endless_loops import ends_loops
from course_attention.mutants.fairness import PLAIN_TO_SEE, is_fair, is_idle, is_python
from course_attention.mutants.fates import differs
from course_attention.mutants.making import Mutant, mutants
from course_attention.mutants.own_text import Mark, change_of, lines_of
from course_attention.mutants.right_answer import RightAnswer
from course_attention.mutants.what_breaks import NOT_ASKED, Held, NotComparable, reason, what_breaks

SEEDS = range(3)  # at which a change is judged before anybody is asked about it
SECONDS = 5.0  # that a changed answer may compute at a seed
LATELY = 2  # questions that the next one should not be like
MOST = 40  # changes that are looked at for one question
# How often each kind of question is looked for. Without weights, wrong numbers would be right nearly always.
KINDS = {"one property": 4, "nothing": 3, "numbers": 2, "plain to see": 1}
_NUMBERS = (properties.VALUES, properties.SHAPE)
_TOO_ALIKE = {properties.DTYPE, properties.DTYPES}


@dataclass(frozen=True)
class Question:
    """A question about an exercise's answer.

    Attributes:
        exercise: its name.
        mutant: the answer with the change.
        lines: the answer's lines, those before the change marked "-" and those after it "+".
        choices: the properties to choose from, in the order of their table.
        right: the one that the change breaks; None for nothing.
    """

    exercise: str
    mutant: Mutant
    lines: tuple[tuple[Mark, str], ...]
    choices: tuple[Property, ...]
    right: Property | None


@dataclass(frozen=True)
class _Breaks:
    """What a change breaks, None for nothing, and the properties that hold all the same."""

    right: Property | None
    others: frozenset[Property]


@dataclass(frozen=True)
class _Seems:
    """What a change seems to be by one seed: its kind, and the property that it breaks, None for nothing."""

    kind: str
    right: Property | None


def can_be_asked(name: str) -> bool:
    """Whether an exercise's answer is called, and has enough properties to choose from.

    A design is free in its numbers, and the number of a formula is right or wrong: there is nothing else to break.

    Example:
        >>> can_be_asked("attention"), can_be_asked("score_variance"), can_be_asked("score_bytes")
        (True, False, False)
    """
    exercise = CATALOGUE[name].exercise
    if not isinstance(exercise, FunctionExercise) or isinstance(exercise, DesignExercise):
        return False
    return len(_looked_at(name)) >= CHOICES


class Questions:
    """Draws questions about one right answer. What is found out about a change is kept.

    Args:
        right: the answer.
    """

    def __init__(self, right: RightAnswer) -> None:
        self._right = right
        exercise = CATALOGUE[right.exercise].exercise
        made = mutants(right.source, properties.GRADIENTS in exercise.contract_checks)
        self._mutants = [mutant for mutant in made if is_python(mutant.source)]
        self._statements: dict[int, int] = {}
        self._seen: dict[int, _Seems | None] = {}
        self._breaks: dict[int, _Breaks | None] = {}

    def draw(self, number: int, without: Sequence[str] = ()) -> Question | None:
        """Return a question; the same for the same number. None where there is none.

        Args:
            number: of the question.
            without: changes, as texts, that were asked about before, the last one last. What is like the last two, in
                the same statement or of the same kind, is asked about only where there is nothing else. So is what
                breaks the same as both of them: who has said "shape" twice would say it again without looking.
        """
        rng = random.Random(f"{number} {self._right.source}")
        wanted = rng.choices([*KINDS], [*KINDS.values()])[0]
        order = [n for n, mutant in enumerate(self._mutants) if mutant.change not in without]
        rng.shuffle(order)
        lately = [n for n, mutant in enumerate(self._mutants) if mutant.change in without[-LATELY:]]
        alike, said_twice = self._alike(lately), self._broken_by_each(without[-LATELY:])
        levels = [[n for n in order if alike(n) == level][:MOST] for level in range(3)]
        for avoided in (said_twice, set()) if said_twice else (set(),):
            for changes in levels:
                found = self._search(changes, wanted, avoided)
                if found is not None:
                    return self._question(found, rng)
        return None

    def _search(self, changes: Sequence[int], wanted: str, avoided: Collection[Property | None]) -> int | None:
        """Return the first change of the wanted kind that can be asked about, else of another kind; None for none.

        Args:
            changes: to look at.
            wanted: the kind.
            avoided: what the change should not break.
        """
        seen: dict[str, list[int]] = {kind: [] for kind in KINDS}
        for n in changes:
            seems = self._seems(n)
            if seems is None or (seems.right is not None and seems.right in avoided):
                continue
            if seems.kind == wanted and self._breaks_another(n, avoided):
                return n
            seen[seems.kind].append(n)
        rest = (n for kind in KINDS if kind != wanted for n in seen[kind])
        return next((n for n in rest if self._breaks_another(n, avoided)), None)

    def _broken_by_each(self, changes: Sequence[str]) -> set[Property | None]:
        """Return what each of these changes breaks; nothing in common where there are too few to speak of a habit.

        The same text may change several places. What one of them breaks counts.
        """
        if len(changes) < LATELY:
            return set()
        places = [[n for n, mutant in enumerate(self._mutants) if mutant.change == change] for change in changes]
        broken = [{breaks.right for n in same if (breaks := self._found(n))} for same in places]
        return set.intersection(*broken)

    def _breaks_another(self, n: int, avoided: Collection[Property | None]) -> bool:
        """Whether a change can be asked about, and breaks something else than these."""
        breaks = self._found(n)
        return breaks is not None and breaks.right not in avoided

    def every(self) -> Iterator[Question]:
        """Yield a question for each change that one can be asked about."""
        for n in range(len(self._mutants)):
            if self._seems(n) and self._found(n):
                yield self._question(n, random.Random(n))

    def _alike(self, others: Sequence[int]) -> Callable[[int], int]:
        """Return how alike a change is to one of these: 0 for not at all, 2 for one of its kind in its statement."""
        places, kinds = {self._statement(n) for n in others}, {likeness(self._mutants[n].change) for n in others}
        if not others:
            return lambda n: 0
        return lambda n: (self._statement(n) in places) + (likeness(self._mutants[n].change) in kinds)

    def _statement(self, n: int) -> int:
        """Return the line of the answer in which the statement begins that a change is in."""
        if n not in self._statements:
            change = change_of(self._right.source, self._mutants[n])
            inner = [node for node in (*change.around, change.before) if isinstance(node, ast.stmt)]
            self._statements[n] = inner[-1].lineno if inner else 0
        return self._statements[n]

    def _question(self, n: int, rng: random.Random) -> Question:
        breaks, mutant = self._found(n), self._mutants[n]
        assert breaks is not None, "only what can be asked about is made a question"
        right = breaks.right
        lines = lines_of(self._right.source, mutant)
        offered = choices(right, breaks.others, mutant.change, rng)
        return Question(self._right.exercise, mutant, lines, offered, right)

    def _seems(self, n: int) -> _Seems | None:
        """Return what a change seems to be by one seed; None where nothing can be asked about it."""
        if n not in self._seen:
            self._seen[n] = self._at_one_seed(self._mutants[n])
        return self._seen[n]

    def _at_one_seed(self, mutant: Mutant) -> _Seems | None:
        if not is_fair(change_of(self._right.source, mutant)):
            return None
        held = self._held(mutant, SEEDS[0], contract=False)
        if held is None:
            return None
        if all(held.values()):
            return None if is_idle(mutant.change) else _Seems("nothing", None)
        found = reason(held)
        if found is None:
            return None
        if found in _NUMBERS:
            return _Seems("numbers", found)
        return _Seems("plain to see" if mutant.change.endswith(PLAIN_TO_SEE) else "one property", found)

    def _held(self, mutant: Mutant, seed: int, contract: bool = True) -> Held | None:
        try:
            with ends_loops(SECONDS):
                return what_breaks(self._right.exercise, self._right.built(mutant.source), seed, contract)
        except (NotComparable, TimeoutError):
            return None
        except Exception:  # noqa: BLE001 - a changed text may fail in any way as soon as it runs
            return None

    def _found(self, n: int) -> _Breaks | None:
        """Return what a change breaks at all seeds; None where it cannot be asked about."""
        if n not in self._breaks:
            self._breaks[n] = self._at_all_seeds(self._mutants[n])
        return self._breaks[n]

    def _at_all_seeds(self, mutant: Mutant) -> _Breaks | None:
        """Return what a change breaks at every seed; None where that differs, or is not one property or nothing."""
        others = {*_looked_at(self._right.exercise)}
        reasons: set[Property | None] = set()
        for seed in SEEDS:
            held = self._held(mutant, seed)
            if held is None or (reason(held) is None and not all(held.values())):
                return None
            reasons.add(reason(held))
            others &= {one for one, holds in held.items() if holds}
        if len(reasons) > 1:
            return None
        (right,) = reasons
        if right is None and differs(self._right, self._runner(mutant)).kind != "equivalent":
            return None
        if right in _TOO_ALIKE:
            others -= _TOO_ALIKE
        if right == properties.SHAPE:
            others |= {properties.VALUES} & {*_looked_at(self._right.exercise)}  # which says that the shape is right
        return _Breaks(right, frozenset(others)) if len(others) >= FEWEST - (right is not None) else None

    def _runner(self, mutant: Mutant) -> LocalRunner:
        return LocalRunner(self._right.built(mutant.source), CATALOGUE[self._right.exercise].exercise.library)


def _looked_at(name: str) -> tuple[Property, ...]:
    """Return the properties that the judge looks at in an exercise's answers, and that can be asked about."""
    exercise: Any = CATALOGUE[name].exercise
    tried = [one.case.property for one in drawn_cases(exercise, 0)]
    found = dict.fromkeys((properties.SHAPE, *tried, *exercise.contract_checks))
    return tuple(one for one in found if one not in NOT_ASKED)
