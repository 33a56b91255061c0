"""A notebook open in JupyterLab, as a person uses it: run all, type into a cell, run it, read its output."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from playwright.sync_api import Locator, Page, expect

RAN = re.compile(r"\[\d+\]:")
ERROR = '[data-mime-type="application/vnd.jupyter.error"]'


class NotebookPage:
    """The notebook `path` of the workspace in `page`; cells are named by their nbgrader id."""

    def __init__(self, page: Page, lab: str, path: Path) -> None:
        self.page = page
        self.cells = nbformat.read(path, as_version=4).cells
        page.goto(f"{lab}/tree/{path.name}?token=browser-test")
        self.notebook = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook")
        expect(self.notebook.locator(".jp-Cell")).to_have_count(len(self.cells), timeout=60_000)
        # Only the status bar tells a kernel that is ready from one that has yet to connect.
        expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle", timeout=60_000)

    def cell(self, grade_id: str) -> Locator:
        """The cell with this nbgrader id."""
        ids = [cell.metadata.get("nbgrader", {}).get("grade_id") for cell in self.cells]
        return self.notebook.locator(".jp-Cell").nth(ids.index(grade_id))

    def run_all(self, seconds: int) -> None:
        """Run > Run All Cells, and wait until every cell with code has run. A collapsed one shows no number."""
        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        shown = [cell for cell in self.cells if not cell.metadata.get("jupyter", {}).get("source_hidden")]
        count = sum(cell.cell_type == "code" and bool(cell.source.strip()) for cell in shown)
        ran = self.notebook.locator(".jp-InputPrompt", has_text=RAN)
        expect(ran).to_have_count(count, timeout=seconds * 1000)

    def type(self, grade_id: str, source: str) -> None:
        """Replaces the source of a cell from the keyboard."""
        self.cell(grade_id).locator(".cm-content").first.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(source)
        typed = self.cell(grade_id).locator(".cm-line").all_text_contents()
        assert "\n".join(typed).rstrip() == source.rstrip(), "what stands in the cell is not what was typed"

    def run(self, grade_id: str) -> None:
        """Runs one cell, and waits until it has run."""
        prompt = self.cell(grade_id).locator(".jp-InputPrompt")
        before = prompt.inner_text()
        self.cell(grade_id).locator(".cm-content").first.click()
        self.page.keyboard.press("Control+Enter")
        expect(prompt).not_to_have_text(before)
        expect(prompt).to_have_text(RAN)

    def output(self, grade_id: str) -> Locator:
        """What a cell displays."""
        return self.cell(grade_id).locator(".jp-OutputArea")

    def errors(self) -> list[str]:
        """The text of each error that any cell shows."""
        return self.notebook.locator(ERROR).all_inner_texts()
