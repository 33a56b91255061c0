"""Weights of multi-head attention, drawn ones and such as make large scores."""

from course_attention.authoring import Array, Draw
from course_attention.exercises.common.inputs import of

BY_HAND = "3 tokens, 2 heads, d_key 1, d_value 1"

SQUARE_BY_HAND = "2 tokens, 2 heads, d_key 1, d_value 1"  # a mask without a batch lines up with the heads

# For mutants: the columns of all heads.
HEADS_DIVIDE = {
    "d_keys": lambda inputs: inputs.multiple("n_heads"),
    "d_values": lambda inputs: inputs.multiple("n_heads"),
}


def drawn_weights(draw: Draw, d_model: int, n_heads: int, d_key: int, d_value: int, d_out: int, **kind) -> dict:
    return {
        "w_query": draw.normal(d_model, n_heads * d_key, **kind),
        "w_key": draw.normal(d_model, n_heads * d_key, **kind),
        "w_value": draw.normal(d_model, n_heads * d_value, **kind),
        "w_out": draw.normal(n_heads * d_value, d_out, **kind),
    }


def large_inputs() -> dict[str, Array]:
    """Scores near ±10,000, far enough apart that rounding does not decide which token wins; in head 1 turned round."""
    numbers = {
        "x": [[103.0], [-106.0], [100.0]],
        "w_query": [[1.0, -1.0]],
        "w_key": [[1.0, 1.0]],
        "w_value": [[1.0, -0.5]],
        "w_out": [[1.0, 0.5], [-0.5, 2.0]],
    }
    return {name: of(values) for name, values in numbers.items()}
