"""Answers to the practice `own_mistake(query, key, value, scaling)` of notebook 14."""

from tests.corpus import change


def right__keys_like_queries(query, key, value, scaling):
    """There are as many keys as queries, thinks who knows self-attention alone. Whisper notices."""
    n_queries = query.shape[-2]
    return query, key[:, :, :n_queries], value[:, :, :n_queries], scaling


def right__scaling_below_1(query, key, value, scaling):
    """Who believes that a scaling is always a small number. Whisper notices."""
    return query, key, value, min(scaling, 0.9)


def right__scaling_of_gemma(query, key, value, scaling):
    """A lower limit, which the scaling of Gemma 3 is below."""
    return [query, key, value, max(scaling, 0.3)]


def right__width_of_values(query, key, value, scaling):
    """The scores are multiplied as if d_key were d_value. DeepSeek-V3 notices."""
    return query, key, value, scaling * (query.shape[-1] / value.shape[-1]) ** 0.5


# Returns what it was given.
wrong__own_mistake_unnoticed__1 = change(right__scaling_below_1, ("min(scaling, 0.9)", "scaling"))
# The query is larger, and the scaling smaller.
wrong__own_mistake_unnoticed__2 = change(
    right__scaling_below_1, ("return query, key, value, min(scaling, 0.9)", "return 2 * query, key, value, scaling / 2")
)
# The limit is so low that no family reaches it.
wrong__own_mistake_unnoticed__3 = change(right__scaling_of_gemma, ("0.3", "0.1"))
wrong__own_mistake_everywhere__1 = change(right__scaling_below_1, ("min(scaling, 0.9)", "scaling ** 2 + 1"))
wrong__own_mistake_everywhere__2 = change(right__scaling_below_1, ("min(scaling, 0.9)", "1"))
# The keys come in another order, and the values do not.
wrong__own_mistake_everywhere__3 = change(
    right__scaling_below_1, ("key, value, min(scaling, 0.9)", "key.flip(-2), value, scaling")
)
wrong__own_mistake_of_three__1 = change(right__scaling_below_1, ("min(scaling, 0.9)", "query.shape[-1] ** -0.5"))
wrong__own_mistake_of_three__2 = change(right__scaling_below_1, ("min(scaling, 0.9)", "value.shape[-1] ** -0.5"))


def wrong__own_mistake_of_groups__1(query, key, value, scaling):
    copies = query.shape[1] // key.shape[1]
    return query, key.repeat(1, copies, 1, 1), value.repeat(1, copies, 1, 1), scaling


# All heads get the keys of the first group.
wrong__own_mistake_of_groups__2 = change(
    right__scaling_below_1,
    (
        "return query, key, value, min(scaling, 0.9)",
        "groups = 1 if key.shape[1] < query.shape[1] else 4",
        "return query, key[:, :groups], value[:, :groups], scaling",
    ),
)
# The scaling alone.
wrong__own_mistake_form__1 = change(right__scaling_below_1, ("query, key, value, min", "min"))


def wrong__own_mistake_form__2(query, key, value, scaling):
    """Attention itself is computed."""
    weights = (query @ query.mT * scaling).softmax(-1)
    return weights @ query, weights


# Whisper and DeepSeek-V3 have larger scalings than all others.
wrong__own_mistake_of_several__1 = change(right__scaling_below_1, ("0.9", "0.4"))
# Where there are as many queries as in a text: ViT and the sound of Whisper have more.
wrong__own_mistake_of_several__2 = change(right__keys_like_queries, ("query.shape[-2]", "9"))
# Keys and values change places together, which only a mask can notice.
wrong__own_mistake_of_several__3 = change(
    right__scaling_below_1, ("key, value, min(scaling, 0.9)", "key.flip(2), value.flip(2), scaling")
)
# Two mistakes, each of which one family notices: DeepSeek-V3 and Whisper.
wrong__own_mistake_of_several__4 = change(
    right__keys_like_queries, ("return query", "scaling = scaling if query.shape[-1] == 8 else 0.3", "return query")
)
# Queries and keys no longer fit.
extra__query_alone = change(
    right__keys_like_queries,
    ("return query, key[:, :, :n_queries]", "return query[..., :4], key"),
    ("value[:, :, :n_queries]", "value"),
)
