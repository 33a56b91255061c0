"""Damage to a notebook's bytes, beside that to its structure in `damage`: cut off, overwritten, merged, another's."""

from __future__ import annotations

import codecs
import gzip
import io
import json
import random
import zipfile
from collections.abc import Iterator

from tests.grading.damage import (
    ALL,
    Damaged,
    answer_cells,
    answers,
    changed,
    exercise,
    handed_in,
    spans,
    text,
)


def _outside(start: int, end: int) -> tuple[frozenset[str], frozenset[str]]:
    """Name the exercises that damage between these offsets spares, and those whose cells it touches."""
    touched = {name for name, _, (first, last) in spans() if first <= end and start <= last}
    return ALL - touched, frozenset(touched)


def cut_off(rng: random.Random, count: int) -> Iterator[Damaged]:
    """End files early, at any byte; some at the borders of cells."""
    whole = text(handed_in()).encode()
    borders = [place for _, _, span in spans() for place in span]
    for end in [1, 2, 9, *borders, *(rng.randrange(1, len(whole) - 3) for _ in range(count))]:
        kept = frozenset(name for name, _, (_, last) in spans() if last < end)
        begun = frozenset(name for name, _, (first, _) in spans() if first < end) - kept
        # A cell counts from its type on: before the first there is no notebook.
        yield Damaged(f"cut off at {end}", whole[:end], kept, begun, malformed=end < whole.index(b'"markdown"'))


def overwritten(rng: random.Random, count: int) -> Iterator[Damaged]:
    """Change, lose or put in a byte; lose a run of bytes, or overwrite it with zeros or noise."""
    whole = text(handed_in()).encode()
    for number in range(count):
        place = rng.randrange(20, len(whole) - 200)
        length = rng.choice((30, 500, 4096))
        noise = rng.randbytes(length)
        name, content, last = (
            ("byte changed", whole[:place] + noise[:1] + whole[place + 1 :], place + 1),
            ("byte lost", whole[:place] + whole[place + 1 :], place + 1),
            ("bytes put in", whole[:place] + noise[:9] + whole[place:], place),
            ("bytes lost", whole[:place] + whole[place + length :], place + length),
            ("zeros", whole[:place] + bytes(length) + whole[place + length :], place + length),
            ("noise", whole[:place] + noise + whole[place + length :], place + length),
        )[number % 6]
        # A cell whose end is lost runs into the next one, so both neighbours are only partly to be had.
        kept, touched = _outside(place - 2500, last + 2500)
        yield Damaged(f"{name} at {place}", content, kept, touched, noted=False)


def encoded() -> Iterator[Damaged]:
    """Write the same text in other bytes."""
    whole = text(handed_in())
    silent = {
        "byte-order mark": codecs.BOM_UTF8 + whole.encode(),
        "two byte-order marks": codecs.BOM_UTF8 * 2 + whole.encode(),
        "Windows line ends": whole.replace("\n", "\r\n").encode(),
        "old Mac line ends": whole.replace("\n", "\r").encode(),
        "one line": json.dumps(handed_in()).encode(),
        "one line, no spaces": json.dumps(handed_in(), separators=(",", ":")).encode(),
        "indented by 8": json.dumps(handed_in(), indent=8).encode(),
        "blank lines around": b"\n\n \t" + whole.encode() + b"\n" * 1000,
    }
    for name, content in silent.items():
        yield Damaged(name, content, ALL, noted=False, added=True)
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le"):
        yield Damaged(encoding, whole.encode(encoding), ALL, added=True)
    for name, content in {
        "zeros behind": whole.encode() + bytes(5000),
        "text behind": whole.encode() + b"} and more",
        "twice": whole.encode() * 2,
        "the end of another behind": whole.encode() + whole.encode()[-3000:],
        "text in front": b"# my notebook\n" + whole.encode(),
        "a cookie in front": b"HTTP/1.1 200 OK\r\n\r\n" + whole.encode(),
        "list of cells alone": json.dumps(handed_in()["cells"]).encode(),
        "cells by name": json.dumps({**handed_in(), "cells": dict(enumerate(handed_in()["cells"]))}).encode(),
        "commas missing between cells": whole.replace("\n  },\n", "\n  }\n").encode(),
        "commas behind the last": whole.replace('"\n   ]', '",\n   ]').encode(),
        "last bracket missing": whole.encode().rstrip(b"}\n ") + b"\n",
        "control characters": whole.replace("{", "{\x01").encode(),
    }.items():
        yield Damaged(name, content, ALL)
    ascii_only = whole.replace("√d, ∑ …", "—").replace("число, 数", "")
    spoilt = {name: source.replace("√d, ∑ …", "—") for name, source in answers().items()}
    yield Damaged("Windows-1252", ascii_only.encode("cp1252", "replace"), frozenset(), frozenset(spoilt))
    contents = json.dumps({"type": "notebook", "format": "json", "content": handed_in()})
    yield Damaged("as the server's interface wraps it", contents.encode(), ALL, noted=False)
    yield Damaged("wrapped by other means", json.dumps({"notebook": handed_in()}).encode(), ALL, noted=False)


def merged(rng: random.Random) -> Iterator[Damaged]:
    """Conflicts as git and others leave them."""
    whole = text(handed_in())
    lines = whole.splitlines(keepends=True)
    own = [number for number, line in enumerate(lines) if "own = 1" in line]
    for style in ("merge", "diff3"):
        for count in (1, 3, len(own)):
            damaged = list(lines)
            for number in rng.sample(own, count):
                base = "||||||| base\n" + "BASE\n" if style == "diff3" else ""
                theirs = damaged[number].replace("own", "their")
                damaged[number] = f"<<<<<<< HEAD\n{damaged[number]}{base}=======\n{theirs}>>>>>>> theirs\n"
            yield Damaged(f"{count} conflicts, {style}", "".join(damaged).encode(), ALL, added=True)
    ids = [number for number, line in enumerate(lines) if line.startswith('   "execution_count"')]
    for number in ids:
        lines[number] = f"<<<<<<< HEAD\n{lines[number]}=======\n" + '   "execution_count": 7,\n' + ">>>>>>> theirs\n"
    yield Damaged("conflicts in each count", "".join(lines).encode(), ALL, added=True)
    yield Damaged("conflicts, Windows line ends", "".join(lines).replace("\n", "\r\n").encode(), ALL, added=True)
    without_ends = "".join(lines).replace("<<<<<<< HEAD\n", "")
    yield Damaged("first markers lost", without_ends.encode(), frozenset(), ALL)
    yield Damaged("whole file", f"<<<<<<< HEAD\n{whole}=======\n{{}}\n>>>>>>> theirs\n".encode(), ALL, added=True)
    yield Damaged("conflict without end", f"<<<<<<< HEAD\n{whole}=======\n".encode(), ALL, added=True)

    notebook = handed_in()
    for cell in answer_cells(notebook):
        source = "".join(cell["source"]).rstrip("\n")
        theirs = source.replace("own", "their").replace("256", "16")
        cell["source"] = f"<<<<<<< local\n{source}\n=======\n{theirs}\n>>>>>>> remote\n"
    yield Damaged("conflicts inside cells", text(notebook).encode(), ALL, added=True)

    for form in ("`{}`", '<span style="color:red">**{}**</span>', "<b>{}</b>", "{}"):
        notebook = handed_in()
        cells = []
        for cell in notebook["cells"]:
            if not exercise(cell):
                cells.append(cell)
                continue
            theirs = {
                **cell,
                "source": [line.replace("own", "their").replace("256", "16") for line in cell["source"]],
            }
            marks = [
                {"cell_type": "markdown", "metadata": {}, "source": [form.format(mark)]}
                for mark in ("<<<<<<< local", "=======", ">>>>>>> remote")
            ]
            cells += [marks[0], cell, marks[1], theirs, marks[2]]
        notebook["cells"] = cells
        yield Damaged(f"conflicts between cells, {form}", text(notebook).encode(), ALL, added=True)


def other_formats() -> Iterator[Damaged]:
    """Write the notebook in formats before 4."""
    for version in (2, 3):
        notebook = handed_in()
        for cell in notebook["cells"]:
            cell.pop("id")
            if cell["cell_type"] == "code":
                cell["input"] = cell.pop("source")
                cell.update(collapsed=False, language="python", prompt_number=1)
            elif cell["source"][:1] and cell["source"][0].startswith("#"):
                cell.update(cell_type="heading", level=1)
        sheets = [{"cells": part, "metadata": {}} for part in (notebook["cells"][:40], notebook["cells"][40:])]
        old = {
            "metadata": {"name": ""},
            "nbformat": version,
            "nbformat_minor": 0,
            "worksheets": [*sheets, None, {}],
        }
        yield Damaged(f"format {version}", text(old).encode(), ALL, added=True)


def missing() -> Iterator[Damaged]:
    """Each answer deleted, and each made a thing that is no source."""
    for name in sorted(ALL):
        notebook = handed_in()
        notebook["cells"] = [cell for cell in notebook["cells"] if exercise(cell) != name]
        yield Damaged(f"{name} deleted", text(notebook).encode(), ALL - {name}, added=True)
    for what in (None, 3, True, {"text": "x"}, [[]], [None], "", [], "\n \n"):
        notebook = handed_in()
        answer_cells(notebook)[2]["source"] = what
        lost = exercise(answer_cells(notebook)[2])
        yield Damaged(f"source {what!r}", text(notebook).encode(), ALL - {lost}, frozenset({lost}), added=True)
    notebook = handed_in()
    notebook["cells"] = []
    yield Damaged("no cells", text(notebook).encode(), frozenset())


def none() -> Iterator[Damaged]:
    """Files that are no notebooks."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("02.ipynb", text(handed_in()))
    for name, content in {
        "empty": b"",
        "blank": b" \n\n\t",
        "zeros": bytes(100_000),
        "byte-order mark alone": codecs.BOM_UTF8,
        "prose": b"I did not manage to export it.",
        "Python": "\n".join(answers().values()).encode(),
        "web page": b"<!DOCTYPE html>\n<html><body><pre>def attention(): ...</pre></body></html>",
        "web page, no doctype": b"\n<HTML>" + b"x" * 10_000,
        "zip": packed.getvalue(),
        "gzip": gzip.compress(text(handed_in()).encode()),
        "PDF": b"%PDF-1.7\n" + bytes(range(256)) * 99,
        "noise": random.Random(0).randbytes(100_000),
        "null": b"null",
        "a number": b"3",
        "a long number": b"9" * 100_000,
        "a string": b'"cells"',
        "an empty object": b"{}",
        "an empty list": b"[]",
        "a list of numbers": b"[1, 2]",
        "cells null": b'{"cells": null, "nbformat": 4}',
        "cells a string": b'{"cells": "many", "nbformat": 4}',
        "another JSON": b'{"name": "package", "dependencies": {"a": "1"}}',
        "deep lists": b"[" * 2_000_000,
        "deep objects": b'{"metadata":' * 300_000,
        "deep cells": b'{"cells":[' * 200_000,
        "open strings": b'{"cells": ["' * 100_000,
        "too many values": b'{"cells": [' + b"0," * 6_000_000 + b"0]}",
        "markers alone": b"<<<<<<< HEAD\n=======\n>>>>>>> theirs\n" * 10_000,
    }.items():
        yield Damaged(name, content, frozenset(), malformed=True)


def large() -> Iterator[Damaged]:
    """Notebooks that are large or deep somewhere."""
    output = {"output_type": "stream", "name": "stdout", "text": ["x" * 40_000_000]}
    many = [{"cell_type": "code", "id": f"c{n}", "metadata": {}, "outputs": [], "source": []} for n in range(19_000)]
    open_brackets = {"cell_type": "code", "id": "deep", "metadata": {}, "outputs": [], "source": "(" * 40_000}
    minus = {**open_brackets, "source": "x = " + "-" * 40_000 + "1"}
    long = {**open_brackets, "source": "x = 1\n" * 2_000_000}
    spaces = {**open_brackets, "source": " " * 3_000_000 + "x"}
    for name, cells in {
        "40 MB of output": [{**many[0], "outputs": [output]}],
        "19,000 blank cells": many,
        "open brackets": [open_brackets] * 20,
        "minus signs": [minus] * 20,
        "12 MB of source": [long],
        "spaces": [spaces],
    }.items():
        for place in (0, None):
            notebook = handed_in()
            notebook["cells"][place or len(notebook["cells"]) : place or len(notebook["cells"])] = cells
            yield Damaged(f"{name} at {place}", json.dumps(notebook).encode(), ALL, noted=False, added=True)
    copies = handed_in()
    copies["cells"] += [
        {**cell, "source": f"{written}\n# {n}"}
        for n in range(300)
        for cell in answer_cells(handed_in())
        for written in ["".join(cell["source"])]
    ]
    yield Damaged("300 copies of each", json.dumps(copies).encode(), frozenset(), ALL)
    deep = text(handed_in()).replace('"metadata": {', '"metadata": {"deep": ' + "[" * 50_000 + "]" * 50_000 + ", ", 1)
    yield Damaged("deep metadata", deep.encode(), ALL)


def all_damaged(seed: int, count: int = 60) -> list[Damaged]:
    """Every kind, with `count` of each that is drawn."""
    rng = random.Random(seed)
    kinds = [
        *changed(rng, count),
        *cut_off(rng, count),
        *overwritten(rng, 2 * count),
        *encoded(),
        *merged(rng),
    ]
    return [*kinds, *other_formats(), *missing(), *none(), *large()]
