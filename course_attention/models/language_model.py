"""The language model of notebook 10: blocks between an embedding and an output layer, and the weights we trained."""

from collections.abc import Callable
from importlib.resources import as_file, files

import torch
from safetensors import safe_open
from torch import Tensor, nn

from course_attention.mechanisms.language_model import DecoderOnlyBlock
from course_attention.models.tokenizer import Tokenizer

Cache = tuple[Tensor, Tensor]  # keys (turned) and values, (..., n_groups, n_past, d_head)
STORE = files("course_attention.models") / "python_source"


class LanguageModel(nn.Module):
    """An embedding, blocks, a norm, and the embedding once more as the output layer.

    Args:
        n_vocabulary: number of different tokens.
        n_layers: number of blocks.
        d_model, n_heads, n_groups, d_hidden: of each block.
        block: makes a block of these four sizes; a student's own, for example.

    Source:
        Press and Wolf (2017), "Using the output embedding to improve language models", section 3, for the shared
        embedding.

    Example:
        >>> model = LanguageModel(n_vocabulary=10, n_layers=2, d_model=8, n_heads=2, n_groups=1, d_hidden=16)
        >>> logits, caches = model(torch.tensor([[1, 2, 3]]))
        >>> logits.shape, len(caches)
        (torch.Size([1, 3, 10]), 2)
    """

    def __init__(
        self,
        n_vocabulary: int,
        n_layers: int,
        d_model: int,
        n_heads: int,
        n_groups: int,
        d_hidden: int,
        block: Callable[[int, int, int, int], nn.Module] = DecoderOnlyBlock,
    ):
        super().__init__()
        self.embedding = nn.Embedding(n_vocabulary, d_model)
        self.blocks = nn.ModuleList(block(d_model, n_heads, n_groups, d_hidden) for _ in range(n_layers))
        self.norm = nn.RMSNorm(d_model, eps=1e-6)

    def forward(self, tokens: Tensor, caches: list[Cache] | None = None) -> tuple[Tensor, list[Cache]]:
        """Logits, (batch, n_tokens, n_vocabulary), and the cache of each block, for the tokens to come."""
        x, kept = self.embedding(tokens), []
        for number, block in enumerate(self.blocks):
            x, cache = block(x, None if caches is None else caches[number])
            kept.append(cache)
        return self.norm(x) @ self.embedding.weight.T, kept


def load_tokenizer() -> Tokenizer:
    """Return the tokenizer of the model of Python source."""
    with as_file(STORE / "tokenizer.json") as path:
        return Tokenizer.load(path)


def load_weights() -> tuple[dict[str, int], dict[str, Tensor]]:
    """Return the sizes of the model of Python source, as `LanguageModel` takes them, and its weights in float32.

    The weights are stored in float16. `docs/language_model.md` is the model card.
    """
    names = ("n_vocabulary", "n_layers", "d_model", "n_heads", "n_groups", "d_hidden")
    with as_file(STORE / "weights.safetensors") as path, safe_open(path, framework="pt") as stored:
        facts = stored.metadata()
        weights = {name: stored.get_tensor(name).float() for name in stored.keys()}  # noqa: SIM118 - no mapping
    return {name: int(facts[name]) for name in names}, weights


def load(
    block: Callable[[int, int, int, int], nn.Module] = DecoderOnlyBlock,
    device: torch.device | str = "cpu",
) -> LanguageModel:
    """Return the trained model of Python source, of blocks of this kind."""
    sizes, weights = load_weights()
    model = LanguageModel(**sizes, block=block)
    model.load_state_dict(weights)
    return model.to(device).eval()
