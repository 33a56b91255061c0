"""The style sheet of a card, and the colours of a status, which the feedback page has as well."""

# Status: the background of its badge, on which the text is white, and a lighter colour for the line beside it, which
# is seen on a light and on a dark page.
_STOPPED = ("#8a4b00", "#c77700")
STATUS_COLORS = {
    "passed": ("#1b6e3a", "#2e8b57"),
    "failed": ("#b3261e", "#d0453b"),
    "errored": _STOPPED,
    "forbidden": _STOPPED,
    "timeout": _STOPPED,
    "out_of_memory": _STOPPED,
    "crashed": _STOPPED,
    "not_judged": ("#4f5b66", "#8a8a8a"),
    "not_attempted": ("#4f5b66", "#8a8a8a"),
}


def status_rules(badge: str, line: str) -> str:
    """Style rules that give each status its colours.

    Args:
        badge: the selector of the badge, with `{}` for the status.
        line: the selector of the element with the line at its left, with `{}` for the status.
    """
    return "\n".join(
        f"{badge.format(status)}{{background:{background}}}{line.format(status)}{{border-left-color:{border}}}"
        for status, (background, border) in STATUS_COLORS.items()
    )


# Text and background come as a pair: JupyterLab's theme, else VS Code's, else the system's. All other colours (badges,
# matrices) bring their own background, so that a dark theme needs no others.
STYLE = f"""<style>
.ca-card{{--ca-t:#1a1a1a;--ca-g:#ffffff;--ca-l:#8a8a8a}}
@media (prefers-color-scheme:dark){{.ca-card{{--ca-t:#ececec;--ca-g:#1c1c1c;--ca-l:#8f8f8f}}}}
.ca-card{{color:var(--jp-content-font-color0,var(--vscode-editor-foreground,var(--ca-t)));
background:var(--jp-layout-color0,var(--vscode-editor-background,var(--ca-g)));
font-family:var(--jp-content-font-family,system-ui,sans-serif);font-size:var(--jp-content-font-size1,14px);
line-height:1.5;border:1px solid var(--ca-l);border-left-width:6px;border-radius:4px;padding:.6em 1em;
margin:.2em 0;max-width:56em;overflow-x:auto}}
.ca-card p{{margin:.45em 0}}
.ca-card .ca-badge{{color:#fff;border-radius:3px;padding:.1em .6em;font-weight:700}}
{status_rules(".ca-card.ca-{} .ca-badge", ".ca-card.ca-{}")}
.ca-card .ca-head{{font-weight:700;margin:.7em 0 .2em}}
.ca-card .ca-idea{{font-size:1.1em;font-weight:700}}
.ca-card.ca-card table{{border-collapse:collapse;margin:0;font-size:1em;table-layout:auto;width:auto}}
.ca-card.ca-card table caption{{color:inherit;font-size:1em}}
.ca-card.ca-card table tbody tr,.ca-card.ca-card table tbody tr:nth-child(odd),
.ca-card.ca-card table tbody tr:hover,.ca-card.ca-card table thead{{background:none;color:inherit;border:0}}
.ca-card.ca-card table th,.ca-card.ca-card table td{{color:inherit;max-width:none;line-height:1.5}}
.ca-card.ca-card table.ca-list th,.ca-card.ca-card table.ca-list td{{padding:.15em .55em;text-align:left;
vertical-align:middle;white-space:normal}}
.ca-card.ca-card table.ca-list th{{font-weight:400;border:0}}
.ca-card.ca-card table.ca-list td{{border:1px solid var(--ca-l)}}
.ca-card.ca-card code{{color:inherit;background:none;padding:0;font-size:.95em;
font-family:var(--jp-code-font-family,ui-monospace,monospace)}}
.ca-card.ca-card code.ca-key{{font-weight:700}}
.ca-card.ca-card a{{color:inherit;text-decoration:underline}}
.ca-card pre{{color:inherit;background:none;overflow-x:auto;margin:.3em 0;padding:.5em .8em;
border:1px solid var(--ca-l);line-height:1.35}}
.ca-card details{{margin:.45em 0}}
.ca-card summary{{cursor:pointer}}
.ca-card details>pre{{max-height:20em;overflow-y:auto}}
.ca-card .ca-bar{{display:inline-block;width:8em;height:.75em;vertical-align:middle;
border:1px solid currentColor}}
.ca-card .ca-bar>span{{display:block;height:100%;background:currentColor}}
</style>"""
