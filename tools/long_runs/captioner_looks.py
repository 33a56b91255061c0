"""Where does the captioner of notebook 13 look, and is what it looks at the digit?

    python -m tools.long_runs.captioner_looks

trains the notebook's captioner with three seeds, and with the same seeds a captioner without the encoder block. The
block mixes the patches: a token of the memory holds something of all of them, so attention on a token need not be
attention on its patch. Without the block, each token of the memory is a single patch and its place. It can be stopped
and goes on, and takes about 2 minutes of one core.

Each row has the shares of attention that the notebook measures, and two exchanges. One digit of a page is replaced by
another one, and both pages go through the encoder. Then the decoder gets a memory that is put together from both:

- digit_follows: the four tokens at the digit's place come from the new page, and the others from the old one. The share
  of words that name the new digit.
- rest_follows: the other way round. The share of words that name the new digit, although the tokens at its place are
  old.
"""

from __future__ import annotations

import time
from itertools import product

import torch
from torch import Tensor, nn

from course_attention.experiments.beyond_text import digits
from course_attention.experiments.common.threads import one_thread
from course_attention.mechanisms.beyond_text import image_patches
from course_attention.mechanisms.transformer import DecoderBlock, EncoderBlock, shift_right
from course_attention.practice.beyond_text.caption import caption
from course_attention.practice.beyond_text.caption_loss import caption_loss
from course_attention.practice.beyond_text.next_words import next_words
from tools.long_runs import falling_rate
from tools.long_runs.store import Store

MEMORIES, SEEDS, N_STEPS = ("encoder block", "patches alone"), (0, 1, 2), 500
SETTINGS = ("memory", "seed")
QUARTER = torch.arange(4).view(2, 2).repeat_interleave(2, 0).repeat_interleave(2, 1).flatten()  # of each patch


class Captioner(nn.Module):
    """The captioner of notebook 13.

    Args:
        encoder: whether an encoder block mixes the patches before the decoder reads them.
    """

    def __init__(self, encoder: bool) -> None:
        super().__init__()
        self.embed = nn.Linear(16, 64)
        self.place = nn.Parameter(torch.randn(16, 64) / 2)
        self.encoder = EncoderBlock(64, 4, 128) if encoder else nn.Identity()
        self.word = nn.Embedding(13, 64)
        self.position = nn.Parameter(torch.randn(5, 64) / 2)
        self.decoder = DecoderBlock(64, 4, 128)
        self.write = nn.Linear(64, len(digits.WORDS))

    def see(self, pictures: Tensor) -> Tensor:
        """Return the memory, (batch, 16, 64)."""
        return self.encoder(self.embed(image_patches(pictures, 4)) + self.place)

    def forward(self, words: Tensor, memory: Tensor) -> tuple[Tensor, Tensor]:
        """Return the logits of the next words, and the weights of the cross-attention."""
        return next_words(self, words, memory)


@one_thread()
def trained(memory: str, seed: int, n_steps: int = N_STEPS) -> Captioner:
    """Train as the notebook does."""
    learn, _ = digits.load()
    pages = digits.draw_pages(4000, learn, torch.Generator().manual_seed(1))
    torch.manual_seed(seed)
    model = Captioner(memory == "encoder block")
    falling_rate.train(
        model, lambda rows: caption_loss(model, pages.pictures[rows], pages.captions[rows]), len(pages), n_steps
    )
    return model.eval()


def share_on(weights: Tensor, places: Tensor, rows: Tensor) -> float:
    """Return the mean attention on the four patches of the digits at these places, of the words in `rows`."""
    at_digit = places[rows][:, None] == QUARTER
    return (weights.mean(dim=1)[rows] * at_digit).sum(dim=-1).mean().item()


def with_another_digit(pages: digits.Pages, others: digits.Digits) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Replace one digit of each page by another one.

    Returns:
        The changed pages, which word of the caption it was, at which place of the page, and the new digit.
    """
    generator = torch.Generator().manual_seed(5)
    pictures, n_words = pages.pictures.clone(), (pages.captions < 10).sum(dim=1)
    word = (torch.rand(len(pages), generator=generator) * n_words).long()
    place, new = pages.places[torch.arange(len(pages)), word], []
    for row, quarter in enumerate(place.tolist()):
        different = (others.labels != pages.captions[row, word[row]]).nonzero().flatten()
        chosen = int(different[torch.randint(len(different), (), generator=generator)])
        down, right = (8 * one for one in divmod(quarter, 2))
        pictures[row, :, down : down + 8, right : right + 8] = others.pictures[chosen]
        new.append(int(others.labels[chosen]))
    return pictures, word, place, torch.tensor(new)


@torch.no_grad()
def measured(model: Captioner) -> dict[str, float]:
    """Return the row's figures, on 500 pages of digits that the model has not seen."""
    _, unseen = digits.load()
    pages = digits.draw_pages(500, unseen, torch.Generator().manual_seed(9))
    words, weights = caption(model, pages.pictures)
    counted, is_word = pages.captions != digits.PAD, pages.captions < 10
    before, elsewhere = pages.places.roll(1, dims=1), pages.places.roll(1, dims=0)
    differs = is_word & (elsewhere >= 0) & (elsewhere != pages.places)
    changed, word, place, new = with_another_digit(pages, unseen)
    read, rows = shift_right(pages.captions, digits.START), torch.arange(len(pages))
    old_memory, new_memory = model.see(pages.pictures), model.see(changed)
    at_place = (place[:, None] == QUARTER)[..., None]

    def names_new(memory: Tensor) -> float:
        return (model(read, memory)[0][rows, word].argmax(dim=-1) == new).float().mean().item()

    found = {
        "accuracy": ((words == pages.captions) & counted).sum().item() / counted.sum().item(),
        "on_next": share_on(weights, pages.places, is_word),
        "on_last": share_on(weights, before, is_word & (torch.arange(5) > 0)),
        "by_own": share_on(weights, pages.places, differs),
        "by_another": share_on(weights.roll(1, dims=0), pages.places, differs),
        "digit_follows": names_new(torch.where(at_place, new_memory, old_memory)),
        "rest_follows": names_new(torch.where(at_place, old_memory, new_memory)),
    }
    return {name: round(one, 4) for name, one in found.items()}


def main() -> None:
    store = Store("beyond_text", __file__, SETTINGS)
    for setting in store.missing({"memory": memory, "seed": seed} for memory, seed in product(MEMORIES, SEEDS)):
        began = time.process_time()
        found = measured(trained(**setting))
        store.add(**setting, **found)
        print(*setting.values(), *found.items(), f"{time.process_time() - began:.1f} s", flush=True)


if __name__ == "__main__":
    main()
