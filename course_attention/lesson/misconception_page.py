"""Where the site explains the misconception that a card names."""

from importlib import import_module

from course_attention.judging.verdict import Verdict
from course_attention.practice import PRACTICE
from course_attention.topics import TOPICS

SITE = "https://YOUR-ORGANISATION.github.io/attention-course"


def page_on(verdict: Verdict) -> str:
    """Return the address of the page on a verdict's misconception; "" where there is none, or an author's own.

    Example:
        >>> page_on(Verdict("softmax", "failed", 0.0, 2.0, misconception="softmax-overflows")).removeprefix(SITE)
        '/misconceptions/softmax-overflows.html'
    """
    name, id = verdict.exercise, verdict.misconception
    if not id:
        return ""
    if name in PRACTICE:
        return f"{SITE}/misconceptions/practice-{name}.html#{id}" if id in PRACTICE[name].misconceptions else ""
    topic = next((topic.name for topic in TOPICS if name in topic.exercises), "")
    if not topic:
        return ""  # of an author's exercise
    ours = import_module(f"course_attention.exercises.{topic}.{name}").EXERCISE
    return f"{SITE}/misconceptions/{id}.html" if id in ours.misconception_ids else ""
