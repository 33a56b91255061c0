"""Wrong answers beyond the table to `self_attention_multiply_adds(n_tokens, d_model, d_key, d_value)`, notebook 07."""

from __future__ import annotations

from tests.answers.gather import gather


def extra__self_attention_multiply_adds__projections_only(n_tokens, d_model, d_key, d_value):
    """The three projections and nothing after them."""
    return n_tokens * d_model * (2 * d_key + d_value)


def extra__self_attention_multiply_adds__one_projection(n_tokens, d_model, d_key, d_value):
    """One projection for query and key."""
    return n_tokens * d_model * (d_key + d_value) + n_tokens**2 * (d_key + d_value)


def extra__self_attention_multiply_adds__value_not_projected(n_tokens, d_model, d_key, d_value):
    """V = X: no projection of the values."""
    return 2 * n_tokens * d_model * d_key + n_tokens**2 * (d_key + d_value)


def extra__self_attention_multiply_adds__three_of_the_key_width(n_tokens, d_model, d_key, d_value):
    """All three projections taken to be d_key wide."""
    return 3 * n_tokens * d_model * d_key + n_tokens**2 * (d_key + d_value)


def extra__self_attention_multiply_adds__three_square_projections(n_tokens, d_model, d_key, d_value):
    """Projections of d_model by d_model."""
    return 3 * n_tokens * d_model**2 + n_tokens**2 * (d_key + d_value)


def extra__self_attention_multiply_adds__scores_in_d_model(n_tokens, d_model, d_key, d_value):
    """The n² terms with d_model in place of the widths of keys and values."""
    return n_tokens * d_model * (2 * d_key + d_value) + 2 * n_tokens**2 * d_model


def extra__self_attention_multiply_adds__output_projection(n_tokens, d_model, d_key, d_value):
    """An output projection counted that this attention does not have."""
    return n_tokens * d_model * (2 * d_key + 2 * d_value) + n_tokens**2 * (d_key + d_value)


def extra__self_attention_multiply_adds__parameters(n_tokens, d_model, d_key, d_value):
    """Weights of the projections in place of their uses: not once for each token."""
    return d_model * (2 * d_key + d_value) + n_tokens**2 * (d_key + d_value)


def extra__self_attention_multiply_adds__projections_squared(n_tokens, d_model, d_key, d_value):
    """Projections made for every pair of tokens."""
    return n_tokens**2 * (d_model * (2 * d_key + d_value) + d_key + d_value)


def extra__self_attention_multiply_adds__linear_in_length(n_tokens, d_model, d_key, d_value):
    """n in place of n²."""
    return n_tokens * (d_model * (2 * d_key + d_value) + d_key + d_value)


def extra__self_attention_multiply_adds__scores_only(n_tokens, d_model, d_key, d_value):
    """The mixing of the values forgotten."""
    return n_tokens * d_model * (2 * d_key + d_value) + n_tokens**2 * d_key


def extra__self_attention_multiply_adds__mixing_only(n_tokens, d_model, d_key, d_value):
    """The scores forgotten."""
    return n_tokens * d_model * (2 * d_key + d_value) + n_tokens**2 * d_value


def extra__self_attention_multiply_adds__doubled(n_tokens, d_model, d_key, d_value):
    """Multiplications and additions counted apart."""
    return 2 * (n_tokens * d_model * (2 * d_key + d_value) + n_tokens**2 * (d_key + d_value))


def extra__self_attention_multiply_adds__biases(n_tokens, d_model, d_key, d_value):
    """Biases counted."""
    return n_tokens * (d_model + 1) * (2 * d_key + d_value) + n_tokens**2 * (d_key + d_value)


def extra__self_attention_multiply_adds__interaction_matrix(n_tokens, d_model, d_key, d_value):
    """Scores by X M Xᵀ, M of d_model by d_model: another way of computing, at another price."""
    return (
        n_tokens * d_model**2 + n_tokens**2 * d_model + n_tokens * d_model * d_value + n_tokens**2 * d_value
    )


def extra__self_attention_multiply_adds__widths_exchanged(n_tokens, d_model, d_key, d_value):
    """The value's width counted twice in the projections, the key's once."""
    return n_tokens * d_model * (d_key + 2 * d_value) + n_tokens**2 * (d_key + d_value)


def extra__self_attention_multiply_adds__precedence(n_tokens, d_model, d_key, d_value):
    """The parentheses forgotten."""
    return n_tokens * d_model * 2 * d_key + d_value + n_tokens**2 * (d_key + d_value)


def extra__self_attention_multiply_adds__whole_layer_by_heads(n_tokens, d_model, d_key, d_value):
    """Divided by d_model / d_key heads, which nobody asked for."""
    return (n_tokens * d_model * (2 * d_key + d_value) + n_tokens**2 * (d_key + d_value)) // (
        d_model // d_key or 1
    )


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
