"""Answers to the practice `write_cached(model, tokens, n_tokens, seed, **settings)` of notebook 10."""

import torch

from course_attention.mechanisms.language_model import next_token_probabilities
from tests.corpus import change

@torch.no_grad()
def right__caches_of_the_call_before(model, tokens, n_tokens, seed=0, **settings):
    generator = torch.Generator().manual_seed(seed)
    caches, new = None, tokens
    text = [tokens]
    for _ in range(n_tokens):
        logits, caches = model(new, caches)
        chances = next_token_probabilities(logits[:, -1], **settings)
        new = torch.multinomial(chances.cpu(), 1, generator=generator).to(tokens.device)
        text.append(new)
    return torch.cat(text, dim=1)

@torch.no_grad()
def right__prefill(model, tokens, n_tokens, seed=0, **settings):
    generator = torch.Generator().manual_seed(seed)
    logits, caches = model(tokens)
    for i in range(n_tokens):
        chances = next_token_probabilities(logits[:, -1], **settings).cpu()
        drawn = chances.multinomial(1, generator=generator)
        tokens = torch.cat([tokens, drawn.to(tokens.device)], dim=1)
        if i < n_tokens - 1:
            logits, caches = model(tokens[:, -1:], caches)
    return tokens

wrong__cached_everything_again__1 = change(
    right__caches_of_the_call_before, ("model(new, caches)", "model(torch.cat(text, dim=1))")
)
wrong__cached_twice__1 = change(right__prefill, ("model(tokens[:, -1:], caches)", "model(tokens, caches)"))
wrong__cached_no_caches__1 = change(right__prefill, ("model(tokens[:, -1:], caches)", "model(tokens[:, -1:])"))
wrong__cached_first_caches__1 = change(
    right__prefill, ("logits, caches = model(tokens[:, -1:]", "logits, _ = model(tokens[:, -1:]")
)
wrong__cached_prompt_unread__1 = change(
    right__caches_of_the_call_before, ("caches, new = None, tokens", "caches, new = None, tokens[:, -1:]")
)
wrong__cached_new_tokens_only__1 = change(right__caches_of_the_call_before, ("text = [tokens]", "text = []"))
wrong__cached_settings_lost__1 = change(
    right__caches_of_the_call_before, ("logits[:, -1], **settings", "logits[:, -1]")
)
wrong__cached_seed_lost__1 = change(right__caches_of_the_call_before, ("manual_seed(seed)", "manual_seed(0)"))
wrong__cached_one_more__1 = change(right__caches_of_the_call_before, ("range(n_tokens)", "range(n_tokens + 1)"))

# The token is read again with the cache that has it already, once more after the loop.
extra__one_call_too_many = change(right__prefill, ("if i < n_tokens - 1:", "if i < n_tokens:"))
# The most probable token in place of a draw.
extra__greedy = change(
    right__caches_of_the_call_before,
    ("torch.multinomial(chances.cpu(), 1, generator=generator)", "chances.argmax(-1, keepdim=True)"),
)
