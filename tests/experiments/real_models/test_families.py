"""Attention with the course's signature gives the logits of twelve families; and what a family changes is told."""

from __future__ import annotations

import socket
import warnings
from dataclasses import replace

import pytest
import torch

from course_attention import interface_attention
from course_attention.answer_corpus.answer_value import value_of
from course_attention.experiments.real_models.facts import COLUMNS, facts
from course_attention.experiments.real_models.families import N_PADDING, NAMES, Family, family
from course_attention.practice.real_models.interface_with_sink import interface_with_sink
from course_attention.practice.real_models.own_mistake import CALLS
from tests.answer_objects import practised_answers
from tests.refused_sockets import ConnectionRefused

# What the library warns of is its own affair, but for the tests that say what they expect.
pytestmark = pytest.mark.filterwarnings("ignore")
EVERY_FAMILY = pytest.mark.parametrize("name", NAMES)
WRITERS = [name for name in NAMES if name not in ("BERT", "ViT")]
CLOSE = 1e-5  # of logits of about 2, in float32


def plain(query, key, value, bias, scaling, sink):
    return interface_attention(query, key, value, bias, scaling)


def with_sinks(query, key, value, bias, scaling, sink):
    given = (query, key, value, bias, scaling)
    return interface_attention(*given) if sink is None else interface_with_sink(*given, sink)


def largest(difference: torch.Tensor) -> float:
    return difference.abs().max().item()


def test_sockets_are_refused(attempts: list[str]) -> None:
    """The fixture that every test here has refuses a connection, by whichever way it is tried."""
    with pytest.raises(ConnectionRefused):
        socket.create_connection(("127.0.0.1", 9))
    with pytest.raises(ConnectionRefused), socket.socket() as one:
        one.connect(("127.0.0.1", 9))
    with pytest.raises(ConnectionRefused):
        socket.getaddrinfo("huggingface.co", 443)
    assert len(attempts) == 3
    attempts.clear()


@EVERY_FAMILY
def test_agrees(name: str, device: str, register) -> None:
    """In float32, with a padded batch: the library calls the function in each layer, and the logits are its own."""
    calls = register("plain", plain)
    one = family(name, device=device)
    theirs, yours = one.logits("eager"), one.logits("plain")
    expected = {"Whisper": 6, "Qwen3-Next": 1}.get(name, 2)  # 3 kinds of attention; a layer of another kind
    assert len(calls) == expected
    assert theirs.device.type == device and largest(theirs) > 0.3
    if name == "gpt-oss":
        assert largest(yours - theirs) > 0.1
        register("with sinks", with_sinks)
        yours = one.logits("with sinks")
    assert largest(yours - theirs) < CLOSE


@EVERY_FAMILY
def test_padding(name: str) -> None:
    """Every family that reads text has a padded one, whose padding is not compared."""
    one = family(name)
    if name == "ViT":
        assert one.is_token is None
        return
    assert (~one.is_token).sum(dim=1).tolist() == [0, N_PADDING, 0]
    assert one.logits("eager").shape == (3 * 9 - N_PADDING, 64)


@EVERY_FAMILY
def test_wrong_scale_shows(name: str, register) -> None:
    """Without the scaling every family comes apart, but Whisper, which scales its queries itself."""
    register("not scaled", lambda q, k, v, bias, scaling, sink: with_sinks(q, k, v, bias, 1.0, sink))
    one = family(name)
    difference = largest(one.logits("not scaled") - one.logits("eager"))
    assert (difference < CLOSE) if name == "Whisper" else (difference > 0.1)


@EVERY_FAMILY
def test_forgotten_mask_shows(name: str, register) -> None:
    """Registered without a mask, the function is handed none: every family comes apart, but ViT, which has no mask."""
    register("no mask", with_sinks, masked=False)
    one = family(name)
    difference = largest(one.logits("no mask") - one.logits("eager"))
    assert (difference < CLOSE) if name == "ViT" else (difference > 0.1)


@EVERY_FAMILY
def test_calls_of_the_practice(name: str, register) -> None:
    """What `own_mistake` is tried with has the sizes and the scaling that the library hands over."""
    came = set()

    def noted(query, key, value, bias, scaling, sink):
        sizes = (query.shape[1], query.shape[2], key.shape[2], key.shape[1], query.shape[3], value.shape[3])
        came.add((*sizes, round(scaling, 3), bias is None))
        return with_sinks(query, key, value, bias, scaling, sink)

    register("noted", noted)
    family(name).logits("noted")
    assert set(CALLS) == set(NAMES)
    assert came == {
        (4, one.n_queries, one.n_keys, one.n_groups, one.d_key, 8, round(one.scaling, 3), not one.mask)
        for one in CALLS[name]
    }


@pytest.mark.parametrize(
    "answer", [one for one in practised_answers("own_mistake") if one.kind == "right"], ids=lambda one: one.label
)
def test_one_family_notices(answer, register) -> None:
    """A mistake that the practice accepts shows in one of the twelve small models alone."""
    change = value_of(answer)

    def mistaken(query, key, value, bias, scaling, sink):
        query, key, value, scaling = change(query, key, value, scaling)
        return with_sinks(query, key, value, bias, scaling, sink)

    register("mistaken", mistaken)
    models = [family(name) for name in NAMES]
    off = sorted(largest(one.logits("mistaken") - one.logits("eager")) for one in models)
    assert off[-2] < CLOSE and off[-1] > 10 * CLOSE


@EVERY_FAMILY
def test_bfloat16(name: str, device: str, register) -> None:
    """In bfloat16 the function is about as far from the float32 logits as the library's own attention is."""
    register("with sinks", with_sinks)
    exact, rounded = family(name, device=device).logits("eager"), family(name, torch.bfloat16, device)
    theirs, yours = ((rounded.logits(one).float() - exact).abs().mean() for one in ("eager", "with sinks"))
    assert rounded.logits("with sinks").dtype == torch.bfloat16
    assert 0 < yours < 2 * theirs


@pytest.mark.parametrize("name", WRITERS)
def test_with_a_cache(name: str, register) -> None:
    """The library's own loop writes the same tokens, with its cache, from a padded batch, at the same logits."""
    calls = register("with sinks", with_sinks)
    one = family(name)
    inputs = {key: value for key, value in one.inputs.items() if not key.startswith("decoder")}
    options = {"max_new_tokens": 5, "min_new_tokens": 5, "do_sample": False, "return_dict_in_generate": True}
    written = {}
    for attention in ("eager", "with sinks"):
        one.model.set_attn_implementation(attention)
        written[attention] = one.model.generate(**inputs, **options, output_logits=True)
    assert len(calls) >= 5  # once for each token, in each layer that has attention
    theirs, yours = written["eager"], written["with sinks"]
    assert torch.equal(theirs.sequences, yours.sequences) and len(yours.logits) == 5
    for a, b in zip(theirs.logits, yours.logits, strict=True):
        assert largest(a - b) < 2 * CLOSE


def test_nothing_to_attend_to(register) -> None:
    """In float64 a padded row, which may attend to nothing, does no harm to the tokens beside it."""
    register("plain", plain)
    double, single = family("Llama", torch.float64), family("Llama")
    assert largest(double.logits("plain") - single.logits("eager").double()) < CLOSE


def test_heard(register) -> None:
    """What the library warns of is heard, also what it says once only; without a mask it says nothing."""
    from transformers import logging as library

    before = library.get_verbosity()
    logger = library.get_logger("transformers.a_test")

    def warning(*given):
        logger.warning_once("the library warns")
        warnings.warn("and torch", stacklevel=1)
        return plain(*given)

    register("warning", warning)
    register("no mask", plain, masked=False)
    one = family("Llama")
    for _ in range(2):
        heard = one.heard("warning")
        assert heard.count("the library warns") == 1 and "and torch" in heard
    assert one.heard("no mask") == []
    assert library.get_verbosity() == library.ERROR and before >= library.WARNING


def test_a_softcap_that_is_ignored(register) -> None:
    """In a small Gemma 2 it changes the logits by more than rounding, and by less than 1e-4, as notebook 14 says."""
    from transformers import Gemma2Config, Gemma2ForCausalLM

    register("plain", plain)
    sizes = {"vocab_size": 64, "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "head_dim": 8}
    sizes |= {"num_attention_heads": 4, "num_key_value_heads": 2, "sliding_window": 4, "query_pre_attn_scalar": 8}
    generator = torch.Generator().manual_seed(0)
    torch.manual_seed(0)
    model = Gemma2ForCausalLM(Gemma2Config(**sizes, attn_logit_softcapping=50.0)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn(parameter.shape, generator=generator) / 10)
    one = Family("Gemma 2", model, {"input_ids": torch.randint(3, 64, (3, 9), generator=generator)}, None)
    assert CLOSE < largest(one.logits("plain") - one.logits("eager")) < 1e-4


def test_the_mask_of_another_function(register) -> None:
    """With sdpa_mask a text without padding has no mask at all, and a padded one has True and False."""
    from transformers import AttentionMaskInterface
    from transformers.masking_utils import sdpa_mask

    masks = []

    def kept(query, key, value, mask, scaling, sink):
        masks.append(mask)
        return plain(query, key, value, None, scaling, sink)

    register("of another", kept, masked=False)
    AttentionMaskInterface.register("of another", sdpa_mask)
    padded = family("Llama")
    replace(padded, inputs={"input_ids": padded.inputs["input_ids"]}, is_token=None).logits("of another")
    assert masks == [None, None]
    padded.logits("of another")
    assert [mask.dtype for mask in masks[2:]] == [torch.bool] * 2


@EVERY_FAMILY
def test_facts(name: str) -> None:
    """Each family has a value in every column, and the model is as it was."""
    one = family(name)
    before = one.logits("eager")
    told = facts(one)
    assert tuple(told) == COLUMNS and all(told.values())
    assert torch.equal(one.logits("eager"), before)


def test_facts_that_are_known() -> None:
    """Sinks, windows, tied embeddings, the form of the norm and bases are told where they are."""
    told = {name: facts(family(name)) for name in ("Llama", "Gemma 3", "GPT-2", "gpt-oss", "DeepSeek-V3")}
    assert [one["norm"] for one in told.values()] == ["RMS", "RMS, 1 + w", "layer", "RMS", "RMS"]
    assert [one["sinks"] for one in told.values()] == ["no", "no", "no", "yes", "no"]
    assert [one["biases"] for one in told.values()] == ["no", "no", "yes", "yes", "no"]
    assert [one["window"] for one in told.values()] == ["–", "4096", "–", "128", "–"]
    assert [one["rotary base"] for one in told.values()] == [
        "10,000",
        "10,000 and 1,000,000",
        "–",
        "150,000 yarn",
        "10,000 yarn",
    ]
