"""Changes the reference solution, and says whether the judge notices: a mutant that passes and is wrong survives."""

import numpy as np

from course_attention.exercises import Entry
from course_attention.mutants.fates import Fate, fate
from course_attention.mutants.making import Mutant, bare, mutants
from course_attention.mutants.right_answer import RightAnswer, helper
from course_attention.own_course.finding import Finding

_SHOWN = 5


def mutants_finding(entry: Entry) -> Finding:
    """Judge every mutant of an exercise's reference solution.

    One that passes is compared with the oracle on inputs that the judge does not draw. Where it differs nowhere, it may
    be as right as the solution.
    """
    name = entry.exercise.name
    solution = helper(name)
    made = mutants(solution.source, entry.exercise.library == "torch")
    fates = [(mutant, fate(solution, mutant)) for mutant in made]
    survived = [(mutant, one) for mutant, one in fates if one.kind == "survived"]
    if survived:
        lines = [f"{len(survived)} of {len(made)} pass and are wrong: add cases that tell them apart"]
        lines += [f"{_line(solution, mutant)} differs for {_inputs(one)}" for mutant, one in survived[:_SHOWN]]
        return Finding(name, "mutants", "bad", "\n".join(lines))
    same = [mutant for mutant, one in fates if one.kind == "equivalent"]
    lines = [f"the judge refuses {len(made) - len(same)} of {len(made)}"]
    if same:
        lines[0] += f"; {len(same)} pass and gave the same numbers: are they right as well?"
        lines += [_line(solution, mutant) for mutant in same[:_SHOWN]]
    return Finding(name, "mutants", "good", "\n".join(lines))


def _line(solution: RightAnswer, mutant: Mutant) -> str:
    """Return the first line that a mutant changes, as it is there."""
    pairs = zip(bare(solution.source).splitlines(), mutant.source.splitlines(), strict=False)
    return next((f"`{there.strip()}`" for here, there in pairs if here != there), f"`{mutant.change}`")


def _inputs(survivor: Fate) -> str:
    assert survivor.case is not None, "what survived differs in a case"
    shown = survivor.case.shown.items()
    return ", ".join(f"{name} = {np.array2string(np.asarray(value), precision=3)}" for name, value in shown)
