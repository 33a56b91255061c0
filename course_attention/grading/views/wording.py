"""The words of the grader's views alone; the words for an exercise are those of `presentation.wording`."""

from course_attention.exercises import CATALOGUE

# What came of a submission.
SUBMISSIONS = {
    "graded": "graded",
    "timeout": "did not end in time",
    "out_of_memory": "out of memory",
    "crashed": "its process ended",
    "malformed": "cannot be read as this notebook",
    "not_judged": "the grader itself failed",
}
# A note that holds these words says that an answer is the package's own source. Only the instructor is told.
COPIED = "the course's own source"


def not_graded(status: str) -> str:
    """Return what is said to a student whose submission has no score.

    Example:
        >>> not_graded("malformed")
        'Not graded: cannot be read as this notebook'
    """
    return f"Not graded: {SUBMISSIONS[status]}"


def percent(share: float) -> str:
    """Return a share in percent, rounded; only the whole is 100%, and only nothing is 0%.

    Example:
        >>> percent(0.5), percent(0.999), percent(0.001), percent(1)
        ('50%', '99%', '1%', '100%')
    """
    rounded = round(100 * share)
    return f"{rounded if share in (0, 1) else min(max(rounded, 1), 99)}%"


def misconception_words(name: str, exercise: str) -> tuple[str, str]:
    """Return the title and the explanation of a misconception that an answer to an exercise shows.

    Where this version of the course does not know it any more, its id is its title, and nothing explains it.

    Example:
        >>> misconception_words("no-scale", "attention")[0]
        'The scores are not divided by √d_key'
        >>> misconception_words("forgotten", "attention")
        ('forgotten', '')
    """
    own = CATALOGUE[exercise].exercise.ideas if exercise in CATALOGUE else {}
    return (own[name].title, own[name].explanation) if name in own else (name, "")
