"""Measures the model of Python source on the files that were held out, beside compressors and an n-gram model.

    python tools/evaluate_language_model.py                                # a table on the screen
    python tools/evaluate_language_model.py --write docs/language_model.md # and in the model card, between its marks

It measures the weights in the package, which `tools/train_language_model.py export` has put there.
"""

from __future__ import annotations

import argparse
import ast
import csv
import io
import lzma
import re
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from safetensors import safe_open

from course_attention.mechanisms.language_model import next_token_probabilities
from course_attention.models.language_model import LanguageModel, load, load_tokenizer
from course_attention.models.tokenizer import Tokenizer
from tools.language_model_text import PARTS, files
from tools.train_language_model import STORE, bits, stream

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
ORDER = 5  # of the n-gram model: four tokens before
N_PROMPTS, N_NEW = 60, 120
SETTINGS = {"temperature": 0.7, "top_p": 0.95}
HEADER = re.compile(r"^def \w+\(.*\):$", re.MULTILINE)
OPEN = {")": "(", "]": "[", "}": "{"}


def ngram_bits(seen: np.ndarray, held_out: np.ndarray, n_vocabulary: int, order: int = ORDER) -> np.ndarray:
    """Bits that an n-gram model needs for each held-out token but the first `order - 1`.

    Each order is mixed with the one below it: the more different tokens have followed a context, the more weight goes
    to the lower order (Witten and Bell, 1991, "The zero-frequency problem", method C).

    Example:
        >>> seen = np.array([0, 1] * 500)
        >>> bool(ngram_bits(seen, np.array([0, 1, 0, 1]), 2, order=2).max() < 0.1)
        True
    """
    probability = np.full(len(held_out) - order + 1, 1.0 / n_vocabulary)

    def codes(tokens: np.ndarray, length: int) -> np.ndarray:
        windows = np.lib.stride_tricks.sliding_window_view(tokens, length)
        return windows @ n_vocabulary ** np.arange(length - 1, -1, -1, dtype=np.int64)

    def looked_up(keys: np.ndarray, values: np.ndarray, asked: np.ndarray) -> np.ndarray:
        places = np.searchsorted(keys, asked).clip(max=len(keys) - 1)
        return np.where(keys[places] == asked, values[places], 0)

    for length in range(1, order + 1):
        kinds, counts = np.unique(codes(seen, length), return_counts=True)
        contexts, first, different = np.unique(kinds // n_vocabulary, return_index=True, return_counts=True)
        together = np.add.reduceat(counts, first)
        asked = codes(held_out, length)[order - length :]
        context = asked // n_vocabulary
        n_seen, n_kinds = (looked_up(contexts, values, context) for values in (together, different))
        known = n_seen + n_kinds > 0
        mixed = (looked_up(kinds, counts, asked) + n_kinds * probability) / np.maximum(n_seen + n_kinds, 1)
        probability = np.where(known, mixed, probability)
    return -np.log2(probability)


@torch.no_grad()
def written(model: LanguageModel, tokenizer: Tokenizer, prompt: str, seed: int) -> str:
    """Return the prompt, and what the model writes after it."""
    generator = torch.Generator().manual_seed(seed)
    tokens = [tokenizer.start, *tokenizer.encode(prompt)]
    unread, caches = torch.tensor([tokens]), None
    for _ in range(N_NEW):
        logits, caches = model(unread, caches)
        probabilities = next_token_probabilities(logits[:, -1], **SETTINGS)
        unread = torch.multinomial(probabilities, 1, generator=generator)
        tokens.append(unread.item())
    return tokenizer.decode(tokens)


def one_function(text: str) -> str:
    """Return the function at the beginning of a text, without a last line that is cut off.

    Example:
        >>> one_function("def f():\\n    return 1\\n\\nx = 2\\ny")
        'def f():\\n    return 1\\n'
        >>> one_function("def f():\\n    return 1\\n    ret")
        'def f():\\n    return 1\\n'
    """
    header, *lines = text.splitlines(keepends=True)
    body: list[str] = []
    for line in lines:
        if not line.endswith("\n") or (line.strip() and not line.startswith(" ")):
            break
        body.append(line)
    while body and not body[-1].strip():
        body.pop()
    return header + "".join(body)


def parses(text: str) -> bool:
    """Whether Python's own parser accepts a text."""
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def closes_brackets(text: str) -> bool:
    """Whether every bracket is closed, in the right order.

    Example:
        >>> closes_brackets("f([1])"), closes_brackets("f([1)]")
        (True, False)
    """
    stack: list[str] = []
    for sign in text:
        if sign in OPEN.values():
            stack.append(sign)
        elif sign in OPEN and (not stack or stack.pop() != OPEN[sign]):
            return False
    return not stack


def size(texts: list[str]) -> int:
    """Return how many bytes texts have together."""
    return sum(len(text.encode()) for text in texts)


def share(texts: list[str], holds: Callable[[str], bool]) -> str:
    return f"{sum(map(holds, texts)) / len(texts):.0%}"


def bits_by_method(
    model: LanguageModel, tokenizer: Tokenizer, texts: list[str], held_out: list[str]
) -> dict[str, float]:
    """Return how many bits each method needs for a byte of the held-out texts."""
    raw = [text.encode() for text in held_out]
    n_bytes = sum(map(len, raw))
    tokens, unseen = (stream(tokenizer, part).numpy() for part in (texts, held_out))
    counted = ngram_bits(tokens, unseen, len(tokenizer))[unseen[ORDER - 1 :] != tokenizer.start].sum()
    return {
        "gzip -9, file by file": 8 * sum(len(zlib.compress(r, 9)) for r in raw) / n_bytes,
        "xz -9, file by file": 8 * sum(len(lzma.compress(r, preset=9)) for r in raw) / n_bytes,
        "xz -9, all files in one": 8 * len(lzma.compress(b"".join(raw), preset=9)) / n_bytes,
        f"{ORDER}-gram model of the same tokens": counted / n_bytes,
        "**this model**": bits(model, tokenizer, held_out),
    }


def curve(log: str, n_rows: int = 10) -> list[str]:
    """Return the loss of training at evenly spaced rows of a log, as a table in Markdown.

    Example:
        >>> curve("step,tokens,loss\\n100,51200,6.1\\n200,102400,4.64\\n", n_rows=1)[-1]
        '| 102,400 | 4.64 |'
    """
    rows = list(csv.DictReader(io.StringIO(log)))
    shown = [rows[round(len(rows) * (place + 1) / n_rows) - 1] for place in range(n_rows)]
    lines = [f"| {int(row['tokens']):,} | {float(row['loss']):.2f} |" for row in shown]
    return ["| tokens seen | nats for each token, mean of the last 100 steps |", "|---|---|", *lines]


def samples(texts: list[str]) -> list[str]:
    """Return the first continuation that is Python and the first that is not, as they came, in Markdown."""
    lines = []
    for title, accepted in (("accepts", True), ("refuses", False)):
        text = next(text for text in texts if parses(text) is accepted)
        lines += ["", f"The first that `ast.parse` {title}:", "", "```text", text.rstrip(), "```"]
    return lines


def table() -> str:
    """Return what was measured, as Markdown."""
    model, tokenizer = load(), load_tokenizer()
    texts, held_out = files()
    kinds = {"the standard library": files(PARTS[:1])[1], "packages": files(PARTS[1:])[1]}
    rows = [bits_by_method(model, tokenizer, texts, kind) for kind in kinds.values()]
    found = [(text, match) for text in held_out for match in HEADER.finditer(text)]
    picked = found[:: max(1, len(found) // N_PROMPTS)][:N_PROMPTS]
    by_model = [one_function(written(model, tokenizer, match.group(), seed)) for seed, (_, match) in enumerate(picked)]
    real = []
    for text, match in picked:
        n_tokens = len(tokenizer.encode(match.group())) + N_NEW
        real.append(one_function(tokenizer.decode(tokenizer.encode(text[match.start() :])[:n_tokens])))
    with safe_open(STORE / "weights.safetensors", framework="pt") as stored:
        facts = stored.metadata()
    n_weights = sum(weight.numel() for weight in model.parameters())
    lines = [
        f"{n_weights:,} weights after {int(facts['step']):,} steps, in {float(facts['seconds']) / 60:.0f} minutes on "
        f"{facts['threads']} threads, with Python {facts['python']} and PyTorch {facts['torch']}. Held out were "
        + " and ".join(f"{len(kind)} files of {name} ({size(kind):,} bytes)" for name, kind in kinds.items())
        + ".",
        "",
        f"| bits for each byte of held-out files | {' | '.join(kinds)} |",
        "|---|---|---|",
        *(f"| {name} | " + " | ".join(f"{row[name]:.2f}" for row in rows) + " |" for name in rows[0]),
        "",
        f"| {len(picked)} functions, each cut after {N_NEW} tokens | `ast.parse` accepts | brackets closed |",
        "|---|---|---|",
        f"| as the held-out files have them | {share(real, parses)} | {share(real, closes_brackets)} |",
        f"| continued by this model | {share(by_model, parses)} | {share(by_model, closes_brackets)} |",
        *samples(by_model),
        "",
        *curve((STORE / "log.csv").read_text(encoding="utf-8")),
    ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, help="the model card")
    card = parser.parse_args().write
    measured = table()
    print(measured)
    if card is not None:
        before, _, rest = card.read_text(encoding="utf-8").partition(BEGIN)
        _, _, after = rest.partition(END)
        card.write_text(f"{before}{BEGIN}\n{measured}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
