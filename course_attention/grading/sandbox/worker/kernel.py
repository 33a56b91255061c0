"""Does in a submission's process what the judge asks: run a cell, describe a name, call an answer, adopt a helper."""

import inspect
import traceback
from collections.abc import Mapping
from typing import Any

from course_attention.execution.local import LocalRunner
from course_attention.grading.sandbox.channel import Channel, ChannelClosed
from course_attention.grading.sandbox.messages import call_from_plain, outcome_to_plain
from course_attention.grading.sandbox.worker import withheld
from course_attention.grading.sandbox.worker.shell import Shell

_MISSING = object()


class Kernel:
    """One submission's cells and answers.

    Args:
        shell: runs its cells.
        channel: to the judge.
    """

    def __init__(self, shell: Shell, channel: Channel) -> None:
        self._shell, self._channel = shell, channel
        self._runner: tuple[str, object, LocalRunner] | None = None

    def serve(self) -> None:
        """Answer until the judge hangs up."""
        self._channel.send({"ready": True})
        answers = {
            "run": self._run,
            "describe": self._describe,
            "call": self._call,
            "adopt": self._adopt,
            "accept": self._accept,
        }
        while True:
            try:
                message = self._channel.receive()
                reply = answers[message["do"]](message)
                used = list(dict.fromkeys(withheld.used))
                withheld.used.clear()
                self._channel.send({**reply, "used": used})
            except ChannelClosed:
                return
            except Exception:  # noqa: BLE001 - what was asked has broken something here: the judge is told
                self._channel.send({"broken": traceback.format_exc(limit=-4)[-1000:]})
                return

    def _run(self, message: Mapping[str, Any]) -> dict[str, Any]:
        error = self._shell.run(message["source"])
        if error is None:
            return {"error": None}
        return {"error": [type(error).__name__, _text(error)]}

    def _describe(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Describe what a name stands for: "missing", "nothing", "class", "function", "number" or "other"."""
        value = self._shell.names.get(message["name"], _MISSING)
        if value is _MISSING:
            return {"kind": "missing"}
        if value is None or value is ...:
            return {"kind": "nothing"}
        described: dict[str, Any] = {"kind": "other", "type": type(value).__name__}
        try:
            shape = getattr(value, "shape", ())
        except Exception:  # noqa: BLE001 - a student's own property, or a stand-in that refuses
            shape = ()
        if isinstance(shape, tuple) and shape and all(isinstance(n, int) for n in shape):
            return {**described, "shape": [int(n) for n in shape]}
        if inspect.isclass(value):
            return {**described, "kind": "class"}
        if isinstance(value, (bool, str, bytes)):
            return described
        try:
            return {**described, "kind": "number", "number": float(value)}
        except Exception:  # noqa: BLE001 - conversion may run a student's own __float__
            return {**described, "kind": "function"} if callable(value) else described

    def _call(self, message: Mapping[str, Any]) -> dict[str, Any]:
        name, library = message["name"], message["library"]
        answer: Any = self._shell.names.get(name)
        if self._runner is None or self._runner[0] != name or self._runner[1] is not answer:
            self._runner = (name, answer, LocalRunner(answer, library, message["given"]))
        call = call_from_plain(message["call"])
        return {"outcome": outcome_to_plain(self._runner[2].observe(call))}

    def _adopt(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Put the course's own helper in the place of an answer that did not pass."""
        name = message["name"]
        helpers = withheld.release(message["topic"], message["source"], [name])
        self._shell.names[name] = helpers[name]
        return {}

    def _accept(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Let those of the course's own helpers that are free here use an answer that passed."""
        withheld.give(message["topic"], message["name"], self._shell.names[message["name"]])
        return {}


def _text(error: BaseException) -> str:
    try:
        return str(error)[:400]
    except Exception:  # noqa: BLE001 - an exception's own __str__ may be a student's code
        return ""
