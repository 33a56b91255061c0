"""The site in Chromium: axe finds nothing, nothing leaves it, it fits a telephone, and predictions can be made."""

from __future__ import annotations

import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.chromium import missing

# A lesson, a page of text and the search are looked at every day, the other kinds of pages in an exhaustive run.
EVERY_DAY = ("notebooks/05_masking", "misconceptions/no-scale", "search")
SELDOM = (
    "index",
    "misconceptions/by-symptom",
    "evidence/verdicts",
    "api/attention",
    "notebooks/index",
    "notebooks/02_queries_keys_values",
    "misconceptions/index",
    "misconceptions/by-exercise",
    "misconceptions/practice-decode",
    "museum",
    "evidence/index",
    "evidence/benchmarks",
    "docs/mutants",
    "docs/architecture",
    "docs/instructors",
    "CHANGELOG",
)
KINDS = (*EVERY_DAY, *(pytest.param(kind, marks=pytest.mark.exhaustive) for kind in SELDOM))
WEIGHT = 2_000_000
PATIENCE = 60_000
LACKING = missing()
pytestmark = [pytest.mark.slow, pytest.mark.skipif(LACKING is not None, reason=str(LACKING))]


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the folder as a code host's pages would."""

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address(built: Path) -> Iterator[str]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(built)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.fixture
def page(browser: object) -> Iterator[object]:
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.set_default_timeout(PATIENCE)
    yield page
    page.close()


def violations(page, **options) -> list[str]:
    """Return what axe finds, each with its first place and how many there are."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]} ({len(one['nodes'])})" for one in found]


@pytest.mark.parametrize("kind", KINDS)
def test_axe(page, address, kind):
    """Axe finds no violation on a page of each kind; the contrast has a test of its own."""
    page.goto(f"{address}/{kind}.html")
    assert violations(page, rules={"color-contrast": {"enabled": False}}) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", KINDS)
def test_contrast(page, address, kind, scheme):
    """Every text can be read before its background, in light and in dark.

    A lesson has thousands of coloured words of code, an index hundreds of entries, and axe looks for what lies behind
    each. The colour of such a word depends on its class alone, and that of an entry on its list: some are enough.
    """
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{address}/{kind}.html")
    page.evaluate(
        """() => {
            const seen = {};
            for (const word of document.querySelectorAll(".highlight span[class]")) {
                seen[word.className] = (seen[word.className] || 0) + 1;
                if (seen[word.className] > 5) word.remove();
            }
            for (const list of document.querySelectorAll("article ul, article ol, article dl, article tbody"))
                while (list.children.length > 20) list.lastElementChild.remove();
        }"""
    )
    assert violations(page, runOnly={"type": "rule", "values": ["color-contrast"]}) == []


@pytest.mark.parametrize("kind", KINDS)
def test_telephone(page, address, kind):
    """On a screen of 390 pixels nothing has to be pushed sideways but what scrolls by itself."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{address}/{kind}.html")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "search"])
def test_weight_and_requests(page, address, kind):
    """A page with all that it loads is below 2 MB, and asks nobody but the site itself."""
    sizes: dict[str, int] = {}
    page.on("response", lambda response: sizes.update({response.url: int(response.headers.get("content-length", 0))}))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{address}/{kind}.html", wait_until="networkidle")
    assert {urlsplit(url).netloc for url in asked if not url.startswith("data:")} == {urlsplit(address).netloc}
    assert sum(sizes.values()) < WEIGHT, sorted(sizes.items(), key=lambda item: -item[1])[:5]


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    "stem", sorted(file.stem for file in (Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
)
def test_lessons_are_light(page, address, stem):
    """Each lesson is below 2 MB."""
    test_weight_and_requests(page, address, f"notebooks/{stem}")


def test_search(page, address):
    """The search finds "causal mask", in the lesson on masks and among the misconceptions."""
    page.goto(f"{address}/search.html?q=causal+mask")
    page.wait_for_selector("#search-results li a")
    page.wait_for_function("document.querySelectorAll('#search-results li').length > 5")
    found = page.eval_on_selector_all("#search-results li a", "links => links.map(link => link.href)")
    assert any("05_masking" in link for link in found)
    assert any("/misconceptions/" in link for link in found)


def test_prediction_with_the_keyboard(page, address):
    """A prediction is made and its result read without a mouse; the result says what was predicted."""
    page.goto(f"{address}/notebooks/05_masking.html")
    form = page.locator("form.prediction:has(input[type=radio])").first
    form.locator("input").first.focus()
    page.keyboard.press("ArrowDown")
    chosen = form.locator("input:checked").input_value()
    form.locator("summary").focus()
    page.keyboard.press("Enter")
    assert f"You said “{chosen}”." in form.locator("[role=status]").inner_text()
    number = page.locator("form.prediction:has(input[type=text])").first
    number.locator("input").focus()
    page.keyboard.type("2.08")
    page.keyboard.press("Enter")
    assert "You said “2.08”." in number.locator("[role=status]").inner_text()
