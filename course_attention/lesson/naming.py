"""Find the exercise that a cell means: by the name it writes, or by the name that its answer is bound to."""

from collections.abc import Mapping
from difflib import get_close_matches

from course_attention.exercises import CATALOGUE


class NoSuchExercise(ValueError):
    """A cell names no exercise. A notebook shows the message alone: where in the course it was raised helps nobody."""

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


def exercise_of(answer: object, namespace: Mapping[str, object], caller: str = "check") -> str:
    """Return the exercise that `answer` answers, by the name it is bound to in `namespace`, else by its own name.

    The binding comes first: a lambda, a partial or a renamed function answers what it is assigned to.

    Raises:
        NoSuchExercise: neither says which; the message says what to write.
    """
    bound = [name for name in CATALOGUE if name in namespace and namespace[name] is answer]
    own = getattr(answer, "__name__", None)
    if len(bound) == 1:
        return bound[0]
    if isinstance(own, str) and own in (bound or CATALOGUE):
        return own
    which = f"it is bound to {' and '.join(bound)}" if bound else "it is bound to no exercise's name"
    example = (bound or list(CATALOGUE))[0]
    right = f'check(my_answer, "{example}")' if caller == "check" else f'{caller}("{example}")'
    raise NoSuchExercise(
        f"{caller} cannot tell which exercise this is: {which}. Write its name, as in {right}"
    )
