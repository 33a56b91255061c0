"""Right and wrong answers to the exercises, written from the syllabus alone.

They check the judge from outside. Each function or class stands by itself: its source can be pasted into a cell.

- `RIGHT`: exercise -> answers that pass; `ODD`: exercise -> (answer, what is odd about it), which pass too.
- `WRONG`: exercise -> misconception id -> separate implementations of that one mistake.
- `WRONG_NATURAL`: the same as beginners write it, with a second mistake where nothing is allowed.
- `EXTRA`: exercise -> (suggested id, idea, answer): mistakes beyond the table.
- `RIGHT_VALUES`, `WRONG_VALUES`: for value exercises, numbers and (number, what the person thought).
- `STUBS`, `MODULE_STUBS`, `VALUE_STUBS`: not attempted.
"""

from __future__ import annotations

import importlib
import pkgutil

from tests.answers.stubs import FUNCTIONS as STUBS
from tests.answers.stubs import MODULES as MODULE_STUBS
from tests.answers.stubs import VALUES as VALUE_STUBS
from tests.answers.values import RIGHT_VALUES, WRONG_VALUES

__all__ = [
    "EXTRA",
    "MODULE_STUBS",
    "ODD",
    "RIGHT",
    "RIGHT_VALUES",
    "STUBS",
    "VALUE_STUBS",
    "WRONG",
    "WRONG_NATURAL",
    "WRONG_VALUES",
]

RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = {}, {}, {}, {}, {}
for _found in pkgutil.iter_modules(__path__):
    _module = importlib.import_module(f"{__name__}.{_found.name}")
    if not hasattr(_module, "EXTRA"):
        continue
    for _table in ("RIGHT", "ODD", "EXTRA"):
        for _exercise, _answers in getattr(_module, _table).items():
            globals()[_table].setdefault(_exercise, []).extend(_answers)
    for _table in ("WRONG", "WRONG_NATURAL"):
        for _exercise, _ideas in getattr(_module, _table).items():
            for _idea, _answers in _ideas.items():
                globals()[_table].setdefault(_exercise, {}).setdefault(_idea, []).extend(_answers)
