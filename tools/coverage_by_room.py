"""Prints which share of each room's lines and branches the tests ran, and fails where too few lines were run.

python tools/coverage_by_room.py    the end of `make coverage`
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from coverage import Coverage

LEAST = 95.0  # percent of the package's lines
PACKAGE = "course_attention"


def by_room(files: dict[str, dict]) -> dict[str, tuple[int, int, int, int]]:
    """Return lines run, lines, branches taken and branches of each room.

    Args:
        files: path → what coverage.py says of it, in the form of its JSON report.
    """
    sums: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for path, found in files.items():
        parts = Path(path).with_suffix("").parts
        inside = parts[parts.index(PACKAGE) + 1 :]
        room = "/".join(inside[:2]) if inside[0] == "grading" and len(inside) > 2 else inside[0]
        for place, key in enumerate(("covered_lines", "num_statements", "covered_branches", "num_branches")):
            sums[room][place] += found["summary"][key]
    return {room: (*sums[room],) for room in sorted(sums)}  # type: ignore[misc]


def main() -> int:
    """Combine what the processes have written, print the table, and return the exit code."""
    coverage = Coverage()
    coverage.combine()
    with tempfile.TemporaryDirectory() as folder:
        coverage.json_report(outfile=f"{folder}/coverage.json")
        rooms = by_room(json.loads(Path(folder, "coverage.json").read_text(encoding="utf-8"))["files"])
    whole = tuple(map(sum, zip(*rooms.values(), strict=True)))
    print(f"\n{'room':<24}{'lines':>8}{'run':>8}{'branches':>10}{'taken':>8}")
    for room, (run, lines, taken, branches) in {**rooms, "the package": whole}.items():
        print(f"{room:<24}{lines:>8}{_share(run, lines):>8}{branches:>10}{_share(taken, branches):>8}")
    if (share := 100 * whole[0] / whole[1]) < LEAST:
        print(f"{share:.1f} % of the package's lines were run; at least {LEAST:.0f} % have to be.")
        return 1
    return 0


def _share(part: int, of: int) -> str:
    return f"{100 * part / of:.1f} %" if of else "–"


if __name__ == "__main__":
    sys.exit(main())
