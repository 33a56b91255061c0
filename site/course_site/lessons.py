"""A notebook as a page: the same text, code and outputs, with predictions that can be made on the page."""

import re
from collections.abc import Iterator
from typing import Any

from course_attention.course.colab import PICTURE, REPOSITORY, STANDING
from course_site.cards import bare
from course_site.predictions import asked_in, compared_in, form, result_in

_VERDICT = re.compile(r"(?m)^(?:\*\*[^*]+\*\*\.? )?The claim was\b")
_IMAGES = ("image/png", "image/svg+xml", "image/jpeg")


def page_of(notebook: dict[str, Any], stem: str) -> dict[str, Any]:
    """Return a notebook as Sphinx should read it.

    Args:
        notebook: as JSON has it, with its outputs. It stays as it is.
        stem: of its file.
    """
    cells = [cell for cell in notebook["cells"] if cell.get("id") not in STANDING]
    results = list(_results(cells))
    made, asked, verdicts = [], 0, 0
    for cell in cells:
        source = "".join(cell["source"])
        if cell["cell_type"] != "code":
            source, verdicts = _with_targets(_with_links(source, stem), stem[:2], verdicts)
            made.append({**cell, "source": source})
            continue
        outputs = [_output(one) for one in cell["outputs"] if not _is_widget(one)]
        if questions := asked_in(source):
            forms = []
            for question in questions:
                asked += 1
                result = next((r for variable, r in results if variable == question.variable), None)
                if result is not None:
                    results.remove((question.variable, result))
                forms.append(form(question, asked, result or None))
            others = [one for one in outputs if "ca-prediction" not in str(one.get("data", {}).get("text/html", ""))]
            outputs = [_html("".join(forms)), *others]
        made.append({**cell, "outputs": outputs, "metadata": _metadata(cell, outputs)})
    return {**notebook, "cells": made}


def verdicts_in(notebook: dict[str, Any]) -> list[str]:
    """Return the paragraphs that say what became of a claim, in their order; `page_of` gives each a target."""
    texts = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "markdown"]
    return [text[one.start() :].split("\n\n")[0] for text in texts for one in _VERDICT.finditer(text)]


def target_of(number: str, count: int) -> str:
    """Return the name of the place at which a verdict stands: of the notebook's number, the verdict of this count."""
    return f"verdict-{number}-{count}"


def _results(cells: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    """Yield the variable of each prediction that is compared, and what came; "" where no output says so."""
    for cell in cells:
        if cell["cell_type"] == "code":
            variables, came = compared_in("".join(cell["source"])), result_in(cell["outputs"])
            is_complete = len(came) == len(variables)
            yield from zip(variables, came if is_complete else [""] * len(variables), strict=True)


def _with_links(source: str, stem: str) -> str:
    """Replace the badge, a picture from elsewhere, by links: open in Colab, or take the notebook along."""
    if PICTURE not in source:
        return source
    colab = f"https://colab.research.google.com/github/{REPOSITORY}/blob/main/notebooks/{stem}.ipynb"
    links = f"[Open in Colab]({colab}) · {{download}}`Download the notebook <../originals/{stem}.ipynb>`"
    return "\n".join(links if PICTURE in line else line for line in source.splitlines())


def _with_targets(source: str, number: str, count: int) -> tuple[str, int]:
    def with_target(found: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f"({target_of(number, count)})=\n{found[0]}"

    return _VERDICT.sub(with_target, source), count


def _metadata(cell: dict[str, Any], outputs: list[Any]) -> dict[str, Any]:
    metadata, tags = dict(cell["metadata"]), list(cell["metadata"].get("tags", []))
    if metadata.get("jupyter", {}).get("source_hidden"):
        tags.append("hide-input")
    if any(image in one.get("data", {}) for one in outputs for image in _IMAGES):
        metadata["mystnb"] = {"image": {"alt": _alt(cell, outputs)}}
    return {**metadata, "tags": tags}


def _alt(cell: dict[str, Any], outputs: list[Any]) -> str:
    """Return the description of a cell's picture; of an explorer's, which has none, what it is."""
    for one in outputs:
        for image in _IMAGES:
            if text := one.get("metadata", {}).get(image, {}).get("alt"):
                return str(text)
    explorer = re.search(r"\bexplore_\w+\.(\w+)", "".join(cell["source"]))
    what = f"The explorer {explorer[1]}" if explorer else "A picture"
    return f"{what}, as it looks before anything in it was changed. In a running notebook it can be changed."


def _output(output: dict[str, Any]) -> dict[str, Any]:
    """Return an output without what only a notebook needs."""
    if "data" not in output:
        return output
    data = dict(output["data"])
    if "text/html" in data:
        # Whoever reads the page may have made one, above.
        data["text/html"] = bare("".join(data["text/html"])).replace("You made no prediction. ", "")
        data["text/plain"] = "".join(data.get("text/plain", "")).replace("You made no prediction. ", "")
    return {**output, "data": data}


def _html(text: str) -> dict[str, Any]:
    return {"output_type": "display_data", "data": {"text/html": text, "text/plain": ""}, "metadata": {}}


def _is_widget(output: dict[str, Any]) -> bool:
    return any(key.endswith("widget-view+json") for key in output.get("data", {}))
