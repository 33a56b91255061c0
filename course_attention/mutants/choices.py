"""Which properties stand to choose from in a question: the right one, and those that somebody who thinks may suspect.

A choice that nobody would take makes a question easy for no good reason. So the changed piece decides what is offered:
an axis makes one think of leading dimensions, an `exp` of large scores, a new tensor of its device.
"""

import random
import re
from collections.abc import Collection

from course_attention.judging import properties
from course_attention.judging.properties import Property

CHOICES = 4  # properties to choose from, beside "nothing"
FEWEST = 3  # where the judge looks at few, and wrong numbers spoil others as well

# What each of these words in the changed piece makes one think of.
_SUGGESTED: tuple[tuple[str, tuple[Property, ...]], ...] = (
    (r"detach|no_grad", (properties.GRADIENTS,)),
    (r"double|float\b|float\d|half|dtype|\bto\b", (properties.DTYPE, properties.DTYPES)),
    (r"device|arange|zeros|ones|full|empty|eye|tensor", (properties.DEVICE, properties.DTYPE)),
    (r"allowed|mask|blocked|where", (properties.MASK, properties.NOTHING_ALLOWED)),
    (r"inf|finfo|nan", (properties.NOTHING_ALLOWED, properties.LARGE_SCORES)),
    (r"max|min|exp|softmax|clamp", (properties.LARGE_SCORES,)),
    (
        r"dim|axis|mT|\.T\b|transpose|swapaxes|permute|squeeze|None|\.\.\.|shape|-\d|cat|stack",
        (properties.LEADING_DIMENSIONS, properties.SHAPE, properties.AXIS),
    ),
    (r"view|reshape|flatten|unflatten|contiguous", (properties.SHAPE, properties.STRIDES)),
    (r"pad|counts?\b", (properties.PADDING,)),
    (r"clamp|clip", (properties.CLIPPING,)),
    (r"cache|past|old", (properties.CACHE, properties.FIRST_TOKEN)),
    (r"\w_\(|\] = |[-+*/]= ", (properties.INPUTS_UNCHANGED,)),
)
# What is asked of every exercise says little about this one.
_EVERYWHERE = {
    properties.DTYPE,
    properties.DTYPES,
    properties.DEVICE,
    properties.GRADIENTS,
    properties.INPUTS_UNCHANGED,
    properties.STRIDES,
    properties.EVALUATION_MODE,
    properties.SHAPE,
}


def choices(
    right: Property | None, others: Collection[Property], change: str, rng: random.Random
) -> tuple[Property, ...]:
    """Return the properties to choose from, in the order of their table.

    Args:
        right: the one that does not hold; None for nothing.
        others: those that hold.
        change: the changed piece, before and after.
        rng: decides where several would do.

    Example:
        >>> others = [properties.VALUES, properties.GRADIENTS, properties.STRIDES, properties.DTYPE, properties.MASK]
        >>> found = choices(None, others, "x → x.detach()", random.Random(0))
        >>> [one.name for one in found][:3]
        ['values', 'mask', 'strides']
    """
    suggested = {one for words, ones in _SUGGESTED if re.search(words, change) for one in ones}
    suggested |= {one for one in others if one.name in change}
    ordered = sorted(others, key=properties.PROPERTIES.index)
    rng.shuffle(ordered)
    # The formula itself is what everybody thinks of first.
    ordered.sort(key=lambda one: (one != properties.VALUES, one not in suggested, one in _EVERYWHERE))
    found = [*([right] if right else []), *ordered][:CHOICES]
    return tuple(sorted(found, key=properties.PROPERTIES.index))


def likeness(change: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what a change takes away and what it adds, piece by piece: changes of one kind have the same.

    Example:
        >>> likeness("arange(n, device=x.device) → arange(n)") == likeness("arange(m, device=x.device) → arange(m)")
        True
    """
    before, _, after = change.rpartition(" → ")
    pieces = [re.findall(r"\w+|[^\w\s]", text) for text in (before, after)]
    gone, come = (list(one) for one in pieces)
    for piece in pieces[0]:
        if piece in come:
            come.remove(piece)
            gone.remove(piece)
    return tuple(sorted(gone)), tuple(sorted(come))
