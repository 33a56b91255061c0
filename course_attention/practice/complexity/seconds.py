"""A timer for work that a GPU accepts at once and finishes later."""

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any

import torch

from course_attention.practice.authoring import Misconception, Practice, Trial

clock = time.perf_counter


def wait() -> None:
    """Return at once: on a CPU nothing is left to wait for."""


def seconds(compute, clock=clock, wait=wait, n_tries=5):
    """Let the device warm up, and read the clock only when all work is finished."""
    compute()  # warm up
    wait()
    times = []
    for _ in range(n_tries):
        began = clock()
        compute()
        wait()  # only now is the work finished
        times.append(clock() - began)
    return statistics.median(times)


def not_waited_for(compute, clock=clock, wait=wait, n_tries=5):
    compute()
    wait()
    times = []
    for _ in range(n_tries):
        began = clock()
        compute()
        times.append(clock() - began)
    return statistics.median(times)


def warm_up_alone(compute, clock=clock, wait=wait, n_tries=5):
    compute()
    times = []
    for _ in range(n_tries):
        began = clock()
        compute()
        times.append(clock() - began)
    return statistics.median(times)


def waited_before_the_call(compute, clock=clock, wait=wait, n_tries=5):
    compute()
    times = []
    for _ in range(n_tries):
        wait()
        began = clock()
        compute()
        times.append(clock() - began)
    return statistics.median(times)


def waited_after_the_clock(compute, clock=clock, wait=wait, n_tries=5):
    compute()
    wait()
    times = []
    for _ in range(n_tries):
        began = clock()
        compute()
        times.append(clock() - began)
        wait()
    return statistics.median(times)


def without_warm_up(compute, clock=clock, wait=wait, n_tries=5):
    times = []
    for _ in range(n_tries):
        began = clock()
        compute()
        wait()
        times.append(clock() - began)
    return statistics.median(times)


def warm_up_not_waited_for(compute, clock=clock, wait=wait, n_tries=5):
    compute()
    times = []
    for _ in range(n_tries):
        began = clock()
        compute()
        wait()
        times.append(clock() - began)
    return statistics.median(times)


def warm_up_in_each_try(compute, clock=clock, wait=wait, n_tries=5):
    times = []
    for _ in range(n_tries):
        began = clock()
        compute()
        compute()
        wait()
        times.append(clock() - began)
    return statistics.median(times)


def mean(compute, clock=clock, wait=wait, n_tries=5):
    compute()
    wait()
    times = []
    for _ in range(n_tries):
        began = clock()
        compute()
        wait()
        times.append(clock() - began)
    return statistics.mean(times)


def summed(compute, clock=clock, wait=wait, n_tries=5):
    return mean(compute, clock, wait, n_tries) * n_tries


class PretendGPU:
    """Accepts an order at once, and works on it later.

    Args:
        n_slow: how many of the orders after the first take three times as long.
    """

    def __init__(self, n_slow: int) -> None:
        self.n_slow = n_slow
        self.time, self.finished, self.n_orders = 0.0, 0.0, 0

    def order(self) -> None:
        """Order the work: it is accepted after 1 ms, and takes 10 ms; the first order takes 500 ms longer."""
        self.n_orders += 1
        work = 0.510 if self.n_orders == 1 else 0.030 if self.n_orders <= 1 + self.n_slow else 0.010
        self.finished = max(self.time, self.finished) + work
        self.time += 0.001

    def wait(self) -> None:
        """Return when all work that was ordered is finished."""
        self.time = max(self.time, self.finished)

    def clock(self) -> float:
        """Return the time in seconds."""
        return self.time


def _milliseconds(answer: Callable[..., Any], n_tries: int, n_slow: int) -> Any:
    gpu = PretendGPU(n_slow)
    found = answer(gpu.order, gpu.clock, gpu.wait, n_tries)
    return 1000 * found if isinstance(found, (int, float)) else found


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a pretended GPU with one try, with five, and with five of which two are slow."""
    for n_tries, n_slow in ((1, 0), (5, 0), (5, 2)):
        tries = "one try" if n_tries == 1 else f"{n_tries} tries"
        slow = f"; {n_slow} orders after the first take 30 ms" if n_slow else ""
        yield Trial(
            "a pretended GPU accepts an order in 1 ms and works 10 ms on it, on the first one 510 ms; "
            f"{tries}{slow}; in milliseconds",
            {"n_tries": n_tries, "n_slow": n_slow},
            10.0,
            _milliseconds,
            says="A right timer says 10 ms, the time of one call with its work, whatever the first call took.",
            tolerance=1e-3,
        )


PRACTICE = Practice(
    name="seconds",
    prompt="The median time of a call, when the work goes on after the call.",
    minutes=5,
    hints=(
        "The first call may take much longer than the others. Make one call that is not timed.",
        "A call only *orders* the work. The clock may be read when `wait()` has returned.",
        "`wait()` is needed in two places: after the call that warms up, and before the clock is read the second time.",
    ),
    given=seconds,
    trials=trials,
    returns=("milliseconds",),
    misconceptions={
        "timer-not-waited": Misconception(
            "The clock is read before the work is finished",
            "A call returns as soon as the GPU has accepted the order. Between the call and the second look at the "
            "clock, `wait()` has to return.",
            (not_waited_for, warm_up_alone, waited_before_the_call, waited_after_the_clock),
        ),
        "timer-no-warm-up": Misconception(
            "The first call is timed",
            "It takes much longer than the others, because everything is set up in it. Make one call before any time "
            "is taken.",
            (without_warm_up,),
        ),
        "timer-warm-up-not-waited": Misconception(
            "The first try waits for the work of the warm-up",
            "The call that warms up has ordered work, too. Call `wait()` before the clock is read for the first time.",
            (warm_up_not_waited_for,),
        ),
        "timer-two-calls": Misconception(
            "Each try makes two calls",
            "One call before the loop warms up. In the loop there is one call in each try.",
            (warm_up_in_each_try,),
        ),
        "timer-mean": Misconception(
            "The mean of the times is returned",
            "A few slow calls make the mean larger. The median is asked for.",
            (mean,),
        ),
        "timer-sum": Misconception(
            "The times are added up",
            "The time of *one* call is asked for, the median of all tries.",
            (summed,),
        ),
    },
    start='''def seconds(compute, clock=clock, wait=wait, n_tries=5):
    """The median time of a call of compute(), in seconds.

    clock: a function that gives the time in seconds
    wait:  a function that returns when all work that was ordered is finished
    """
    times = []
    for _ in range(n_tries):
        began = clock()
        compute()
        times.append(clock() - began)
    return statistics.median(times)
''',
)
