"""A notebook open in JupyterLab, as a person uses it: run all, type into a cell, run it, read its output."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import TOKEN

RAN = re.compile(r"\[\d+\]:")
ERROR = '[data-mime-type="application/vnd.jupyter.error"]'


class NotebookPage:
    """The notebook `path`, in a folder that `lab` serves, in `page`; cells are named by their nbgrader id."""

    def __init__(self, page: Page, lab: str, path: Path) -> None:
        self.page = page
        self.cells = nbformat.read(path, as_version=4).cells
        # With a layout of its own, JupyterLab opens no notebook of an earlier test beside it.
        folder, layout = path.parent.name, f"{path.parent.name}-{path.stem}"
        page.goto(f"{lab}/workspaces/{layout}/tree/{folder}/{path.name}?token={TOKEN}")
        self.notebook = page.locator(".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook")
        expect(self.notebook.locator(".jp-Cell")).to_have_count(len(self.cells), timeout=60_000)
        # Only the status bar tells a kernel that is ready from one that has yet to connect.
        expect(page.locator("#jp-main-statusbar")).to_contain_text("| Idle", timeout=60_000)

    def cell(self, grade_id: str) -> Locator:
        """Return the cell with this nbgrader id."""
        return self.notebook.locator(".jp-Cell").nth([_grade_id(cell) for cell in self.cells].index(grade_id))

    def run_all(self, seconds: int) -> None:
        """Run > Run All Cells, and wait until every cell with code has run. A collapsed one shows no number."""
        self.page.get_by_role("menuitem", name="Run", exact=True).click()
        self.page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        shown = [cell for cell in self.cells if not cell.metadata.get("jupyter", {}).get("source_hidden")]
        count = sum(cell.cell_type == "code" and bool(cell.source.strip()) for cell in shown)
        ran = self.notebook.locator(".jp-InputPrompt", has_text=RAN)
        expect(ran).to_have_count(count, timeout=seconds * 1000)

    def type(self, grade_id: str, source: str) -> None:
        """Replace the source of a cell from the keyboard."""
        self.cell(grade_id).locator(".cm-content").first.click()
        self.page.keyboard.press("ControlOrMeta+a")
        self.page.keyboard.insert_text(source)
        lines = self.cell(grade_id).locator(".cm-line")
        expect(lines).to_have_count(source.count("\n") + 1)  # the editor takes a moment
        typed = lines.all_text_contents()
        assert "\n".join(typed).rstrip() == source.rstrip(), "what stands in the cell is not what was typed"

    def run(self, grade_id: str) -> None:
        """Run one cell, and wait until it has run."""
        prompt = self.cell(grade_id).locator(".jp-InputPrompt")
        before = prompt.inner_text()
        self.start(grade_id)
        expect(prompt).not_to_have_text(before)
        expect(prompt).to_have_text(RAN, timeout=60_000)  # the first cell of a session loads torch

    def start(self, grade_id: str) -> None:
        """Run one cell, and do not wait for it."""
        self.cell(grade_id).locator(".cm-content").first.click()
        self.page.keyboard.press("Control+Enter")

    def interrupt(self) -> None:
        """Kernel > Interrupt Kernel."""
        self.page.get_by_role("menuitem", name="Kernel", exact=True).click()
        self.page.get_by_role("menuitem", name="Interrupt Kernel").click()

    def choose_theme(self, name: str) -> None:
        """Choose Settings > Theme > JupyterLab `name`, "Light" or "Dark"."""
        self.page.get_by_role("menuitem", name="Settings", exact=True).click()
        self.page.locator(".lm-Menu-item", has_text="Theme").first.click()
        with self.page.expect_response(lambda one: "themes" in one.url and one.request.method == "PUT"):
            self.page.locator(".lm-Menu-item").get_by_text(f"JupyterLab {name}", exact=True).click()
        light = str(name == "Light").lower()
        expect(self.page.locator(f'body[data-jp-theme-light="{light}"]')).to_have_count(1)

    def split(self, grade_id: str) -> None:
        """Split the cell that is being edited, which is this one, at the cursor."""
        self.page.keyboard.press("ControlOrMeta+Shift+Minus")
        at = next(i for i, cell in enumerate(self.cells) if _grade_id(cell) == grade_id)
        self.cells.insert(at + 1, nbformat.v4.new_code_cell("the rest"))
        expect(self.notebook.locator(".jp-Cell")).to_have_count(len(self.cells))

    def output(self, grade_id: str) -> Locator:
        """Return what a cell displays."""
        return self.cell(grade_id).locator(".jp-OutputArea")

    def errors(self) -> list[str]:
        """Return the text of each error that any cell shows."""
        return self.notebook.locator(ERROR).all_inner_texts()


def cut_below(path: Path, text: str) -> None:
    """Leave out of a notebook what comes below the cell with this text: nbval runs it, and here it only takes time.

    Raises:
        StopIteration: no cell holds it.
    """
    notebook = nbformat.read(path, as_version=4)
    last = next(i for i, cell in enumerate(notebook.cells) if cell.cell_type == "code" and text in cell.source)
    del notebook.cells[last + 1 :]
    nbformat.write(notebook, path)


def _grade_id(cell: nbformat.NotebookNode) -> str | None:
    return cell.metadata.get("nbgrader", {}).get("grade_id")
