"""Generation with a cache: every token is read once."""

from collections.abc import Callable, Iterator
from typing import Any

import torch
from torch import Tensor

from course_attention.mechanisms.language_model import next_token_probabilities
from course_attention.practice.authoring import Misconception, Practice, Trial


@torch.no_grad()
def write_cached(model, tokens, n_tokens, seed=0, **settings):
    """Give the model the whole prompt first, and then the newest token and the caches that came back."""
    generator = torch.Generator().manual_seed(seed)
    unread, caches = tokens, None
    for _ in range(n_tokens):
        logits, caches = model(unread, caches)
        probabilities = next_token_probabilities(logits[:, -1], **settings)
        unread = torch.multinomial(probabilities.cpu(), 1, generator=generator).to(tokens.device)
        tokens = torch.cat([tokens, unread], dim=1)
    return tokens


def _drawn(logits, generator, settings):
    return torch.multinomial(next_token_probabilities(logits[:, -1], **settings).cpu(), 1, generator=generator)


def everything_again(model, tokens, n_tokens, seed=0, **settings):
    generator = torch.Generator().manual_seed(seed)
    for _ in range(n_tokens):
        logits, _ = model(tokens)
        tokens = torch.cat([tokens, _drawn(logits, generator, settings).to(tokens.device)], dim=1)
    return tokens


def everything_with_caches(model, tokens, n_tokens, seed=0, **settings):
    generator, caches = torch.Generator().manual_seed(seed), None
    for _ in range(n_tokens):
        logits, caches = model(tokens, caches)
        tokens = torch.cat([tokens, _drawn(logits, generator, settings).to(tokens.device)], dim=1)
    return tokens


def without_caches(model, tokens, n_tokens, seed=0, **settings):
    generator, unread = torch.Generator().manual_seed(seed), tokens
    for _ in range(n_tokens):
        logits, _ = model(unread)
        unread = _drawn(logits, generator, settings).to(tokens.device)
        tokens = torch.cat([tokens, unread], dim=1)
    return tokens


def first_caches_for_ever(model, tokens, n_tokens, seed=0, **settings):
    generator, unread, caches = torch.Generator().manual_seed(seed), tokens, None
    for _ in range(n_tokens):
        logits, new = model(unread, caches)
        caches = new if caches is None else caches
        unread = _drawn(logits, generator, settings).to(tokens.device)
        tokens = torch.cat([tokens, unread], dim=1)
    return tokens


def last_of_the_prompt(model, tokens, n_tokens, seed=0, **settings):
    generator, unread, caches = torch.Generator().manual_seed(seed), tokens[:, -1:], None
    for _ in range(n_tokens):
        logits, caches = model(unread, caches)
        unread = _drawn(logits, generator, settings).to(tokens.device)
        tokens = torch.cat([tokens, unread], dim=1)
    return tokens


def new_tokens_alone(model, tokens, n_tokens, seed=0, **settings):
    return write_cached(model, tokens, n_tokens, seed, **settings)[:, tokens.shape[1] :]


def without_settings(model, tokens, n_tokens, seed=0, **settings):
    return write_cached(model, tokens, n_tokens, seed)


def without_seed(model, tokens, n_tokens, seed=0, **settings):
    return write_cached(model, tokens, n_tokens, **settings)


def one_token_more(model, tokens, n_tokens, seed=0, **settings):
    return write_cached(model, tokens, n_tokens + 1, seed, **settings)


class Adder:
    """A model that is sure of the next token: the sum of all that it has read, modulo 10. Its cache is that sum.

    Attributes:
        n_read: how many tokens it read in each call.
    """

    def __init__(self, sharpness: float) -> None:
        self.sharpness = sharpness
        self.n_read: list[int] = []

    def __call__(self, tokens: Tensor, caches: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Read tokens (1, n). Returns logits (1, n, 10), and the sum of all tokens so far."""
        self.n_read.append(tokens.shape[1])
        before = torch.zeros(len(tokens), 1, dtype=torch.long, device=tokens.device) if caches is None else caches
        sums = before + tokens.cumsum(dim=1)
        logits = self.sharpness * torch.nn.functional.one_hot(sums % 10, 10).double()
        return logits, sums[:, -1:]


def _text_and_reading(answer: Callable[..., Any], model: Adder, **arguments: Any) -> Any:
    """Return the tokens, and how many of them the model read in each call."""
    settings = arguments.pop("settings")
    text = answer(model, **arguments, **settings)
    return text, tuple(model.n_read)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield sums to follow by hand, then draws at several temperatures."""
    yield Trial(
        "the model is sure of the next token: the sum of all that it has read, modulo 10; the prompt is 3 and 4",
        {"model": Adder(100.0), "tokens": torch.tensor([[3, 4]]), "n_tokens": 3, "settings": {}},
        (torch.tensor([[3, 4, 7, 4, 8]]), (2, 1, 1)),
        _text_and_reading,
        says="The first call reads 3 and 4, and 7 comes next. The second call reads only 7 and gets the caches, so the "
        "sum is 14, and 4 comes next. The third call reads only this 4: the sum is 18, and 8 comes next.",
    )
    for seed, settings in ((3, {"temperature": 0.8}), (5, {"temperature": 2.0, "top_p": 0.7})):
        prompt = torch.randint(10, (1, 4), generator=generator)
        yield Trial(
            f"a model that is less sure, seed {seed}, "
            f"{', '.join(f'{name} {value}' for name, value in settings.items())}",
            {"model": Adder(2.0), "tokens": prompt, "n_tokens": 12, "seed": seed, "settings": settings},
            run=_text_and_reading,
            says="Draw as `write` does: by `torch.multinomial` from `next_token_probabilities(…, **settings)`, with a "
            "generator of this seed.",
        )


PRACTICE = Practice(
    name="write_cached",
    prompt="The tokens that `write` gives, but every token is read once.",
    minutes=8,
    hints=(
        "Two things go from call to call: the tokens that the model has not read yet, and its caches. At first these "
        "are the whole prompt and None.",
        "`logits, caches = model(unread, caches)` is each call. Drawing the next token is as in `write`.",
        "The token that was drawn is all that is unread in the next call. It is appended to the text as well.",
    ),
    given=write_cached,
    trials=trials,
    returns=("tokens", "tokens read in each call"),
    misconceptions={
        "cached-everything-again": Misconception(
            "The model reads the whole text again in each call",
            "The text is right, but nothing is saved. After the first call, the model needs the newest token and the "
            "caches that came back.",
            (everything_again,),
        ),
        "cached-twice": Misconception(
            "The model reads tokens that are in its caches already",
            "With the caches, each call reads only what is new. Otherwise the old tokens count twice.",
            (everything_with_caches,),
        ),
        "cached-no-caches": Misconception(
            "The caches are not given to the model",
            "It reads only the newest token, and knows nothing of the text before it. Call `model(unread, caches)` "
            "with the caches that the last call returned.",
            (without_caches,),
        ),
        "cached-first-caches": Misconception(
            "Each call gets the caches of the first one",
            "Each call returns new caches, with the token that it has just read. The next call needs those.",
            (first_caches_for_ever,),
        ),
        "cached-prompt-unread": Misconception(
            "The first call reads only the last token of the prompt",
            "No cache has the rest of it yet. The first call reads the whole prompt.",
            (last_of_the_prompt,),
        ),
        "cached-new-tokens-only": Misconception(
            "Only the new tokens are returned",
            "The prompt and the new tokens are asked for, (1, n + n_tokens).",
            (new_tokens_alone,),
        ),
        "cached-settings-lost": Misconception(
            "The settings are not passed on",
            "Temperature and top_p are in `settings`: `next_token_probabilities(logits[:, -1], **settings)`.",
            (without_settings,),
        ),
        "cached-seed-lost": Misconception(
            "The seed is not used",
            "`torch.Generator().manual_seed(seed)` makes the draws repeatable, as in `write`.",
            (without_seed,),
        ),
        "cached-one-more": Misconception(
            "One token too many is written",
            "`n_tokens` new tokens are asked for, one for each call of the model.",
            (one_token_more,),
        ),
    },
)
