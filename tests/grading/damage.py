"""Damaged notebooks, hundreds of kinds, each with what a reader must still find in it. Drawn from a seed.

A submission is made of a course notebook: an answer of its own for each exercise, and two cells that were added.
"""

from __future__ import annotations

import copy
import json
import random
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from course_attention.course.workspace import course_notebooks

STEM = "02_queries_keys_values"
ADDED = (
    "def of_my_own(x):\n    return x  # eine Größe, число, 数",
    "%matplotlib inline\nprint(of_my_own(1))",
)
PICTURE = {"data": {"image/png": "iVBORw0KGgo" * 300}, "metadata": {}, "output_type": "display_data"}

Notebook = dict[str, Any]


@dataclass(frozen=True)
class Damaged:
    """A damaged notebook.

    Attributes:
        name: what was done to it.
        content: its bytes.
        whole: exercises whose answers must be read as they were written.
        partly: exercises of which a part may be read; of all others nothing may.
        malformed: no cell of it can be read.
        noted: the reading must have a note, or say what is malformed.
        added: the two added cells must be read.
    """

    name: str
    content: bytes
    whole: frozenset[str]
    partly: frozenset[str] = frozenset()
    malformed: bool = False
    noted: bool = True
    added: bool = False


def exercise(cell: dict[str, Any]) -> str:
    """Name the exercise whose answer cell it is, else ""."""
    metadata = cell.get("metadata", {}).get("nbgrader", {})
    return metadata["grade_id"] if metadata.get("solution") else ""


def written(cell: dict[str, Any]) -> str:
    """Write an answer unlike any other in the place of the stub."""
    stub, name = "".join(cell["source"]), exercise(cell)
    body = f"own = 1\n\n    return of_my_own({name!r})  # √d, ∑ …"
    return stub.replace("raise NotImplementedError", body) if "raise" in stub else f"{name} = 256"


@cache
def _handed_in() -> str:
    path = next(path for path in course_notebooks() if path.stem == STEM)
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = []
    for cell in notebook["cells"]:
        if name := exercise(cell):
            if name == "attention":
                cells.append(code(ADDED[0], "a11ce"))
            cell["source"] = written(cell).splitlines(keepends=True)
        if cell["cell_type"] == "code":
            cell["outputs"] = [PICTURE] if len(cells) % 9 == 0 else []
        cells.append(cell)
    notebook["cells"] = [*cells, code(ADDED[1], "b0b")]
    return json.dumps(notebook)


def handed_in() -> Notebook:
    """Give the submission before any damage."""
    return json.loads(_handed_in())


def code(source: str, cell_id: str, **metadata: object) -> dict[str, Any]:
    """Make a code cell."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": cell_id,
        "metadata": metadata,
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }


def text(notebook: object) -> str:
    """As Jupyter writes it."""
    return json.dumps(notebook, indent=1, ensure_ascii=False, sort_keys=True) + "\n"


def answers() -> dict[str, str]:
    """Exercise → the answer in the submission."""
    return {name: written_source for name, written_source, _ in spans()}


@cache
def spans() -> tuple[tuple[str, str, tuple[int, int]], ...]:
    """Each answer, and from where to where in the text its cell stands."""
    whole, spans, place = text(handed_in()), [], 0
    for cell in handed_in()["cells"]:
        lines = [json.dumps(line, ensure_ascii=False) for line in cell["source"]]
        start = whole.index('"cell_type"', place)
        place = whole.index(lines[0], whole.index('"source"', start)) if lines else start + 1
        for line in lines[1:]:
            place = whole.index(line, place)
        place += len(lines[-1]) if lines else 0
        if name := exercise(cell):
            offsets = (len(whole[:start].encode()), len(whole[:place].encode()))
            spans.append((name, "".join(cell["source"]), offsets))
    return tuple(spans)


ALL = frozenset(answers())

Change = Callable[[Notebook, random.Random], None]
HARMLESS: dict[str, Change] = {}  # every answer is still there; those named in SILENT need no note
SILENT: set[str] = set()
TOUCHING_ADDED = {"cell types unknown"}


def harmless(name: str, silent: bool = False) -> Callable[[Change], Change]:
    def register(change: Change) -> Change:
        HARMLESS[name] = change
        if silent:
            SILENT.add(name)
        return change

    return register


def each(change: Callable[[dict[str, Any]], object]) -> Change:
    """Have the change made to every cell."""

    def to_all(notebook: Notebook, rng: random.Random) -> None:
        for cell in notebook["cells"]:
            change(cell)

    return to_all


def answer_cells(notebook: Notebook) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if exercise(cell)]


def _register_simple() -> None:
    silent: dict[str, Change] = {
        "nothing": each(lambda cell: None),
        "outputs missing": each(lambda cell: cell.pop("outputs", 0)),
        "tags that skip": each(lambda cell: cell["metadata"].update(tags=["skip-execution", "remove_cell"])),
        "unknown keys": each(lambda cell: cell.update(surprise={"a": [1]})),
        "execution counts of text": each(lambda cell: cell.update(execution_count="12")),
        "cell ids missing": each(lambda cell: cell.pop("id", 0)),
        "cell ids as numbers": each(lambda cell: cell.update(id=7)),
        "other cell ids": each(lambda cell: cell.update(id=f"x{zlib.crc32(str(cell['source']).encode())}")),
        "sources as strings": each(lambda cell: cell.update(source="".join(cell["source"]))),
        "lines without ends": each(lambda cell: cell.update(source="".join(cell["source"]).split("\n"))),
        "Windows line ends in cells": each(
            lambda cell: cell.update(source=[line.replace("\n", "\r\n") for line in cell["source"]])
        ),
        "byte-order mark in cells": each(lambda cell: cell.update(source=["\ufeff", *cell["source"]])),
        "notebook metadata missing": lambda notebook, rng: notebook.pop("metadata") and None,
        "format minor 99": lambda notebook, rng: notebook.update(nbformat_minor=99),
        "numbers without end": lambda notebook, rng: notebook.update(x=[float("nan"), float("inf"), 10**4000]),
        "key order reversed": lambda notebook, rng: notebook.update(
            cells=[dict(reversed(cell.items())) for cell in notebook["cells"]]
        ),
    }
    for minor in range(5):
        silent[f"format 4.{minor}"] = lambda notebook, rng, minor=minor: (
            [cell.pop("id", 0) for cell in notebook["cells"]],
            notebook.update(nbformat_minor=minor),
        )[1]
    for what in (None, 3, "text", [], {"a": 1}, [None], [3], [{"output_type": None}], [{"data": 3}], [[[]]]):
        silent[f"outputs {what!r}"] = each(lambda cell, what=what: cell.update(outputs=copy.deepcopy(what)))
    for what in (None, 3, "text", [], [1]):
        silent[f"notebook metadata {what!r}"] = lambda notebook, rng, what=what: notebook.update(metadata=what)
        HARMLESS[f"cell metadata {what!r}"] = each(lambda cell, what=what: cell.update(metadata=what))
        HARMLESS[f"nbgrader metadata {what!r}"] = each(lambda cell, what=what: cell["metadata"].update(nbgrader=what))
        silent[f"grade_id {what!r}"] = each(
            lambda cell, what=what: cell["metadata"].update(nbgrader={"grade_id": what})
        )
    silent["cell metadata missing"] = each(lambda cell: cell.pop("metadata"))
    for version in (None, "4", 5, 0, -1, 10**30, [4]):
        HARMLESS[f"format {version!r}"] = lambda notebook, rng, version=version: notebook.update(nbformat=version)
    HARMLESS["format missing"] = lambda notebook, rng: notebook.pop("nbformat") and None
    HARMLESS["entries that are no cells"] = lambda notebook, rng: notebook.update(
        cells=[part for cell in notebook["cells"] for part in (cell, None, 3, "text", [])]
    )
    HARMLESS["zero bytes in cells"] = each(lambda cell: cell["source"].insert(0, "\0") if exercise(cell) else 0)
    HARMLESS["numbers among the lines"] = each(lambda cell: cell["source"].append(3))
    HARMLESS["cell types unknown"] = each(lambda cell: cell.update(cell_type=random.Random(1).choice([3, "Code"])))
    HARMLESS["answers in markdown cells"] = each(
        lambda cell: cell.update(cell_type="markdown") if exercise(cell) else 0
    )
    HARMLESS["answers in raw cells"] = each(lambda cell: cell.update(cell_type="raw") if exercise(cell) else 0)
    HARMLESS.update(silent)
    SILENT.update(silent)


_register_simple()


@harmless("cell order reversed", silent=True)
def _reversed(notebook: Notebook, rng: random.Random) -> None:
    notebook["cells"].reverse()


@harmless("cells shuffled", silent=True)
def _shuffled(notebook: Notebook, rng: random.Random) -> None:
    rng.shuffle(notebook["cells"])


@harmless("cells doubled", silent=True)
def _doubled(notebook: Notebook, rng: random.Random) -> None:
    notebook["cells"] = [copy.deepcopy(cell) for cell in notebook["cells"] for _ in range(2)]


@harmless("ids and metadata missing", silent=False)
def _anonymous(notebook: Notebook, rng: random.Random) -> None:
    for cell in notebook["cells"]:
        cell.pop("id", 0)
        cell["metadata"] = {}


@harmless("one id for all cells", silent=True)
def _one_id(notebook: Notebook, rng: random.Random) -> None:
    for cell in notebook["cells"]:
        cell["id"] = "attention"


@harmless("provided cells edited")
def _edited(notebook: Notebook, rng: random.Random) -> None:
    for cell in notebook["cells"]:
        if not exercise(cell) and cell["id"] not in ("a11ce", "b0b"):
            cell["source"] = ["print('edited')"]


@harmless("provided cells deleted")
def _deleted(notebook: Notebook, rng: random.Random) -> None:
    notebook["cells"] = [cell for cell in notebook["cells"] if exercise(cell) or cell["id"] in ("a11ce", "b0b")]


@harmless("all but code deleted", silent=True)
def _only_code(notebook: Notebook, rng: random.Random) -> None:
    notebook["cells"] = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


@harmless("an older answer above each")
def _older(notebook: Notebook, rng: random.Random) -> None:
    for cell in answer_cells(notebook):
        older = copy.deepcopy(cell)
        older["source"] = [line.replace("own", "old").replace("256", "16") for line in cell["source"]]
        notebook["cells"].insert(notebook["cells"].index(cell), older)


@harmless("the stub again behind each")
def _stub_again(notebook: Notebook, rng: random.Random) -> None:
    path = next(path for path in course_notebooks() if path.stem == STEM)
    notebook["cells"] += [cell for cell in json.loads(path.read_text("utf-8"))["cells"] if exercise(cell)]


@harmless("a blank copy behind each", silent=True)
def _blank_copy(notebook: Notebook, rng: random.Random) -> None:
    notebook["cells"] += [{**cell, "source": ["\n"]} for cell in answer_cells(notebook)]


def _split(both: bool, parts: int) -> Change:
    def split(notebook: Notebook, rng: random.Random) -> None:
        for cell in answer_cells(notebook):
            lines = cell["source"]
            if len(lines) < 3:
                continue
            cuts = sorted(rng.sample(range(1, len(lines)), parts - 1))
            place = notebook["cells"].index(cell)
            pieces = []
            for start, end in zip([0, *cuts], [*cuts, None], strict=True):
                part = copy.deepcopy(cell)
                part["id"] = f"{rng.getrandbits(32):08x}"
                part["source"] = "".join(lines[start:end]).strip("\n").splitlines(keepends=True)
                if start and not both:
                    part["metadata"] = {}
                pieces.append(part)
            notebook["cells"][place : place + 1] = pieces

    return split


for _parts in (2, 3):
    HARMLESS[f"answers split in {_parts}"] = _split(both=True, parts=_parts)
    HARMLESS[f"answers split in {_parts}, the rest unmarked"] = _split(both=False, parts=_parts)


@harmless("answers swapped")
def _swapped(notebook: Notebook, rng: random.Random) -> None:
    cells = [cell for cell in answer_cells(notebook) if "def " in "".join(cell["source"])]
    first, second = rng.sample(cells, 2)
    first["metadata"], second["metadata"] = second["metadata"], first["metadata"]


def changed(rng: random.Random, count: int) -> Iterator[Damaged]:
    """Each harmless change alone, then pairs of them."""
    alone = [(name,) for name in HARMLESS]
    # These take from the others what they go by, or do not go together with a copy that is a stub.
    alone_only = (
        "metadata",
        "grade_id",
        "ids",
        "one id",
        "split",
        "zero",
        "in markdown",
        "in raw",
        "swapped",
    )
    structural = [name for name in HARMLESS if not any(words in name for words in alone_only)]
    pairs = [tuple(rng.sample(structural, 2)) for _ in range(count)]
    for names in [*alone, *pairs]:
        notebook = handed_in()
        try:
            for name in names:
                HARMLESS[name](notebook, rng)
        except (AttributeError, KeyError, TypeError):
            continue  # the first left nothing that the second could be done to
        yield Damaged(
            " + ".join(names),
            json.dumps(notebook).encode(),  # on one line, which is quicker; files as Jupyter writes them come later
            ALL,
            noted=not SILENT.issuperset(names),
            added=TOUCHING_ADDED.isdisjoint(names),
        )
