"""Wrong answers beyond the table to `attention_multiply_adds(n_queries, n_keys, d_key, d_value)` of notebook 07."""

from __future__ import annotations

from tests.answers.gather import gather


def extra__attention_multiply_adds__doubled(n_queries, n_keys, d_key, d_value):
    """Multiplications and additions counted apart."""
    return 2 * n_queries * n_keys * (d_key + d_value)


def extra__attention_multiply_adds__mixing_only(n_queries, n_keys, d_key, d_value):
    """The product with the values alone."""
    return n_queries * n_keys * d_value


def extra__attention_multiply_adds__products_multiplied(n_queries, n_keys, d_key, d_value):
    """The two costs multiplied, not added."""
    return n_queries * n_keys * d_key * d_value


def extra__attention_multiply_adds__parentheses(n_queries, n_keys, d_key, d_value):
    """The parentheses forgotten."""
    return n_queries * n_keys * d_key + d_value


def extra__attention_multiply_adds__lengths_added(n_queries, n_keys, d_key, d_value):
    """The lengths added in place of multiplied."""
    return (n_queries + n_keys) * (d_key + d_value)


def extra__attention_multiply_adds__vectors_once(n_queries, n_keys, d_key, d_value):
    """Every query and every value touched once."""
    return n_queries * d_key + n_keys * d_value


def extra__attention_multiply_adds__key_width_twice(n_queries, n_keys, d_key, d_value):
    """Values taken to be as wide as keys."""
    return 2 * n_queries * n_keys * d_key


def extra__attention_multiply_adds__queries_squared(n_queries, n_keys, d_key, d_value):
    """One length for both: n_queries squared."""
    return n_queries**2 * (d_key + d_value)


def extra__attention_multiply_adds__keys_squared(n_queries, n_keys, d_key, d_value):
    """One length for both: n_keys squared."""
    return n_keys**2 * (d_key + d_value)


def extra__attention_multiply_adds__additions_only(n_queries, n_keys, d_key, d_value):
    """n - 1 additions for a sum of n products."""
    return n_queries * n_keys * (d_key - 1) + n_queries * (n_keys - 1) * d_value


def extra__attention_multiply_adds__softmax_counted(n_queries, n_keys, d_key, d_value):
    """The softmax's exponentials counted too."""
    return n_queries * n_keys * (d_key + d_value + 1)


def extra__attention_multiply_adds__causal(n_queries, n_keys, d_key, d_value):
    """Half of the pairs, as if the future were blocked."""
    return n_queries * (n_keys + 1) / 2 * (d_key + d_value)


def extra__attention_multiply_adds__mixing_linear(n_queries, n_keys, d_key, d_value):
    """The output's size for the cost of the mixing."""
    return n_queries * n_keys * d_key + n_queries * d_value


def extra__attention_multiply_adds__pair(n_queries, n_keys, d_key, d_value):
    """The two costs as a pair, not added up."""
    return n_queries * n_keys * d_key, n_queries * n_keys * d_value


def extra__attention_multiply_adds__words(n_queries, n_keys, d_key, d_value):
    """The number as text."""
    return str(n_queries * n_keys * (d_key + d_value))


def extra__attention_multiply_adds__list_of_one(n_queries, n_keys, d_key, d_value):
    """The number in a list."""
    return [n_queries * n_keys * (d_key + d_value)]


def extra__attention_multiply_adds__order_of_magnitude(n_queries, n_keys, d_key, d_value):
    """Big-O as a formula: the larger width alone."""
    return n_queries * n_keys * max(d_key, d_value)


def extra__attention_multiply_adds__one_off(n_queries, n_keys, d_key, d_value):
    """One more than there are."""
    return n_queries * n_keys * (d_key + d_value) + 1


def extra__attention_multiply_adds__projections(n_queries, n_keys, d_key, d_value):
    """Projections of queries, keys and values counted, as if the widths were d_model."""
    return n_queries * n_keys * (d_key + d_value) + (n_queries + n_keys) * d_key**2 + n_keys * d_value**2


RIGHT, ODD, WRONG, WRONG_NATURAL, EXTRA = gather(globals())
