"""Argument checks for the public helpers, read off their shape annotations.

The annotation is the contract: `Float[Tensor, "... n_keys d_key"]` says what a tensor must be, and an error says which
argument broke which rule. The checks stand outside the functions, so that these stay as short as they are taught.
"""

import functools
import inspect
import typing
from collections.abc import Callable
from typing import Any

import numpy as np

from course_attention.mechanisms.number_rules import RULES, check_numbers


def checked(helper: Callable) -> Callable:
    """Wrap a helper so that it checks its tensors against its annotations before it runs.

    Args:
        helper: a function whose tensor parameters are annotated with jaxtyping. The rules for other arguments stand in
            `number_rules`. A class is returned unchanged.

    Returns:
        The helper, checking. `inspect.getsource` and `inspect.signature` still show the helper itself.

    Raises:
        TypeError: on a call, an argument is not a tensor, or not of the annotated kind.
        ValueError: on a call, sizes, dtypes or devices do not fit together.

    Example:
        >>> import torch
        >>> from course_attention import attention_output
        >>> attention_output(torch.ones(3), torch.ones(4, 2))
        Traceback (most recent call last):
        ...
        ValueError: memory must be (..., n_source=3, d_hidden), as distribution has n_source 3; got (4, 2)
    """
    signature = inspect.signature(helper)
    hints = typing.get_type_hints(helper)
    rules = {name: rule for name in signature.parameters if (rule := _tensor_rule(hints.get(name))) is not None}
    if inspect.isclass(helper) or not (rules or helper.__name__ in RULES):
        return helper

    @functools.wraps(helper)
    def check_then_run(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        given = bound.arguments
        _check(rules, {name: given[name] for name in rules if given[name] is not None})
        check_numbers(helper.__name__, given)
        return helper(*args, **kwargs)

    return check_then_run


def _tensor_rule(hint: Any) -> Any:
    """The jaxtyping annotation within a hint such as `Float[...] | None`, or None."""
    for option in typing.get_args(hint) or (hint,):
        if hasattr(option, "dim_str"):
            return option
    return None


def _check(rules: dict[str, Any], tensors: dict[str, Any]) -> None:
    sizes: dict[str, tuple[int, str]] = {}  # dimension → its size and the argument that set it
    leading: tuple[int, ...] = ()
    for name, tensor in tensors.items():
        _check_kind(name, tensor, rules[name])
        dims = rules[name].dim_str.split()
        any_leading = dims[0] == "..."
        dims = dims[1:] if any_leading else dims
        if _is_mask(rules[name]):
            dims = dims[-max(2, tensor.ndim) :]  # a mask broadcasts: the heads' axis may be left out
        shape = tuple(tensor.shape)
        own = shape[len(shape) - len(dims) :]
        if len(shape) < len(dims) or (len(shape) > len(dims) and not any_leading):
            raise ValueError(f"{name} must be {_wanted(rules[name], sizes)}; got {shape}")
        for dim, size in zip(dims, own, strict=True):
            known, source = sizes.get(dim.lstrip("#"), (size, name))
            if size != known and not (dim.startswith("#") and size == 1):
                reason = f"as {source} has {dim.lstrip('#')} {known}"
                raise ValueError(f"{name} must be {_wanted(rules[name], sizes)}, {reason}; got {shape}")
        sizes = {dim: (size, name) for dim, size in zip(dims, own, strict=True) if dim[0] != "#"} | sizes
        leading = _with_leading(leading, shape[: len(shape) - len(dims)], name, mask=_is_mask(rules[name]))
    if tensors:
        _check_alike(rules, tensors)


def _check_kind(name: str, tensor: Any, rule: Any) -> None:
    if not isinstance(tensor, rule.array_type):
        raise TypeError(f"{name} must be a {rule.array_type.__name__}; got {type(tensor).__name__}")
    if _is_mask(rule) and str(tensor.dtype) != "torch.bool":
        raise TypeError(f"{name} must be a boolean mask, True = may attend; got {tensor.dtype}")
    if _is_whole(rule) and str(tensor.dtype).removeprefix("torch.") not in rule.dtypes:
        raise TypeError(f"{name} must hold whole numbers; got {tensor.dtype}")
    if _is_float(rule) and not tensor.dtype.is_floating_point:
        raise TypeError(f"{name} must hold floating-point numbers; got {tensor.dtype}")


def _is_mask(rule: Any) -> bool:
    return "bool" in rule.dtypes


def _is_whole(rule: Any) -> bool:
    return "int64" in rule.dtypes


def _is_float(rule: Any) -> bool:
    return "float32" in rule.dtypes


def _wanted(rule: Any, sizes: dict[str, tuple[int, str]]) -> str:
    """The shape a rule asks for, with the sizes known so far: "(..., n_keys, d_key=4)"."""
    names = [dim.lstrip("#") for dim in rule.dim_str.split()]
    shown = [f"{name}={sizes[name][0]}" if name in sizes else name for name in names]
    return f"({', '.join(shown)}{',' if len(shown) == 1 else ''})"


def _with_leading(so_far: tuple[int, ...], new: tuple[int, ...], name: str, mask: bool) -> tuple[int, ...]:
    try:
        together = np.broadcast_shapes(so_far, new)
    except ValueError:
        together = None
    if together is None or (mask and together != so_far):
        other = "the scores'" if mask else "the other arguments'"
        raise ValueError(
            f"the leading dimensions of {name} must broadcast to {other}; got {new} against {so_far}"
        ) from None
    return together


def _check_alike(rules: dict[str, Any], tensors: dict[str, Any]) -> None:
    (first, tensor), *others = sorted(tensors.items(), key=lambda item: not _is_float(rules[item[0]]))
    for name, other in others:
        if other.device != tensor.device:
            raise ValueError(
                f"all tensors must be on one device; {first} is on {tensor.device}, {name} on {other.device}"
            )
        if _is_float(rules[name]) and other.dtype != tensor.dtype:
            raise ValueError(f"all tensors must have one dtype; {first} has {tensor.dtype}, {name} has {other.dtype}")
