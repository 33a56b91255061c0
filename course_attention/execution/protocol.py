"""What a judge asks of an answer and what it gets back: plain data, so that the answer may be in another process."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

import numpy as np

Device = Literal["cpu", "cuda", "simulated-cuda"]


@dataclass(frozen=True)
class Array:
    """A tensor to be handed to an answer.

    Attributes:
        values: float64, int64 or bool; every number is one that `dtype` holds exactly.
        dtype: "float64", "float32", "float16", "bfloat16", "int64", "int32" or "bool".
        strided: hand it over as a view that is not contiguous, and of which no two axes can be viewed as one.
        wants_gradient: where gradients are asked for, one of this array is too. A mask of numbers wants none.
    """

    values: np.ndarray
    dtype: str
    strided: bool = False
    wants_gradient: bool = True


@dataclass(frozen=True)
class TorchAttention:
    """An `nn.MultiheadAttention` without biases, batch first, to be handed to an answer.

    Attributes:
        embed_dim, num_heads: as torch names them.
        weights: its state: "in_proj_weight" (3·embed_dim, embed_dim) and "out_proj.weight".
    """

    embed_dim: int
    num_heads: int
    weights: Mapping[str, Array]


@dataclass(frozen=True)
class Step:
    """A model that writes, handed to an answer as a function: tokens (batch, n) → logits (batch, n, n_vocabulary).

    At each place it finds the next token of `writes` the most probable, where every token up to there is the one that
    it was to read. Each token that is another one moves its choice on by one, so that a wrong prefix shows.

    Attributes:
        writes: int64 (batch, n_places), the tokens of each row one after another.
        start_token: what stands before them.
        n_vocabulary: how many tokens there are.
    """

    writes: Array
    start_token: int
    n_vocabulary: int

    def logits(self, tokens: np.ndarray) -> np.ndarray:
        """Logits for the token after each place.

        Args:
            tokens: whole numbers, (batch, n): what has been written, with the start token in front.

        Returns:
            (batch, n, n_vocabulary) in float32: 0 for the most probable token, then −1, −2, …

        Raises:
            ValueError: the tokens are no whole numbers of the vocabulary, or not in as many rows as there are, or none;
                or there are more places than `writes` has.

        Example:
            >>> Step(Array(np.array([[2, 0]]), "int64"), start_token=1, n_vocabulary=3).logits(np.array([[1, 2]]))
            array([[[-1., -2.,  0.],
                    [ 0., -1., -2.]]], dtype=float32)
        """
        batch, n_places = self.writes.values.shape
        if tokens.dtype.kind not in "iu" or tokens.ndim != 2 or len(tokens) != batch or not tokens.size:
            wanted = f"whole numbers of shape (batch={batch}, n), n at least 1"
            raise ValueError(f"step takes tokens: {wanted}; got {tokens.dtype} of shape {tokens.shape}")
        if tokens.min() < 0 or tokens.max() >= self.n_vocabulary:
            wanted = f"0 to {self.n_vocabulary - 1}"
            raise ValueError(f"step takes tokens {wanted}; got {tokens.min()} to {tokens.max()}")
        if tokens.shape[1] > n_places:  # an answer that never stops would never come back
            asked = f"step was asked for token {tokens.shape[1]} of each row"
            raise ValueError(f"{asked}, which is beyond max_length: the loop should have stopped")
        next_tokens = self.writes.values[:, : tokens.shape[1]]
        to_read = np.concatenate([np.full((batch, 1), self.start_token), next_tokens[:, :-1]], axis=1)
        astray = (tokens != to_read).cumsum(axis=1)
        below_best = (np.arange(self.n_vocabulary) - (next_tokens + astray)[..., None]) % self.n_vocabulary
        return np.asarray(0 - below_best, dtype=np.float32)


@dataclass(frozen=True)
class GivenFunction:
    """A function of torch tensors, handed to an answer that is to say whether it is right.

    It is made in the answer's own process, with gradients on. Nothing about it but what it does tells one from another:
    all have the same name, and none has a file that holds its source.

    Attributes:
        source: defines the function. It may use `torch` and what Python has built in.
        name: of the function.
    """

    source: str
    name: str


@dataclass(frozen=True)
class Call:
    """One call of an answer.

    Attributes:
        arguments: name → Array, tuple of Arrays, TorchAttention, Step, GivenFunction, number or None, in the order of
            the exercise's signature.
        device: where the tensors are; "simulated-cuda" finds a tensor left on the CPU on a machine without a GPU.
        cotangents: one array for each floating result, to be multiplied with it and summed before the gradient is
            taken; empty where no gradient is asked for.
        settings: arguments of the constructor, where the answer is a module class.
        weights: parameter name → Array, loaded into the module before the call.
        again: call a module once more, in evaluation mode, and see whether it gives the same.
        before: call the module with these arguments first. Nobody looks at what comes of that.
        measure: find the largest tensor that the answer makes.
    """

    arguments: Mapping[str, Any]
    device: Device = "cpu"
    cotangents: tuple[np.ndarray, ...] = ()
    settings: Mapping[str, Any] | None = None
    weights: Mapping[str, Array] = field(default_factory=dict)
    again: bool = False
    before: Mapping[str, Any] = field(default_factory=dict)
    measure: bool = False


@dataclass(frozen=True)
class Result:
    """One thing that an answer returned.

    Attributes:
        kind: "tensor", "array", "number", "bool", or the name of the type where it is none of these.
        dtype, device, shape: of the tensor as returned.
        values: its numbers in float64, or bool or int64; None where it has none.
    """

    kind: str
    dtype: str = ""
    device: str = ""
    shape: tuple[int, ...] = ()
    values: np.ndarray | None = None


@dataclass(frozen=True)
class Raised:
    """An exception that an answer raised.

    Attributes:
        type, message: of the exception.
        line: the line of the answer's own source where it came from, or "".
        stage: "construct", "load" or "call".
        unwritten: the answer itself raised NotImplementedError: a stub.
        device_mismatch: tensors on two devices met, or NumPy was to read one that is on a GPU.
    """

    type: str
    message: str
    line: str = ""
    stage: str = "call"
    unwritten: bool = False
    device_mismatch: bool = False


@dataclass(frozen=True)
class Outcome:
    """What came of a call.

    Attributes:
        results: what was returned, one entry for each element of a tuple or list, and of those within it.
        form: "single", "tuple", "list", "mapping" or "nothing" (None, or an ellipsis, was returned).
        error: what was raised, or None.
        arguments: the arguments as they are after the call, those within a tuple or a module under names of their own;
            None where they were not looked at: for a gradient, or on the simulated GPU.
        changed: names of the arguments that the answer changed, see `inputs.changed`.
        gradients: argument or parameter name → gradient, None where none arrived; empty where none was asked for.
        steady: False where a module called again gave something else.
        names: the keys of a mapping, in the order of the results.
        groups: where tuples or lists stand within a tuple or list: the length of each, 0 for what is none.
        largest: how many numbers the largest tensor has that the answer made; 0 where it was not asked for.
        largest_line: the line of the answer's own source that made it, or "".
        is_stub: nothing was returned by a function that does nothing, or was left as it was given: a stub.
        milliseconds: processor time of the process in which the call was made. Other programs do not count.
    """

    results: tuple[Result, ...] = ()
    form: str = "nothing"
    error: Raised | None = None
    arguments: Mapping[str, Result] | None = None
    changed: tuple[str, ...] = ()
    gradients: Mapping[str, np.ndarray | None] = field(default_factory=dict)
    names: tuple[str, ...] = ()
    groups: tuple[int, ...] = ()
    largest: int = 0
    largest_line: str = ""
    steady: bool = True
    is_stub: bool = False
    milliseconds: int = field(default=0, compare=False)

    @property
    def left_behind(self) -> Raised | Result | None:
        """What shows that a tensor is not on the GPU, where the inputs are: the error, or the first such result."""
        if self.error is not None:
            return self.error if self.error.device_mismatch else None
        return next((r for r in self.results if r.kind == "tensor" and r.device != "cuda"), None)


class Runner(Protocol):
    """Whoever can run an answer: in this process, or in another."""

    def observe(self, call: Call) -> Outcome:
        """Call the answer; never raises for anything that it does."""
        ...
