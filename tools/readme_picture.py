"""Draws the README's picture: the card that the judge shows for the answer in the README's first block of Python.

    python tools/readme_picture.py       writes docs/images/verdict-light.png and verdict-dark.png

The answer stands in the README and nowhere else, so the picture shows what the judge says of that very text.
It needs Chromium: on Debian, `sudo apt install chromium`.
"""

from __future__ import annotations

import re
from pathlib import Path

import torch

from course_attention.exercises import CATALOGUE
from course_attention.judging.verdict import Verdict
from course_attention.presentation.card import verdict_card

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"
IMAGES = ROOT / "docs" / "images"
CHROMIUM = "/usr/bin/chromium"
# The doctype matters: without it tables do not take over the colour of the text around them.
PAGE = '<!doctype html><body style="margin:0"><div style="width:44em">{card}</div></body>'


def answer_in(readme: str) -> str:
    """Return the first block of Python in a text that is written in Markdown."""
    return re.search(r"^```python\n(.*?)^```$", readme, re.DOTALL | re.MULTILINE)[1]


def verdict_on(source: str) -> Verdict:
    """Return what the judge says of the function that a source defines; it has the name of its exercise."""
    names: dict[str, object] = {"torch": torch}
    exec(source, names)
    name = re.search(r"^def (\w+)", source, re.MULTILINE)[1]
    return CATALOGUE[name].judge(names[name])


def main() -> None:
    from playwright.sync_api import sync_playwright

    card = verdict_card(verdict_on(answer_in(README.read_text(encoding="utf-8")))).html
    IMAGES.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        # --no-sandbox: a container's root has no sandbox of its own, and the page is ours.
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for scheme in ("light", "dark"):
            page = browser.new_page(color_scheme=scheme, device_scale_factor=2)
            page.set_content(PAGE.format(card=card))
            target = IMAGES / f"verdict-{scheme}.png"
            page.locator(".ca-card").screenshot(path=target)
            print(f"wrote {target.relative_to(ROOT)}")
        browser.close()


if __name__ == "__main__":
    main()
