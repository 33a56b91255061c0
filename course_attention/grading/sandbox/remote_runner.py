"""Calls an answer that lives in the sandbox. To the judge it is a `Runner` like that of an answer in this process."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from course_attention.execution import inputs
from course_attention.execution.protocol import Call, Outcome
from course_attention.grading.sandbox.messages import call_to_plain, outcome_from_plain
from course_attention.grading.sandbox.running_time import now
from course_attention.grading.sandbox.session import Lost, Session

_MEMORY_ERRORS = ("MemoryError", "OutOfMemoryError")
_MEMORY_TEXTS = ("can't allocate memory", "not enough memory", "out of memory", "cannot allocate memory")


class Used(Exception):
    """The answer used something that it may not; its name is the message."""


class Clock:
    """The time that is left for an exercise, its cell included."""

    def __init__(self, seconds: float) -> None:
        self._end = now() + seconds

    @property
    def left(self) -> float:
        return self._end - now()


class RemoteRunner:
    """Calls an answer in a session.

    Args:
        session: where it lives.
        name: the exercise that it answers.
        library: "torch" or "numpy", for what its arrays are.
        clock: how long it may take in all.
        given: the code that its cell held before, see `LocalRunner`.
    """

    def __init__(
        self,
        session: Session,
        name: str,
        library: str,
        clock: Clock,
        given: str = "",
    ) -> None:
        self._session, self._name, self._library, self._given = session, name, library, given
        self._clock = clock

    def observe(self, call: Call) -> Outcome:
        """Call the answer once.

        Raises:
            Lost: its process is gone, or its time is up, or it ran out of memory.
            Used: it used what it may not.
        """
        message = {
            "do": "call",
            "name": self._name,
            "library": self._library,
            "given": self._given,
            "call": call_to_plain(call),
        }
        reply = self._session.ask(message, self._clock.left)
        try:
            outcome = outcome_from_plain(reply.get("outcome"))
        except ValueError as wrong:
            self._session.close()
            raise Lost("crashed", f"what it sent is not a result: {wrong}") from None
        _refuse_used(self._session, reply)
        if outcome.error is not None and out_of_memory(outcome.error.type, outcome.error.message):
            raise Lost("out_of_memory")
        if outcome.error is not None or outcome.is_stub or not inputs.looked_at(call):
            return outcome
        # The process of an answer is not asked whether it changed its inputs, but for the inputs that it has now.
        return replace(outcome, changed=inputs.changed(call, outcome.arguments or {}))


def run_cell(session: Session, source: str, seconds: float) -> tuple[str, str] | None:
    """Run a cell in a session, and return the type and the text of what it raised, or None.

    Raises:
        Lost: its process is gone.
    """
    error = session.ask({"do": "run", "source": source}, seconds).get("error")
    if error is None:
        return None
    if not isinstance(error, list) or len(error) != 2 or not all(isinstance(text, str) for text in error):
        session.close()
        raise Lost("crashed", "what it sent is not an error")
    return error[0][:100], error[1][:400]


def out_of_memory(kind: str, message: str) -> bool:
    """Say whether an error means that memory ran out."""
    return kind in _MEMORY_ERRORS or any(text in message.lower() for text in _MEMORY_TEXTS)


def describe(session: Session, name: str, clock: Clock) -> Mapping[str, Any]:
    """Ask what a name stands for in a session.

    Args:
        session: where it lives.
        name: the exercise that it answers.
        clock: how long it may take in all.

    Raises:
        Lost: its process is gone.
        Used: it stands for a helper of the course that is withheld.
    """
    reply = session.ask({"do": "describe", "name": name}, clock.left)
    _refuse_used(session, reply)
    kind = reply.get("kind")
    if not isinstance(kind, str) or kind not in (
        "missing",
        "nothing",
        "class",
        "function",
        "number",
        "other",
    ):
        session.close()
        raise Lost("crashed", "what it sent is not a description")
    return reply


def _refuse_used(session: Session, reply: Mapping[str, Any]) -> None:
    used = reply.get("used")
    if not isinstance(used, list) or not all(isinstance(name, str) for name in used):
        session.close()
        raise Lost("crashed", "what it sent is not a list of the names that were used")
    if used:
        raise Used(used[0][:200])


def wrong_object(described: Mapping[str, Any]) -> Any:
    """Make an object of the described type, which cannot be an answer; the judge says what it is."""
    name, shape = described.get("type"), described.get("shape")
    attributes: dict[str, Any] = {}
    if isinstance(shape, list) and all(isinstance(n, int) for n in shape):
        attributes["shape"] = tuple(shape[:8])
    # What cannot be printed, half a surrogate pair or a NUL say, cannot name a type either.
    printable = "".join(filter(str.isprintable, name[:60])) if isinstance(name, str) else ""
    return type(printable or "object", (), attributes)()
