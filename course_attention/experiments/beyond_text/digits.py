"""Pictures of handwritten digits, and pages with up to four of them and the words that name them."""

from dataclasses import dataclass

import torch
from torch import Tensor

N_TEST = 397
WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "<end>")
END, START, PAD = 10, 11, 12  # <end> is written; the other two are only read
N_PLACES = 4  # of digits on a page


@dataclass(frozen=True)
class Digits:
    """Pictures of handwritten digits.

    Attributes:
        pictures: (n_pictures, 1, 8, 8), 0 = paper, 1 = ink.
        labels: (n_pictures,), the digits 0 … 9.
    """

    pictures: Tensor
    labels: Tensor

    def __len__(self) -> int:
        return len(self.labels)


@dataclass(frozen=True)
class Pages:
    """Pages of two by two places, each with a digit or empty, and their captions.

    Attributes:
        pictures: (n_pages, 1, 16, 16).
        captions: (n_pages, 5), the digits in reading order, then END, then PAD.
        places: (n_pages, 5), in which of the four places the digit of a caption's word stands; −1 for END and PAD.
    """

    pictures: Tensor
    captions: Tensor
    places: Tensor

    def __len__(self) -> int:
        return len(self.captions)


def load() -> tuple[Digits, Digits]:
    """scikit-learn's handwritten digits in a fixed random order: 1400 to train on, and 397 to test on."""
    from sklearn.datasets import load_digits

    found = load_digits()
    order = torch.randperm(len(found.target), generator=torch.Generator().manual_seed(0))
    pictures = torch.from_numpy(found.images).float()[order].unsqueeze(1) / 16
    labels = torch.from_numpy(found.target).long()[order]
    return Digits(pictures[N_TEST:], labels[N_TEST:]), Digits(pictures[:N_TEST], labels[:N_TEST])


def page(digits: Digits, chosen: Tensor) -> Tensor:
    """Pages, (n_pages, 1, 16, 16), with these digits: `chosen`, (n_pages, 4), counts pictures; −1 is an empty place.

    Example:
        >>> white = Digits(torch.ones(1, 1, 8, 8), torch.tensor([7]))
        >>> page(white, torch.tensor([[-1, -1, -1, 0]]))[0, 0, 8:, 8:].sum().item()
        64.0
    """
    quarters = digits.pictures[chosen, 0] * (chosen >= 0)[..., None, None]  # (n_pages, 4, 8, 8)
    upper, lower = (torch.cat([quarters[:, i], quarters[:, i + 1]], dim=-1) for i in (0, 2))
    return torch.cat([upper, lower], dim=-2).unsqueeze(1)


def draw_pages(n_pages: int, digits: Digits, generator: torch.Generator) -> Pages:
    """Draw pages on which each place has a digit with probability 3/4; no page is empty."""
    chosen = torch.randint(len(digits), (n_pages, N_PLACES), generator=generator)
    there = torch.rand(n_pages, N_PLACES, generator=generator) < 0.75
    there[~there.any(dim=1), 0] = True
    captions, places = (torch.full((n_pages, N_PLACES + 1), empty) for empty in (PAD, -1))
    for row, (pictures, is_there) in enumerate(zip(chosen, there, strict=True)):
        n_words = int(is_there.sum())
        captions[row, :n_words] = digits.labels[pictures[is_there]]
        captions[row, n_words] = END
        places[row, :n_words] = is_there.nonzero().flatten()
    return Pages(page(digits, chosen.where(there, -1)), captions, places)
