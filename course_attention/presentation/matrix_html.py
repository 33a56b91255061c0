"""A matrix as an HTML table, the same in a notebook's card and on the feedback page.

The colours are classes and not `style` attributes: the feedback page's security policy allows no such attributes.
"""

import html

from course_attention.presentation.arrays import Matrix
from course_attention.presentation.color_scale import N_SHADES, Limits, colors, shade_of

# The class is written three times so that these rules win over those that JupyterLab and the card have for tables.
# The mark of the first difference is red with white inside, so that it is seen on the lightest cell and the darkest.
_RULES = """\
TABLE{border-collapse:collapse;margin:0;font-size:1em}
TABLE caption{caption-side:top;text-align:left;padding:0 0 .2em;white-space:nowrap}
TABLE th{border:0;padding:.1em .4em;font-weight:400;font-size:.8em;text-align:center;vertical-align:middle}
TABLE td{border:1px solid #808080;padding:.15em .5em;text-align:right;white-space:nowrap;
font-family:ui-monospace,'DejaVu Sans Mono',Consolas,monospace;font-size:.9em}
TABLE .ca-corner{border:0}
TABLE td.ca-not-finite{color:#000000;
background:#ffffff repeating-linear-gradient(-45deg,#dcdcdc 0 2px,#ffffff 2px 7px)}
TABLE td.ca-first{outline:3px solid #c02717;outline-offset:-2px;box-shadow:inset 0 0 0 4px #ffffff;
padding:.3em .7em;font-weight:700}
.ca-unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
"""
_SHADES = "\n".join(
    f"TABLE td.ca-shade{shade}{{background:{background};color:{text}}}"
    for shade, (background, text) in enumerate(map(colors, range(N_SHADES)))
)
MATRIX_STYLE = (_RULES + _SHADES).replace("TABLE", ".ca-matrix.ca-matrix.ca-matrix")


def matrix_html(matrix: Matrix, limits: Limits | None = None) -> str:
    """Return a matrix as an HTML table.

    Args:
        matrix: what is shown.
        limits: the lowest and the highest number of the colour scale. None: the cells have no colours.

    Returns:
        A `<table>`, for a page that has the rules of `MATRIX_STYLE`.
    """
    head = ""
    if matrix.columns is not None:
        corner = '<td class="ca-corner"></td>' if matrix.rows is not None else ""
        indices = "".join(f'<th scope="col">{index}</th>' for index in matrix.columns)
        head = f"<thead><tr>{corner}{indices}</tr></thead>"
    body = ""
    for i in range(len(matrix.texts)):
        header = f'<th scope="row">{matrix.rows[i]}</th>' if matrix.rows is not None else ""
        cells = "".join(_cell(matrix, i, j, limits) for j in range(len(matrix.texts[i])))
        body += f"<tr>{header}{cells}</tr>"
    caption = f"<strong>{html.escape(matrix.name)}</strong> {html.escape(matrix.about)}".rstrip()
    return f'<table class="ca-matrix"><caption>{caption}</caption>{head}<tbody>{body}</tbody></table>'


def _cell(matrix: Matrix, i: int, j: int, limits: Limits | None) -> str:
    text = html.escape(matrix.texts[i][j])
    classes = []
    if limits is not None:
        shade = shade_of(matrix.values[i, j], limits)
        classes.append("ca-not-finite" if shade is None else f"ca-shade{shade}")
    if matrix.first == (i, j):
        classes.append("ca-first")
        text = f'▸ {text}<span class="ca-unseen"> first difference</span>'
    opening = f'<td class="{" ".join(classes)}">' if classes else "<td>"
    return f"{opening}{text}</td>"
