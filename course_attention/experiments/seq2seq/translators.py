"""Several translators of one size at once: their weights lie in stacks, and each operation serves them all.

Matrices this small cost more to call than to multiply. So a stack of models takes little longer than one of them.
"""

import copy
from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from course_attention.experiments.common.pairs import START
from course_attention.experiments.seq2seq.translator import Translator

_GRU = "weight_ih", "weight_hh", "bias_ih", "bias_hh"


class Translators:
    """A stack of translators, with attention all of them or none; texts of one length have no padding.

    Attributes:
        flat: all weights, (n_models, n_weights).
        weights: each parameter of a `Translator` by its name, (n_models, …); these are views of `flat`.

    Args:
        models: to begin with; they stay as they are.
    """

    def __init__(self, models: Sequence[Translator]) -> None:
        self._models = [copy.deepcopy(model) for model in models]
        self.flat = torch.stack([nn.utils.parameters_to_vector(model.parameters()).detach() for model in models])
        self.weights: dict[str, Tensor] = {}
        first = 0
        for name, one in models[0].named_parameters():
            part = self.flat[:, first : first + one.numel()]
            self.weights[name] = part.unflatten(1, one.shape).requires_grad_()
            first += one.numel()

    def model(self, i: int) -> Translator:
        """Return model i with its weights of today."""
        nn.utils.vector_to_parameters(self.flat[i], self._models[i].parameters())
        return self._models[i]

    def gradient(self) -> Tensor:
        """Take the gradient of all weights from them, (n_models, n_weights)."""
        parts = [weight.grad.flatten(1) for weight in self.weights.values()]
        for weight in self.weights.values():
            weight.grad = None
        return torch.cat(parts, dim=1)

    def logits(self, source: Tensor, target: Tensor) -> Tensor:
        """Compute what `Translator.forward` computes, for all models.

        With teacher forcing, all symbols that the decoder reads are known before its first step. So the attention and
        the output of all steps can be computed at once.

        Args:
            source: symbols, (n_models, batch, n_source).
            target: symbols, (n_models, batch, n_target).

        Returns:
            (n_models, batch, n_target, n_symbols).
        """
        read = self._embedded("embed_source", source)
        both = torch.cat([read, read.flip(1)])
        weights = [torch.cat([self.weights[f"encoder.{name}_l0{way}"] for way in ("", "_reverse")]) for name in _GRU]
        nothing = both.new_zeros(both.shape[0], both.shape[2], weights[1].shape[2])
        there, back = _states(both, weights, nothing).chunk(2)
        memory = torch.cat([there, back.flip(1)], dim=-1)
        last = torch.cat([there[:, -1], back[:, -1]], dim=-1)
        written = self._embedded("embed_target", F.pad(target[..., :-1], (1, 0), value=START))
        states = _states(written, [self.weights[f"decoder.{name}"] for name in _GRU], last).transpose(1, 2)
        if self._models[0].attend is not None:
            memory = memory.transpose(1, 2)  # (n_models, batch, n_source, d_hidden)
            weight = (states @ memory.mT).softmax(dim=-1)
            states = torch.cat([weight @ memory, states], dim=-1)
        hidden = self._linear("output.0", states.flatten(1, 2)).tanh()
        return self._linear("output.2", hidden).unflatten(1, target.shape[1:])

    def _embedded(self, name: str, symbols: Tensor) -> Tensor:
        """(n_models, n_tokens, batch, d_embedding)."""
        table = self.weights[f"{name}.weight"]
        first = torch.arange(len(table))[:, None, None] * table.shape[1]
        return F.embedding(symbols.mT + first, table.flatten(0, 1))

    def _linear(self, name: str, x: Tensor) -> Tensor:
        return torch.baddbmm(self.weights[f"{name}.bias"][:, None], x, self.weights[f"{name}.weight"].mT)


class Adam:
    """Adam with a learning rate for each model; gradients are clipped to a norm of 1 for each.

    Attributes:
        rates: may change between steps, (n_models,).

    Args:
        models: are changed by each step.
        rates: to begin with.
    """

    def __init__(self, models: Translators, rates: Sequence[float]) -> None:
        self.rates = torch.tensor(rates, dtype=models.flat.dtype)
        self._models, self._steps = models, 0
        self._mean, self._square = torch.zeros_like(models.flat), torch.zeros_like(models.flat)

    @torch.no_grad()
    def step(self) -> None:
        """Change all weights by their gradient, and forget it."""
        self._steps += 1
        gradient = self._models.gradient()
        gradient /= (gradient.norm(dim=1, keepdim=True) + 1e-6).clamp(min=1)
        self._mean.lerp_(gradient, 0.1)
        self._square.lerp_(gradient.square(), 0.001)
        size = (self._square / (1 - 0.999**self._steps)).sqrt_().add_(1e-8)
        step = self._mean * (self.rates / (1 - 0.9**self._steps))[:, None]
        self._models.flat.addcdiv_(step, size, value=-1)


def _states(x: Tensor, weights: Sequence[Tensor], state: Tensor) -> Tensor:
    """Compute the states of GRUs with the weights of `nn.GRU`: (n_models, n_tokens, batch, d_hidden)."""
    w, u, b, c = weights  # in the order of _GRU
    read = torch.baddbmm(b[:, None], x.flatten(1, 2), w.mT).unflatten(1, x.shape[1:3])
    d_hidden, states = u.shape[2], []
    gates_read, new_read = read[..., : 2 * d_hidden], read[..., 2 * d_hidden :]
    for gates, new in zip(gates_read.unbind(1), new_read.unbind(1), strict=True):
        own = torch.baddbmm(c[:, None], state, u.mT)
        reset, keep = (gates + own[..., : 2 * d_hidden]).sigmoid().chunk(2, dim=-1)
        candidate = torch.addcmul(new, reset, own[..., 2 * d_hidden :]).tanh()
        state = torch.lerp(candidate, state, keep)
        states.append(state)
    return torch.stack(states, dim=1)
