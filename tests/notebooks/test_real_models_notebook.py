"""Notebook 14: its loader and its saver with models of many sizes, without the network, and without transformers."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import nbformat
import pytest
import torch
import torch.nn.functional as F
from safetensors.torch import load_file, save_file
from torch import nn

import course_attention
from course_attention.models import language_model
from course_attention.models.language_model import LanguageModel
from course_attention.practice import PRACTICE
from tests.notebooks.running import read, run
from tools.notebooks import FOLDER

NOTEBOOK = FOLDER / "14_real_models.ipynb"
ROOT = FOLDER.parent
HELPERS = ("next_token_probabilities", "to_neighbouring_pairs")
pytestmark = pytest.mark.filterwarnings("ignore")  # the library's own


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    """Return what the cells of the notebook define: the model, the loader, the saver and the way in which it writes."""
    cells = {cell["id"]: cell["source"] for cell in read(NOTEBOOK)["cells"]}
    given: dict[str, Any] = {"torch": torch, "nn": nn, "F": F, "math": math, "json": json, "Path": Path, "time": time}
    given |= {"load_file": load_file, "save_file": save_file, "device": lambda: torch.device("cpu")}
    given["mine"] = lambda name: getattr(course_attention, name)
    given |= {name: getattr(course_attention, name) for name in HELPERS}
    given |= {name: PRACTICE[name].given for name in ("LlamaBlock", "from_llama", "to_llama")}
    for cell in ("llama-class", "loader", "save-as-llama", "write", "made-up", "write-english"):
        exec(cells[cell], given)
    return given


def published(**settings: Any) -> nn.Module:
    """Return a Llama of the library with random weights."""
    from transformers import LlamaConfig, LlamaForCausalLM

    sizes = {"vocab_size": 90, "hidden_size": 32, "intermediate_size": 40, "num_hidden_layers": 2}
    sizes |= {"num_attention_heads": 4, "num_key_value_heads": 2, "bos_token_id": 0, "eos_token_id": 0}
    torch.manual_seed(0)
    model = LlamaForCausalLM(LlamaConfig(**sizes | settings)).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) / 5)
    return model


def text(n_vocabulary: int) -> torch.Tensor:
    return torch.randint(n_vocabulary, (2, 24), generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"tie_word_embeddings": True},
        {"num_key_value_heads": 4},
        {"num_key_value_heads": 1, "hidden_size": 24, "num_attention_heads": 3, "rms_norm_eps": 0.1},
        {"rope_parameters": {"rope_type": "default", "rope_theta": 100.0}, "rms_norm_eps": 1e-5},
        {"num_hidden_layers": 12, "hidden_size": 16, "num_attention_heads": 2},
    ],
    ids=["plain", "tied", "no groups", "one group", "base", "twelve layers"],
)
@pytest.mark.parametrize("shard", ["5GB", "20KB"], ids=["one file", "several files"])
def test_loader(settings: dict[str, Any], shard: str, shown: dict[str, Any], tmp_path: Path) -> None:
    """A Llama of any size that the library saved gives the same logits in the course's own blocks."""
    model = published(**settings)
    model.save_pretrained(tmp_path, max_shard_size=shard)
    assert (len(list(tmp_path.glob("*.safetensors"))) > 1) == (shard == "20KB")
    tokens = text(90)
    with torch.no_grad():
        assert torch.allclose(shown["load"](tmp_path)(tokens)[0], model(tokens).logits, atol=2e-5)


def test_loader_reads_older_configs(shown: dict[str, Any], tmp_path: Path) -> None:
    """The base may stand by itself in config.json, as older versions of the library wrote it, and in half precision."""
    from transformers import AutoModelForCausalLM

    published(tie_word_embeddings=True).to(torch.bfloat16).save_pretrained(tmp_path)
    config = json.loads((tmp_path / "config.json").read_text())
    del config["rope_parameters"]
    (tmp_path / "config.json").write_text(json.dumps(config | {"rope_theta": 300.0, "rope_scaling": None}))
    loaded = shown["load"](tmp_path)
    assert {weight.dtype for weight in loaded.parameters()} == {torch.float32}
    theirs = AutoModelForCausalLM.from_pretrained(tmp_path, dtype=torch.float32).eval()
    with torch.no_grad():
        assert torch.allclose(loaded(text(90))[0], theirs(text(90)).logits, atol=2e-5)


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"attention_bias": True}, "biases"),
        ({"mlp_bias": True}, "biases"),
        ({"hidden_act": "gelu"}, "activation"),
        ({"rope_parameters": {"rope_type": "linear", "rope_theta": 100.0, "factor": 2.0}}, "stretches"),
    ],
)
def test_loader_refuses(settings: dict[str, Any], told: str, shown: dict[str, Any], tmp_path: Path) -> None:
    """What the blocks cannot do is refused, and not left out in silence."""
    published(**settings).save_pretrained(tmp_path)
    with pytest.raises(ValueError, match=told):
        shown["load"](tmp_path)


def test_loader_and_a_mistral(shown: dict[str, Any], tmp_path: Path) -> None:
    """A Mistral has the names and shapes of a Llama. Refused with a window, and read without one."""
    from transformers import MistralConfig, MistralForCausalLM

    sizes = {"vocab_size": 90, "hidden_size": 32, "intermediate_size": 40, "num_hidden_layers": 2}
    sizes |= {"num_attention_heads": 4, "num_key_value_heads": 2, "bos_token_id": 0, "eos_token_id": 0}
    for window in (3, None):
        model = MistralForCausalLM(MistralConfig(**sizes, sliding_window=window)).eval()
        model.save_pretrained(tmp_path)
        if window:
            with pytest.raises(ValueError, match="window"):
                shown["load"](tmp_path)
    with torch.no_grad():
        assert torch.allclose(shown["load"](tmp_path)(text(90))[0], model(text(90)).logits, atol=2e-5)


def named(name: str) -> nn.Module:
    """Return a model of another family, with the names and shapes of a Llama, but for the norms of Qwen3."""
    import transformers

    sizes = {"vocab_size": 90, "hidden_size": 32, "intermediate_size": 40, "num_hidden_layers": 2, "head_dim": 8}
    sizes |= {"num_attention_heads": 4, "num_key_value_heads": 2, "bos_token_id": 0, "eos_token_id": 0}
    sizes |= {"SmolLM3": {"no_rope_layers": [1, 0], "pad_token_id": 0}, "Granite": {"attention_multiplier": 0.1}}.get(
        name, {}
    )
    torch.manual_seed(0)
    return getattr(transformers, f"{name}ForCausalLM")(getattr(transformers, f"{name}Config")(**sizes)).eval()


@pytest.mark.parametrize("name", ["SmolLM3", "Granite", "Qwen3"])
def test_loader_knows_what_was_tried(name: str, shown: dict[str, Any], tmp_path: Path) -> None:
    """A model of another kind is refused by its kind, although all settings that are read are those of a Llama."""
    named(name).save_pretrained(tmp_path)
    with pytest.raises(ValueError, match=f"this is a {name.lower()}, and the blocks were tried"):
        shown["load"](tmp_path)


@pytest.mark.parametrize("name", ["SmolLM3", "Granite"])
def test_loader_needs_the_kind(name: str, shown: dict[str, Any], tmp_path: Path) -> None:
    """Where its config says that it is a Llama, it is loaded without an error, and its logits are wrong."""
    model = named(name)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) / 5)
    model.save_pretrained(tmp_path)
    lied(tmp_path)
    with torch.no_grad():
        assert (shown["load"](tmp_path)(text(90))[0] - model(text(90)).logits).abs().max() > 0.1


def test_loader_refuses_other_weights(shown: dict[str, Any], tmp_path: Path) -> None:
    """Weights for which the blocks have no place are refused, whatever the config says."""
    named("Qwen3").save_pretrained(tmp_path)
    lied(tmp_path)
    with pytest.raises(ValueError, match=r"k_norm, self_attn\.q_norm"):
        shown["load"](tmp_path)


def lied(folder: Path) -> None:
    """Let a config.json say that its model is a Llama."""
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"model_type": "llama"}))


SIZES = ("n_vocabulary", "n_layers", "d_model", "n_heads", "n_groups", "d_hidden")


def drawn(*sizes: int) -> LanguageModel:
    torch.manual_seed(0)
    model = LanguageModel(*sizes)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(torch.randn_like(parameter) / 5)
    return model.eval()


def saved(model: LanguageModel, sizes: Mapping[str, int], shown: dict[str, Any], folder: Path, **changes: Any) -> None:
    """Save a model of notebook 10 as the notebook does."""
    stored = shown["to_llama"](model.state_dict(), shown["PARTS"], sizes["n_heads"], sizes["n_groups"])
    shown["save_as_llama"](stored, sizes, folder, **changes)


@pytest.mark.parametrize("sizes", [(2, 32, 4, 2), (11, 24, 2, 1), (1, 48, 6, 6)], ids=str)
def test_saver(sizes: tuple[int, ...], shown: dict[str, Any], tmp_path: Path) -> None:
    """A LanguageModel of any size that the notebook saved is a Llama to the library, and comes back as it was."""
    from transformers import AutoModelForCausalLM, LlamaForCausalLM

    named_sizes = dict(zip(SIZES, (70, *sizes, 40), strict=True))
    model = drawn(*named_sizes.values())
    saved(model, named_sizes, shown, tmp_path)
    theirs, back = AutoModelForCausalLM.from_pretrained(tmp_path).eval(), shown["load"](tmp_path)
    assert isinstance(theirs, LlamaForCausalLM)
    with torch.no_grad():
        ours = model(text(70))[0]
        assert torch.allclose(theirs(text(70)).logits, ours, atol=2e-5)
        assert torch.allclose(back(text(70))[0], ours, atol=1e-6)
    assert torch.equal(back.blocks[0].w_query.weight, model.blocks[0].w_query.weight)


def test_saver_with_a_change(shown: dict[str, Any], tmp_path: Path) -> None:
    """A setting that is changed in saving is what the library reads."""
    from transformers import AutoModelForCausalLM

    sizes = dict(zip(SIZES, (70, 1, 32, 4, 2, 40), strict=True))
    saved(drawn(*sizes.values()), sizes, shown, tmp_path, rms_norm_eps=1e-3)
    assert AutoModelForCausalLM.from_pretrained(tmp_path).config.rms_norm_eps == 1e-3


def test_the_trained_model(shown: dict[str, Any], tmp_path: Path) -> None:
    """The model of Python source, saved as a Llama, writes in the library what it writes here."""
    from transformers import AutoModelForCausalLM

    model, tokenizer = language_model.load().double(), language_model.load_tokenizer()
    saved(model, language_model.load_weights()[0], shown, tmp_path)
    theirs = AutoModelForCausalLM.from_pretrained(tmp_path).double().eval()
    prompt = torch.tensor([[tokenizer.start, *tokenizer.encode("def first(values):\n    ")]])
    mask = torch.ones_like(prompt)
    by_library = theirs.generate(prompt, attention_mask=mask, max_new_tokens=20, do_sample=False)
    assert torch.equal(by_library, shown["write"](model, prompt, 20, temperature=0))


def test_a_folder_as_a_hub_has_it(shown: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Config, files of weights and tokenizer are read from the disk, and the model continues a text."""
    shown["published"] = published(vocab_size=300)
    torch.manual_seed(0)
    written = shown["write_english"](shown["made_up_model"](tmp_path), "Your decoding loop", 8)
    assert written.startswith("Your decoding loop") and len(written) > len("Your decoding loop")
    assert {"tokenizer.json", "config.json", "model.safetensors.index.json"} <= {one.name for one in tmp_path.iterdir()}
    assert "tokens a second" in capsys.readouterr().out


def started_with(startup: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every kernel run this before a notebook's first cell."""
    folder = home / "profile_default" / "startup"
    folder.mkdir(parents=True)
    (folder / "00_startup.py").write_text(startup)
    monkeypatch.setenv("IPYTHONDIR", str(home))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])))


def printed(cell: Mapping[str, Any]) -> str:
    return "".join(output.get("text", "") for output in cell.get("outputs", ()) if output["output_type"] == "stream")


HIDDEN = """
import sys
sys.modules["transformers"] = None  # importing it raises ModuleNotFoundError
"""


@pytest.mark.slow
def test_without_transformers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The notebook runs to its end, says once what is missing, and each cell that needs it says what it would show."""
    started_with(HIDDEN, tmp_path / "ipython", monkeypatch)
    notebook = run(nbformat.read(NOTEBOOK, as_version=4), tmp_path)
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    needing = [cell for cell in code if cell["source"].startswith("# needs transformers: ")]
    assert len(needing) > 10
    for cell in needing:
        line = cell["source"].splitlines()[0].removeprefix("# needs transformers: ")
        assert printed(cell) == f"Left out without transformers: {line}\n"
    said = [
        output["data"]["text/plain"]
        for cell in code
        for output in cell["outputs"]
        if "transformers is not installed" in output.get("data", {}).get("text/plain", "")
    ]
    assert len(said) == 1 and "course-attention[real]" in said[0]
    assert not [cell for cell in code for output in cell["outputs"] if output["output_type"] == "error"]


REFUSED = """
from pathlib import Path
from tests.refused_sockets import refuse

class Remembered(list):
    def append(self, line):
        with Path({file!r}).open("a") as file:
            file.write(line + chr(10))
        super().append(line)

refuse(Remembered())
Path({file!r}).write_text("")
"""


@pytest.mark.exhaustive
@pytest.mark.slow
def test_without_a_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it is shipped, the notebook opens no connection: all are refused, it runs to its end, and none was tried."""
    attempts = tmp_path / "attempts"
    started_with(REFUSED.format(file=str(attempts)), tmp_path / "ipython", monkeypatch)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    (online,) = (cell for cell in notebook["cells"] if cell["id"] == "online")
    assert online["source"].startswith("ONLINE = False")
    done = run(notebook, tmp_path)
    assert attempts.read_text() == ""  # written when the refusal began, and no line added since
    (families,) = (cell for cell in done["cells"] if cell["id"] == "families")
    assert "gpt-oss" in printed(families)
