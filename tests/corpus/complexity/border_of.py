"""Answers to the practice `border_of(d_model)` of notebook 07."""

from course_attention.mechanisms.complexity import attention_multiply_adds, block_multiply_adds
from tests.corpus import change

def right__loop(d_model):
    n_tokens = 1
    while n_tokens <= 100_000:
        pairs = attention_multiply_adds(n_tokens, n_tokens, d_model, d_model)
        if pairs >= block_multiply_adds(n_tokens, d_model, 4 * d_model) / 2:
            return n_tokens
        n_tokens += 1

# 2 n² d ≥ 12 n d², so n ≥ 6 d.
def right__on_paper(d_model):
    n_tokens = 6 * d_model
    return n_tokens if n_tokens <= 100_000 else None

wrong__border_none__1 = change(right__on_paper, ("return n_tokens if n_tokens <= 100_000 else None", ""))
wrong__border_none__2 = change(right__loop, (" / 2:", ":"), ("100_000", "1_000"))
wrong__border_more_than_half__1 = change(right__loop, ("pairs >=", "pairs >"))
wrong__border_one_too_short__1 = change(right__loop, ("return n_tokens", "return n_tokens - 1"))
wrong__border_half_as_long__1 = change(right__loop, ("4 * d_model) / 2", "d_model) / 2"))
wrong__border_twice_as_long__1 = change(right__on_paper, ("6 * d_model", "12 * d_model"))

# The share and not the length.
extra__share = change(right__loop, ("return n_tokens", "return 0.5"))
# A length of its own for each width.
extra__width = change(right__on_paper, ("6 * d_model", "d_model"))
