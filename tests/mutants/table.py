"""The results of the measurement as a page: docs/mutants.md."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.mutants.corpus_answers import CALLED

RESULTS = Path("artifacts/mutants")
# What is known of the survivors of an exercise.
_NO_BFLOAT16 = "`{}` knows no bfloat16. That is torch's limit, and the judge blames nobody for it."
_KNOWN = {
    "rotary": "Angles in float32 are good enough for a float64 x, so these are right; the comparison is stricter.",
    "DecoderOnlyBlock": "Angles in float32 are good enough for a float64 x; the comparison is stricter.",
    "gaussian_scores": _NO_BFLOAT16.format("torch.cdist"),
    **dict.fromkeys(("delta_rule", "gated_delta_rule"), _NO_BFLOAT16.format("torch.linalg.solve_triangular")),
    **dict.fromkeys(
        ("EncoderBlock", "DecoderBlock"),
        "These write the norm by hand. In float16 the square of a number above 255 overflows, and the judge draws no "
        "such numbers in float16: nobody who writes a norm by hand is asked to think of it.",
    ),
    **dict.fromkeys(
        ("padding_mask", "sequence_loss"),
        "Whole numbers in int32, which the judge does not draw: `torch.tensor` makes int64 of whole numbers.",
    ),
    "top_k_attention": "A query that may see nothing, in bfloat16, where float32's lowest number is −∞. The judge "
    "draws such a query in the other types.",
    "next_token_probabilities": "A `top_k` that is larger than the vocabulary, of which the exercise does not speak.",
}
_HEAD = """# Mutants

A mutant is a right answer with one mechanical change: another operator, axis, constant or argument, a call or a
statement taken out, a part cut off from the gradient. The judge should refuse every mutant that computes something
else. This page shows how many it refuses.

Each mutant of the right answers in `tests/corpus`, and of the package's helper, is judged at one of three seeds. One
that passes is compared with the answer that it was made of, on {other} inputs that the judge does not draw: other
sizes, dtypes, strides, masks and gradients. Where it differs nowhere, it is counted as equivalent. Where it differs, it
has survived, and the judge has a gap.

`{command}` writes this page. It shows the judge of {date}.

| exercise | measured | mutants | refused | equivalent | survived |
|---|---|---|---|---|---|
"""


def write(path: Path, other_cases: int) -> None:
    """Write the page from the results that are saved.

    Args:
        path: of the page.
        other_cases: on how many inputs a mutant that passes is compared.
    """
    results = [json.loads(file.read_text()) for name in CALLED if (file := RESULTS / f"{name}.json").exists()]
    date = subprocess.run(["git", "log", "-1", "--format=%cs"], capture_output=True, text=True, check=True).stdout
    head = _HEAD.format(other=other_cases, date=date.strip(), command="make mutants")
    path.write_text(head + "\n".join(_lines(results)) + "\n")


def _lines(results: list[dict[str, Any]]) -> Iterator[str]:
    counted = ("mutants", "killed", "equivalent", "survived")
    for result in results:
        numbers = " | ".join(f"{result[name]:,}" for name in counted)
        part = "all" if result["every"] == 1 else f"1 in {result['every']}"
        yield f"| `{result['exercise']}` | {part} | {numbers} |"
    yield f"| **sum** | | {' | '.join(f'{sum(r[name] for r in results):,}' for name in counted)} |"
    if missing := [f"`{name}`" for name in CALLED if name not in {r["exercise"] for r in results}]:
        yield from ("", f"Not measured here: {', '.join(missing)}.")
    for result in (r for r in results if r["survivors"]):
        yield from ("", f"## What survived of `{result['exercise']}`")
        if known := _KNOWN.get(result["exercise"]):
            yield from ("", known)
        for survivor in result["survivors"]:
            change, where = (" ".join(survivor[key].split()) for key in ("change", "where"))
            yield from ("", f"`{survivor['base']}`: `{change}`. It differs there: {where}.")
