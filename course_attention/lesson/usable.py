"""A step of a lesson that the student writes and nobody judges: theirs is used where it works."""

import sys
from collections.abc import Callable
from typing import Any

from course_attention.lesson.watch import Watch


def usable(yours: Callable[..., Any], ours: Callable[..., Any], works: Callable[[Any], object]) -> Any:
    """Hand back your function where it works, else the notebook's own, and print which of the two it is.

    A loop may never end. As in `check`, a card says after 20 seconds where your function is, and if you interrupt it,
    the notebook goes on with its own.

    Args:
        yours: the student's function.
        ours: what the notebook goes on with otherwise.
        works: tries a function, and says whether it does what it should, or in words why not.

    Example:
        >>> def double(x):
        ...     return x + x
        >>> usable(double, lambda x: 2 * x, works=lambda function: function(3) == 6) is double
        Your double does what it should.
        True
    """
    name = yours.__name__
    if name == ours.__name__:  # this cell has run before, and yours was not used
        print("The notebook already goes on with its own. Run the cell with yours once more, and then this one.")
        return ours
    watch = Watch(name, sys._getframe(1))
    try:
        with watch:
            tried = works(yours)
        if tried and not isinstance(tried, str):
            print(f"Your {name} does what it should.")
            return yours
        found = tried or "gives another result than it should"
    except KeyboardInterrupt as interrupt:
        watch.show(watch.stopped(interrupt, printed=()))
        return ours
    except Exception as error:  # noqa: BLE001 - whatever a student's function raises
        # torch raises this error too, with words, for example where a ModuleList is called
        unwritten = isinstance(error, NotImplementedError) and not error.args
        found = "is still to be written" if unwritten else f"raised {type(error).__name__}: {error}"
    print(f"Your {name} {found}. The notebook goes on with its own.")
    return ours
