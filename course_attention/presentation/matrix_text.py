"""A matrix as lines of plain text, for a terminal and for every program that shows no HTML."""

from course_attention.presentation.arrays import Matrix


def matrix_lines(matrix: Matrix) -> list[str]:
    """Return a matrix as lines of text under its name; ▸ ◂ stand around the first difference.

    Example:
        >>> from course_attention.presentation.arrays import matrices
        >>> print(*matrix_lines(next(matrices("weights", [[0.5, 0.5]], where=(0, 1)))), sep="\\n")
        weights (1, 2)
         0.5 ▸0.5◂
    """
    texts = [
        [f"▸{entry}◂" if matrix.first == (i, j) else f" {entry} " for j, entry in enumerate(row)]
        for i, row in enumerate(matrix.texts)
    ]
    wide = max((len(entry) for row in texts for entry in row), default=0)
    caption = f"{matrix.name} {matrix.about}".strip()
    return [caption, *("".join(entry.rjust(wide) for entry in row).rstrip() for row in texts)]


def side_by_side(blocks: list[list[str]], width: int, gap: int = 4) -> list[str]:
    """Blocks of lines side by side as far as `width` allows, the others below them.

    Example:
        >>> side_by_side([["one", "1"], ["two", "2"]], width=80)
        ['one    two', '1      2']
    """
    lines: list[str] = []
    while blocks:
        count = 1
        while count < len(blocks) and sum(_width(b) + gap for b in blocks[: count + 1]) - gap <= width:
            count += 1
        row, blocks = blocks[:count], blocks[count:]
        height = max(map(len, row))
        padded = [block + [""] * (height - len(block)) for block in row]
        columns = [[line.ljust(_width(block)) for line in block] for block in padded]
        lines += [(" " * gap).join(parts).rstrip() for parts in zip(*columns, strict=True)]
    return lines


def _width(block: list[str]) -> int:
    return max(map(len, block))
