"""What a family of models changes around its attention, asked of the library: its default settings, and its modules."""

from collections.abc import Mapping
from typing import Any

import torch
from torch import nn

from course_attention.experiments.real_models.families import Family

COLUMNS = ("biases", "tied", "norm", "epsilon", "rotary base", "window", "sinks", "heads", "groups")
NONE = "–"


def facts(family: Family) -> dict[str, str]:
    """Return for each of `COLUMNS` what the family has, in a few characters.

    The numbers are those of the library's default settings. A published model may have others in its config.json. That
    positions are stretched is read from the small model, which does it where published models do.

    Args:
        family: with its small model, from which the kinds of its modules are taken. The model is not changed.
    """
    settings = type(family.model.config)().to_dict()
    names = [name for name, _ in family.model.named_parameters()]
    window = _first(settings, "sliding_window")
    norm = next(one for one in family.model.modules() if type(one).__name__.endswith("Norm"))
    return {
        "biases": _said(any(name.endswith(".bias") and ("attn" in name or "attention" in name) for name in names)),
        "tied": _said(bool(settings.get("tie_word_embeddings"))),
        "norm": _form(norm),
        "epsilon": f"{getattr(norm, 'eps', None) or norm.variance_epsilon:.0e}",
        "rotary base": _rotary(settings | _stretched(family)),
        "window": window if _has_windows(family) else NONE,
        "sinks": _said(any(name.endswith("sinks") for name in names)),
        "heads": _first(settings, "num_attention_heads", "n_head", "encoder_attention_heads"),
        "groups": _first(settings, "num_key_value_heads"),
    }


def _said(has: bool) -> str:
    return "yes" if has else "no"


def _first(settings: Mapping[str, Any], *names: str) -> str:
    """Return the first of these settings that there is."""
    return next((str(settings[name]) for name in names if settings.get(name) is not None), NONE)


def _has_windows(family: Family) -> bool:
    """Say whether the small model has a window, as published models of its family do."""
    return getattr(family.model.config, "sliding_window", None) == 4


def _stretched(family: Family) -> dict[str, Any]:
    """Return the settings of rotary positions that the small model stretches; else none."""
    rope = family.model.config.to_dict().get("rope_parameters") or {}
    return {"rope_parameters": rope} if rope.get("rope_type", "default") != "default" else {}


def _rotary(settings: Mapping[str, Any]) -> str:
    """Return the bases of the rotary positions, with the way in which they are stretched, where they are."""
    rope = settings.get("rope_parameters")
    if not rope:
        return NONE
    kinds = [rope] if "rope_type" in rope else list(rope.values())
    said = (f"{kind['rope_theta']:,.0f} {kind['rope_type']}".removesuffix(" default") for kind in kinds)
    return " and ".join(said)


@torch.no_grad()
def _form(norm: nn.Module) -> str:
    """Return the form of a norm: layer, RMS, or RMS whose weight is added to 1."""
    if isinstance(norm, nn.LayerNorm):
        return "layer"
    weight = norm.weight.clone()
    norm.weight.zero_()  # with a weight of 0, only 1 + weight leaves something over
    comes_through = bool(norm(torch.ones_like(weight)[None]).abs().max() > 0.5)
    norm.weight.copy_(weight)
    return "RMS, 1 + w" if comes_through else "RMS"
