"""The functions that tell or change where a tensor is: `x.device`, `x.cpu()`, `x.numpy()`, its printed text.

`SPECIAL` lists them. Each takes the place of torch's own function while a GPU is simulated. What is the same on every
device, such as a shape, is torch's own there, so that nobody looks for its device.
"""

import re
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from course_attention.execution.simulated_cuda.memory import CPU, CUDA, device_of, on_cuda, put


def _grad_get(tensor: Tensor) -> Tensor | None:
    grad = Tensor.grad.__get__(tensor)
    return grad if grad is None else put(grad, CUDA if on_cuda(tensor) else CPU)


def _cpu(tensor: Tensor, **kwargs: Any) -> Tensor:
    return put(tensor.clone(), CPU) if on_cuda(tensor) else tensor


def _cuda(tensor: Tensor, device: Any = None, **kwargs: Any) -> Tensor:
    return tensor if on_cuda(tensor) else put(tensor.clone(), CUDA)


def _type(tensor: Tensor, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
    """Return a tensor's type, or the tensor in another. A name such as "torch.FloatTensor" names a device."""
    if dtype is None:
        name = tensor.type()
        return name.replace("torch.", "torch.cuda.") if on_cuda(tensor) else name
    if isinstance(dtype, torch.dtype):
        return put(tensor.type(dtype, *args, **kwargs), device_of(tensor))
    name = dtype if isinstance(dtype, str) else torch.typename(dtype)
    typed = tensor.type(name.replace(".cuda.", "."), *args, **kwargs)
    return _cuda(typed) if ".cuda." in name else _cpu(typed)


def _numpy(tensor: Tensor, *, force: bool = False) -> Any:
    _only_on_the_cpu(tensor, force)
    return tensor.numpy(force=force)


def _array(tensor: Tensor, *args: Any, **kwargs: Any) -> Any:
    _only_on_the_cpu(tensor)
    return tensor.__array__(*args, **kwargs)


def _only_on_the_cpu(tensor: Tensor, force: bool = False) -> None:
    if on_cuda(tensor) and not force:
        raise TypeError(
            "can't convert cuda:0 device type tensor to numpy. "
            "Use Tensor.cpu() to copy the tensor to host memory first."
        )


def _for_the_cpu(method: Callable[..., Any]) -> Callable[..., Any]:
    """Make a method refuse the GPU: it calls a function of Python's for each number, which no GPU can."""

    def only_there(tensor: Tensor, *args: Any, **kwargs: Any) -> Any:
        if any(map(on_cuda, (tensor, *(value for value in args if isinstance(value, Tensor))))):
            raise TypeError(f"{method.__name__} is only implemented on CPU tensors")
        return method(tensor, *args, **kwargs)

    return only_there


def _parse_to(*args: Any, **kwargs: Any) -> tuple[Any, ...]:
    """Return what `Module.to` is asked for."""
    device, *rest = torch._C._nn._parse_to(*args, **kwargs)
    like = next((value for value in (*args, *kwargs.values()) if isinstance(value, Tensor)), None)
    return (device if like is None else device_of(like), *rest)


def _repr(tensor: Tensor, **kwargs: Any) -> str:
    """Return what PyTorch prints: the device stands behind the numbers, before dtype and gradient."""
    text = Tensor.__repr__(tensor, **kwargs)
    if not on_cuda(tensor):
        return text
    return re.sub(r"(, (?:size|dtype|grad_fn|requires_grad)=.*)?\)$", r", device='cuda:0'\1)", text, count=1)


def _format(tensor: Tensor, specification: str) -> str:
    return format(_repr(tensor), specification) if tensor.dim() else format(tensor.item(), specification)


def _deepcopy(tensor: Tensor, memo: dict[int, Any]) -> Tensor:
    copied = type(tensor).__deepcopy__(tensor, memo)
    return put(copied, CUDA) if on_cuda(tensor) else copied


# These read or set what is the same on every device, and give no tensor. An optimiser asks for little else.
_THE_SAME_EVERYWHERE = (
    *(Tensor.shape.__get__, Tensor.dtype.__get__, Tensor.ndim.__get__, Tensor.layout.__get__),
    *(Tensor.requires_grad.__get__, Tensor.is_leaf.__get__, Tensor.is_sparse.__get__),
    *(Tensor.dim, Tensor.size, Tensor.numel, Tensor.item, Tensor.is_contiguous),
    *(Tensor.is_complex, Tensor.is_floating_point, torch.is_complex, torch.is_floating_point),
    torch._C._set_grad_enabled,
)
SPECIAL: dict[Any, Callable[..., Any]] = {
    **{function: function for function in _THE_SAME_EVERYWHERE},
    Tensor.device.__get__: device_of,
    Tensor.is_cuda.__get__: on_cuda,
    Tensor.is_cpu.__get__: lambda tensor: device_of(tensor).type == "cpu",
    Tensor.get_device: lambda tensor: 0 if on_cuda(tensor) else Tensor.get_device(tensor),
    Tensor.grad.__get__: _grad_get,
    torch._C._nn._parse_to: _parse_to,
    Tensor.cpu: _cpu,
    Tensor.cuda: _cuda,
    Tensor.type: _type,
    Tensor.numpy: _numpy,
    Tensor.__array__: _array,
    **{method: _for_the_cpu(method) for method in (Tensor.apply_, Tensor.map_, Tensor.map2_)},
    Tensor.__repr__: _repr,
    Tensor.__format__: _format,
    Tensor.__deepcopy__: _deepcopy,
}
