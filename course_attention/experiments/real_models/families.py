"""Twelve families of models of the library transformers: tiny, with random weights, each with something to read."""

import logging
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

N_VOCABULARY = 64
N_PADDING = 3  # tokens of the second text
_SIZES = {
    "vocab_size": N_VOCABULARY,
    "hidden_size": 32,
    "intermediate_size": 64,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
}
_SPECIAL = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
_GROUPS = {"num_key_value_heads": 2, "head_dim": 8}
# "eager": one expert after another, in plain torch, which computes in every dtype and on every device.
_EXPERTS = {"num_experts_per_tok": 2, "experts_implementation": "eager"}
# What the settings of a family can change for attention, those of the tiny one change: windows, layers of two kinds,
# another scaling, latents, sinks.
_FAMILIES: Mapping[str, tuple[str, str, dict[str, Any]]] = {
    "Llama": ("LlamaForCausalLM", "LlamaConfig", _SIZES | _SPECIAL | _GROUPS),
    "Mistral": ("MistralForCausalLM", "MistralConfig", _SIZES | _SPECIAL | _GROUPS | {"sliding_window": 4}),
    "Qwen3": ("Qwen3ForCausalLM", "Qwen3Config", _SIZES | _SPECIAL | _GROUPS),
    "Gemma 3": (
        "Gemma3ForCausalLM",
        "Gemma3TextConfig",
        _SIZES
        | _SPECIAL
        | _GROUPS
        | {
            "sliding_window": 4,
            "layer_types": ["sliding_attention", "full_attention"],
            "query_pre_attn_scalar": 16,
        },
    ),
    "SmolLM3": (
        "SmolLM3ForCausalLM",
        "SmolLM3Config",
        _SIZES | _SPECIAL | {"num_key_value_heads": 2, "no_rope_layers": [1, 0]},
    ),
    "GPT-2": (
        "GPT2LMHeadModel",
        "GPT2Config",
        {
            "vocab_size": N_VOCABULARY,
            "n_embd": 32,
            "n_layer": 2,
            "n_head": 4,
            "n_positions": 64,
            **_SPECIAL,
        },
    ),
    "BERT": ("BertForMaskedLM", "BertConfig", _SIZES | {"pad_token_id": 0}),
    "ViT": (
        "ViTForImageClassification",
        "ViTConfig",
        {name: size for name, size in _SIZES.items() if name != "vocab_size"} | {"image_size": 16, "patch_size": 4},
    ),
    "Whisper": (
        "WhisperForConditionalGeneration",
        "WhisperConfig",
        {
            "vocab_size": N_VOCABULARY,
            "d_model": 32,
            "num_mel_bins": 8,
            "max_source_positions": 16,
            "max_target_positions": 64,
            "decoder_start_token_id": 1,
            **{f"{part}_layers": 2 for part in ("encoder", "decoder")},
            **{f"{part}_attention_heads": 4 for part in ("encoder", "decoder")},
            **{f"{part}_ffn_dim": 64 for part in ("encoder", "decoder")},
            **_SPECIAL,
        },
    ),
    "DeepSeek-V3": (
        "DeepseekV3ForCausalLM",
        "DeepseekV3Config",
        _SIZES
        | _SPECIAL
        | _EXPERTS
        | {
            "num_key_value_heads": 4,
            "q_lora_rank": 16,
            "kv_lora_rank": 16,
            "qk_rope_head_dim": 4,
            "qk_nope_head_dim": 8,
            "v_head_dim": 8,
            "n_routed_experts": 4,
            "moe_intermediate_size": 16,
            "n_group": 2,
            "topk_group": 1,
            "first_k_dense_replace": 1,
            "max_position_embeddings": 163840,
            "rope_parameters": {
                "rope_type": "yarn",
                "rope_theta": 10000.0,
                "factor": 40.0,
                "mscale": 1.0,
                "mscale_all_dim": 1.0,
                "beta_fast": 32.0,
                "beta_slow": 1.0,
                "original_max_position_embeddings": 4096,
            },
        },
    ),
    "Qwen3-Next": (
        "Qwen3NextForCausalLM",
        "Qwen3NextConfig",
        _SIZES
        | _SPECIAL
        | _GROUPS
        | _EXPERTS
        | {
            "layer_types": ["linear_attention", "full_attention"],
            "num_experts": 4,
            "moe_intermediate_size": 16,
            "shared_expert_intermediate_size": 16,
            "linear_num_key_heads": 2,
            "linear_num_value_heads": 4,
            "linear_key_head_dim": 8,
            "linear_value_head_dim": 8,
        },
    ),
    "gpt-oss": (
        "GptOssForCausalLM",
        "GptOssConfig",
        _SIZES | _SPECIAL | _GROUPS | _EXPERTS | {"sliding_window": 4, "num_local_experts": 4},
    ),
}
NAMES = tuple(_FAMILIES)


@dataclass(frozen=True)
class Family:
    """A model of a family, with an input.

    Attributes:
        name: of the family.
        model: of the library, in evaluation mode. Every weight is random, those too that a new model has at 0 or 1.
        inputs: what the model reads, by the names of the library.
        is_token: (batch, n_tokens), False for padding; None where there is no padding. Its shape is that of the logits,
            without their last axis.
    """

    name: str
    model: nn.Module
    inputs: dict[str, Tensor]
    is_token: Tensor | None

    @torch.no_grad()
    def logits(self, attention: str) -> Tensor:
        """Return the logits with the attention function that is registered under this name, without padding.

        Args:
            attention: "eager" is the library's own, written out in plain torch.
        """
        self.model.set_attn_implementation(attention)
        logits = self.model(**self.inputs).logits
        return logits if self.is_token is None else logits[self.is_token]

    def heard(self, attention: str) -> list[str]:
        """Return what the library logs, and what is warned of, while the model computes with this attention function.

        What the library says once only, it may say again.
        """
        from transformers import logging as library

        records: list[str] = []
        listener = logging.Handler(logging.WARNING)
        listener.emit = lambda record: records.append(record.getMessage())  # type: ignore[method-assign]
        before = library.get_verbosity()
        library.warning_once.cache_clear()
        library.set_verbosity_warning()
        library.add_handler(listener)
        try:
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                self.logits(attention)
        finally:
            library.remove_handler(listener)
            library.set_verbosity(before)
        return records + [str(one.message) for one in warned]


def family(name: str, dtype: torch.dtype = torch.float32, device: torch.device | str = "cpu") -> Family:
    """Make the model of a family. It needs the library transformers.

    Args:
        name: one of `NAMES`.
        dtype: of the weights, and of pictures and sounds.
        device: of model and inputs.
    """
    import transformers

    transformers.logging.set_verbosity_error()
    model_class, config_class, settings = _FAMILIES[name]
    config = getattr(transformers, config_class)(**settings)
    generator = torch.Generator().manual_seed(0)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = getattr(transformers, model_class)(config).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator) / 10)
    model.to(device=device, dtype=dtype)
    inputs, is_token = _inputs(name, generator)
    moved = {key: one.to(device, dtype if one.is_floating_point() else None) for key, one in inputs.items()}
    return Family(name, model, moved, None if is_token is None else is_token.to(device))


def _inputs(name: str, generator: torch.Generator) -> tuple[dict[str, Tensor], Tensor | None]:
    """Make a batch of texts, the second with padding; pictures for ViT, and for Whisper sounds as well."""
    if name == "ViT":
        return {"pixel_values": torch.randn(3, 3, 16, 16, generator=generator)}, None
    tokens = torch.randint(3, N_VOCABULARY, (3, 9), generator=generator)
    is_token = torch.ones_like(tokens, dtype=torch.bool)
    # A model that writes has its padding in front, so that each text ends where it is continued.
    behind = name in ("BERT", "Whisper")
    is_token[1, -N_PADDING:] = not behind
    is_token[1, :N_PADDING] = behind
    tokens = tokens.where(is_token, 0)
    if name == "Whisper":
        sounds = torch.randn(3, 8, 32, generator=generator)
        texts = {"decoder_input_ids": tokens, "decoder_attention_mask": is_token.long()}
        return {"input_features": sounds, **texts}, is_token
    return {"input_ids": tokens, "attention_mask": is_token.long()}, is_token
