"""Executes the course's notebooks and saves them in one canonical form, so that a diff shows only what has changed.

    python tools/notebooks.py            all of them
    python tools/notebooks.py 01 02      those whose names begin so
    python tools/notebooks.py --form     bring them into this form without executing them
    python tools/notebooks.py --check    only say what is not canonical (make lint)

The canonical form has format 4.5, and only the kernel's name in the metadata. A cell keeps its id, its tags and
nbgrader's entry, or the name of its practice. Execution counts, times, widget state, progress bars and messages on
stderr are removed. The outputs of a cell tagged nbval-ignore-output differ from run to run; `saved_outputs` says when
they are written anew. Cells tagged claim or plot are collapsed. An image keeps its alt text, and has 256 colours.

Check cells are all alike, and those of practice too. The cell of an answer or of practice is tagged raises-exception:
whatever stands in it, Run All goes on to its check. Saved cards have today's style sheet, and "Next: `…`" is a link.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import json
import os
import re
import sys
from pathlib import Path

import nbformat

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # to import its neighbours, started as a script

from course_attention.course.colab import opens_anywhere
from course_attention.course.filling import practised
from course_attention.course.workspace import MADE_FROM
from course_attention.presentation.card_style import STYLE
from tools.pictures import with_palette
from tools.saved_outputs import keep_outputs

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = ("jupyter", MADE_FROM, "nbgrader", "practice", "tags")
WIDGET = "application/vnd.jupyter.widget-view+json"
COLLAPSED = {"claim", "plot"}  # tags
CELL_SECONDS = 300
LARGEST_IMAGE = 250_000  # bytes: a clone stays small, and so does each diff
# It imports what it calls, and what its card proposes: nothing else may have run since the kernel started.
CHECK = """\
from course_attention.lesson import check, hint, points

{name} = check("{name}")
points("{name}")"""
CHECK_PRACTICE = """\
from course_attention.lesson import check, hint

{name} = check("{name}")"""
OLD_STYLE = re.compile(r"<style>\n\.ca-card\{.*?</style>", re.DOTALL)
NEXT = re.compile(r"\bNext: `([\w.]+\.ipynb)`")
PROGRESS_BAR = re.compile(r"\d+%\||\d+it \[|it/s[,\]]")
ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}")


def canonical(notebook: dict) -> dict:
    """Return a copy of the notebook, as plain JSON data, in canonical form."""
    result = copy.deepcopy(notebook)
    result.update(nbformat=4, nbformat_minor=5, metadata=copy.deepcopy(METADATA))
    used: set[str] = set()
    for cell in result["cells"]:
        cell["source"] = _source(cell)
        cell["metadata"] = {key: cell["metadata"][key] for key in CELL_METADATA if cell["metadata"].get(key)}
        if COLLAPSED.intersection(cell["metadata"].get("tags", ())):
            cell["metadata"]["jupyter"] = {"source_hidden": True}
        cell["id"] = _id(cell, used)
        used.add(cell["id"])
        if cell["metadata"].get("nbgrader", {}).get("solution") or practised(cell):
            cell["metadata"]["tags"] = sorted({*cell["metadata"].get("tags", ()), "raises-exception"})
        if cell["cell_type"] == "code":
            cell["execution_count"] = None
            outputs = [kept for output in cell["outputs"] if (kept := _output(output))]
            cell["outputs"] = _streams_joined(outputs)
            for output in cell["outputs"]:
                if output["output_type"] == "execute_result":
                    output["execution_count"] = None
    return result


def problems(notebook: dict) -> list[str]:
    """Problems that the canonical form cannot mend, a line for each."""
    found = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            if output["output_type"] == "error":
                found.append(f"cell {cell.get('id')}: saved with an error, {output['ename']}: {output['evalue'][:80]}")
            data = output.get("data", {})
            for mime in ("image/png", "image/jpeg", "image/svg+xml"):
                if (size := len(_joined(data.get(mime, "")))) > LARGEST_IMAGE:
                    found.append(f"cell {cell.get('id')}: a figure of {size} bytes; at most {LARGEST_IMAGE}")
            shown = _joined(output.get("text", "")) + _joined(data.get("text/plain", ""))
            if address := ADDRESS.search(shown):
                found.append(f"cell {cell.get('id')}: shows a memory address ({address[0]}), new in each run")
    return found


def written(notebook: dict) -> str:
    """Return the text of the notebook's file, with a line for each line of source and keys in a fixed order."""
    split = copy.deepcopy(notebook)
    for cell in split["cells"]:
        cell["source"] = cell["source"].splitlines(keepends=True)
        for output in cell.get("outputs", ()):
            if "text" in output:
                output["text"] = output["text"].splitlines(keepends=True)
            for mime, content in output.get("data", {}).items():
                if mime.startswith("text/") or mime == "image/svg+xml":
                    output["data"][mime] = content.splitlines(keepends=True)
    return json.dumps(split, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def executed(notebook: dict) -> dict:
    """Return the notebook after a run of all its cells, in its own folder."""
    from nbclient import NotebookClient

    node = nbformat.from_dict(canonical(notebook))
    os.environ.setdefault("COURSE_ATTENTION_DEVICE", "cpu")  # where every reader can get the same
    client = NotebookClient(node, timeout=CELL_SECONDS, resources={"metadata": {"path": str(FOLDER)}})
    client.execute()
    return json.loads(json.dumps(node))


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def _source(cell: dict) -> str:
    """Return the source of a cell: a check cell's in its one form, a text's with a link to the next notebook."""
    source = _joined(cell["source"])
    nbgrader = cell["metadata"].get("nbgrader", {})
    if nbgrader.get("grade"):
        return CHECK.format(name=nbgrader["grade_id"].removeprefix("check-"))
    practice = cell["metadata"].get("practice", "")
    if practice.startswith("check-"):
        return CHECK_PRACTICE.format(name=practice.removeprefix("check-"))
    return NEXT.sub(r"Next: [`\1`](\1)", source) if cell["cell_type"] == "markdown" else source


def _id(cell: dict, used: set[str]) -> str:
    """Return the id of a cell: its exercise's or practice's name, else the id that it has, else a hash of its text."""
    named = cell["metadata"].get("nbgrader", {}).get("grade_id") or cell["metadata"].get("practice")
    wanted = named or cell.get("id")
    wanted = wanted or hashlib.sha256((cell["cell_type"] + cell["source"]).encode()).hexdigest()[:8]
    fresh, copies = wanted, 1
    while fresh in used:
        copies += 1
        fresh = f"{wanted}-{copies}"
    return fresh


def _output(output: dict) -> dict | None:
    """Return the output as it is saved, or None where it is not."""
    if output["output_type"] == "stream":
        if output["name"] == "stderr":
            return None
        return {"output_type": "stream", "name": output["name"], "text": _joined(output["text"])}
    if output["output_type"] == "error":
        return output
    data = {
        mime: with_palette(_joined(content).rstrip("\n")) if mime == "image/png" else _text(content)
        for mime, content in output["data"].items()
        if mime != WIDGET
    }
    if not data or (data.keys() == {"text/plain"} and PROGRESS_BAR.search(data["text/plain"])):
        return None
    alt = {
        mime: {"alt": about["alt"]}
        for mime, about in output.get("metadata", {}).items()
        if mime in data and isinstance(about, dict) and "alt" in about
    }
    return {"output_type": output["output_type"], "data": data, "metadata": alt}


def _text(content):
    return OLD_STYLE.sub(lambda _: STYLE, _joined(content)) if isinstance(content, str | list) else content


def _streams_joined(outputs: list[dict]) -> list[dict]:
    """Join prints that follow one another, since the kernel splits them at random."""
    result: list[dict] = []
    for output in outputs:
        if output["output_type"] == "stream" and result and result[-1]["output_type"] == "stream":
            result[-1]["text"] += output["text"]
        else:
            result.append(output)
    return result


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="beginnings of file names; all notebooks unless given")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where something is not canonical")
    parser.add_argument("--form", action="store_true", help="bring into canonical form without executing")
    options = parser.parse_args()
    files = [path for path in sorted(FOLDER.glob("*.ipynb")) if path.name.startswith(tuple(options.names or [""]))]
    if not files:
        parser.error(f"no notebook in {FOLDER} begins with {' or '.join(options.names) or 'anything'}")
    wrong = 0
    for path in files:
        before = path.read_text(encoding="utf-8")
        notebook = opens_anywhere(json.loads(before), path.stem)
        if options.check:
            after = canonical(notebook)
            found = problems(after)
            if written(after) != before:
                found.append("not in canonical form; run: make notebooks")
        else:
            after = canonical(notebook if options.form else executed(notebook))
            if not options.form:
                keep_outputs(after, canonical(notebook))  # a file has its texts in lines
            path.write_text(written(after), encoding="utf-8", newline="\n")
            found = problems(after)
            print(f"{'wrote' if options.form else 'executed'} {path.name}", flush=True)
        wrong += len(found)
        for line in found:
            print(f"{path.name}: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
