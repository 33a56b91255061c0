"""Greedy decoding: each symbol that is written is the most probable one, and is read in the next step."""

from collections.abc import Iterator

import torch

from course_attention.experiments.common.pairs import START
from course_attention.experiments.seq2seq.translator import Translator
from course_attention.practice.authoring import Misconception, Practice, Trial


@torch.no_grad()
def decode(model, source, allowed, n_steps):
    """Greedy decoding: the most probable symbol of each step is what the next step reads."""
    memory, state = model.encode(source, allowed)
    symbol = torch.full_like(source[:, 0], START)
    symbols, distributions = [], []
    for _ in range(n_steps):
        logits, state, distribution = model.step(symbol, state, memory, allowed)
        symbol = logits.argmax(dim=-1)
        symbols.append(symbol)
        distributions.append(distribution)
    return torch.stack(symbols, dim=1), distributions


def _decoded(model, source, allowed, n_steps, *, keeps_state=False, reads_start=False, chosen="largest", first=START):
    """Decode with one mistake: the state or the symbol stays as it was, or another symbol is chosen."""
    memory, state = model.encode(source, allowed)
    symbol = start = torch.full_like(source[:, 0], first)
    symbols, distributions = [], []
    for _ in range(n_steps):
        logits, new_state, distribution = model.step(start if reads_start else symbol, state, memory, allowed)
        state = state if keeps_state else new_state
        symbol = logits.argmin(dim=-1) if chosen == "smallest" else logits.argmax(dim=-1)
        symbols.append(symbol)
        distributions.append(distribution)
    return torch.stack(symbols, dim=1), distributions


def symbol_not_fed_back(model, source, allowed, n_steps):
    return _decoded(model, source, allowed, n_steps, reads_start=True)


def state_not_kept(model, source, allowed, n_steps):
    return _decoded(model, source, allowed, n_steps, keeps_state=True)


def least_probable(model, source, allowed, n_steps):
    return _decoded(model, source, allowed, n_steps, chosen="smallest")


def starts_with_the_text(model, source, allowed, n_steps):
    memory, state = model.encode(source, allowed)
    symbol = source[:, 0]
    symbols, distributions = [], []
    for _ in range(n_steps):
        logits, state, distribution = model.step(symbol, state, memory, allowed)
        symbol = logits.argmax(dim=-1)
        symbols.append(symbol)
        distributions.append(distribution)
    return torch.stack(symbols, dim=1), distributions


def starts_with_padding(model, source, allowed, n_steps):
    return _decoded(model, source, allowed, n_steps, first=0)


def no_mask(model, source, allowed, n_steps):
    memory, state = model.encode(source, allowed)
    symbol = torch.full_like(source[:, 0], START)
    symbols, distributions = [], []
    for _ in range(n_steps):
        logits, state, distribution = model.step(symbol, state, memory, torch.ones_like(allowed))
        symbol = logits.argmax(dim=-1)
        symbols.append(symbol)
        distributions.append(distribution)
    return torch.stack(symbols, dim=1), distributions


def steps_in_rows(model, source, allowed, n_steps):
    symbols, distributions = decode(model, source, allowed, n_steps)
    return symbols.T, distributions


def start_symbol_kept(model, source, allowed, n_steps):
    symbols, distributions = decode(model, source, allowed, n_steps)
    return torch.cat([torch.full_like(symbols[:, :1], START), symbols], dim=1), distributions


def start_symbol_in_the_place_of_the_last(model, source, allowed, n_steps):
    symbols, distributions = start_symbol_kept(model, source, allowed, n_steps)
    return symbols[:, :-1], distributions


def distributions_stacked(model, source, allowed, n_steps):
    symbols, distributions = decode(model, source, allowed, n_steps)
    return symbols, torch.stack(distributions, dim=1)


def distributions_stacked_by_step(model, source, allowed, n_steps):
    symbols, distributions = decode(model, source, allowed, n_steps)
    return symbols, torch.stack(distributions)


class CountingModel:
    """A model that counts on by one: whatever symbol it reads, it writes the next of ten."""

    def encode(self, source, allowed):
        return source[..., None].float(), source.new_zeros(len(source), 1)

    def step(self, symbol, state, memory, allowed):
        state = state + 1
        logits = torch.nn.functional.one_hot((symbol + state[:, 0]) % 10, 10).float()
        weights = allowed / allowed.sum(dim=1, keepdim=True)
        return logits, state, weights


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a model whose translation can be foretold, then small translators with weights of their own."""
    yield Trial(
        f"a model that writes in step t the symbol that it reads + t, beginning with the start mark, {START}; one text",
        {
            "model": CountingModel(),
            "source": torch.tensor([[5, 6]]),
            "allowed": torch.ones(1, 2, dtype=torch.bool),
            "n_steps": 3,
        },
        (torch.tensor([[START + 1, START + 3, START + 6]]), [torch.full((1, 2), 0.5)] * 3),
        says="The model reads the start mark first, and then each symbol that it has just written.",
    )
    for batch, lengths, n_steps in ((2, (4, 4), 4), (3, (5, 3, 2), 6)):
        torch.manual_seed(int(torch.randint(1000, (), generator=generator)))
        model = Translator(12, 9, d_embedding=8, d_hidden=8)
        for weight in model.parameters():
            weight.data *= 3  # else the weights of an untrained model are so alike that little changes anything
        source = torch.randint(4, 12, (batch, max(lengths)), generator=generator)
        allowed = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
        padded = ", some with padding" if not allowed.all() else ""
        yield Trial(
            f"{batch} texts{padded}, {n_steps} steps",
            {
                "model": model,
                "source": source.where(allowed, 0),
                "allowed": allowed,
                "n_steps": n_steps,
            },
            tolerance=1e-4,
        )


PRACTICE = Practice(
    name="decode",
    prompt="The symbols that a model writes by greedy decoding, and the distributions of each step.",
    minutes=12,
    hints=(
        "`forward` of the model is a good start. The one line that you cannot use is its last: there, the next step "
        "reads the right symbol, which you do not have. What does it read here?",
        "Before the loop: `memory, state = model.encode(source, allowed)`, and a symbol for each text, which is START. "
        "In the loop: one call of `model.step`, whose state is handed to the next call.",
        "The symbol with the largest logit is `logits.argmax(dim=-1)`. It goes into the list of symbols, and it is "
        "what the next step reads.",
        "After the loop, `torch.stack(symbols, dim=1)` puts the lists of symbols side by side, a row for each text. "
        "The distributions stay in a list.",
    ),
    given=decode,
    trials=trials,
    returns=("symbols", "distributions"),
    misconceptions={
        "decode-symbol-not-fed-back": Misconception(
            "Every step reads the start mark again",
            "A step has to know what was written before it. Each step reads the symbol that the step before it wrote, "
            "and only the first one reads the start mark.",
            (symbol_not_fed_back,),
        ),
        "decode-state-not-kept": Misconception(
            "Every step begins with the encoder's last state",
            "`model.step` returns a new state s_t. The next step needs that one, and not the one that the first step "
            "began with.",
            (state_not_kept,),
        ),
        "decode-least-probable": Misconception(
            "The symbol with the smallest logit is written",
            "Greedy decoding takes the most probable symbol, which has the largest logit.",
            (least_probable,),
        ),
        "decode-wrong-start": Misconception(
            "The first step does not read the start mark",
            "In training, the first step always read the start mark. Here it has to read it too: a symbol START for "
            "each text, as in `forward`.",
            (starts_with_the_text, starts_with_padding),
        ),
        "decode-start-kept": Misconception(
            "The start mark is among the symbols that are returned",
            "The start mark is only read. What is returned are the symbols that the model writes, n_steps of them.",
            (start_symbol_kept, start_symbol_in_the_place_of_the_last),
        ),
        "decode-no-mask": Misconception(
            "The mask has no effect",
            "A step has to know which places are padding: hand it `allowed`.",
            (no_mask,),
        ),
        "decode-steps-in-rows": Misconception(
            "There is a row for each step, not for each text",
            "(batch, n_steps) asks for a row for each text. Stack the symbols along axis 1.",
            (steps_in_rows,),
        ),
        "decode-distributions-stacked": Misconception(
            "The distributions are one tensor, not a list",
            "The numbers are right. A list is asked for, because a model without attention has no distributions, and "
            "what it gives in their place, None, cannot be stacked.",
            (distributions_stacked, distributions_stacked_by_step),
        ),
    },
)
