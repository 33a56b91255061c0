"""What an error message of Python or torch means here, in a few sentences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from course_attention.execution.protocol import Raised


@dataclass(frozen=True)
class Meaning:
    """What a message means.

    Attributes:
        text: what to tell the student.
        axes: the code expects another number of axes than the tensor has.
        whole: it says all there is to say, so that nothing is added on the cases that raise.
    """

    text: str
    axes: bool = False
    whole: bool = False


_IN_A_PRODUCT = Meaning(
    "In a product A @ B, the last axis of A must be as long as the last but one of B. Print both shapes. Is one of "
    "them to be transposed, or are they to change places?"
)
_ENTRY_BY_ENTRY = Meaning(
    "Two tensors meet entry by entry, and their shapes do not line up. Axes are compared from the last one on, and "
    "must be equally long, or one of them 1. Print both shapes."
)
_STAYS = "A sum, a mean or a maximum takes its axis away; with `{}` the axis stays, and is 1 long."
_TIMES = "Note that `*` works entry by entry: the product of two matrices is `@`."
_BATCHES = "In a product A @ B, the axes in front of the last two, such as a batch, meet in this way."
_TURNS_ROUND_ALL = (
    "Of a tensor with more than two axes, `.T` turns round all of them; `.mT` exchanges the last two alone."
)
_EXCHANGES_THE_FIRST = (
    "`{}(0, 1)` exchanges the first two axes. With a batch in front, the last two have to change places: `.mT` "
    "exchanges them."
)

_AXES = "Shapes have as many entries as the tensor has axes, and that number differs from case to case."

_IN_TORCHS_WORDS = {"float16": "Half", "bfloat16": "BFloat16"}

_MEANINGS: tuple[tuple[str, Meaning], ...] = (
    (
        r"not enough values to unpack",
        Meaning(
            "A line takes more parts out of something than there are. With `a, b, c = x.shape`, x has fewer axes here "
            "than there are names: count the axes from the end, since `x.shape[-1]` is always the last. With "
            "`a, b, c = x.chunk(3)`, `chunk` has made fewer parts than there are names. Is the right axis cut?",
            axes=True,
        ),
    ),
    (
        r"too many values to unpack",
        Meaning(
            "A line takes fewer parts out of something than there are. With `a, b = x.shape`, x has more axes than "
            "there are names. Count the axes from the end: `x.shape[-1]` is always the last.",
            axes=True,
        ),
    ),
    (
        r"Dimension out of range|must be a 3D tensor|must be 3D|number of dim\w+ .*(match|permute)|"
        r"number of subscripts in the equation|tuple index out of range|dimension specified as|too many indices",
        Meaning(
            f"The code counts on more axes than the tensor has here. {_AXES} Count from the end: −1 is the last.",
            axes=True,
        ),
    ),
    (
        r"size mismatch for \w",
        Meaning(
            "A layer has another size than the exercise gives it. `nn.Linear(d_in, d_out)` takes vectors of d_in "
            "numbers and gives vectors of d_out. Are the two exchanged, or is one of them another size?"
        ),
    ),
    (
        r"return_types.(max|min|sort|topk)",
        Meaning(
            "Along an axis, `max`, `min`, `sort` and `topk` give two results: the numbers, and the places where they "
            "stood. Take the first, or use `amax` or `amin`, which give the numbers alone."
        ),
    ),
    (
        r"must be Tensor, not numpy",
        Meaning(
            "One of torch's functions got an array of NumPy's. NumPy has most functions too, by the same names: "
            "`np.log`, not `torch.log`."
        ),
    ),
    (
        r"'Tensor' and '(Linear|Sequential|LayerNorm)'|must be Tensor, not (Linear|Sequential|LayerNorm)",
        Meaning(
            "A layer is used as if it were its matrix. A layer is called like a function, as in `self.layer(x)`, and "
            "its matrix is `self.layer.weight`."
        ),
    ),
    (
        r"only (one element tensors|0-dimensional arrays|length-1 arrays|size-1 arrays) can be converted|"
        r"elements cannot be converted to Scalar",
        Meaning(
            "A whole tensor stands where one number is asked for. `math.sqrt`, `math.exp`, `float` and `int` take one "
            "number. `torch.sqrt` and `torch.exp` take every entry of a tensor, `np.sqrt` and `np.exp` every entry of "
            "an array."
        ),
    ),
    (
        r"last dimension with stride 1",
        Meaning(
            "`torch.view_as_complex` copies nothing, so the two numbers of a pair must be neighbours in memory. In a "
            "tensor that is not contiguous they may lie apart. `.contiguous()` makes a copy in which they do not."
        ),
    ),
    (
        r"\bt\(\) expects a tensor with <= 2",
        Meaning(
            "`.t()` turns a matrix round, and here there are axes in front. `.mT` exchanges the last two axes, "
            "whatever stands before them.",
            axes=True,
        ),
    ),
    (
        r"can only concatenate list|unsupported operand type\(s\) for [^:]*: '(list' and|\w+' and 'list)",
        Meaning("A list meets a tensor. `+` joins lists alone; tensors are joined along an axis with `torch.cat`."),
    ),
    (
        r"must have same number of dimensions|Sizes of tensors must match except|must match exactly",
        Meaning(
            "What is joined must have the same axes, and be equally long in all of them but the one along which it is "
            "joined. Print the shapes. Along which axis does it grow?"
        ),
    ),
    (
        r"Expected target size",
        Meaning(
            "`F.cross_entropy` looks for the classes on the second axis of the logits. The targets must have the shape "
            "that the logits have without it."
        ),
    ),
    (
        r"must be Tensor, not (int|float)",
        Meaning(
            "One of torch's functions got a plain number in the place of a tensor. A size such as `x.shape[-1]` is a "
            "plain number: for its root there is `math.sqrt`, or `** 0.5`."
        ),
    ),
    (
        r"mat1 and mat2 shapes cannot be multiplied|mat1 dim 1 must match|Expected size for first two dimensions|"
        r"size mismatch|matmul: Input operand",
        _IN_A_PRODUCT,
    ),
    (
        r"batch dimensions do not match",
        Meaning(
            "The two are taken pair by pair here: the first row with the first, the second with the second. For every "
            "row with every other one, there is the product `@`."
        ),
    ),
    (
        r"expanded size of the tensor|could not broadcast input array",
        Meaning(
            "A tensor is put into a place, or stretched to a shape, that it does not fit. A slice `x[a:b]` holds fewer "
            "than b − a entries where it reaches beyond the end of x, and a negative a or b counts from the end. Print "
            "the shapes of both sides."
        ),
    ),
    (
        r"shape of the mask .* does not match|boolean index did not match",
        Meaning(
            "`x[mask]` needs a mask that has the axes of x, each as long. A mask that has fewer axes, or one of length "
            "1, stands for several rows or batches. `masked_fill` and `torch.where` spread it over them."
        ),
    ),
    (
        r"index -?\d+ is out of bounds|index out of range in self",
        Meaning(
            "An axis of length n has the indices 0 to n − 1, and the code asks for one beyond them. Does a loop, or an "
            "offset that is added to its counter, run past the end?"
        ),
    ),
    (
        r"negative dimension|integer multiplication overflow|must be non-negative|negative dimensions are not allowed",
        Meaning("A size comes out below 0 here. Which sizes of the arguments lead to that?"),
    ),
    (
        r"[Ii]ndex tensor must have the same number of dim|indices should have the same number of dim",
        Meaning(
            "`gather`, `scatter` and `take_along_dim` need an index with as many axes as the tensor. `argmax(dim=-1)` "
            "takes the last axis away; with `keepdim=True` it stays, and is 1 long. `[..., None]` puts one back."
        ),
    ),
    (
        r"stack expects each tensor to be equal size",
        Meaning(
            "`torch.stack` puts tensors of one shape beside each other, along a new axis. Print their shapes. "
            "`torch.cat` joins tensors along an axis that they have, and there they may differ in length."
        ),
    ),
    (
        r"number of sizes provided .* must be greater or equal to the number of dim",
        Meaning(
            "`expand` stretches axes that are 1 long. It needs a size for each axis of the tensor, and −1 leaves an "
            "axis as it is."
        ),
    ),
    (
        r"must match the size of tensor b|not broadcastable|could not be broadcast|shape mismatch|"
        r"doesn't match the broadcast shape",
        _ENTRY_BY_ENTRY,
    ),
    (
        r"view size is not compatible",
        Meaning(
            "`.view` copies nothing, so the numbers must lie in memory in the order that it needs. After a transpose "
            "they do not. Write `.reshape` in its place, or call `.contiguous()` first."
        ),
    ),
    (
        r"(must be (tuple of ints|int), ?but (got|found element of type) float|must be (tuple of ints|int), not float|"
        r"'float' object cannot be interpreted as an integer|invalid combination of arguments - got \([^)]*float)",
        Meaning(
            "A size must be a whole number, and `/` gives a float even where nothing is left over. Use `//` for a size."
        ),
    ),
    (
        r"shape '.*' is invalid for input of size|cannot reshape array",
        Meaning(
            "The new shape has room for another number of entries than the tensor has. Print both shapes, and "
            "give each size a name: two sizes that were equal so far may differ here. `x.shape[0]` counts from the "
            "front. Counted from the end, an axis is the same one in every case, also where others may come before it."
        ),
    ),
    (
        r"'NoneType' object is not|unsupported operand type\(s\).*NoneType|NoneType' and|must be Tensor, not NoneType|"
        r"bad operand type for unary ~: 'NoneType'|NoneType' has no|but got NoneType|non-iterable NoneType",
        Meaning(
            "Something is None here. Either an argument was left out and is None by default, as `allowed` may be, or a "
            "function that was called has no `return`."
        ),
    ),
    (
        r"'tuple' object|to tuple$|tuple indices must be integers|unsupported operand type\(s\).*'tuple'|"
        r"must be Tensor, not tuple",
        Meaning("A function that gives back several results was used as if it gave one. Take them apart first."),
    ),
    (
        r"expected scalar type|same dtype|to have the same dtype|must have the same dtype",
        Meaning(
            "Tensors of two dtypes meet. A tensor that the code makes itself is float32 unless it is told otherwise: "
            "give it the dtype of the inputs."
        ),
    ),
    (
        r"cannot be converted to type \S*Half without overflow",
        Meaning(
            "The largest number in float16 is 65,504, so −1e9 does not fit. Fill with `-math.inf`, or with the lowest "
            "number of the dtype, `torch.finfo(x.dtype).min`."
        ),
    ),
    (
        r"[Vv]alue of (a )?(Tensor|an array) with more than one",
        Meaning(
            "`if`, `and`, `or`, `not` and a chained comparison such as `0 <= x < n` work on a single value, and there "
            "are several here. Whether an argument was given is asked with `if x is not None`. For a decision about "
            "each entry, compare twice, put brackets around each comparison, and join them with `&`."
        ),
    ),
    (
        r"only integer tensors of a single element can be converted to an index",
        Meaning(
            "A slice `a:b` takes one beginning and one end, and here is a tensor with several numbers. Where each item "
            "has its own, slice item by item, or compare the positions, `torch.arange(n)`, with the numbers as a "
            "column."
        ),
    ),
    (
        r"only (integer tensors|implemented on integer)|bool.*not supported|~\) is not supported|negative.*bool",
        Meaning("An operation is used on a dtype that it is not for: booleans take `~`, `&` and `|`, numbers do not."),
    ),
    (
        r"Missing key\(s\) in state_dict: (\"[^\"]*bias\"(, |\.))+(?!.*Unexpected)",
        Meaning(
            "The module has a `bias` that nobody asked for. It comes from `nn.Linear`, which has one unless it is told "
            "otherwise."
        ),
    ),
    (
        r"^(?!.*Missing key).*Unexpected key\(s\) in state_dict",
        Meaning(
            "The module lacks weights that the exercise gives it. A layer that `__init__` keeps as "
            "`self.layer = nn.Linear(…)` holds the weight `layer.weight`. One that is made in `forward` is made anew, "
            "with other numbers, in every call, and can never be trained."
        ),
    ),
    (
        r"Missing key\(s\) in state_dict: \"(\w+)\.\d+\.\w+\", \"\1\.\d+\.\w+\"\.\s+Unexpected key\(s\) in state_dict: "
        r"\"\1\.\d+\.\w+\", \"\1\.\d+\.\w+\"\.",
        Meaning(
            "In an `nn.Sequential` each layer is named by its place, from 0 on. A layer without weights, such as "
            "`nn.ReLU`, takes a place too. Is one left out, or is there one too many?"
        ),
    ),
    (
        r"(Missing|Unexpected) key\(s\)",
        Meaning(
            "The module's weights have other names than the exercise gives, or there are more or fewer of them. A "
            "layer that `__init__` keeps as `self.layer = nn.Linear(…)` holds the weight `layer.weight`, and has a "
            "`bias` too unless it is told otherwise."
        ),
    ),
    (
        r"before Module.__init__\(\) call",
        Meaning("`__init__` of an nn.Module begins with `super().__init__()`."),
    ),
    (
        r"__init__\(\) takes 1 positional argument but",
        Meaning("The class has no `__init__` that takes the sizes. Is there one, with two underscores on each side?"),
    ),
    (
        r"No module named",
        Meaning("A package is imported that is misspelt, or not installed. The exercises need torch and NumPy alone."),
    ),
    (
        r"invalid combination of arguments|unexpected keyword argument|"
        r"positional arguments? but|missing \d+ required|multiple values for argument",
        Meaning("Something is called with other arguments than it takes. Compare the call with the first line of it."),
    ),
    (
        r"is not defined|referenced before assignment|cannot access local variable",
        Meaning(
            "A name is used that has no value at this line. Is it misspelt, or given only under an `if`? What "
            "`__init__` keeps has `self.` in front of it, and `import numpy as np` gives the name `np`."
        ),
    ),
    (
        r"must be a Tensor; got",
        Meaning(
            "A function got something else than a tensor. In a class, the first parameter of every method is `self`."
        ),
    ),
    (
        r"has no attribute",
        Meaning("The object has nothing of that name. Is it misspelt, or is the object of another type than expected?"),
    ),
    (
        r"does not require grad and does not have a grad_fn",
        Meaning(
            "Autograd kept no way back to what is asked for. Either it is switched off, as it is under "
            "`torch.no_grad()`, or what is differentiated was cut from its inputs, as `.detach()` does."
        ),
    ),
    (
        r"in-place operation|a leaf Variable that requires grad|modified by an inplace",
        Meaning(
            "A tensor is written to that the gradient still needs. Make a new one: `x = x + 1`, not `x += 1`. What a "
            "loop makes is kept in a list, for `torch.stack` or `torch.cat`, and not in the rows of a tensor that the "
            "next step reads."
        ),
    ),
    (
        r"step takes tokens: .*\(batch=(\d+), n\).* of shape \((?!\1,)\d+, \d+\)",
        Meaning(
            "`step` takes all rows of the batch at once. A row that has ended stays among them until all have ended, "
            "and gets the end token, whatever the model says."
        ),
    ),
    (
        r"step takes tokens: .*got (float|bool)",
        Meaning(
            "A token is a whole number. `torch.ones` and `torch.zeros` give float32 unless they are told a dtype. "
            "Along an axis, `max` gives the largest logit, and `argmax` the token that has it."
        ),
    ),
    (
        r"which is beyond max_length",
        Meaning(
            "Each turn of the loop appends one token to every row, and there are max_length turns at most. Print "
            "`tokens.shape` in the loop. Does it grow by more than one in a turn, as it does where the logits of all "
            "places are used? Or is there no limit to the turns?"
        ),
    ),
    (
        r"expected Tensor as element \d+ in argument 0, but got (int|float|bool)",
        Meaning(
            "`torch.cat` and `torch.stack` join tensors, and a plain number is among them here. `torch.full` makes a "
            "tensor of a given shape that is filled with a number."
        ),
    ),
    (
        r"refer to a single memory location",
        Meaning(
            "A part of a tensor is written over another part of the same tensor, and the two overlap. What is read has "
            "to stay as it was: read it from a tensor that is not written to, such as the input."
        ),
    ),
    (
        r"maximum recursion depth",
        Meaning("The function calls itself without an end. Does its name hide the helper that was meant?"),
    ),
)
"""Pattern of a message → what it means; the first that fits counts."""


_MULTIPLIED = re.compile(r"[\w\])]\s*\*(?!\*)")  # and no `f(*arguments)`
_FIRST_TWO = re.compile(r"\b(transpose|swapaxes|swapdims)\((?:[\w.]+,\s*)?(?:0,\s*1|1,\s*0)\)")
_MASK_BY_PLACE = re.compile(r"attention\(\s*\w+\s*,\s*(\w+\s*,\s*)?\w*(allowed|mask)\s*\)")
_MASK_FOR_KEY = Meaning(
    "After the query, the attention takes a key and a value, and `allowed` comes last. Here the mask is in the place "
    "of one of the two. Hand it over by its name: `allowed=…`.",
    whole=True,
)


def meaning(error: Raised) -> Meaning | None:
    """Return what an error's message means here; None where nothing is known about it.

    Example:
        >>> meaning(Raised("ValueError", "not enough values to unpack (expected 3, got 2)")).axes
        True
    """
    found = (meant for pattern, meant in _MEANINGS if re.search(pattern, error.message, re.DOTALL))
    meant = next(found, None)
    if _MASK_BY_PLACE.search(error.line):
        return _MASK_FOR_KEY
    if meant is _IN_A_PRODUCT or meant is _ENTRY_BY_ENTRY:
        return replace(meant, text=" ".join((meant.text, *_notes(error, meant is _ENTRY_BY_ENTRY))))
    return meant


def _notes(error: Raised, entry_by_entry: bool) -> Iterator[str]:
    """Yield what the line tells about shapes that do not fit."""
    product = re.search(r"@|matmul|bmm", error.line)
    turned = _turned(error)
    if entry_by_entry:
        if not (product and turned):
            yield _STAYS.format("keepdims=True" if "operands" in error.message else "keepdim=True")
        if _MULTIPLIED.search(error.line):
            yield _TIMES
        elif product:
            yield _BATCHES
    if turned:
        yield turned


def _turned(error: Raised) -> str:
    """Say what a transpose on this line does where there are axes in front of the last two; "" without one."""
    if re.search(r"\.T\b", error.line):
        return _TURNS_ROUND_ALL
    first = _FIRST_TWO.search(error.line)
    if first and "mat1" not in error.message:  # which has two matrices
        return _EXCHANGES_THE_FIRST.format(first[1])
    return ""


def expects_other_axes(error: Raised | None) -> bool:
    """Whether an answer raised because a tensor has another number of axes than its code counts on."""
    meant = meaning(error) if error is not None else None
    return meant is not None and meant.axes


def refused_by_torch(error: Raised | None, dtype: str) -> bool:
    """Whether torch has no such function for half precision: no fault of the answer's, where half precision was asked.

    Anybody can raise such an error. In another dtype, or raised by the answer itself, it excuses nothing.

    Example:
        >>> error = Raised("NotImplementedError", "'cdist' not implemented for 'Half'".replace("'", '"', 2))
        >>> refused_by_torch(error, "float16"), refused_by_torch(error, "float64")
        (True, False)
    """
    if error is None or dtype not in _IN_TORCHS_WORDS or error.line.startswith("raise"):
        return False
    refusal = rf"\"[^\"]+\" not implemented for '{_IN_TORCHS_WORDS[dtype]}'"
    return error.type in ("NotImplementedError", "RuntimeError") and bool(re.match(refusal, error.message))
