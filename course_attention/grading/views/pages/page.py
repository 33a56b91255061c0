"""Static HTML pages from templates: the style sheet is inside the page, and a security policy forbids everything else.

Jinja2 escapes every value that a template names, so no text of a student becomes an element or an attribute.
"""

import base64
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from course_attention.grading.views.pages.new_misconception import new_misconception
from course_attention.grading.views.pages.recorded_example import recorded_example
from course_attention.grading.views.pages.score_reasons import reasons
from course_attention.grading.views.pages.student_code import anonymous, clipped, highlighted
from course_attention.grading.views.wording import SUBMISSIONS, not_graded, percent
from course_attention.presentation.card_style import status_rules
from course_attention.presentation.display import rich
from course_attention.presentation.example import EXAMPLE_STYLE, example_html, example_lines
from course_attention.presentation.wording import (
    MISCONCEPTION,
    STATUSES,
    points,
    points_of,
    properties_by_result,
)

TEMPLATES = Path(__file__).parent / "templates"


def render(template: str, **values: Any) -> str:
    """Render a page.

    Args:
        template: the name of a file in `templates/`.
        values: what the template names; each is escaped.

    Returns:
        The text of the HTML page.
    """
    return _environment().get_template(template).render(values)


def policy(style: str) -> str:
    """Return the content security policy of a page: it may use this style sheet; it fetches, sends and runs nothing."""
    digest = base64.b64encode(sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    # The page's own rules come last: on paper they change those of the example.
    own = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    style = "\n".join([EXAMPLE_STYLE, status_rules(".badge.{}", ".exercise.{}"), own])
    environment.filters.update(
        points=points,
        points_of=points_of,
        percent=percent,
        not_graded=not_graded,
        properties_by_result=properties_by_result,
        reasons=reasons,
        recorded_example=recorded_example,
        example_text=lambda example: "\n".join(example_lines(example)),
        new_misconception=new_misconception,
        anonymous=anonymous,
        clipped=clipped,
        # These escape every text that they are given.
        highlighted=highlighted,
        rich=lambda text: Markup(rich(text)),
        example_html=lambda example: Markup(example_html(example)),
    )
    environment.globals.update(
        style=Markup(style),
        policy=policy(style),
        statuses=STATUSES,
        submissions=SUBMISSIONS,
        misconception_label=MISCONCEPTION,
    )
    return environment
