"""Attention over the patches of an image: a small vision Transformer for handwritten digits, and what it attends to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from course_attention.experiments.common.threads import one_thread
from course_attention.mechanisms.transformer import EncoderBlock

SIDE, PATCH = 8, 2  # pixels
N_PATCHES = (SIDE // PATCH) ** 2
N_TEST = 397


@dataclass(frozen=True)
class Digits:
    """Pictures of handwritten digits, cut into patches.

    Attributes:
        pictures: (n_pictures, 8, 8), 0 = paper, 1 = ink.
        patches: (n_pictures, 16, 4): row by row, and within a patch row by row.
        labels: (n_pictures,), the digits 0 … 9.
    """

    pictures: Tensor
    patches: Tensor
    labels: Tensor

    def __len__(self) -> int:
        return len(self.labels)

    def rows(self, rows: Tensor | slice) -> Digits:
        """Some of the pictures."""
        return Digits(self.pictures[rows], self.patches[rows], self.labels[rows])


def patchify(pictures: Tensor) -> Tensor:
    """Cut (…, 8, 8) pictures into (…, 16, 4) patches of two by two pixels.

    Example:
        >>> patchify(torch.arange(64).reshape(8, 8))[1].tolist()  # the second patch of the first row
        [2, 3, 10, 11]
    """
    rows = pictures.unflatten(-2, (-1, PATCH)).unflatten(-1, (-1, PATCH))  # (…, 4, 2, 4, 2)
    return rows.transpose(-3, -2).flatten(-2).flatten(-3, -2)


def load(device: torch.device | str = "cpu") -> tuple[Digits, Digits]:
    """scikit-learn's handwritten digits in a fixed random order: 1400 to train on, and 397 to test on."""
    from sklearn.datasets import load_digits

    found = load_digits()
    order = torch.randperm(len(found.target), generator=torch.Generator().manual_seed(0))
    pictures = torch.from_numpy(found.images).float()[order].to(device) / 16
    labels = torch.from_numpy(found.target).long()[order].to(device)
    digits = Digits(pictures, patchify(pictures), labels)
    return digits.rows(slice(N_TEST, None)), digits.rows(slice(N_TEST))


class PatchClassifier(nn.Module):
    """A classifier of digits: encoder blocks over 16 patches and a class token, from which the digit is read.

    Args:
        d_model, n_heads, d_hidden, n_blocks: sizes of the encoder.
        positions: whether a learned position is added to each patch.
        encoder_block: makes a block from d_model, n_heads and d_hidden; it holds its attention as `attention`.

    Source:
        Dosovitskiy et al. (2021), "An image is worth 16x16 words", section 3.1.
    """

    def __init__(
        self,
        d_model: int = 32,
        n_heads: int = 4,
        d_hidden: int = 64,
        n_blocks: int = 2,
        positions: bool = True,
        encoder_block: Callable[[int, int, int], nn.Module] = EncoderBlock,
    ):
        super().__init__()
        self.embed = nn.Linear(PATCH**2, d_model)
        self.class_token = nn.Parameter(torch.randn(1, d_model))
        self.position = nn.Parameter(torch.randn(N_PATCHES, d_model), requires_grad=positions)
        if not positions:
            nn.init.zeros_(self.position)
        self.blocks = nn.ModuleList(encoder_block(d_model, n_heads, d_hidden) for _ in range(n_blocks))
        self.classify = nn.Linear(d_model, 10)

    def _tokens(self, patches: Tensor) -> Tensor:
        class_token = self.class_token.expand(len(patches), 1, -1)
        return torch.cat([class_token, self.embed(patches) + self.position], dim=1)

    def forward(self, patches: Tensor, kept: Tensor | None = None) -> Tensor:
        """Logits, (batch, 10), from (batch, 16, 4); `kept`, (batch, 16), is True on patches that may be seen."""
        x, allowed = self._tokens(patches), None
        if kept is not None:
            # (batch, 1, 17): the class token is never hidden
            allowed = F.pad(kept, (1, 0), value=True).unsqueeze(1)
        for block in self.blocks:
            x = block(x, allowed)
        return self.classify(x[:, 0])

    def class_token_weights(self, patches: Tensor) -> Tensor:
        """The class token's weights in the last block, (batch, n_heads, 17): on itself, then on the patches."""
        x = self._tokens(patches)
        *before, last = self.blocks
        for block in before:
            x = block(x)
        _, weights = last.get_submodule("attention")(x)
        return weights[:, :, 0]


@one_thread()
def train(
    digits: Digits,
    seed: int = 0,
    n_steps: int = 400,
    batch: int = 64,
    progress: Callable = lambda steps: steps,
    **settings,
) -> PatchClassifier:
    """Train a classifier by Adam, its learning rate falling to 0.

    Args:
        digits: to train on.
        seed: of the initial weights and the batches.
        n_steps, batch: training steps, and pictures in each.
        progress: wraps the steps, such as tqdm.
        settings: of the classifier, as `PatchClassifier` takes them.
    """
    torch.manual_seed(seed)
    model = PatchClassifier(**settings).to(digits.labels.device)
    update = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=3e-3)
    falling = torch.optim.lr_scheduler.LinearLR(update, 1.0, 0.02, total_iters=n_steps)
    generator = torch.Generator().manual_seed(seed)
    for _ in progress(range(n_steps)):
        rows = torch.randint(len(digits), (batch,), generator=generator).to(digits.labels.device)
        loss = F.cross_entropy(model(digits.patches[rows]), digits.labels[rows])
        update.zero_grad()
        loss.backward()
        update.step()
        falling.step()
    return model.eval()


@torch.no_grad()
def accuracy(model: PatchClassifier, digits: Digits, kept: Tensor | None = None) -> float:
    """The share of pictures that are classified rightly, from all patches or only from those kept."""
    return (model(digits.patches, kept).argmax(dim=-1) == digits.labels).float().mean().item()


ORDERS = ("most attended", "most ink", "at random", "least attended")


@torch.no_grad()
def keep_mask(model: PatchClassifier, digits: Digits, order: str, n_kept: int, seed: int = 0) -> Tensor:
    """A mask, (n_pictures, 16), True on the first `n_kept` patches of each picture in one of the ORDERS."""
    attended = model.class_token_weights(digits.patches).mean(dim=1)[:, 1:]
    generator = torch.Generator().manual_seed(seed)
    worth = {
        "most attended": attended,
        "least attended": -attended,
        "most ink": digits.patches.sum(dim=-1),
        "at random": torch.rand(attended.shape, generator=generator).to(attended.device),
    }[order]
    return worth.argsort(dim=-1, descending=True).argsort(dim=-1) < n_kept


def accuracies(model: PatchClassifier, digits: Digits, n_kept: list[int]) -> dict[str, list[float]]:
    """Accuracy when only some patches of every picture are kept: order → one number for each of `n_kept`."""
    return {
        order: [accuracy(model, digits, keep_mask(model, digits, order, n)) for n in n_kept]
        for order in ORDERS
    }
