"""Answers to the practice `seconds(compute, clock, wait, n_tries)` of notebook 07."""

import statistics

from course_attention.practice.complexity.seconds import clock, wait
from tests.corpus import change

def right__list(compute, clock=clock, wait=wait, n_tries=5):
    compute()
    wait()
    times = []
    for _ in range(n_tries):
        start = clock()
        compute()
        wait()
        end = clock()
        times += [end - start]
    return statistics.median(times)

# It waits before each try as well, which costs nothing that is timed.
def right__waits_before(compute, clock=clock, wait=wait, n_tries=5):
    def once():
        wait()
        began = clock()
        compute()
        wait()
        return clock() - began

    once()
    return sorted(once() for _ in range(n_tries))[n_tries // 2]

wrong__timer_not_waited__1 = change(
    right__waits_before, ("    compute()", "    compute()"), ("    wait()\n        return", "    return")
)
wrong__timer_not_waited__2 = change(right__list, ("    wait()\n        end = clock()", "    end = clock()"))
wrong__timer_no_warm_up__1 = change(right__waits_before, ("    once()\n", "\n"))
wrong__timer_warm_up_not_waited__1 = change(right__list, ("compute()\n    wait()\n    times", "compute()\n    times"))
wrong__timer_two_calls__1 = change(
    right__list, ("compute()\n    wait()\n    times", "times"), ("start = clock()", "start = clock()", "compute()")
)
wrong__timer_mean__1 = change(right__list, ("statistics.median", "statistics.mean"))
wrong__timer_sum__1 = change(right__list, ("statistics.median", "sum"))

# The smallest time is that of the work, but a result in milliseconds is not asked for.
extra__milliseconds = change(right__list, ("statistics.median(times)", "1000 * statistics.median(times)"))
# The list of times.
extra__times = change(right__list, ("statistics.median(times)", "times"))
