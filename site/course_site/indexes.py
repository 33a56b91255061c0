"""The indexes of the misconceptions: by name, by exercise and by symptom."""

from collections.abc import Iterable, Mapping

from course_attention.encyclopedia.entries import entries, tasks_of_practice, words_of
from course_attention.encyclopedia.symptoms import LEARNS, seen_in_training
from course_attention.exercises import CATALOGUE
from course_attention.practice import PRACTICE
from course_attention.topics import TOPICS
from course_site.misconception_pages import anchor_of_symptom


def by_symptom(symptoms_of: Mapping[str, Iterable[str]]) -> str:
    """Return the index by what one sees.

    Args:
        symptoms_of: the symptoms of each misconception.
    """
    found: dict[str, list[str]] = {}
    for id, symptoms in symptoms_of.items():
        for symptom in symptoms:
            found.setdefault(symptom, []).append(id)
    seen = [symptom for symptom in (LEARNS, *seen_in_training()) if symptom in found]
    computed = sorted((one for one in found if one not in seen), key=lambda symptom: len(found[symptom]))
    text = (
        "# By symptom\n\nWhat do you see? The first list is about a training run, a loaded checkpoint and generated "
        "text: it says where to look, and not that each of these has been measured. The second list is read off the "
        "smallest case of each misconception.\n\n"
    )
    return (
        text
        + "## In a run\n\n"
        + "".join(_group(symptom, found[symptom]) for symptom in seen)
        + "## In the numbers\n\n"
        + "".join(_group(symptom, found[symptom]) for symptom in computed)
    )


def by_exercise() -> str:
    """Return the index by exercise and by task of practice."""
    text = "# By exercise\n\n"
    for topic in TOPICS:
        text += f"## [{topic.notebook[:2]}](../notebooks/{topic.notebook}.ipynb): {topic.name.replace('_', ' ')}\n\n"
        for name in topic.exercises:
            text += f"### `{name}`\n\n{_links(CATALOGUE[name].misconceptions, name)}\n"
        for task in topic.practice:
            ideas = PRACTICE[task].misconceptions
            links = "".join(f"- [{idea.title}](practice-{task}.md#{id})\n" for id, idea in ideas.items())
            text += f"### `{task}` (practice)\n\n{links}\n" if links else ""
    return text


def by_name() -> str:
    """Return the index by name, which is the one that the others hang on."""
    of_practice = {id: f"practice-{tasks[0]}.md#{id}" for id, tasks in tasks_of_practice().items()}
    rows = [
        f"| [`{id}`]({of_practice.get(id, f'{id}.md')}) | {words_of(id)[0].replace('|', chr(92) + '|')} |"
        for id in sorted([*entries(), *of_practice])
    ]
    return (
        "# Misconceptions\n\n"
        f"The judge names a mistaken idea by what it computes. It knows {len(entries())} of them in the exercises, and "
        f"{len(of_practice)} more in what is practised for no points. Each of the first has a page: code that has it, "
        "the smallest case in which it matters, what one sees of it, and a test that finds it. "
        "In a terminal, `course-attention explain NAME` prints such a page.\n\n"
        "Look for one [by what you see](by-symptom.md), [by the exercise](by-exercise.md), or by its name below. "
        "[The museum](../museum.md) shows where they have happened.\n\n"
        "```{toctree}\n:hidden:\n\nby-symptom\nby-exercise\n```\n\n"
        "| name | the idea |\n|---|---|\n" + "\n".join(rows) + "\n"
    )


def _group(symptom: str, ids: list[str]) -> str:
    return f"({anchor_of_symptom(symptom)})=\n### {symptom[:1].upper() + symptom[1:]}\n\n{_links(ids)}\n"


def _links(ids: list[str] | tuple[str, ...], exercise: str = "") -> str:
    return "".join(f"- [{words_of(id, exercise)[0]}]({id}.md)\n" for id in ids)
