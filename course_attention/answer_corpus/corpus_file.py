"""Reads a file of the corpus: the answers to one exercise, of which it is known what they are.

`tests/corpus/{topic}/{exercise}.py` holds the answers to one exercise, or to practice of that name. Such a file is read
here and never run: what is written about answers needs no torch, and a wrong answer may be as wrong as it likes. What
may stand in a file:

- a docstring, and the imports that an answer cell may need;
- answers, which are functions, classes and assignments called `{kind}__{idea or style}` or
  `{kind}__{idea}__{number or words}`, with a kind of `KINDS`;
- answers that are made from one above: `wrong__no_scale__1 = change(right__matmul, (" / math.sqrt(d)", ""))`. The one
  above is written out, or is a change of one that is: who reads an answer has two steps to follow at most;
- other functions, classes and assignments, without `__` in their name, which answers of the file use.

The docstring of a function or class is the note about it: what is odd about the answer, or what went wrong in the head
of its author. The note about an assignment is the comment right above it. A note is no part of the answer's text.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from course_attention.answer_corpus.corpus_answer import KINDS, Answer, CorpusError
from course_attention.answer_corpus.text_change import replaced
from course_attention.course.free_names import used_names
from course_attention.exercises import CATALOGUE
from course_attention.topics import TOPICS

_PRACTICE = {name for topic in TOPICS for name in topic.practice}


def read_answers(path: Path) -> tuple[Answer, ...]:
    """Return the answers of one file, in its order.

    Args:
        path: a file that is called as its exercise.

    Raises:
        CorpusError: the file breaks a rule; the message begins with its name and the line.
    """
    if path.stem not in CATALOGUE and path.stem not in _PRACTICE:
        raise CorpusError(f"{path.name}: a file is called as its exercise, and no exercise is called {path.stem!r}")
    text = path.read_text(encoding="utf-8")
    try:
        return tuple(_File(path.stem, text).answers())
    except _Broken as broken:
        raise CorpusError(f"{path.name}:{broken.line}: {broken}") from None
    except SyntaxError as error:
        raise CorpusError(f"{path.name}:{error.lineno}: a file is Python, but {error.msg}") from None


class _Broken(Exception):
    """A statement breaks a rule."""

    def __init__(self, node: ast.AST, text: str) -> None:
        super().__init__(text)
        self.line: int = getattr(node, "lineno", 0)


class _File:
    """A file as it is read, statement by statement."""

    def __init__(self, exercise: str, text: str) -> None:
        self.exercise, self.lines = exercise, text.splitlines()
        self.body = ast.parse(text).body
        self.imports: dict[str, str] = {}  # name that it binds → statement
        self.texts: dict[str, str] = {}  # what has been read; an answer's text defines the exercise's name
        self.bases: dict[str, str] = {}  # changed answer → the answer that it changes

    def answers(self) -> Iterator[Answer]:
        for node in self.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                self.imports |= _imports(node)
            elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
                name, text, note = self._statement(node)
                if name in self.texts:
                    raise _Broken(node, f"each name is given once, and {name} stands above already")
                try:
                    ast.parse(text)
                except SyntaxError as error:
                    raise _Broken(node, f"an answer is Python, but the text of {name} is not: {error}") from None
                self.texts[name] = text
                if "__" in name:
                    yield self._answer(node, name, note)

    def _statement(self, node: ast.stmt) -> tuple[str, str, str]:
        """Return the name that a statement gives, its text and the note about it."""
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            lines = self.lines[first - 1 : node.end_lineno]
            note = ast.get_docstring(node) or ""
            if note:
                end = (node.body[0].end_lineno or first) - first + 1
                is_spaced = end < len(lines) and not lines[end]
                del lines[node.body[0].lineno - first : end + is_spaced]
            return node.name, self._named(node.name, lines), note
        if not isinstance(node, ast.Assign) or not isinstance(node.targets[0], ast.Name):
            came = ast.unparse(node).splitlines()[0]
            raise _Broken(node, f"a file holds imports, functions, classes and assignments, not {came!r}")
        name, above = node.targets[0].id, self.lines[node.lineno - 2] if node.lineno > 1 else ""
        note = above[2:] if above.startswith("# ") else ""
        if isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "change":
            return name, self._changed(name, node.value), note
        return name, self._named(name, self.lines[node.lineno - 1 : node.end_lineno]), note

    def _named(self, name: str, lines: list[str]) -> str:
        """Return a text in which an answer has the exercise's name."""
        return re.sub(rf"\b{name}\b", self.exercise if "__" in name else name, "\n".join(lines))

    def _changed(self, name: str, call: ast.Call) -> str:
        """Return the text that a change describes."""
        try:
            base, *pieces = [ast.unparse(call.args[0]), *map(ast.literal_eval, call.args[1:])]
        except (IndexError, ValueError):
            base, pieces = "", [()]
        if call.keywords or not all(isinstance(piece, tuple) and len(piece) > 1 for piece in pieces):
            raise _Broken(call, f"a change is change(answer, (old, new, …), …), not {ast.unparse(call)}")
        if base not in self.texts:
            raise _Broken(call, f"a change is of an answer that stands above it, and {base} does not")
        middle = self.bases.get(base, "")
        if middle in self.bases:
            raise _Broken(
                call,
                f"a change builds on a written-out answer or on a change of one, but {base} changes {middle}, "
                f"which changes {self.bases[middle]}: change one of these two, or write the answer out",
            )
        self.bases[name] = base
        try:
            return replaced(self.texts[base], pieces)
        except ValueError as error:
            raise _Broken(call, f"{error}, in {base}") from None

    def _answer(self, node: ast.stmt, label: str, note: str) -> Answer:
        kind, *parts = label.split("__")
        if kind not in KINDS:
            raise _Broken(node, f"an answer's kind is one of {', '.join(KINDS)}, not {kind!r} as in {label}")
        if not 1 <= len(parts) <= 2 or not all(parts):
            raise _Broken(node, f"an answer is called kind__idea or kind__idea__number, not {label}")
        texts = [self.texts[label]]
        for name in self._used(label):
            texts[-1:-1] = [self.texts[name], *([f"{name} = {self.exercise}"] if "__" in name else [])]
        source = "\n\n\n".join(texts)
        names = used_names(source)
        imports = tuple(statement for name, statement in self.imports.items() if name in names)
        return Answer(self.exercise, kind, parts[0].replace("_", "-"), label, note, source, imports)

    def _used(self, label: str) -> list[str]:
        """Return what an answer uses of its file, by name, in the file's order."""
        found: set[str] = set()
        left = [label]
        while left:
            more = used_names(self.texts[left.pop()]) & set(self.texts) - found
            found |= more
            left += more
        return [name for name in self.texts if name in found]


def _imports(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """For each name that an import binds, the statement that binds it alone."""
    for alias in node.names:
        one = ast.Import([alias]) if isinstance(node, ast.Import) else ast.ImportFrom(node.module, [alias], 0)
        yield (alias.asname or alias.name).split(".")[0], ast.unparse(one)
