"""The device on which the notebooks compute: CUDA where there is one, unless the environment names another."""

import os
import re

import torch

VARIABLE = "COURSE_ATTENTION_DEVICE"


def device() -> torch.device:
    """Return the device that every notebook cell uses.

    The environment variable `COURSE_ATTENTION_DEVICE` decides ("cpu", "cuda", "cuda:1"). Where it is not set:
    CUDA if PyTorch finds one, else the CPU.

    Returns:
        The device.

    Raises:
        ValueError: the variable names no device, or one that this machine does not have.

    Example:
        >>> device().type in ("cpu", "cuda")
        True
    """
    given = os.environ.get(VARIABLE, "")
    wanted = given.strip().lower()
    if not wanted:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if not re.fullmatch(r"cpu|cuda(:\d+)?", wanted):
        raise ValueError(f"{VARIABLE} must be cpu, cuda or cuda:N (N counts from 0); got {given!r}")
    chosen = torch.device(wanted)
    if chosen.type == "cuda":
        found = torch.cuda.device_count() if torch.cuda.is_available() else 0
        if (chosen.index or 0) >= found:
            raise ValueError(f"{VARIABLE} is {given!r}, but PyTorch finds {found} CUDA devices; use cpu")
    return chosen
