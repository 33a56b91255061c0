"""What the author of a course adds: exercises, and misconceptions to exercises that are there."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from course_attention.active_course import Course, CourseError, Settings
from course_attention.judging.exercise import Exercise, Misconception

Misconceptions = Mapping[str, Misconception]


@dataclass(frozen=True)
class AuthorData:
    """What the files of a course's author hold.

    Attributes:
        exercises: by name.
        misconceptions: exercise → misconception id → what is added.
    """

    exercises: Mapping[str, Exercise]
    misconceptions: Mapping[str, Misconceptions]

    def require_asked(self, asked: Collection[str]) -> None:
        """See that misconceptions are added to exercises that the course asks.

        Raises:
            CourseError: one is added to another.
        """
        for name in self.misconceptions:
            if name not in asked and name not in self.exercises:
                raise CourseError(
                    f"MISCONCEPTIONS must name exercises that the course asks: {', '.join(asked)}; got {name!r}"
                )


def author_data(course: Course) -> AuthorData:
    """Import the author's files, and gather what they hold.

    Raises:
        CourseError: a file cannot be imported, or what it holds is of another type.
    """
    exercises: dict[str, Exercise] = {}
    misconceptions: dict[str, dict[str, Misconception]] = {}
    for path in course.files:
        module = course.module(path)
        held = getattr(module, "EXERCISES", ())
        if not isinstance(held, (list, tuple)) or not all(isinstance(one, Exercise) for one in held):
            raise CourseError(f"{path}: EXERCISES must be a list of exercises; got {held!r}")
        exercises |= {one.name: one for one in held}
        added = getattr(module, "MISCONCEPTIONS", {})
        try:
            ids = [(name, id, one) for name, ideas in added.items() for id, one in ideas.items()]
        except AttributeError:
            ids = [("", "", None)]
        for name, id, one in ids:
            if not isinstance(one, Misconception):
                raise CourseError(
                    f'{path}: MISCONCEPTIONS must be like {{"attention": {{"an-id": Misconception(…)}}}}; got {added!r}'
                )
            misconceptions.setdefault(name, {})[id] = one
    if lost := [name for name in course.homes if name not in exercises]:
        raise CourseError(f"{course.homes[lost[0]]} defines {lost[0]!r}: EXERCISES must have it; it has not")
    return AuthorData(exercises, misconceptions)


def changed(exercise: Exercise, added: Misconceptions, settings: Settings) -> Exercise:
    """Return an exercise as a course asks it: with added misconceptions, and worth what the course says.

    Raises:
        CourseError: the exercise has one of the misconceptions already.
    """
    if twice := [id for id in added if id in exercise.misconception_ids]:
        raise CourseError(f"a misconception's id is new; {exercise.name!r} has {twice[0]!r} already")
    points = settings.points.get(exercise.name, exercise.points)
    partial_credit = exercise.partial_credit and settings.partial_credit
    misconceptions = {**exercise.misconceptions, **added}
    return replace(exercise, misconceptions=misconceptions, points=points, partial_credit=partial_credit)
