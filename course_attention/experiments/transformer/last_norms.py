"""The norms at the end of each road, which pre-norm models have behind their last blocks."""

from typing import Any

from torch import Tensor, nn


def with_last_norms(kind: type[nn.Module]) -> type[nn.Module]:
    """Return a class of Transformers that have a norm before the output layer, and one at the end of the encoder.

    The initial weights are those of `kind`, since those of a norm are not drawn.

    Args:
        kind: the class of a Transformer, with an `output` layer and a method `encode`; a student's own, for example.

    Source:
        Xiong et al. (2020), "On layer normalization in the Transformer architecture", table 1: the final norm of the
        pre-norm form.

    Example:
        >>> from course_attention.experiments.transformer.model import Transformer
        >>> model = with_last_norms(Transformer)(5, 7, d_model=8)
        >>> [name for name, _ in model.named_children() if name.endswith("norm")]
        ['last_norm', 'memory_norm']
    """

    class WithLastNorms(kind):  # type: ignore[valid-type, misc]
        output: nn.Linear

        def __init__(self, *sizes: Any, **more: Any) -> None:
            super().__init__(*sizes, **more)
            self.last_norm, self.memory_norm = (nn.LayerNorm(self.output.in_features) for _ in range(2))
            self.output.register_forward_pre_hook(lambda _layer, inputs: (self.last_norm(inputs[0]),))

        def encode(self, source: Tensor, allowed: Tensor) -> Tensor:
            return self.memory_norm(super().encode(source, allowed))

    return WithLastNorms
