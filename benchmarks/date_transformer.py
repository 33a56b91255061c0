"""Accuracy and training time of notebook 08's date Transformer, for several seeds; decoding is greedy."""

from __future__ import annotations

import argparse
import time

import torch

from course_attention.experiments.seq2seq import dates, translation
from course_attention.experiments.transformer.model import TRAINING, Transformer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--seeds", type=int, default=3)
    options = parser.parse_args()
    train, test = dates.date_pairs()
    sizes = len(train.source_vocabulary), len(train.target_vocabulary)
    print(f"{len(test)} unseen dates, {TRAINING['n_steps']} steps of 64, {options.device}, one thread")
    print(" seed  exact match   seconds  processor seconds")
    for seed in range(options.seeds):
        model = Transformer(*sizes, seed=seed).to(torch.device(options.device))
        began = time.process_time()
        history = translation.train(model, train, seed=seed, **TRAINING)
        busy = time.process_time() - began
        exact = translation.translate(model, test).exact.mean()
        print(f"{seed:5} {exact:12.2%} {history.seconds:9.1f} {busy:18.1f}", flush=True)


if __name__ == "__main__":
    main()
