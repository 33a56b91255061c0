"""The notebooks as files: valid, canonical, without errors, and with every exercise in its place."""

from __future__ import annotations

import ast
import json
import pkgutil
import re
from itertools import pairwise
from pathlib import Path

import nbformat
import pytest

from course_attention import lesson
from course_attention.course.cell_source import facts
from course_attention.course.colab import REPOSITORY
from course_attention.exercises import CATALOGUE
from course_attention.judging.drawn_cases import drawn_cases
from course_attention.presentation.card_style import STYLE
from course_attention.topics import TOPICS
from tools.notebooks import FOLDER, canonical, problems, written

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
EXERCISES = list(CATALOGUE.values())
# What a text may propose to call: the names of the room, and its explorers, which are modules.
LESSON = {*lesson.__all__, *(module.name for module in pkgutil.iter_modules(lesson.__path__))}
# A picture of one black pixel.
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABAQMAAAAl21bKAAAAA1BMVEUAAACnej3aAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg=="
EVERY_NOTEBOOK = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))


def with_grade_id(notebook: dict, name: str) -> list[tuple[int, dict]]:
    cells = enumerate(notebook["cells"])
    return [(i, cell) for i, cell in cells if cell["metadata"].get("nbgrader", {}).get("grade_id") == name]


def test_every_topic_has_its_notebook():
    """There is a notebook for each topic, in the registry's order, and no other."""
    assert [path.stem for path in NOTEBOOKS] == [topic.notebook for topic in TOPICS]


@EVERY_NOTEBOOK
def test_valid(path):
    """nbformat finds nothing wrong, and every cell has an id of its own."""
    notebook = read(path)
    nbformat.validate(notebook)
    ids = [cell["id"] for cell in notebook["cells"]]
    assert len(set(ids)) == len(ids)


@EVERY_NOTEBOOK
def test_canonical(path):
    """The file is as `make notebooks` writes it, and shows no error, no address and no figure that is too large."""
    notebook = read(path)
    assert problems(notebook) == []
    assert written(canonical(notebook)) == path.read_text(encoding="utf-8"), "run: make notebooks"


@EVERY_NOTEBOOK
def test_executed(path):
    """A notebook is saved with its outputs: its last check cell shows a verdict, and its points."""
    checks = [cell for cell in read(path)["cells"] if cell["metadata"].get("nbgrader", {}).get("grade")]
    assert all(cell["outputs"] for cell in checks)


@EVERY_NOTEBOOK
def test_no_paragraph_breaks_into_a_list_or_a_formula(path):
    """No line of a paragraph begins as an item of a list would, as “+ 1” does, and no formula goes on in the next."""
    for cell in read(path)["cells"]:
        if cell["cell_type"] != "markdown":
            continue
        text = re.sub(r"```.*?```|\$\$.*?\$\$", "", "".join(cell["source"]), flags=re.S)
        for before, line in pairwise(text.split("\n")):
            goes_on = before.strip() and not re.match(r"\s*([-+*]|\d+[.)])\s|\s", before)
            assert not (goes_on and re.match(r"([-+*]|\d+[.)])\s", line)), (cell["id"], line)
        assert not [formula for formula in re.findall(r"\$[^$]+\$", text) if "\n" in formula], cell["id"]


@EVERY_NOTEBOOK
def test_figures_follow_words(path):
    """A figure stands under a title or a paragraph: no two figures in a row without a word between them."""
    words = False
    for cell in read(path)["cells"]:
        if cell["cell_type"] == "markdown":
            words = True
        elif any("image/png" in output.get("data", {}) for output in cell["outputs"]):
            assert words, f"cell {cell['id']} draws a figure that no text leads up to"
            words = False


def without_alt_text(notebook: dict) -> list[str]:
    """Return the cells with a figure that has no words; an explorer says in its text what it shows."""
    return [
        cell["id"]
        for cell in notebook["cells"]
        for output in cell.get("outputs", ())
        if "image/png" in output.get("data", {})
        and not output["metadata"].get("image/png", {}).get("alt")
        and not "".join(output["data"].get("text/plain", "")).startswith("Explorer: ")
    ]


@EVERY_NOTEBOOK
def test_figures_have_alt_text(path):
    """Every figure has a description for those who cannot see it."""
    assert without_alt_text(read(path)) == []


@EVERY_NOTEBOOK
def test_tables_have_headers(path):
    """Each column of a table has a name: a screen reader says it before each cell."""
    lines = [
        line
        for cell in read(path)["cells"]
        if cell["cell_type"] == "markdown"
        for line in "".join(cell["source"]).split("\n")
    ]
    headers = [above for above, below in pairwise(lines) if re.fullmatch(r"\|(?:\s*:?-+:?\s*\|)+", below)]
    assert [header for header in headers if not all(name.strip() for name in header.strip("|").split("|"))] == []


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_answer_and_check(exercise):
    """An exercise has one answer cell and, after it, one check cell, with the metadata that nbgrader reads."""
    notebook = read(FOLDER / f"{exercise.notebook}.ipynb")
    ((answer_at, answer),) = with_grade_id(notebook, exercise.name)
    ((check_at, check),) = with_grade_id(notebook, f"check-{exercise.name}")
    assert check_at > answer_at
    common = {"schema_version": 3, "task": False}
    assert answer["metadata"]["nbgrader"] == common | {
        "grade_id": exercise.name,
        "solution": True,
        "grade": False,
        "locked": False,
    }
    assert check["metadata"]["nbgrader"] == common | {
        "grade_id": f"check-{exercise.name}",
        "solution": False,
        "grade": True,
        "locked": True,
        "points": exercise.points,
    }
    assert answer["metadata"]["tags"] == ["raises-exception"]
    *_, judged, earned = "".join(check["source"]).splitlines()
    assert judged == f'{exercise.name} = check("{exercise.name}")'
    assert earned == f'points("{exercise.name}")'


@EVERY_NOTEBOOK
def test_imports_what_its_text_calls(path):
    """A call that the text proposes, and what a card proposes, is imported above it."""
    here: set[str] = set()
    for cell in read(path)["cells"]:
        source = "".join(cell["source"])
        if cell["metadata"].get("nbgrader", {}).get("solution"):
            assert {"hint", "progress"} <= here  # what every card, and the first notebook, may propose
        if cell["cell_type"] == "code":
            here |= {one.name for one in facts(source).imports}
            continue
        called = {name for span in re.findall(r"`([^`]+)`", source) if (name := called_in(span)) in LESSON}
        assert called <= here, f"{path.stem}, cell {cell['id']}: import {called - here} above it"


def called_in(span: str) -> str:
    """Return the name that a line of code calls, as in `hint("softmax")`; "" where it calls none or is cut off."""
    match facts(span).tree.body:
        case [ast.Expr(value=ast.Call(func=ast.Name(id=name)))]:
            return name
        case [ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name))))]:
            return name
    return ""


@EVERY_NOTEBOOK
def test_next(path):
    """A notebook links to the one after it, and the last to none."""
    text = "\n".join("".join(cell["source"]) for cell in read(path)["cells"] if cell["cell_type"] == "markdown")
    after = NOTEBOOKS[NOTEBOOKS.index(path) + 1 :][:1]
    assert [f"{one.stem}.ipynb" for one in after] == re.findall(r"Next: \[`[^`]+`\]\(([^)]+)\)", text)


@EVERY_NOTEBOOK
def test_links_of_a_copy(path):
    """A link leads somewhere from a copy, too, wherever it lies: beside it are the other notebooks and nothing else."""
    text = "\n".join("".join(cell["source"]) for cell in read(path)["cells"] if cell["cell_type"] == "markdown")
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    beside = {link for link in links if not re.match(r"https?:|#|data:", link)}
    assert beside <= {one.name for one in NOTEBOOKS}
    ours = f"https://github.com/{REPOSITORY}/blob/main/"
    files = [link.removeprefix(ours).partition("#")[0] for link in links if link.startswith(ours)]
    assert [file for file in files if not (FOLDER.parent / file).is_file()] == []


def test_how_to_run_a_cell():
    """The first notebook says how to run a cell before there is one to run."""
    cells = read(NOTEBOOKS[0])["cells"]
    first = next(i for i, cell in enumerate(cells) if cell["cell_type"] == "code")
    text = re.sub(r"<[^>]+>|\W", "", "".join("".join(cell["source"]) for cell in cells[:first]))
    assert "shiftenter" in text.lower()


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda exercise: exercise.name)
def test_answer_is_a_stub(exercise):
    """A notebook as shipped answers nothing; its answer cell says what is asked, and holds the code to repair."""
    notebook = read(FOLDER / f"{exercise.notebook}.ipynb")
    ((_, answer),) = with_grade_id(notebook, exercise.name)
    source = "".join(answer["source"])
    if exercise.kind == "value":
        assert re.search(rf"^{re.escape(exercise.name)} = None", source, re.M)
    elif exercise.exercise.given:
        (cell,), (given,) = ast.parse(source).body, ast.parse(exercise.exercise.given).body
        assert ast.get_docstring(cell)
        assert ast.dump(ast.Module(cell.body[1:], [])) == ast.dump(ast.Module(given.body, []))
    else:
        assert "raise NotImplementedError" in source
        assert '"""' in source


@pytest.mark.parametrize(
    "exercise", [e for e in EXERCISES if e.kind in ("function", "module")], ids=lambda exercise: exercise.name
)
def test_axes_have_the_names_of_the_answer_cell(exercise):
    """A card that tells which axes are exchanged names them as the student reads them in the answer cell."""
    notebook = read(FOLDER / f"{exercise.notebook}.ipynb")
    ((_, answer),) = with_grade_id(notebook, exercise.name)
    returns = exercise.exercise.returns
    assert len(returns.axes) in (0, len(returns.names))
    for axes, right in zip(returns.axes, drawn_cases(exercise.exercise, 0)[0].expected, strict=False):
        assert set(re.findall(r"\w+", axes)) <= set(re.findall(r"\w+", "".join(answer["source"]))), axes
        named = [name for name in axes.split(", ") if name != "..."]
        assert right.ndim >= len(named) if "..." in axes else right.ndim == len(named), axes


def cell(kind: str = "code", source: str = "", **more) -> dict:
    extra = {"outputs": [], "execution_count": None} if kind == "code" else {}
    return {"cell_type": kind, "source": source, "metadata": {}, **extra, **more}


def tidy(*cells: dict) -> list[dict]:
    return canonical({"cells": list(cells), "metadata": {"widgets": {}}, "nbformat": 4, "nbformat_minor": 2})["cells"]


def test_ids_are_stable():
    """An id that is there stays; a missing one comes from the exercise or the text, the same each time."""
    graded = cell(source="x", metadata={"nbgrader": {"grade_id": "softmax"}})
    cells = [cell(source="a", id="kept"), graded, cell(source="b"), cell(source="b")]
    first = [one["id"] for one in tidy(*cells)]
    assert first == [one["id"] for one in tidy(*cells)]
    assert first[:2] == ["kept", "softmax"]
    assert first[3] == f"{first[2]}-2"


def test_what_cannot_repeat_goes():
    """Times, widget state, progress bars, stderr and execution counts go; prints and figures stay."""
    widget = {"application/vnd.jupyter.widget-view+json": {"model_id": "1"}}
    outputs = [
        {"output_type": "stream", "name": "stderr", "text": "a warning"},
        {
            "output_type": "display_data",
            "metadata": {},
            "data": widget | {"text/plain": " 10%|#  | 1/10 [00:01]"},
        },
        {"output_type": "stream", "name": "stdout", "text": ["a\n"]},
        {"output_type": "stream", "name": "stdout", "text": ["b\n"]},
        {
            "output_type": "display_data",
            "metadata": {},
            "data": widget | {"image/png": DOT + "\n", "text/plain": "F"},
        },
    ]
    metadata = {"execution": {"iopub.execute_input": "2026"}, "collapsed": True, "tags": ["demo"]}
    (kept,) = tidy(cell(source="x", outputs=outputs, metadata=metadata, execution_count=7))
    assert kept["metadata"] == {"tags": ["demo"]}
    assert kept["execution_count"] is None
    assert kept["outputs"] == [
        {"output_type": "stream", "name": "stdout", "text": "a\nb\n"},
        {"output_type": "display_data", "metadata": {}, "data": {"image/png": DOT, "text/plain": "F"}},
    ]


@pytest.mark.parametrize("tag", ["claim", "plot"])
def test_cells_that_only_support_are_collapsed(tag):
    """Asserts and plotting are folded away; other cells stay as they are."""
    supporting, other = tidy(cell(source="x", metadata={"tags": [tag]}), cell(source="y"))
    assert supporting["metadata"] == {"tags": [tag], "jupyter": {"source_hidden": True}}
    assert other["metadata"] == {}


def test_alt_text_stays():
    """The description of a figure stays with it, and is missed where there is none; other metadata go."""
    data = {"image/png": DOT, "text/plain": "F"}
    outputs = [
        {
            "output_type": "display_data",
            "data": data,
            "metadata": {"image/png": {"alt": "A line.", "width": 3}},
        },
        {"output_type": "display_data", "data": data, "metadata": {"needs_background": "light"}},
    ]
    described, silent = tidy(cell(source="x", outputs=[outputs[0]]), cell(source="y", outputs=[outputs[1]]))
    assert described["outputs"][0]["metadata"] == {"image/png": {"alt": "A line."}}
    assert silent["outputs"][0]["metadata"] == {}
    assert without_alt_text({"cells": [described, silent]}) == [silent["id"]]


def test_form_of_exercises():
    """A check cell is written by its exercise's name, an answer cell may raise, a style sheet is today's."""
    answer = cell(source="x = 1", metadata={"nbgrader": {"grade_id": "softmax", "solution": True}, "tags": ["demo"]})
    html = '<div class="ca-card">\n<style>\n.ca-card{color:red}\n</style>\n<p>…</p></div>'
    outputs = [{"output_type": "display_data", "metadata": {}, "data": {"text/html": html}}]
    metadata = {"nbgrader": {"grade_id": "check-softmax", "grade": True}}
    check = cell(source="softmax = check(softmax)", metadata=metadata, outputs=outputs)
    answer, check = tidy(answer, check)
    assert answer["metadata"]["tags"] == ["demo", "raises-exception"]
    assert check["source"].endswith('softmax = check("softmax")\npoints("softmax")')
    assert check["outputs"][0]["data"]["text/html"] == f'<div class="ca-card">\n{STYLE}\n<p>…</p></div>'


def test_next_becomes_a_link():
    """The line that names the next notebook links to it; once is enough."""
    (text,) = tidy(cell("markdown", "- Next: `01_two.ipynb`, on more."))
    assert text["source"] == "- Next: [`01_two.ipynb`](01_two.ipynb), on more."
    assert tidy(text)[0]["source"] == text["source"]


def test_canonical_twice_is_canonical():
    """Writing, reading and writing again changes nothing."""
    output = {
        "output_type": "execute_result",
        "execution_count": 3,
        "metadata": {},
        "data": {"text/plain": ["1\n", "2"]},
    }
    notebook = {"cells": [cell(source="a\nb", outputs=[output]), cell("markdown", "× c")], "metadata": {}}
    text = written(canonical(notebook))
    assert written(canonical(json.loads(text))) == text


@pytest.mark.parametrize(
    ("output", "part"),
    [
        ({"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": []}, "ValueError: no"),
        ({"output_type": "stream", "name": "stdout", "text": "<function f at 0x7f3a1c2b>"}, "memory address"),
        (
            {"output_type": "display_data", "metadata": {}, "data": {"image/png": "A" * 300_000}},
            "300000 bytes",
        ),
    ],
)
def test_problems_are_found(output, part):
    """An error, an address and an oversized figure are each named."""
    (line,) = problems({"cells": [cell(outputs=[output], id="here")]})
    assert part in line
    assert line.startswith("cell here")
