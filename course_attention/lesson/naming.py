"""Find what a cell means, an exercise or practice: by the name it writes, or the name that its answer is bound to."""

from collections.abc import Mapping
from difflib import get_close_matches

from course_attention.exercises import CATALOGUE
from course_attention.practice import PRACTICE


class NoSuchExercise(ValueError):
    """A cell names nothing that there is. A notebook shows the message alone: where it was raised helps nobody."""

    def _render_traceback_(self) -> list[str]:
        return [f"ValueError: {self}"]


def exercise_named(name: object, caller: str) -> str:
    """`name`, where the course has an exercise of that name.

    Raises:
        NoSuchExercise: it has none; the message says which names come close.
    """
    if not isinstance(name, str):
        example = f'{caller}("{next(iter(CATALOGUE))}")'
        raise NoSuchExercise(f"{caller} takes the name of an exercise, in quotes, as in {example}")
    if name not in CATALOGUE:
        close = get_close_matches(name, CATALOGUE, n=3, cutoff=0.65)
        instead = f"did you mean {' or '.join(close)}?" if close else f"there are: {', '.join(CATALOGUE)}"
        raise NoSuchExercise(f"there is no exercise named {name!r}; {instead}")
    return name


def task_named(name: object, caller: str) -> str:
    """`name`, where the course has an exercise or practice of that name.

    Raises:
        NoSuchExercise: it has neither; the message says which names come close.
    """
    if name in PRACTICE and isinstance(name, str):
        return name
    if not isinstance(name, str) or name in CATALOGUE:
        return exercise_named(name, caller)
    close = get_close_matches(name, [*CATALOGUE, *PRACTICE], n=3, cutoff=0.65)
    there_is = f"there are the exercises {', '.join(CATALOGUE)}"
    if PRACTICE:
        there_is += f", and as practice {', '.join(PRACTICE)}"
    instead = f"did you mean {' or '.join(close)}?" if close else there_is
    raise NoSuchExercise(f"there is no exercise and no practice named {name!r}; {instead}")


def exercise_of(answer: object, namespace: Mapping[str, object], caller: str = "check") -> str:
    """Return the exercise or practice that `answer` answers, by the name it is bound to, else by its own name.

    The binding comes first: a lambda, a partial or a renamed function answers what it is assigned to.

    Raises:
        NoSuchExercise: neither says which; the message says what to write.
    """
    known = [*CATALOGUE, *PRACTICE]
    bound = [name for name in known if name in namespace and namespace[name] is answer]
    own = getattr(answer, "__name__", None)
    if len(bound) == 1:
        return bound[0]
    if isinstance(own, str) and own in (bound or known):
        return own
    which = f"it is bound to {' and '.join(bound)}" if bound else "it is bound to no exercise's name"
    example = (bound or known)[0]
    right = f'check(my_answer, "{example}")' if caller == "check" else f'{caller}("{example}")'
    raise NoSuchExercise(f"{caller} cannot tell which exercise this is: {which}. Write its name, as in {right}")
