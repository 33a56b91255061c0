"""Evidence: the claims that notebooks decide, and what the benchmarks measured."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from course_site.lessons import target_of, verdicts_in


def verdicts_page(notebooks: Mapping[str, Any]) -> str:
    """Return the page on the claims of the sources: what each notebook says of them, with a link to the place.

    Args:
        notebooks: stem → notebook, as JSON has it.
    """
    text = (
        "# Claims, and what became of them\n\n"
        "The course teaches what its [sources](../docs/sources.md) teach, and it tries what they claim. These are the "
        "verdicts, as the lessons give them. Each link leads to the place: the experiment that decided it stands right "
        "above. [What would overturn them](../docs/claims/README.md) is told notebook by notebook.\n\n"
    )
    for stem, notebook in notebooks.items():
        found = verdicts_in(notebook)
        if found:
            text += f"## [{_title(notebook)}](../notebooks/{stem}.ipynb)\n\n"
        for count, verdict in enumerate(found, 1):
            target = target_of(stem[:2], count)
            text += f"{' '.join(verdict.split())} [Where it was decided](#{target})\n\n"
    return text


def benchmarks_page(folder: Path) -> str:
    """Return the page on the benchmarks: what each measures, and the figures that are kept of it.

    Args:
        folder: of the benchmarks. `measured/` in it holds what `make bench` wrote.
    """
    text = (
        "# Benchmarks\n\n"
        "`make bench` runs them and keeps what they print, with the machine. Times on another machine are other times; "
        "ratios and exponents carry over.\n\n"
    )
    for script in sorted(folder.glob("*.py")):
        about = script.read_text(encoding="utf-8").split('"""')[1].strip()
        measured = folder / "measured" / f"{script.stem}.txt"
        text += f"## {script.stem.replace('_', ' ').capitalize()}\n\n{about.split(chr(10))[0]}\n\n"
        if measured.is_file():
            text += f"```text\n{measured.read_text(encoding='utf-8').rstrip()}\n```\n\n"
        else:
            text += "No figures of it are kept: it takes long, or needs what few machines have.\n\n"
    return text


def _title(notebook: Any) -> str:
    return "".join(notebook["cells"][0]["source"]).splitlines()[0].lstrip("# ")
