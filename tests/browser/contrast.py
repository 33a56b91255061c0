"""The contrast of texts in a page, as a reader sees it."""

from __future__ import annotations

from playwright.sync_api import Page

READABLE = 4.5  # WCAG 2.2, contrast (minimum)

# Each element's text is looked at against the nearest ground behind it that is not transparent.
_CONTRASTS = """selector => {
  const channels = text => text.match(/[\\d.]+/g).map(Number);
  const brightness = colour => colour.slice(0, 3).map(c => c / 255)
    .map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const ground = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = channels(getComputedStyle(e).backgroundColor);
      if (colour.length < 4 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const found = [];
  for (const element of document.querySelectorAll(`${selector}, ${selector} *:not(style)`)) {
    const own = [...element.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!own) continue;
    const one = brightness(channels(getComputedStyle(element).color)), other = brightness(ground(element));
    found.push([element.textContent.trim().slice(0, 40),
                (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)]);
  }
  return found;
}"""


def contrasts_in(page: Page, selector: str) -> list[tuple[str, float]]:
    """Return the texts of an element, each with its contrast."""
    return [(text, ratio) for text, ratio in page.evaluate(_CONTRASTS, selector)]
