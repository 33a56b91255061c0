"""An answer of the corpus: which exercise it answers, what is known of it, and its text."""

from dataclasses import dataclass

KINDS = ("right", "odd", "wrong", "natural", "double", "extra", "forbidden")
"""What an answer can be: right; right and odd in form; wrong with a misconception of the exercise; the same with a
second mistake where nothing is allowed, as beginners write it; wrong with two misconceptions, of which the second is
named after "and" in the label; wrong in some other way; forbidden."""


class CorpusError(ValueError):
    """A file of the corpus breaks a rule; the message says where, which rule, what was expected and what came."""


@dataclass(frozen=True)
class Answer:
    """An answer to an exercise.

    Attributes:
        exercise: that it answers.
        kind: one of `KINDS`.
        idea: the id of the misconception of a wrong or natural answer; of another, its idea or style in words.
        label: what it is called in its file.
        note: what is said about it, or "".
        source: its text, which defines the exercise's name, as it can stand in an answer cell; without imports.
        imports: the imports of its file that the text uses, each a statement with one name.
    """

    exercise: str
    kind: str
    idea: str
    label: str
    note: str
    source: str
    imports: tuple[str, ...]

    @property
    def name(self) -> str:
        """The answer's name among those of all exercises, such as "wrong__softmax__axis_ignored__1"."""
        kind, rest = self.label.split("__", 1)
        return f"{kind}__{self.exercise}__{rest}"

    @property
    def cell(self) -> str:
        """The text below the imports that it needs: it runs wherever it is pasted."""
        return "\n".join([*self.imports, *(["", ""] if self.imports else []), self.source])
