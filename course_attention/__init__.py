"""A course on attention: the helpers that its notebooks build, and the judge that checks them.

    >>> from course_attention import softmax
    >>> softmax([0.0, 0.0])
    array([0.5, 0.5])

The public names are the helpers, each under the name of its exercise. They load on first use, so that importing
the package costs no torch. They check their arguments; the modules in `mechanisms`, which hold their source, don't.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_HELPERS = {
    "softmax": ("softmax",),
    "seq2seq": (
        "attention_scores",
        "attention_distribution",
        "attention_output",
        "attend_and_concat",
        "additive_parameters",
    ),
    "attention": (
        "attention",
        "attention_columns",
        "bilinear_scores",
        "additive_scores",
        "gaussian_scores",
        "mean_attention",
        "cross_attention",
        "score_variance",
    ),
    "self_attention": (
        "project",
        "self_attention",
        "interaction_matrix",
        "SelfAttention",
        "convolution_mixing",
        "self_attention_parameters",
    ),
    "multi_head": (
        "split_heads",
        "merge_heads",
        "multi_head_attention",
        "MultiHeadAttention",
        "transplant",
        "multi_head_parameters",
    ),
    "masking": (
        "causal_mask",
        "padding_mask",
        "window_mask",
        "masked_softmax",
        "causal_pairs",
        "influence",
    ),
    "positions": (
        "sinusoidal_encoding",
        "append_positions",
        "position_similarity",
        "shift_matrix",
        "relative_bias",
        "rotary",
        "alibi_bias",
        "encoding_norm",
    ),
    "complexity": (
        "attention_multiply_adds",
        "self_attention_multiply_adds",
        "crossover_length",
        "recurrent_multiply_adds",
        "convolution_multiply_adds",
        "dense_multiply_adds",
        "dense_parameters",
        "fit_exponent",
        "score_bytes",
    ),
    "transformer": (
        "EncoderBlock",
        "DecoderBlock",
        "shift_right",
        "sequence_loss",
        "attention_layers",
    ),
    "modern": (
        "cached_attention",
        "grouped_query_attention",
        "online_logsumexp",
        "blockwise_attention",
        "linear_attention",
        "kv_cache_bytes",
    ),
}
_HOME = {name: module for module, names in _HELPERS.items() for name in names}

__all__ = [*_HOME, "__version__"]  # noqa: PLE0604 - the names are strings, gathered above


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return _version()
    if name not in _HOME:
        raise AttributeError(f"module 'course_attention' has no attribute {name!r}")
    helper = getattr(import_module(f"course_attention.mechanisms.{_HOME[name]}"), name)
    if callable(helper):
        from course_attention.mechanisms.contracts import checked

        helper = checked(helper)
    globals()[name] = helper
    return helper


def _version() -> str:
    """The version that was installed. The tag in git states it; no file of the package does."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("course-attention")
    except PackageNotFoundError:  # a copy of the source that is only on the path
        return "0.0"


def __dir__() -> list[str]:
    return sorted(__all__)
