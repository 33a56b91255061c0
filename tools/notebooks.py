"""Executes the course's notebooks and saves them in one canonical form, so that a diff shows only what has changed.

    python tools/notebooks.py            all of them
    python tools/notebooks.py 01 02      those whose names begin so
    python tools/notebooks.py --check    only say what is not canonical (make lint)

The canonical form has format 4.5, and only the kernel's name in the metadata. A cell keeps its id, its tags and
nbgrader's entry; execution counts are in order. Times, widget state, progress bars and messages on stderr are removed.
Under a cell tagged nbval-ignore-output only figures stay, since its other outputs differ from run to run. Cells tagged
claim (asserts about what was measured) or plot (plotting and layout) are collapsed. An image keeps its alt text.
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

FOLDER = Path(__file__).resolve().parents[1] / "notebooks"
METADATA = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}
CELL_METADATA = ("jupyter", "nbgrader", "tags")
WIDGET = "application/vnd.jupyter.widget-view+json"
COLLAPSED = {"claim", "plot"}  # tags
CELL_SECONDS = 300
LARGEST_IMAGE = 250_000  # bytes: a clone stays small, and so does each diff
PROGRESS_BAR = re.compile(r"\d+%\||\d+it \[|it/s[,\]]")
ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]{6,}")


def canonical(notebook: dict) -> dict:
    """A copy of the notebook, as plain JSON data, in canonical form."""
    result = copy.deepcopy(notebook)
    result.update(nbformat=4, nbformat_minor=5, metadata=copy.deepcopy(METADATA))
    used: set[str] = set()
    count = 0
    for cell in result["cells"]:
        cell["source"] = _joined(cell["source"])
        cell["metadata"] = {key: cell["metadata"][key] for key in CELL_METADATA if cell["metadata"].get(key)}
        if COLLAPSED.intersection(cell["metadata"].get("tags", ())):
            cell["metadata"]["jupyter"] = {"source_hidden": True}
        cell["id"] = _id(cell, used)
        used.add(cell["id"])
        if cell["cell_type"] == "code":
            count += bool(cell["source"].strip())
            cell["execution_count"] = count if cell["source"].strip() else None
            ignored = "nbval-ignore-output" in cell["metadata"].get("tags", ())
            outputs = [kept for output in cell["outputs"] if (kept := _output(output, only_figures=ignored))]
            cell["outputs"] = _streams_joined(outputs)
            for output in cell["outputs"]:
                if output["output_type"] == "execute_result":
                    output["execution_count"] = cell["execution_count"]
    return result


def problems(notebook: dict) -> list[str]:
    """Problems that the canonical form cannot mend, a line for each."""
    found = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            if output["output_type"] == "error":
                found.append(
                    f"cell {cell.get('id')}: saved with an error, {output['ename']}: {output['evalue'][:80]}"
                )
            data = output.get("data", {})
            for mime in ("image/png", "image/jpeg", "image/svg+xml"):
                if (size := len(_joined(data.get(mime, "")))) > LARGEST_IMAGE:
                    found.append(f"cell {cell.get('id')}: a figure of {size} bytes; at most {LARGEST_IMAGE}")
            shown = _joined(output.get("text", "")) + _joined(data.get("text/plain", ""))
            if address := ADDRESS.search(shown):
                found.append(f"cell {cell.get('id')}: shows a memory address ({address[0]}), new in each run")
    return found


def written(notebook: dict) -> str:
    """The text of the notebook's file, with a line for each line of source and keys in a fixed order."""
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
    """The notebook after a run of all its cells, in its own folder."""
    from nbclient import NotebookClient

    node = nbformat.from_dict(canonical(notebook))
    os.environ.setdefault("COURSE_ATTENTION_DEVICE", "cpu")  # where every reader can get the same
    client = NotebookClient(node, timeout=CELL_SECONDS, resources={"metadata": {"path": str(FOLDER)}})
    client.execute()
    return json.loads(json.dumps(node))


def _joined(text: str | list[str]) -> str:
    return text if isinstance(text, str) else "".join(text)


def _id(cell: dict, used: set[str]) -> str:
    """The id of a cell: its exercise's name, else the id that it has, else a hash of its text."""
    wanted = cell["metadata"].get("nbgrader", {}).get("grade_id") or cell.get("id")
    wanted = wanted or hashlib.sha256((cell["cell_type"] + cell["source"]).encode()).hexdigest()[:8]
    fresh, copies = wanted, 1
    while fresh in used:
        copies += 1
        fresh = f"{wanted}-{copies}"
    return fresh


def _output(output: dict, only_figures: bool) -> dict | None:
    """The output as it is saved, or None where it is not."""
    if output["output_type"] == "stream":
        if output["name"] == "stderr" or only_figures:
            return None
        return {"output_type": "stream", "name": output["name"], "text": _joined(output["text"])}
    if output["output_type"] == "error":
        return output
    data = {
        mime: _joined(content).rstrip("\n") if mime == "image/png" else _text(content)
        for mime, content in output["data"].items()
        if mime != WIDGET
    }
    has_figure = any(mime.startswith("image/") for mime in data)
    if only_figures and not has_figure:
        return None
    if not data or (data.keys() == {"text/plain"} and PROGRESS_BAR.search(data["text/plain"])):
        return None
    alt = {
        mime: {"alt": about["alt"]}
        for mime, about in output.get("metadata", {}).items()
        if mime in data and isinstance(about, dict) and "alt" in about
    }
    return {"output_type": output["output_type"], "data": data, "metadata": alt}


def _text(content):
    return _joined(content) if isinstance(content, str | list) else content


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
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("names", nargs="*", help="beginnings of file names; all notebooks unless given")
    parser.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 where something is not canonical"
    )
    options = parser.parse_args()
    files = [
        path for path in sorted(FOLDER.glob("*.ipynb")) if path.name.startswith(tuple(options.names or [""]))
    ]
    if not files:
        parser.error(f"no notebook in {FOLDER} begins with {' or '.join(options.names) or 'anything'}")
    wrong = 0
    for path in files:
        before = path.read_text(encoding="utf-8")
        notebook = json.loads(before)
        if options.check:
            after = canonical(notebook)
            found = problems(after)
            if written(after) != before:
                found.append("not in canonical form; run: make notebooks")
        else:
            after = canonical(executed(notebook))
            path.write_text(written(after), encoding="utf-8", newline="\n")
            found = problems(after)
            print(f"executed {path.name}", flush=True)
        wrong += len(found)
        for line in found:
            print(f"{path.name}: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
