"""Measures how fast a Llama of the sizes of SmolLM2-135M writes on a CPU, in the blocks of the course, with a cache.

    python tools/long_runs/written_tokens.py

Its weights are random, for speed does not depend on them. The model and the decoding loop are the cells of notebook 14,
and the processor's seconds are counted, so that other programs do not count.
"""

from __future__ import annotations

import math
import sys
import time
from pathlib import Path

import nbformat
import torch
import torch.nn.functional as F
from torch import nn

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from course_attention import next_token_probabilities
from course_attention.experiments.common.process_memory import most_memory
from course_attention.practice import PRACTICE
from tools.long_runs.store import Store
from tools.notebooks import FOLDER

# As the config.json of SmolLM2-135M has them.
SIZES = {
    "vocab_size": 49152,
    "hidden_size": 576,
    "intermediate_size": 1536,
    "num_hidden_layers": 30,
    "num_attention_heads": 9,
    "num_key_value_heads": 3,
    "rms_norm_eps": 1e-5,
    "rope_theta": 100000.0,
    "tie_word_embeddings": True,
}
N_READ, N_WRITTEN = 32, 60


def main() -> None:
    """Write once to warm up, then measure, with one thread."""
    torch.set_num_threads(1)
    notebook = nbformat.read(FOLDER / "14_real_models.ipynb", as_version=4)
    cells = {cell["id"]: cell["source"] for cell in notebook["cells"]}
    names = {
        "torch": torch,
        "nn": nn,
        "F": F,
        "math": math,
        "LlamaBlock": PRACTICE["LlamaBlock"].given,
        "next_token_probabilities": next_token_probabilities,
    }
    exec(cells["llama-class"], names)
    exec(cells["write"], names)
    torch.manual_seed(0)
    model = names["Llama"](SIZES).eval()
    prompt = torch.randint(SIZES["vocab_size"], (1, N_READ))
    names["write"](model, prompt, 2, temperature=0.7, top_p=0.9)
    began = time.process_time()
    names["write"](model, prompt, N_WRITTEN, temperature=0.7, top_p=0.9)
    seconds = time.process_time() - began
    store = Store("real_models", __file__, ("model", "n_threads"))
    store.add(
        model="the sizes of SmolLM2-135M, random weights, float32",
        n_threads=1,
        weights=sum(weight.numel() for weight in model.parameters()),
        tokens_read=N_READ,
        tokens_written=N_WRITTEN,
        processor_seconds=round(seconds, 2),
        peak_megabytes=round(most_memory() / 1e6),
    )
    print(store.rows)


if __name__ == "__main__":
    main()
