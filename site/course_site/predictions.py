"""Predictions on a page: a question with its choices or a field for a number, and the result under a fold.

It is plain HTML, so that it works without a script. `static/predictions.js` adds what the reader said.
"""

import ast
import html
import re
from dataclasses import dataclass
from typing import Any

from course_attention.presentation.display import rich

_GAVE = re.compile(r"The experiment gave (.*?)\.\s*$", re.DOTALL)
_LATER = "The result stands further down, where the experiment is."


@dataclass(frozen=True)
class Asked:
    """A prediction that a cell asks for.

    Attributes:
        variable: the notebook's name of it.
        question: what is to be predicted.
        choices: what there is to choose from; none where a number is asked for.
    """

    variable: str
    question: str
    choices: tuple[str, ...]


def asked_in(source: str) -> list[Asked]:
    """Return the predictions that a cell's code asks for.

    Example:
        >>> asked_in('guess = predict("Which is faster?", ["this", "that"])')
        [Asked(variable='guess', question='Which is faster?', choices=('this', 'that'))]
    """
    found = []
    for node in _parsed(source):
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and _called(node.value) == "predict":
            values = [_value(one) for one in (*node.value.args, *(word.value for word in node.value.keywords))]
            choices = tuple(map(str, values[1])) if len(values) > 1 and isinstance(values[1], (list, tuple)) else ()
            if isinstance(values[0], str) and isinstance(node.targets[0], ast.Name):
                found.append(Asked(node.targets[0].id, values[0], choices))
    return found


def compared_in(source: str) -> list[str]:
    """Return the variables whose predictions a cell's code puts beside the result."""
    return [
        node.func.value.id
        for node in _parsed(source)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "compare"
        and isinstance(node.func.value, ast.Name)
    ]


def result_in(outputs: list[Any]) -> list[str]:
    """Return what experiments gave, as the saved outputs of a cell say it, one after another."""
    texts = ["".join(one["data"].get("text/plain", "")) for one in outputs if "data" in one]
    found = [match for text in texts if (match := _GAVE.search(" ".join(text.split())))]
    return [match[1] for match in found]


def form(asked: Asked, number: int, result: str | None) -> str:
    """Return the question as HTML.

    Args:
        asked: what is asked.
        number: of the prediction on its page.
        result: what the experiment gave, as a sentence says it; None where the page does not know.
    """
    name = f"prediction-{number}"
    if asked.choices:
        fields = "".join(
            f'<label><input type="radio" name="{name}" value="{html.escape(choice)}"> {html.escape(choice)}</label>'
            for choice in asked.choices
        )
    else:
        fields = f'<label>A number: <input type="text" inputmode="decimal" name="{name}" autocomplete="off"></label>'
    came = f"The experiment gave {html.escape(result)}." if result else _LATER
    return (
        f'<form class="prediction" id="{name}"><fieldset>'
        f"<legend>What do you expect? {rich(asked.question)}</legend>{fields}</fieldset>"
        f'<details><summary>Show the result</summary><p role="status"><span class="said"></span>{came}</p></details>'
        "</form>"
    )


def _parsed(source: str) -> list[ast.AST]:
    try:
        return list(ast.walk(ast.parse(source)))
    except SyntaxError:  # a cell with a magic command
        return []


def _called(call: ast.Call) -> str:
    return call.func.id if isinstance(call.func, ast.Name) else ""


def _value(node: ast.expr) -> Any:
    """Return the value of a constant expression; of a list whose items are computed, their code."""
    try:
        return ast.literal_eval(node)
    except ValueError:
        return ast.unparse(node)
