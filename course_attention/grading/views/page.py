"""Pages as static HTML: one template each, styles within, no script, and a policy that lets nothing in or out.

Jinja2 (which torch needs as well, so that it is always there) escapes whatever a template names: no text of a student
becomes an element or an attribute.
"""

from __future__ import annotations

import base64
import re
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from course_attention.grading.views import wording

TEMPLATES = Path(__file__).parent / "templates"


def render(template: str, **values: Any) -> str:
    """A page from a template and the values that it names."""
    return _environment().get_template(template).render(values)


def rich(text: str) -> Markup:
    """Plain text as HTML: escaped, with `backticks` as code.

    Example:
        >>> rich("where `n < 2` holds")
        Markup('where <code>n &lt; 2</code> holds')
    """
    return Markup(re.sub(r"`([^`\n]+)`", r"<code>\1</code>", str(escape(text))))


def policy(style: str) -> str:
    """The content security policy of a page: nothing is fetched, sent or run; this one style sheet holds."""
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
    style = (TEMPLATES / "style.css").read_text(encoding="utf-8")
    environment.filters.update(rich=rich, points=wording.points, percent=wording.percent)
    environment.globals.update(
        style=Markup(style), policy=policy(style), statuses=wording.STATUSES, submissions=wording.SUBMISSIONS
    )
    return environment
