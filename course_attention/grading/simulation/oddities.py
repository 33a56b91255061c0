"""What happens to notebooks on the way: nothing of it changes what an answer is worth."""

import ast
from collections.abc import Callable
from random import Random
from typing import Any

from course_attention.course.filling import Notebook, answered

Cell = dict[str, Any]

SCRATCH = (
    "import math\nimport numpy as np\nimport torch",
    "def show_shape(tensor):\n    print(tuple(tensor.shape))\n    return tensor",
    "scratch = torch.arange(6.0).reshape(2, 3)\nprint(scratch.sum(dim=-1))",
    "# question for the tutorial: why is it divided by the root?",
    "1 / 0",
    "%matplotlib inline",
    "my_name = 'Ünïcödé ✓ 你好'\nmy_name",
)


def moved(notebook: Notebook, random: Random) -> None:
    """Move an answer cell to the end."""
    cells = notebook["cells"]
    if places := _places(notebook, answered):
        cells.append(cells.pop(random.choice(places)))


def mixed(notebook: Notebook, random: Random) -> None:
    """Two cells of the course's have changed places."""
    cells = notebook["cells"]
    first, second = random.sample(range(len(cells)), 2)
    cells[first], cells[second] = cells[second], cells[first]


def removed(notebook: Notebook, random: Random) -> None:
    """Delete a few cells that hold no answer."""
    for _ in range(random.randint(1, 4)):
        del notebook["cells"][random.choice(_places(notebook, lambda cell: not answered(cell)))]


def edited(notebook: Notebook, random: Random) -> None:
    """Change a cell of the course's, as a student does who plays with it."""
    played_with = _places(notebook, lambda cell: cell["cell_type"] == "code" and not answered(cell))
    notebook["cells"][random.choice(played_with)]["source"].append("\nprint('so far')")


def scratched(notebook: Notebook, random: Random) -> None:
    """Cells of the student's own stand between the course's."""
    for _ in range(random.randint(1, 4)):
        own = _code_cell(random.choice(SCRATCH), random)
        notebook["cells"].insert(random.randint(1, len(notebook["cells"])), own)


def drafted(notebook: Notebook, random: Random) -> None:
    """Duplicate an answer's cell: a first draft stands above what was made of it."""
    if places := _places(notebook, lambda cell: answered(cell) and _is_finished("".join(cell["source"]))):
        place = random.choice(places)
        cell = notebook["cells"][place]
        draft = {**cell, "id": _id(random), "source": _draft(answered(cell), cell["source"])}
        notebook["cells"].insert(place, draft)


def split(notebook: Notebook, random: Random) -> None:
    """Split an answer's cell between two lines of its body."""
    places = _places(notebook, answered)
    if not places:  # all were deleted
        return
    place = random.choice(places)
    cell = notebook["cells"][place]
    if cuts := _cuts("".join(cell["source"])):
        cut = random.choice(cuts)
        above = "".join(cell["source"][:cut]).rstrip("\n").splitlines(keepends=True)
        rest = {**cell, "id": _id(random), "source": cell["source"][cut:]}
        notebook["cells"][place : place + 1] = [{**cell, "source": above}, rest]


def executed(notebook: Notebook, random: Random) -> None:
    """Save it as after a run in another order, with what the cells printed."""
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code" and random.random() < 0.7:
            text = {"output_type": "stream", "name": "stdout", "text": ["done\n"]}
            cell.update(execution_count=random.randint(1, 400), outputs=[text])


def tagged(notebook: Notebook, random: Random) -> None:
    """Cells have tags and settings of an editor."""
    for cell in notebook["cells"]:
        if random.random() < 0.3:
            tags = [*cell["metadata"].get("tags", []), random.choice(["todo", "exam", "skip-execution"])]
            cell["metadata"] = {**cell["metadata"], "collapsed": True, "tags": tags}


def without_ids(notebook: Notebook, random: Random) -> None:
    """Write it as an older Jupyter does, which knows no cell ids."""
    notebook["nbformat_minor"] = random.choice([0, 2, 4])
    for cell in notebook["cells"]:
        del cell["id"]


def windows_line_ends(notebook: Notebook, random: Random) -> None:
    """Lines end as on Windows."""
    for cell in notebook["cells"]:
        cell["source"] = [line.replace("\n", "\r\n") for line in cell["source"]]


ODDITIES: tuple[Callable[[Notebook, Random], None], ...] = (
    moved,
    mixed,
    removed,
    edited,
    scratched,
    drafted,
    split,
    executed,
    tagged,
    without_ids,
    windows_line_ends,
)
"""In the order in which they happen."""


def _places(notebook: Notebook, which: Callable[[Cell], Any]) -> list[int]:
    return [place for place, cell in enumerate(notebook["cells"]) if which(cell)]


def _cuts(source: str) -> list[int]:
    """Numbers of lines after which the body of a function or class goes on."""
    try:
        statements = ast.parse(source).body
    except SyntaxError:
        return []
    return [part.lineno - 1 for whole in statements[-1:] for part in getattr(whole, "body", [])[1:]]


def _is_finished(source: str) -> bool:
    """Whether it is an answer that can be run; of what is none, a draft might count in its place."""
    try:
        return bool(ast.parse(source).body) and "NotImplementedError" not in source
    except SyntaxError:
        return False


def _draft(name: str, source: list[str]) -> list[str]:
    heads = (f"def {name}(", f"class {name}(", f"class {name}:")  # of the answer, and not of a helper above it
    first = next((line for line in source if line.startswith(heads)), "")
    return [first, "    raise NotImplementedError"] if first.rstrip().endswith(":") else ["# to do"]


def _code_cell(source: str, random: Random) -> Cell:
    lines = source.splitlines(keepends=True)
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": _id(random),
        "metadata": {},
        "outputs": [],
        "source": lines,
    }


def _id(random: Random) -> str:
    return f"{random.getrandbits(32):08x}"
