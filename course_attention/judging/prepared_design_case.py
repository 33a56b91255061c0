"""A case of a design exercise: the weights that came are put into attention, and its weights are compared."""

import numpy as np

from course_attention.execution.protocol import Outcome
from course_attention.judging.case import Case, plain
from course_attention.judging.comparison import Difference, alike, first_difference, unusable
from course_attention.judging.design import DesignExercise, Undivided, preferred, scores, softmax
from course_attention.judging.exercise import FunctionExercise, Variant
from course_attention.judging.prepared_case import PreparedCase, WrongResults

# What float32 leaves of a weight that is just as large as it has to be.
_ROUNDING = 1e-6


class PreparedDesignCase(PreparedCase):
    """A case of a design exercise and the attention weights that are right for it."""

    def __init__(self, exercise: FunctionExercise, case: Case, seed: int) -> None:
        assert isinstance(exercise, DesignExercise)
        super().__init__(exercise, case, seed)
        self._x, self._allowed = exercise.attends(**self._plain)
        (self._asked,) = self.expected
        self._tolerance = exercise.tolerance * np.where(self._asked > 0, self._asked, 1.0) + _ROUNDING

    def differences(self, outcome: Outcome, dtype: str = "") -> list[Difference]:
        """Return what is wrong with the weights that came, or how attention with them differs from what is asked."""
        fault = self._fault(outcome)
        if fault is not None:
            return [fault]
        with np.errstate(all="ignore"):
            came = softmax(self._scores(outcome), self._allowed)
        if alike(came, self._asked, self._tolerance):
            return []
        where = first_difference(came, self._asked, self._tolerance)
        kind = "nan" if np.isnan(came).any() else "values"
        return [Difference(kind, "attention weights", self._asked, came, where)]

    def wrong_results(self, compute: Variant) -> WrongResults | None:
        """Return the weights that a wrong computation makes; None where it cannot be computed."""
        if compute not in self._wrong:
            try:
                made = self.exercise.results(compute, {n: plain(v) for n, v in self.case.arguments.items()})
            except Exception:  # noqa: BLE001 - a wrong computation may fail in any way: that is its result
                self._wrong[compute] = None
            else:
                self._wrong[compute] = WrongResults(made, ())
        return self._wrong[compute]

    def agrees(self, compute: Variant, outcome: Outcome) -> bool:
        """Whether every token prefers the same keys with the answer's weights as with those of a wrong computation."""
        made = self.wrong_results(compute)
        if made is None or self._fault(outcome):
            return False
        with np.errstate(all="ignore"):
            if isinstance(compute, Undivided):
                came = softmax(self._scores(outcome, divided=False), self._allowed)
                return alike(came, self._asked, self._tolerance)
            w_query, w_key = made.results
            wrong = scores(self._x, w_query, w_key)
            return np.array_equal(preferred(wrong), preferred(self._scores(outcome)))

    def exchanged(self, outcome: Outcome) -> bool:
        """Weights in the other order have a misconception of their own."""
        return False

    def _scores(self, outcome: Outcome, divided: bool = True) -> np.ndarray:
        w_query, w_key = (np.asarray(w.values, dtype=np.float64) for w in outcome.results)
        return scores(self._x, w_query, w_key, divided)

    def _fault(self, outcome: Outcome) -> Difference | None:
        """Return what keeps an outcome from being two matrices of weights for these tokens."""
        names, d_model = self.exercise.returns.names, self._x.shape[-1]
        if fault := unusable(outcome, names):
            return fault
        for name, w in zip(names, outcome.results, strict=True):
            if w.values is None or w.kind not in ("tensor", "array"):
                note = f"{name} should be a tensor of numbers; got {w.dtype or w.kind}"
                return Difference("type", name, note=note)
            if len(w.shape) != 2 or w.shape[0] != d_model or not w.shape[1]:
                note = f"{name} should have shape ({d_model}, d_key); got {w.shape}"
                return Difference("shape", name, received=w.values, note=note)
        first, second = (w.shape[1] for w in outcome.results)
        if first != second:
            note = f"{' and '.join(names)} should have the same d_key; got {first} and {second}"
            return Difference("shape", names[1], note=note)
        return None
