"""A GPU that is not there: its tensors hold real numbers in the CPU's memory, and refuse what CUDA refuses.

An answer that leaves a tensor on the CPU fails here as it fails on a real GPU, on a machine that has none.

- `memory`: which memory counts as the GPU's.
- `rules`: which operations may mix devices, and the error where they may not.
- `methods`: what tells or changes a tensor's device.
- `mode`: sees every function of torch that Python calls, and says where its result is.
- `dispatched`: sees the operators of what Python does not call, such as TorchScript.
- `context`: all of it, for one block of code.

It needs no driver and no CUDA in torch. What it cannot show is what only a real GPU does: other rounding, dtypes that
an operation lacks there, memory and time.
"""
