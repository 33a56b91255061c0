"""Answers to the practice `looks(model, pictures)` of notebook 13."""

import torch

from course_attention.practice.beyond_text.picture_tokens import picture_tokens
from tests.corpus import change

@torch.no_grad()
def right__steps(model, pictures):
    tokens = picture_tokens(model, pictures)
    first, second = model.blocks
    tokens = first(tokens)
    _, weights = second.attention(tokens)
    of_class_token = weights[:, :, 0, :]
    return of_class_token.mean(1)[:, 1:]

def right__sum(model, pictures):
    with torch.no_grad():
        _, weights = model.blocks[1].attention(model.blocks[0](picture_tokens(model, pictures)))
    return weights[..., 0, 1:].sum(dim=1) / weights.shape[1]

wrong__looks_of_the_patches__1 = change(right__sum, ("[..., 0, 1:]", "[..., 1:, 0]"))
wrong__looks_on_itself__1 = change(right__steps, (".mean(1)[:, 1:]", ".mean(1)"))
wrong__looks_on_itself__2 = change(right__steps, (".mean(1)[:, 1:]", ".mean(1)[:, :-1]"))
wrong__looks_each_head__1 = change(right__sum, (".sum(dim=1) / weights.shape[1]", ""))
wrong__looks_one_head__1 = change(right__steps, (".mean(1)[:, 1:]", "[:, 0, 1:]"))
wrong__looks_sum_of_heads__1 = change(right__sum, (" / weights.shape[1]", ""))
wrong__looks_other_queries__1 = change(right__sum, ("[..., 0, 1:]", "[..., -1, 1:]"))
wrong__looks_first_block__1 = change(
    right__steps, ("tokens = first(tokens)", ""), ("second.attention", "first.attention")
)
wrong__looks_block_skipped__1 = change(right__steps, ("tokens = first(tokens)", ""))
wrong__looks_after_both__1 = change(right__steps, ("tokens = first(tokens)", "tokens = second(first(tokens))"))
wrong__looks_sum_of_one__1 = change(
    right__sum,
    (
        "return weights[..., 0, 1:].sum(dim=1) / weights.shape[1]",
        "found = weights[..., 0, 1:].mean(dim=1)",
        "return found / found.sum(-1, keepdim=True)",
    ),
)

# The output in place of the weights.
extra__output = change(right__steps, ("_, weights", "weights, _"))
# The brightest patch.
extra__brightest = change(right__sum, ("weights.shape[1]", "weights.shape[1] > 0.1"))
