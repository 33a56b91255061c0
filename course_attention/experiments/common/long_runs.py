"""What was measured in runs that take longer than a notebook may.

A script in `tools/long_runs/` makes each of them, and its figures are a small file beside the experiments of their
topic. The file says which script made it, and with which versions.
"""

import json
from importlib.resources import files
from typing import Any


def long_run(topic: str, name: str) -> list[dict[str, Any]]:
    """Return the rows that `tools/long_runs/<name>.py` has measured.

    Args:
        topic: whose experiments it belongs to, such as `positions`.
        name: of the script, and of its file.

    Returns:
        A dict for each run, with the same keys in all: what was set, and what came.
    """
    return [dict(row) for row in _data(topic, name)["rows"]]


def made_by(topic: str, name: str) -> str:
    """Say what made these rows, for the notebook that shows them: the script, and its versions."""
    data = _data(topic, name)
    versions = ", ".join(f"{library} {version}" for library, version in data["made_with"].items())
    return f"{data['script']}, {versions}"


def _data(topic: str, name: str) -> dict[str, Any]:
    file = files("course_attention.experiments") / topic / f"{name}.json"
    return json.loads(file.read_text(encoding="utf-8"))
