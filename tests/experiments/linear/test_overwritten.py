"""Texts in which names are set again and again ask for the latest digits."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch

from course_attention.experiments.linear.overwritten import (
    NOT_SET,
    ask_noisily,
    draw_set_once,
    draw_texts,
    guessing,
    right_in_cache,
    right_in_signs,
    written_out,
)
from course_attention.mechanisms.linear import delta_rule


@pytest.mark.parametrize("n_gone", [0, 2])
def test_answers(n_gone: int) -> None:
    """The answer of a name is the digit of its last line in the last part, and its age the lines since then."""
    texts = draw_texts(0, n_gone=n_gone, n_names=5, n_times=3, n_texts=6)
    n_lines = int(texts.writes[0].sum())
    first = int(texts.begins[0].argmax())
    assert n_lines == 15 + (9 if n_gone else 0) and first == (15 if n_gone else 0)
    asked = texts.key[:, n_lines:]
    for key, value, questions, answers, age in zip(
        texts.key, texts.value, asked, texts.answers, texts.age, strict=True
    ):
        for name, answer, since in zip(questions, answers.tolist(), age.tolist(), strict=True):
            lines = [i for i in range(n_lines) if torch.equal(key[i], name)]
            assert n_lines - 1 - lines[-1] == since
            assert answer == (int(value[lines[-1]].argmax()) if lines[-1] >= first else NOT_SET)


@pytest.mark.parametrize(("n_names", "n_after"), [(3, 1), (6, 40), (12, 6)])
def test_newer(n_names: int, n_after: int) -> None:
    """A name's count is that of the names whose last line came after its own, in both kinds of texts."""
    every = draw_texts(0, n_gone=1, n_names=n_names, n_times=2, n_texts=6)
    assert torch.equal(every.newer, (every.age[:, :, None] > every.age[:, None, :]).sum(dim=-1))
    once = draw_set_once(0, n_names=n_names, n_after=n_after, n_times=2, n_texts=6)
    others = [len(key[2 : 2 + n_after].unique(dim=0)) for key in once.key]
    assert once.newer.tolist() == [[n] for n in others]


def test_keys_overlap() -> None:
    """Keys have length 1, and none is orthogonal to another."""
    key = draw_texts(0, n_texts=4).key[:, -12:]
    products = key @ key.mT
    torch.testing.assert_close(products.diagonal(dim1=-2, dim2=-1), torch.ones(4, 12))
    assert products.abs().min() > 0


def test_keys_of_ones_own() -> None:
    """Keys that are given are the names' keys in every text; lines, digits and questions stay as they were drawn."""
    drawn, own = (draw_texts(3, n_names=4, n_times=2, d_key=4, n_texts=5, keys=keys) for keys in (None, torch.eye(4)))
    assert torch.equal(own.key[:, -4:], torch.eye(4).expand(5, -1, -1))
    assert torch.equal(own.value, drawn.value) and torch.equal(own.answers, drawn.answers)
    of_lines = drawn.key @ drawn.key[:, -4:].mT  # 1 where a token has the key of a name
    assert torch.equal(own.key.argmax(dim=-1), of_lines.argmax(dim=-1))


def test_set_once() -> None:
    """The name that is asked for is set in the first line alone, and the other lines set every other name."""
    texts = draw_set_once(0, n_names=3, n_after=40, n_texts=5)
    asked = (texts.key @ texts.key[:, -1:].mT).squeeze(-1) > 0.9999
    assert asked[:, [0, -1]].all() and not asked[:, 1:-1].any()
    assert torch.equal(texts.answers, texts.value[:, :1].argmax(dim=-1)) and (texts.age == 40).all()
    assert all(len(key.unique(dim=0)) == 3 for key in texts.key)
    assert torch.equal(texts.writes, texts.value.sum(dim=-1))


@pytest.mark.parametrize("same_digit", [False, True])
def test_set_several_times(same_digit: bool) -> None:
    """Only the first lines set the name that is asked for, to one digit or to random ones; the last one counts."""
    texts = draw_set_once(0, n_names=3, n_after=5, n_times=4, same_digit=same_digit, n_texts=9)
    asked = (texts.key @ texts.key[:, -1:].mT).squeeze(-1) > 0.9999
    assert asked[:, :4].all() and not asked[:, 4:-1].any() and asked[:, -1].all()
    digits = texts.value[:, :4].argmax(dim=-1)
    assert torch.equal(texts.answers, digits[:, 3:]) and (texts.age == 5).all()
    assert bool((digits == digits[:, :1]).all()) == same_digit
    assert torch.equal(texts.writes, texts.value.sum(dim=-1)) and texts.begins[0].tolist() == [1.0] + 9 * [0.0]


def test_right() -> None:
    """A memory that holds each pair is right about all names; below the limit, an answer is “not set”."""
    texts = draw_texts(0, n_names=3, n_times=1, d_key=512, n_texts=20)
    output = delta_rule(texts.key, texts.key, texts.value, texts.writes)
    assert texts.right(output).all()
    assert not texts.right(output, least=2.0).any()
    assert texts.right(output - 9).all()  # without a limit, the largest of negative numbers is a digit, too
    gone = draw_texts(0, n_gone=1, n_names=3, n_times=1, n_texts=20)
    assert (gone.right(torch.zeros_like(gone.value), least=0.5) == (gone.answers == NOT_SET)).all()


def test_noise_is_in_the_questions() -> None:
    """Noise has the length that is asked for, about, and changes nothing but the questions' keys."""
    texts = draw_texts(0, n_names=8, n_times=2)
    noisy = ask_noisily(texts, 0.5)
    added = (noisy.key - texts.key).norm(dim=-1)
    assert not added[:, :16].any() and added[:, 16:].mean().item() == pytest.approx(0.5, abs=0.02)
    assert noisy.answers is texts.answers and noisy.value is texts.value
    along = ((noisy.key - texts.key) * texts.key)[:, 16:].sum(dim=-1)
    assert abs(along.mean().item()) < 0.02  # it is not the key once more, though both have the seed 0


def test_cache_of_cut_keys() -> None:
    """Names that it holds are found, and exact questions need a single number; it guesses the digits of the others."""
    texts = draw_texts(0, n_names=12)
    for n_kept in (16, 12, 1):
        held = texts.newer < 160 // (n_kept + 1)
        right = right_in_cache(texts, n_kept)
        assert right[held].all() and right.double().mean().item() == pytest.approx(
            guessing(held).mean().item(), abs=0.02
        )
    assert right_in_cache(ask_noisily(texts, 1.0), 1).double().mean() < 0.5
    assert guessing(torch.tensor([True, False])).tolist() == [1.0, 0.1]


def test_cache_keeps_what_fits() -> None:
    """Of the names that were set last, as many as its numbers hold."""
    texts = draw_texts(1, n_names=6, n_times=1)
    right = right_in_cache(texts, 16, n_numbers=2 * 17)
    assert right[texts.newer < 2].all() and right[texts.newer >= 2].double().mean() < 0.2


def test_cache_of_signs() -> None:
    """It finds exact keys of all names that fit, and is the cache whose keys were replaced by their signs."""
    texts = draw_texts(1, n_names=6, n_times=2)
    assert right_in_signs(texts).double().mean() > 0.99
    few = right_in_signs(texts, n_bits=2 * 20)
    assert few[texts.newer < 2].all() and few[texts.newer >= 2].double().mean() < 0.2
    noisy = ask_noisily(texts, 1.0)
    signs = torch.cat([noisy.key[:, :-6].sign() / 4, noisy.key[:, -6:]], dim=1)
    assert torch.equal(right_in_signs(noisy), right_in_cache(replace(noisy, key=signs), 16))


def test_written_out() -> None:
    """A line has its name and its digit, a question its name, and the latest digit is the answer."""
    texts = draw_texts(0, n_names=4, n_times=3, n_texts=2)
    *lines, _, _, _, last = written_out(texts, 1)
    assert len(lines) == 12 and last == "d ?"
    for name, answer in zip("abcd", texts.answers[1].tolist(), strict=True):
        assert [line for line in lines if line.startswith(name)][-1] == f"{name} = {answer}"
