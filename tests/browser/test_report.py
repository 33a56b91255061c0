"""The class's report and a feedback page, read in a browser: nothing runs, nothing is fetched, all can be read."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from course_attention.exercises import CATALOGUE
from course_attention.grading.run.results.verdict_record import forbidden, judged, lost
from course_attention.grading.views import write_all
from tests.grading.views.made import NOTEBOOK, exercise, record, write

READABLE = 4.5  # WCAG 2.2, contrast (minimum)
ODD = "Zoë #1 100% <b>'=Łuk\""
PAGES = {"report": "report.html", "feedback": f"feedback/{ODD}/{NOTEBOOK}.html"}

# What WCAG asks of a static page, as a list of what is amiss. A text in a picture stands on the shape before it.
AMISS = """() => {
  const found = [], say = (what, element) => found.push(what + ': ' + element.outerHTML.slice(0, 120));
  const all = selector => [...document.querySelectorAll(selector)];
  if (document.documentElement.lang !== 'en' || !document.title.trim()) found.push('no language or title');
  const levels = all('h1,h2,h3,h4,h5,h6').map(e => Number(e.tagName[1]));
  if (levels.filter(level => level === 1).length !== 1 || levels[0] !== 1) found.push('not one h1, at the top');
  levels.forEach((level, i) => { if (i && level > levels[i - 1] + 1) found.push('heading jumps to h' + level); });
  for (const e of all('svg')) {
    const named = e.getAttribute('role') === 'img' && (e.getAttribute('aria-label') || '').trim();
    if (!named && e.getAttribute('aria-hidden') !== 'true') say('picture without a name', e);
  }
  for (const e of all('th')) if (!e.scope || !e.textContent.trim()) say('header without scope or text', e);
  for (const e of all('tbody tr')) if (!e.querySelector('th') && e.closest('.list')) say('row without a header', e);
  for (const e of all('a')) if (!e.textContent.trim()) say('link without a name', e);
  for (const e of all('a[href^="#"]')) if (!document.querySelector(e.getAttribute('href'))) say('leads nowhere', e);
  for (const e of all('script,img,link,iframe,object,embed,form,base')) say('not static', e);
  for (const e of all('*')) for (const a of e.attributes) if (a.name.startsWith('on')) say('handler', e);
  const ids = all('[id]').map(e => e.id);
  if (new Set(ids).size !== ids.length) found.push('an id twice');
  return found;
}"""
CONTRASTS = """() => {
  const channels = text => (text.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const brightness = colour => colour.slice(0, 3).map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const opaque = colour => colour.length < 4 || colour[3] > 0;
  const ground = element => {
    const shape = element.matches('g > text') && element.parentElement.querySelector('rect');
    if (shape) return channels(getComputedStyle(shape).fill);
    for (let e = element; e; e = e.parentElement) {
      const colour = channels(getComputedStyle(e).backgroundColor);
      if (opaque(colour)) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const e of document.querySelectorAll('body *:not(style)')) {
    const own = [...e.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!own || !e.getClientRects().length) continue;
    const ink = channels(getComputedStyle(e)[e.matches('text') ? 'fill' : 'color']);
    const one = brightness(ink), other = brightness(ground(e));
    found.push([e.textContent.trim().slice(0, 40), (Math.max(one, other) + .05) / (Math.min(one, other) + .05)]);
  }
  return found;
}"""


def _no_scale(query, key, value, allowed=None):
    scores = query @ key.mT
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0.0)
    return weights @ value, weights


def _nan(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -torch.inf)
    return scores.softmax(-1) @ value, scores.softmax(-1)


def _mean(query, key, value):
    return (query @ key.mT).softmax(-1) @ value, (query @ key.mT).softmax(-1)


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a small class with all that can come of an answer."""
    attention, mean, cross = (CATALOGUE[name] for name in ("attention", "mean_attention", "cross_attention"))
    wrong = [judged(attention, attention.judge(answer, seed=3)) for answer in (_no_scale, _nan)]
    with_softmax = judged(mean, mean.judge(_mean, seed=3))
    untried = judged(cross, cross.judge(None))
    folder = tmp_path_factory.mktemp("results")
    write(
        folder,
        record(
            ODD,
            [wrong[0], with_softmax, untried, lost(CATALOGUE["gaussian_scores"], "timeout")],
            notes=["odd"],
            max_score=16.0,
        ),
        record(
            "Иван",
            [wrong[1], exercise("mean_attention"), forbidden(cross, "F.scaled_dot_product_attention")],
            max_score=16.0,
        ),
        record(
            "Ada",
            [exercise(name) for name in ("attention", "mean_attention", "cross_attention")],
            max_score=16.0,
        ),
        record("Ada", [exercise("softmax")], notebook="00_start_here", max_score=4.0),
        record("Grace", max_score=16.0, notes=["the file is cut off half-way"]),
    )
    write_all(folder)
    return folder


@pytest.fixture
def opened(results: Path, page: object, artifacts: Path, request: pytest.FixtureRequest) -> object:
    """Return a page of the views; `asked` and `complaints` are what it fetched, and what the browser said of it."""
    page.asked, page.complaints = [], []
    page.on("request", lambda one: page.asked.append(one.url))
    page.on("console", lambda one: page.complaints.append(one.text))
    page.goto((results / PAGES[request.param]).as_uri())
    page.screenshot(path=artifacts / f"{request.param}.png", full_page=True)
    return page


@pytest.mark.parametrize("opened", PAGES, indirect=True)
def test_accessible(opened: object) -> None:
    """Language, headings, names and scopes are in order, on the screen and on paper, and every text can be read."""
    assert opened.evaluate(AMISS) == []
    for media in ("screen", "print"):
        opened.emulate_media(media=media)
        contrasts = opened.evaluate(CONTRASTS)
        assert len(contrasts) > 40
        assert [entry for entry in contrasts if entry[1] < READABLE] == []


@pytest.mark.parametrize("opened", PAGES, indirect=True)
def test_static(opened: object) -> None:
    """Only the page itself is fetched; its policy lets its own styles hold and has no complaint."""
    assert len(opened.asked) == 1 and opened.complaints == []
    assert opened.locator("main").evaluate("e => getComputedStyle(e).maxWidth") == "1024px"
    assert opened.evaluate(
        "document.body.setAttribute('style', 'color: red'), getComputedStyle(document.body).color"
    ) != ("rgb(255, 0, 0)")


@pytest.mark.parametrize("opened", PAGES, indirect=True)
def test_narrow_screen(opened: object) -> None:
    """On a telephone, tables scroll within the page; the page itself does not."""
    opened.set_viewport_size({"width": 375, "height": 700})
    assert opened.evaluate("document.documentElement.scrollWidth") <= 375


@pytest.mark.parametrize("opened", ["report"], indirect=True)
def test_links(opened: object) -> None:
    """Every page that the report links to is there, whatever the student's name."""
    links = opened.locator("#students a, #notes a")
    assert links.count() == 9
    for i in range(links.count()):
        opened.evaluate("document.querySelectorAll('details').forEach(folded => { folded.open = true })")
        opened.locator("#students a, #notes a").nth(i).click()
        assert opened.locator("h1").inner_text() in (NOTEBOOK, "00_start_here")
        opened.go_back()


@pytest.mark.parametrize(("opened", "most"), [("report", 4), ("feedback", 3)], indirect=["opened"])
def test_paper(opened: object, most: int, artifacts: Path) -> None:
    """A few sheets of A4, not cut off at the side."""
    name = opened.url.rsplit("/", 1)[-1].removesuffix(".html")
    pdf = opened.pdf(path=artifacts / f"{name}.pdf", prefer_css_page_size=True)
    assert 1 <= pdf.count(b"/Type /Page\n") <= most
    opened.emulate_media(media="print")
    opened.set_viewport_size({"width": 695, "height": 1000})  # the width of the text on A4
    assert opened.evaluate("document.documentElement.scrollWidth") <= 695
