"""Runs cells as Jupyter does, with `__main__`, magics, `await` and `display`; nothing is printed or drawn."""

import os
from typing import Any


class Shell:
    """IPython's shell for one notebook: it runs the cells, which share a namespace."""

    def __init__(self) -> None:
        os.environ.setdefault("IPYTHONDIR", "/tmp/ipython")
        from IPython.core.interactiveshell import InteractiveShell
        from traitlets.config import Config

        config = Config()
        config.HistoryManager.enabled = False  # a database and a thread that nobody needs
        config.InteractiveShell.colors = "NoColor"
        shell: Any = InteractiveShell.instance(config=config)
        shell.showtraceback = lambda *args, **kwargs: None
        shell.showsyntaxerror = lambda *args, **kwargs: None
        shell.enable_gui = lambda gui=None: None  # `%matplotlib inline` asks for one
        self._shell = shell

    @property
    def names(self) -> dict[str, Any]:
        """The namespace that the cells share."""
        names: dict[str, Any] = self._shell.user_ns
        return names

    def run(self, source: str) -> BaseException | None:
        """Run one cell, and return what it raised, if it did."""
        result = self._shell.run_cell(source, store_history=False, silent=True)
        error: BaseException | None = result.error_before_exec or result.error_in_exec
        return error
