"""The figures of where the captioner looks: nothing is missing, and one digit is exchanged at a time."""

from __future__ import annotations

from itertools import product

import torch

from course_attention.experiments.beyond_text import digits
from course_attention.experiments.common.long_runs import long_run
from course_attention.mechanisms.beyond_text import image_patches
from tools.long_runs import captioner_looks as script


def test_every_setting_has_been_run() -> None:
    """Both memories have a row for each seed, so the script would find nothing to do."""
    found = [(row["memory"], row["seed"]) for row in long_run("beyond_text", "captioner_looks")]
    assert found == list(product(script.MEMORIES, script.SEEDS))


def test_one_digit_is_exchanged() -> None:
    """Outside of the place of the new digit a page is as it was, and the new digit is another one."""
    _, unseen = digits.load()
    pages = digits.draw_pages(20, unseen, torch.Generator().manual_seed(0))
    changed, word, place, new = script.with_another_digit(pages, unseen)
    differs = (image_patches(changed, 4) != image_patches(pages.pictures, 4)).any(dim=-1)
    assert not (differs & (place[:, None] != script.QUARTER)).any()
    rows = torch.arange(20)
    assert (differs.any(dim=1) & (pages.captions[rows, word] != new) & (pages.captions[rows, word] < 10)).all()
    assert torch.equal(pages.places[rows, word], place)


def test_tokens_without_a_block_are_single_patches() -> None:
    """Without the encoder block, a token of the memory depends on its own patch alone; with it, on all of them."""
    pictures = torch.rand(1, 1, 16, 16, generator=torch.Generator().manual_seed(0))
    other = pictures.clone()
    other[:, :, :4, :4] = 0
    for has_block in (False, True):
        torch.manual_seed(0)
        model = script.Captioner(has_block)
        with torch.no_grad():
            moved = (model.see(pictures) - model.see(other)).abs().sum(dim=-1)[0] > 1e-6
        assert moved[0] and moved[1:].any() == has_block
