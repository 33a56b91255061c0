"""Names that are set again and again, with keys that overlap: what does a memory hold of the latest digits?

A line sets a name to a digit. Each name has a random key of length 1, and no two of the keys are orthogonal. At the end
each name is asked for. A text may have two parts, as when a function of a program calls another: where the second part
begins, all names are forgotten, and some of them are not set again.
"""

from dataclasses import dataclass, replace
from string import ascii_lowercase

import torch
import torch.nn.functional as F
from torch import Tensor

N_DIGITS = 10
DIGIT_BITS = 4  # which hold one of ten digits
NOT_SET = -1  # the answer for a name that holds nothing
NOISE = 1_000_000  # added to the seeds of noise, so that none is the seed of a text


@dataclass(frozen=True)
class Texts:
    """Lines that set names, and after them a question for each name.

    Attributes:
        key: of lines and questions, `(n_texts, n_tokens, d_key)`; it is the query as well.
        value: a unit vector for each digit, and 0 for a question, `(n_texts, n_tokens, 10)`.
        writes: 1 for a line that sets, 0 for a question, `(n_texts, n_tokens)`.
        begins: 1 for the first line of the last part, else 0, `(n_texts, n_tokens)`.
        answers: the latest digit of each name, or NOT_SET, `(n_texts, n_names)`.
        age: how many lines came after the one that set the name last, `(n_texts, n_names)`.
        newer: how many other names were set in these lines, `(n_texts, n_names)`.
    """

    key: Tensor
    value: Tensor
    writes: Tensor
    begins: Tensor
    answers: Tensor
    age: Tensor
    newer: Tensor

    def right(self, output: Tensor, least: float = -torch.inf) -> Tensor:
        """Say for each question whether its output is right, `(n_texts, n_names)`.

        Args:
            output: of all tokens, `(n_texts, n_tokens, 10)`. The place of its largest entry is the digit.
            least: where the largest entry is smaller, the answer is NOT_SET. Without a limit, it is always a digit.
        """
        largest = output[:, -self.answers.shape[-1] :].max(dim=-1)
        return torch.where(largest.values < least, NOT_SET, largest.indices) == self.answers


def draw_texts(
    seed: int,
    n_gone: int = 0,
    n_names: int = 12,
    n_times: int = 4,
    d_key: int = 16,
    n_texts: int = 200,
    keys: Tensor | None = None,
) -> Texts:
    """Draw texts at random.

    Args:
        seed: from which they are drawn.
        n_gone: of the names, those that are set in the first of two parts only. With 0 there is one part.
        n_names: how many names.
        n_times: how often a name is set in each part that sets it.
        d_key: numbers of a key.
        n_texts: how many texts.
        keys: of the names in all texts, `(n_names, d_key)`, in the place of random ones.

    Example:
        >>> texts = draw_texts(0, n_gone=1, n_names=3, n_times=1, n_texts=1)
        >>> texts.writes[0].tolist(), texts.begins[0].tolist()  # three lines, two lines, three questions
        ([1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0])
        >>> int((texts.answers == NOT_SET).sum())
        1
    """
    generator = torch.Generator().manual_seed(seed)
    drawn = _draw_keys(n_texts, n_names, d_key, generator)
    keys = drawn if keys is None else keys.to(drawn).expand(n_texts, -1, -1)

    def part(n_set: int) -> Tensor:  # names 0 … n_set − 1, each n_times, in random order
        order = torch.rand(n_texts, n_times * n_set, generator=generator).argsort(dim=-1)
        return torch.arange(n_set).repeat(n_times)[order]

    parts = [part(n_names), part(n_names - n_gone)] if n_gone else [part(n_names)]
    lines, first = torch.cat(parts, dim=-1), sum(one.shape[-1] for one in parts[:-1])
    digits = torch.randint(N_DIGITS, lines.shape, generator=generator)
    questions = torch.arange(n_names).expand(n_texts, -1)
    tokens = torch.cat([lines, questions], dim=-1)
    place = torch.arange(lines.shape[-1])
    latest = torch.where(lines[:, None, :] == torch.arange(n_names)[:, None], place, -1).amax(dim=-1)
    return Texts(
        key=keys.gather(1, tokens.unsqueeze(-1).expand(-1, -1, d_key)),
        value=F.pad(F.one_hot(digits, N_DIGITS).float(), (0, 0, 0, n_names)),
        writes=F.pad(torch.ones(lines.shape), (0, n_names)),
        begins=F.pad((place == first).float(), (0, n_names)).expand(n_texts, -1),
        answers=torch.where(latest >= first, digits.gather(-1, latest), NOT_SET),
        age=lines.shape[-1] - 1 - latest,
        newer=(latest[:, None, :] > latest[:, :, None]).sum(dim=-1),
    )


def draw_set_once(
    seed: int,
    n_names: int = 12,
    n_after: int = 48,
    d_key: int = 16,
    n_texts: int = 1000,
    n_times: int = 1,
    same_digit: bool = False,
) -> Texts:
    """Draw texts whose first lines set one name, which is asked for; the lines after them set the other names.

    Args:
        seed: from which they are drawn.
        n_names: how many names, with the one that is asked for; at least 2.
        n_after: lines that set the others, each one of them at random.
        d_key: numbers of a key.
        n_texts: how many texts.
        n_times: how many lines at the beginning set the name that is asked for.
        same_digit: whether these lines all set it to the same digit, in the place of random ones.

    Example:
        >>> texts = draw_set_once(0, n_after=3, n_texts=1)
        >>> texts.writes[0].tolist(), texts.age.tolist()  # its line, three about others, the question
        ([1.0, 1.0, 1.0, 1.0, 0.0], [[3]])
    """
    generator = torch.Generator().manual_seed(seed)
    keys = _draw_keys(n_texts, n_names, d_key, generator)
    others = torch.randint(1, n_names, (n_texts, n_after), generator=generator)
    tokens = F.pad(others, (n_times, 1))  # name 0 in the first lines, and in the question
    digits = torch.randint(N_DIGITS, (n_texts, n_times + n_after), generator=generator)
    latest = digits[:, n_times - 1 : n_times]
    if same_digit:
        digits[:, : n_times - 1] = latest
    writes = F.pad(torch.ones(digits.shape), (0, 1))
    return Texts(
        key=keys.gather(1, tokens.unsqueeze(-1).expand(-1, -1, d_key)),
        value=F.pad(F.one_hot(digits, N_DIGITS).float(), (0, 0, 0, 1)),
        writes=writes,
        begins=F.pad(torch.ones(n_texts, 1), (0, n_times + n_after)),
        answers=latest,
        age=torch.full((n_texts, 1), n_after),
        newer=(others[:, None, :] == torch.arange(1, n_names)[:, None]).any(dim=-1).sum(dim=-1, keepdim=True),
    )


def guessing(kept: Tensor) -> Tensor:
    """Return what share of its answers is right if a cache guesses one of ten digits where it keeps none.

    Args:
        kept: whether the cache keeps what is asked for, of any shape.

    Example:
        >>> guessing(torch.tensor([True, False])).tolist()
        [1.0, 0.1]
    """
    return 1 / N_DIGITS + (1 - 1 / N_DIGITS) * kept.double()


def ask_noisily(texts: Texts, noise: float, seed: int = 0) -> Texts:
    """Add noise to the keys of the questions; those of the lines stay as they are.

    Args:
        texts: with a question for each name at the end.
        noise: its length, about, where a key has length 1.
        seed: from which it is drawn.

    Example:
        >>> texts = draw_texts(0, n_names=3, n_times=1, n_texts=1)
        >>> noisy = ask_noisily(texts, 0.5)
        >>> torch.equal(noisy.key[:, :3], texts.key[:, :3]), torch.equal(noisy.key[:, 3:], texts.key[:, 3:])
        (True, False)
    """
    n_texts, n_names = texts.answers.shape
    d_key = texts.key.shape[-1]
    # `draw_texts` draws keys of the same shape: from an equal seed, the noise would be a multiple of the key.
    generator = torch.Generator().manual_seed(NOISE + seed)
    drawn = torch.randn(n_texts, n_names, d_key, generator=generator)
    key = texts.key.clone()
    key[:, -n_names:] += noise * drawn / d_key**0.5
    return replace(texts, key=key)


def right_in_cache(texts: Texts, n_kept: int, n_numbers: int = 160) -> Tensor:
    """Say for each question whether a cache answers it that keeps the first numbers of each key, `(n_texts, n_names)`.

    The cache has one line for each name, its latest, with the cut key and the digit as one number. It holds as many
    names as fit, those that were set last, and a question takes the digit of the cut key that is nearest to it.

    Args:
        texts: of one part, with a question for each name at the end.
        n_kept: numbers of a key that are kept; all of them make it a cache of whole keys.
        n_numbers: numbers in the whole cache.

    Example:
        >>> texts = draw_texts(0, n_names=12)
        >>> [round(right_in_cache(texts, n_kept).double().mean().item(), 2) for n_kept in (16, 12)]
        [0.78, 1.0]
    """
    n_names = texts.answers.shape[-1]
    lines, asked = texts.key[:, :-n_names, :n_kept], texts.key[:, -n_names:, :n_kept]
    return _right_by_nearest(texts, lines, asked, n_numbers // (n_kept + 1))


def right_in_signs(texts: Texts, n_bits: int = 1280, n_kept: int | None = None) -> Tensor:
    """Say the same of a cache that keeps the signs of the numbers of a key, `(n_texts, n_names)`.

    A sign takes a bit, and a digit four. The cache holds as many names as fit, those that were set last.

    Args:
        texts: of one part, with a question for each name at the end.
        n_bits: in the whole cache.
        n_kept: of how many numbers, the first of each key; all, unless given.

    Example:
        >>> texts = draw_texts(0, n_names=48, n_times=1)
        >>> [round(right_in_signs(texts, n_bits).double().mean().item(), 2) for n_bits in (960, 480)]
        [1.0, 0.55]
        >>> round(right_in_signs(texts, 480, n_kept=8).double().mean().item(), 2)
        0.79
    """
    n_names, d_key = texts.answers.shape[-1], texts.key.shape[-1]
    keys = texts.key[..., : d_key if n_kept is None else n_kept]
    signs = keys[:, :-n_names].sign() / d_key**0.5  # as long as what is kept of a key, about
    return _right_by_nearest(texts, signs, keys[:, -n_names:], n_bits // (keys.shape[-1] + DIGIT_BITS))


def in_few_bits(texts: Texts, beta: float, n_bits: int, step: float, at_every_write: bool = False) -> Tensor:
    """Return what all tokens read from a memory of the delta rule whose numbers have few bits.

    Args:
        texts: of one part, with a question for each name at the end.
        beta: how much of the difference a line writes.
        n_bits: of each number of the memory.
        step: between two neighbours of the 2 ** n_bits values that such a number may have.
        at_every_write: whether the memory is rounded after each line, or once, after the last.

    Example:
        >>> texts = draw_texts(0, n_names=48, n_times=1)
        >>> outputs = [in_few_bits(texts, 0.1, 2, 0.05, at_every_write) for at_every_write in (False, True)]
        >>> [round(texts.right(output).double().mean().item(), 1) for output in outputs]
        [0.6, 0.5]
    """
    n_names, half = texts.answers.shape[-1], 2 ** (n_bits - 1)

    def rounded(memory: Tensor) -> Tensor:
        return ((memory / step).floor().clamp(-half, half - 1) + 0.5) * step

    memory = texts.key.new_zeros(len(texts.key), texts.key.shape[-1], N_DIGITS)
    for key, value in zip(texts.key[:, :-n_names].unbind(1), texts.value[:, :-n_names].unbind(1), strict=True):
        memory = memory + beta * key[:, :, None] * (value[:, None, :] - key[:, None, :] @ memory)
        memory = rounded(memory) if at_every_write else memory
    return texts.key @ rounded(memory)


def written_out(texts: Texts, text: int = 0) -> list[str]:
    """Return the lines and the questions of one text, with letters for its names.

    Args:
        texts: with at most 26 names.
        text: which one.

    Example:
        >>> written_out(draw_texts(5, n_names=2, n_times=2, n_texts=1))
        ['a = 7', 'b = 4', 'b = 5', 'a = 9', 'a ?', 'b ?']
    """
    n_names = texts.answers.shape[-1]
    key = texts.key[text]
    names = (key[:, None] == key[-n_names:]).all(dim=-1).int().argmax(dim=-1)
    digits = [f"= {digit}" for digit in texts.value[text, :-n_names].argmax(dim=-1)] + ["?"] * n_names
    return [f"{ascii_lowercase[name]} {digit}" for name, digit in zip(names, digits, strict=True)]


def _right_by_nearest(texts: Texts, lines: Tensor, asked: Tensor, n_held: int) -> Tensor:
    """Whether the digit is right of the key that is nearest to a question, among the names that were set last.

    Args:
        texts: of one part, with a question for each name at the end.
        lines: the keys of all lines, as they are kept.
        asked: those of the questions.
        n_held: how many names are held.
    """
    latest = texts.writes.shape[-1] - texts.answers.shape[-1] - 1 - texts.age
    keys = lines.gather(1, latest.unsqueeze(-1).expand(-1, -1, lines.shape[-1]))
    distances = torch.cdist(asked, keys, compute_mode="donot_use_mm_for_euclid_dist")
    nearest = distances.masked_fill(~(texts.newer < n_held).unsqueeze(1), torch.inf).argmin(dim=-1)
    return texts.answers.gather(1, nearest) == texts.answers


def _draw_keys(n_texts: int, n_names: int, d_key: int, generator: torch.Generator) -> Tensor:
    return F.normalize(torch.randn(n_texts, n_names, d_key, generator=generator), dim=-1)
