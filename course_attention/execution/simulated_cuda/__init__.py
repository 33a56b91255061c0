"""A simulated GPU: it finds a tensor that an answer left on the CPU, on a machine that has no GPU.

A tensor "on the GPU" is an ordinary tensor in the CPU's memory, and a mark on its memory says that it is on the GPU.
While the simulation is on, torch hands every function that Python calls to `mode.Simulation`. It looks at the marks of
the function's tensors. Where only some of them are on the GPU, and CUDA would refuse that, it raises CUDA's error.
Otherwise the CPU computes the result, and the result is marked as well. The numbers are therefore real: an answer may
print them or decide by them, as on a real GPU.

- `memory`: puts the mark on a tensor's memory and reads it.
- `rules`: which operations CUDA allows on tensors of both devices, and the error where it does not.
- `methods`: the functions that ask where a tensor is or that move it, such as `x.device`, `x.cpu()` and `x.numpy()`.
- `mode`: takes each call of a function of torch, checks it by the rules and marks its result.
- `dispatched`: marks the results of what Python does not call, such as the operators of TorchScript.
- `context`: `simulated_cuda()`, which switches all this on for one block of code.

The simulation needs no driver, and no torch that was built for CUDA. It does not show what only a real GPU does: other
rounding, dtypes that an operation lacks there, memory and time.
"""
