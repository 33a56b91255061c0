"""Judges attention from other packages by the contracts of the course, and writes the table of docs/judge_your_own.md.

    python tools/judge_elsewhere.py            prints the table
    python tools/judge_elsewhere.py --write    puts it into the page
    python tools/judge_elsewhere.py --verdict NAME    prints the verdicts on one implementation, whole

It needs the packages of FOUND beside the course, in an environment of its own. None of it is in requirements.lock: the
course does not depend on any of these packages, and nothing here says how good they are. Each has a contract of its
own. The table says where that is another than the course's.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from course_attention.judging.verdict import Verdict
from course_attention.presentation.verdict_text import verdict_text
from course_attention.testing import judge

PAGE = Path(__file__).resolve().parents[1] / "docs" / "judge_your_own.md"
OUTPUT = {"results": ["output"]}
SINGLE = {"dtypes": ["float32", "float16", "bfloat16"]}
IN_NUMPY = {"dtypes": ["float32", "float16"]}
NO_BASE = {"without": ["base"]}
NO_BLIND = {"without": ["nothing allowed"]}


@dataclass(frozen=True)
class Found:
    """An implementation, and what it is asked for.

    Attributes:
        package, name: where it is from, and what it is called there.
        exercise: whose contract it is held to.
        make: returns it in the course's form, with its arguments in our order.
        how: its form, as `judge` takes it.
        made_for: what is asked for less, as `judge` takes it, where it was not made for all of the course's contract.
    """

    package: str
    name: str
    exercise: str
    make: Callable[[], Any]
    how: dict[str, Any] = field(default_factory=dict)
    made_for: dict[str, Any] = field(default_factory=dict)


def square(attention: Callable[..., Any], joined: Callable[..., Any]) -> Callable[..., Any]:
    """Return attention for values of any width, from one that wants as many columns in a value as in a key."""

    def of_any_width(query, key, value, allowed=None):
        width, d_value = query.shape[-1], value.shape[-1]
        short = -d_value % width
        padded = joined([value, *[value[..., :1]] * short])
        starts = range(0, d_value, width)
        parts = [attention(query, key, padded[..., start : start + width], allowed) for start in starts]
        return joined(parts)[..., :d_value]

    return of_any_width


def sdpa() -> Any:
    return nn.functional.scaled_dot_product_attention


def llama_attention() -> Any:
    from transformers.models.llama.modeling_llama import eager_attention_forward

    def attention(query, key, value, bias, scaling):
        layer = nn.Module().eval()
        layer.num_key_value_groups = query.shape[1] // key.shape[1]
        return eager_attention_forward(layer, query, key, value, bias, scaling)

    return attention


def gpt_oss_attention() -> Any:
    from transformers.models.gpt_oss.modeling_gpt_oss import eager_attention_forward

    def attention(query, key, value, sink, bias=None):
        outputs = []
        sink = sink.expand(query.shape[:2])
        for one in range(len(query)):  # there a head has a sink, and here each item may have another
            layer = nn.Module().eval()
            layer.num_key_value_groups, layer.sinks = 1, sink[one]
            own = None if bias is None else bias.expand(len(query), *bias.shape[1:])[one : one + 1]
            parts = (part[one : one + 1] for part in (query, key, value))
            outputs.append(eager_attention_forward(layer, *parts, own, query.shape[-1] ** -0.5))
        output, weights = (torch.cat(parts) for parts in zip(*outputs, strict=True))
        return output.transpose(1, 2), weights

    return attention


def qwen_delta_rule(name: str) -> Callable[[], Any]:
    def make() -> Any:
        from transformers.models.qwen3_next import modeling_qwen3_next

        function = getattr(modeling_qwen3_next, name)

        def gated_delta_rule(query, key, value, beta, decay):
            scaled = query * query.shape[-1] ** 0.5  # they divide by √d_key, and the course does not
            return function(scaled, key, value, decay.log(), beta)[0]

        return gated_delta_rule

    return make


def llama_rotary() -> Any:
    from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

    def rotary(x, positions, base=10000.0):
        frequencies = base ** (-torch.arange(0, x.shape[-1], 2, device=x.device, dtype=torch.float64) / x.shape[-1])
        angles = positions.to(torch.float64)[..., None] * frequencies
        angles = torch.cat([angles, angles], dim=-1).to(x.dtype)
        return apply_rotary_pos_emb(x, x, angles.cos()[None], angles.sin()[None])[0]

    return rotary


def bloom_alibi() -> Any:
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor

    def alibi(n_heads, n_queries, n_keys, device=None, dtype=torch.float32):
        # It gives slope · position of the key, which is enough under a causal mask. The distances are made here.
        slopes = build_alibi_tensor(torch.ones(1, 2, device=device), n_heads, dtype)[:, :, 1:]
        queries, keys = torch.arange(n_queries, device=device), torch.arange(n_keys, device=device)
        return -slopes * (queries[:, None] - keys).abs().to(dtype)

    return alibi


def x_transformers() -> Any:
    from x_transformers.attend import Attend

    attend = Attend().eval()

    def attention(query, key, value, allowed=None):
        if allowed is not None:  # it wants all four axes in full
            allowed = allowed.expand(*query.shape[:2], query.shape[2], key.shape[2])
        output, between = attend(query, key, value, allowed)
        return output, between.post_softmax_attn

    return attention


def memory_efficient() -> Any:
    from memory_efficient_attention_pytorch.memory_efficient_attention import memory_efficient_attention

    def blockwise(query, key, value, block_size):
        return memory_efficient_attention(query, key, value, q_bucket_size=block_size, k_bucket_size=block_size)

    return blockwise


def rotary_embedding_torch() -> Any:
    from rotary_embedding_torch import RotaryEmbedding, apply_rotary_emb

    def rotary(x, positions, base=10000.0):
        embedding = RotaryEmbedding(dim=x.shape[-1], theta=base, cache_if_possible=False).to(x.device)
        return apply_rotary_emb(embedding.forward(positions), x)

    return rotary


def labml_encoding() -> Any:
    from labml_nn.transformers.positional_encoding import get_positional_encoding

    def sinusoidal(n_positions, d_model, base=10000.0, device=None, dtype=torch.float32):
        return get_positional_encoding(d_model, n_positions)[:, 0].to(device=device, dtype=dtype)

    return sinusoidal


def positional_encodings() -> Any:
    from positional_encodings.torch_encodings import PositionalEncoding1D

    def sinusoidal(n_positions, d_model, base=10000.0, device=None, dtype=torch.float32):
        return PositionalEncoding1D(d_model)(torch.zeros(1, n_positions, d_model, device=device, dtype=dtype))[0]

    return sinusoidal


def in_jax() -> Any:
    import jax

    def attention(query, key, value, allowed=None):
        return jax.nn.dot_product_attention(query, key, value, mask=allowed)

    return square(attention, lambda parts: np.concatenate(parts, axis=-1))


def in_flax() -> Any:
    import flax.linen

    def attention(query, key, value, allowed=None):
        return flax.linen.dot_product_attention(query, key, value, mask=allowed)

    return attention


def in_tinygrad() -> Any:
    from tinygrad import Tensor

    def attention(query, key, value, allowed=None):
        mask = None if allowed is None else Tensor(np.ascontiguousarray(allowed))
        query, key, value = (Tensor(np.ascontiguousarray(part)) for part in (query, key, value))
        return query.scaled_dot_product_attention(key, value, attn_mask=mask).numpy()

    return attention


def in_onnx() -> Any:
    import onnx
    from onnx.reference import ReferenceEvaluator

    def attention(query, key, value, allowed=None):
        kind = onnx.helper.np_dtype_to_tensor_dtype(query.dtype)
        given = {"Q": query, "K": key, "V": value} | ({} if allowed is None else {"attn_mask": allowed})
        kinds = {"attn_mask": onnx.TensorProto.BOOL}
        node = onnx.helper.make_node("Attention", list(given), ["Y"])
        inputs = [onnx.helper.make_tensor_value_info(one, kinds.get(one, kind), None) for one in given]
        graph = onnx.helper.make_graph([node], "g", inputs, [onnx.helper.make_tensor_value_info("Y", kind, None)])
        model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 23)])
        return ReferenceEvaluator(model).run(None, given)[0]

    return attention


HEADS_SECOND = {"layout": "batch heads n d", "arrays": "numpy", **OUTPUT}
HEADS_LAST = {"layout": "batch n heads d", "arrays": "numpy", **OUTPUT}
FOUND = (
    Found("torch", "scaled_dot_product_attention", "attention", sdpa, OUTPUT),
    Found("transformers", "Llama, eager attention", "interface_attention", llama_attention, {}, NO_BLIND | SINGLE),
    Found(
        "transformers",
        "gpt-oss, eager attention",
        "attention_with_sink",
        gpt_oss_attention,
        {"layout": "batch heads n d", "mask": "added"},
    ),
    Found(
        "transformers",
        "Qwen3-Next, gated delta rule token by token",
        "gated_delta_rule",
        qwen_delta_rule("torch_recurrent_gated_delta_rule"),
        {"layout": "batch n heads d"},
        SINGLE,
    ),
    Found(
        "transformers",
        "Qwen3-Next, gated delta rule in chunks",
        "gated_delta_rule",
        qwen_delta_rule("torch_chunk_gated_delta_rule"),
        {"layout": "batch n heads d"},
        SINGLE,
    ),
    Found("transformers", "Llama, apply_rotary_pos_emb", "rotary", llama_rotary, {"layout": "batch heads n d"}),
    Found("transformers", "BLOOM, slopes of build_alibi_tensor", "alibi_bias", bloom_alibi),
    Found("x-transformers", "Attend", "attention", x_transformers, {"layout": "batch heads n d"}, NO_BLIND | SINGLE),
    Found(
        "memory-efficient-attention-pytorch",
        "memory_efficient_attention",
        "blockwise_attention",
        memory_efficient,
        {"layout": "batch heads n d"},
        SINGLE,
    ),
    Found("rotary-embedding-torch", "apply_rotary_emb", "rotary", rotary_embedding_torch),
    Found("labml-nn", "get_positional_encoding", "sinusoidal_encoding", labml_encoding, {}, NO_BASE),
    Found(
        "positional-encodings",
        "PositionalEncoding1D",
        "sinusoidal_encoding",
        positional_encodings,
        {},
        NO_BASE,
    ),
    Found("jax", "nn.dot_product_attention", "attention", in_jax, HEADS_LAST, NO_BLIND | IN_NUMPY),
    Found("flax", "linen.dot_product_attention", "attention", in_flax, HEADS_LAST, NO_BLIND),
    Found(
        "tinygrad",
        "Tensor.scaled_dot_product_attention",
        "attention",
        in_tinygrad,
        HEADS_SECOND,
        NO_BLIND,
    ),
    Found(
        "onnx",
        "Attention, reference implementation",
        "attention",
        in_onnx,
        HEADS_SECOND,
        NO_BLIND,
    ),
)


def said(verdict: Verdict) -> str:
    """Return what a verdict says, for a cell of the table."""
    if verdict.status == "passed":
        return "passes"
    lines = [line for line in verdict.message.splitlines()[1:] if line]
    return f"{lines[0].rstrip('.')}" + (f" (`{verdict.misconception}`)" if verdict.misconception else "")


def verdicts(found: Found) -> tuple[Verdict, Verdict | None]:
    """Return what is said of the whole contract, and of the part that the code was made for."""
    whole = judge(found.exercise, found.make(), **found.how)
    part = judge(found.exercise, found.make(), **found.how, **found.made_for) if found.made_for else None
    return whole, part


def table() -> str:
    """Return the table of all implementations."""
    rows = ["| package | what | exercise | all of it | a part of it |", "|---|---|---|---|---|"]
    for found in FOUND:
        whole, part = verdicts(found)
        name = f"{found.package} {version(found.package)}"
        asked = "" if part is None else f"{_part(found.made_for)}: {said(part)}"
        rows.append(f"| {name} | {found.name} | `{found.exercise}` | {said(whole)} | {asked} |")
        print(rows[-1], flush=True)
    return "\n".join(rows)


def _part(made_for: dict[str, Any]) -> str:
    without, dtypes = made_for.get("without", ()), made_for.get("dtypes", ())
    return "; ".join(part for part in (f"without {', '.join(without)}" * bool(without), ", ".join(dtypes)) if part)


def main() -> None:
    """Print the table, write it into the page, or print one pair of verdicts whole."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--verdict", metavar="NAME")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    if asked.verdict:
        for found in FOUND:
            if asked.verdict in (found.name, found.package):
                print(found.package, found.name)
                print("\n\n".join(verdict_text(one) for one in verdicts(found) if one is not None))
        return
    made = table()
    if asked.write:
        page = PAGE.read_text(encoding="utf-8")
        begin, end = "<!-- tools/judge_elsewhere.py writes this -->\n", "<!-- to here -->"
        page = re.sub(f"(?s){re.escape(begin)}.*?{re.escape(end)}", lambda _: f"{begin}{made}\n{end}", page)
        PAGE.write_text(page, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    os.environ.setdefault("JAX_ENABLE_X64", "1")
    os.environ.setdefault("DEV", "PYTHON")  # tinygrad without a compiler
    sys.exit(main())
