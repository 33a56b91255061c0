"""Tells a notebook's process, before its first submission, what to import and what to withhold."""

from functools import cache
from typing import Any

from course_attention.active_course import active
from course_attention.course import helper_source
from course_attention.course.cell_source import facts
from course_attention.course.cells import CourseNotebook
from course_attention.course.free_names import used_names
from course_attention.exercises import CATALOGUE
from course_attention.topics import TOPICS, Topic

MECHANISMS = "course_attention.mechanisms"


@cache
def notebook_setup(notebook: CourseNotebook) -> dict[str, Any]:
    """Make the message that prepares the process of one notebook.

    Withheld are the helpers of its own topic and of the later ones, which build on them. What a topic has beside its
    exercises (`influence`, say) is free in its notebook, and so is what the course leaves out there. The author's files
    are never in the sandbox: of them, what an earlier notebook asked is free.
    """
    earlier, later = _around(notebook.stem)
    withheld = {home: list(helper_source.helpers_of(home)) for home in later}
    answers = {f"{MECHANISMS}.{home}" for home in withheld}  # never loaded, whoever asks
    return {
        "notebook": notebook.stem,
        "withheld": withheld,
        "free": [free for home in withheld if (free := _free(home, notebook.stem))["names"]],
        "imports": [
            *(f"{MECHANISMS}.{home}" for home in earlier),
            *(name for name in _imports(notebook) if name not in answers),
        ],
    }


def adoption(exercise: str, judged: tuple[str, ...]) -> dict[str, Any]:
    """Make the message that hands over the course's own helper, in the place of an answer that did not pass.

    Args:
        exercise: whose helper it is.
        judged: the exercises that have been judged; a helper of any other is not handed over with it.
    """
    home = helper_source.home_of(exercise)
    still_asked = [n for n in CATALOGUE if helper_source.home_of(n) == home and n not in (*judged, exercise)]
    source = helper_source.source_of(home, [exercise], without=still_asked)
    return {"do": "adopt", "name": exercise, "topic": home, "source": source}


@cache
def built_on(notebook: CourseNotebook) -> frozenset[str]:
    """Return the exercises of a notebook on which its free helpers build: these are to use an answer that passed."""
    named = [used_names(free["source"]) for free in notebook_setup(notebook)["free"]]
    return frozenset().union(*named).intersection(notebook.exercises)


def acceptance(exercise: str) -> dict[str, Any]:
    """Make the message by which the course's own helpers use an answer that passed."""
    return {"do": "accept", "name": exercise, "topic": helper_source.home_of(exercise)}


def _around(stem: str) -> tuple[list[str], list[str]]:
    """Return the homes of helpers that a notebook may use as they are, and those of which something is withheld.

    The first of the package's own topics that is taught from here on says which come later. Where the course teaches
    none of them, they are all withheld: an exercise of the author's may ask what one of them contains.
    """
    course = active()
    stems = [topic.notebook for topic in course.topics]
    ours = {topic.notebook for topic in TOPICS}
    from_here = course.topics[stems.index(stem) :]
    ahead = [place for place, topic in enumerate(TOPICS) if any(_shared(topic, one) for one in from_here)]
    first = min(ahead, default=len(TOPICS) if ours.intersection(stems) else 0)
    before = {topic.name for topic in TOPICS[:first]}
    homes = helper_source.homes()
    return [home for home in homes if home in before], [home for home in homes if home not in before]


def _shared(ours: Topic, taught: Topic) -> bool:
    """Say whether a topic of the course has the notebook, or an exercise, of one of the package's own."""
    own = active().homes
    asked = [name for name in taught.exercises if name not in own]
    return taught.notebook == ours.notebook or not set(ours.exercises).isdisjoint(asked)


def _free(home: str, stem: str) -> dict[str, Any]:
    """Return those helpers of a home that may be used in a notebook, with their source."""
    course = active()
    stems = [topic.notebook for topic in course.topics]
    asked_from_here = [name for topic in course.topics[stems.index(stem) :] for name in topic.exercises]
    is_own = home in [helper_source.home_of(name) for name in course.homes]
    here = is_own or any(topic.name == home and topic.notebook == stem for topic in TOPICS)
    helpers = helper_source.helpers_of(home) if here else ()
    names = [name for name in helpers if name not in asked_from_here]
    return {
        "home": home,
        "names": names,
        "source": helper_source.source_of(home, names, without=asked_from_here) if names else "",
    }


def _imports(notebook: CourseNotebook) -> list[str]:
    """Return the modules that the notebook's own cells import."""
    found: dict[str, None] = {}
    for cell in notebook.cells:
        for one in facts(cell.source).imports if cell.role == "provided" else ():
            found[one.module] = None
            if one.full.startswith("course_attention.") and one.full.startswith(f"{one.module}."):
                found[one.full] = None
    return [name for name in found if not name.startswith("course_attention.lesson")]
