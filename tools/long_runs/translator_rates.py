"""Which translator of dates is right sooner, where both are trained alike and each at a rate that suits it?

    python -m tools.long_runs.translator_rates

trains the recurrent translator of notebook 01 and the Transformer of notebook 08, with about as many parameters, for
300 steps. Both have the notebook's loop: its schedule, its Adam and the same batches. So they differ in the network
alone. Beside them are the Transformer with its norms on the branches, without and with a norm at the end of each road;
the Transformer without feed-forward networks, as wide and wider, with about as many parameters as the whole one; and
recurrent networks with a third and a quarter of the parameters. Two more are half of each: an encoder of one kind and a
decoder of the other, each with its own embedding, and a linear layer between them, because their vectors differ in
size. Of four more, each changes the encoder of the whole Transformer. One begins with a convolution: each character's
vector gets a linear map of its own and its two neighbours'. Its control begins with two linear maps of each character
alone, with as many parameters. Two keep the sinusoids and get the relative positions of notebook 06, too: a learned
number for each offset and head, or rotary queries and keys. One has a learned table in place of the encoder's
sinusoids. A small one has the learned number for each offset, and no feed-forward networks. The recurrent translator is
tried with the mean of the encoder's states as its first state, as in the half that has a recurrent decoder. And the two
networks get batches of 192; the Transformer gets as many dates in 900 steps, too. A narrow one is built as in the paper
and has about as many parameters as the narrow recurrent networks; it trains for 1,200 steps as well, and so do narrower
ones and recurrent networks of about as many parameters: how few does each need? There, some of the recurrent networks
have narrow embeddings as well, and some Transformers the learned number for each offset and no feed-forward networks.
One recurrent translator has no attention, and trains for 1,200 and 3,000 steps, too. Last, the Transformer trains for
900 steps on the first 4,000 of the 20,000 dates, both networks on the first 1,000, and the Transformer with batches of
21, so that it reads as many dates as usual in three times the steps. It can be stopped and goes on. A model takes a
quarter of a minute of one core, and some of them up to a minute or two.

In a row, `rate` is the highest rate of the schedule, and `accuracy` the share of 2,000 unseen dates without a mistake.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import partial
from itertools import product

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

from course_attention.experiments.common.pairs import Pairs
from course_attention.experiments.seq2seq import dates, translation
from course_attention.experiments.seq2seq.translator import Translator
from course_attention.experiments.transformer.model import Transformer
from course_attention.mechanisms.masking import masked_softmax
from course_attention.mechanisms.multi_head import MultiHeadAttention, merge_heads, split_heads
from course_attention.mechanisms.positions import relative_bias, rotary
from course_attention.mechanisms.seq2seq import attend_and_concat
from course_attention.mechanisms.transformer import DecoderBlock, EncoderBlock
from tools.long_runs import parts_and_norms
from tools.long_runs.store import Store

NETWORKS = ("recurrent", "Transformer")
OTHERS = ("pre-norm", "without feed-forward", "without feed-forward, wider", "recurrent, smaller")
HALVES = ("recurrent encoder", "recurrent decoder")  # the other half is a Transformer's
NEIGHBOURS = "Transformer with neighbours"
ALONE = "Transformer with more for each character"
RELATIVE = "Transformer with relative bias", "Transformer with rotary"
MEAN_FIRST, TABLE = "recurrent, mean first", "Transformer with a table"
SMALL = "Transformer with relative bias, smaller"
SMALL_WIDTHS = {"smaller": 20, "narrow": 12, "narrowest": 8}  # its d_model, and that of two more of its kind
LAST_NORMS = "pre-norm, last norms"
LARGE = "batches of 192"
# The sizes of the embeddings and of the states of narrower recurrent networks. In the last three both are narrow.
SMALLER = {"smaller": (32, 28), "24 wide": (32, 24), "16 wide": (32, 16), "10 wide": (32, 10)}
SMALLER |= {"12 and 16 wide": (12, 16), "12 and 14 wide": (12, 14), "8 and 12 wide": (8, 12)}
WIDTHS = {"wider": 40, "16 wide": 16, "12 wide": 12, "8 wide": 8}  # d_model of the Transformer
NO_ATTENTION, NARROW = "recurrent, without attention", "Transformer, 16 wide"
LONGEST = 64  # characters of a date
REACH, BASE = 8, 100.0  # of the bias; of the rotation, as for the sinusoids
RATES = (0.0025, 0.005, 0.01, 0.02, 0.04)
# How few parameters are enough after 1,200 steps? From the largest to the smallest, 11,894 to 3,662 of them.
FEW = "recurrent, 24 wide", "recurrent, 16 wide", "Transformer, 12 wide", "recurrent, 10 wide", "Transformer, 8 wide"
RATES_OF_OTHERS, SEEDS_OF_OTHERS = (0.01, 0.02, 0.04), (0, 1)
N_STEPS, WARM_UP, BATCH, SEEDS = 300, 0.1, 64, (0, 1, 2)
# A name may end in another training than the usual one: its batches, its steps, and how many dates it has (None: all).
TRAININGS = {
    LARGE: (192, N_STEPS, None),
    "900 steps": (BATCH, 900, None),
    "900 steps of 21": (21, 900, None),
    "1200 steps": (BATCH, 1200, None),
    "3000 steps": (BATCH, 3000, None),
    "900 steps on 4000 dates": (BATCH, 900, 4000),
    "900 steps on 1000 dates": (BATCH, 900, 1000),
}


class RecurrentEncoder(Transformer):
    """The encoder of notebook 01's translator, and a Transformer's decoder.

    The last states of the encoder go nowhere: a Transformer's decoder has no state to begin with.
    """

    def __init__(self, n_source: int, n_target: int, d_model: int = 32, d_hidden: int = 64, seed: int = 0) -> None:
        sizes = {"d_model": d_model, "d_hidden": 2 * d_model, "seed": seed}
        super().__init__(n_source, n_target, EncoderBlock, DecoderBlock, **sizes)
        torch.manual_seed(seed)
        self.embed_source = nn.Embedding(n_source, d_model)
        del self.encoder
        self.reader = nn.GRU(d_model, d_hidden // 2, batch_first=True, bidirectional=True)
        self.between = nn.Linear(d_hidden, d_model)

    def encode(self, source: Tensor, allowed: Tensor) -> Tensor:
        lengths = allowed.sum(dim=1).cpu()
        packed = pack_padded_sequence(self.embed_source(source), lengths, batch_first=True, enforce_sorted=False)
        states, _ = pad_packed_sequence(self.reader(packed)[0], batch_first=True, total_length=source.shape[1])
        return self.between(states)


class RecurrentDecoder(Translator):
    """A Transformer's encoder, and the decoder of notebook 01's translator.

    The decoder's first state is the mean of what the encoder gives: a Transformer's encoder has no last state.
    """

    def __init__(self, n_source: int, n_target: int, d_model: int = 32, d_hidden: int = 64, seed: int = 0) -> None:
        torch.manual_seed(seed)
        super().__init__(n_source, n_target, attend_and_concat, d_embedding=d_model, d_hidden=d_hidden)
        del self.encoder
        self.reader = parts_and_norms.built_of(n_source, n_target, "whole", 2, seed, d_model=d_model)
        del self.embed_source, self.reader.decoder, self.reader.embed_target, self.reader.output
        self.between = nn.Linear(d_model, d_hidden)

    def encode(self, source: Tensor, allowed: Tensor) -> tuple[Tensor, Tensor]:
        memory = self.between(self.reader.encode(source, allowed))
        share = allowed / allowed.sum(dim=1, keepdim=True)
        return memory, (share.unsqueeze(-1) * memory).sum(dim=1)


class MeanFirst(Translator):
    """Notebook 01's translator, whose decoder begins with the mean of the encoder's states."""

    def encode(self, source: Tensor, allowed: Tensor) -> tuple[Tensor, Tensor]:
        memory, _ = super().encode(source, allowed)
        share = allowed / allowed.sum(dim=1, keepdim=True)
        return memory, (share.unsqueeze(-1) * memory).sum(dim=1)


class Table(Transformer):
    """A Transformer whose encoder has a learned vector for each place, as large as the embeddings, and no sinusoids."""

    def __init__(self, n_source: int, n_target: int, d_model: int = 32, seed: int = 0) -> None:
        sizes = {"d_model": d_model, "d_hidden": 2 * d_model, "seed": seed}
        super().__init__(n_source, n_target, EncoderBlock, DecoderBlock, **sizes)
        torch.manual_seed(seed)
        self.table = nn.Parameter(0.5 * torch.randn(LONGEST, d_model))

    def encode(self, source: Tensor, allowed: Tensor) -> Tensor:
        x = self.embed_source(source) + self.table[: source.shape[1]]
        for block in self.encoder:
            x = block(x, allowed.unsqueeze(-2))
        return x


class Neighbours(Transformer):
    """A Transformer whose encoder begins with a layer that is added to the embeddings of the characters.

    It is a convolution over three characters, or, as a control, two linear maps of each character alone.
    """

    def __init__(
        self, n_source: int, n_target: int, d_model: int = 32, seed: int = 0, alone: int | None = None
    ) -> None:
        sizes = {"d_model": d_model, "d_hidden": 2 * d_model, "seed": seed}
        super().__init__(n_source, n_target, EncoderBlock, DecoderBlock, **sizes)
        torch.manual_seed(seed)
        convolution = partial(nn.Conv1d, kernel_size=1)  # of one character: a linear map
        self.near = (
            nn.Sequential(convolution(d_model, alone), convolution(alone, d_model))
            if alone
            else nn.Conv1d(d_model, d_model, kernel_size=3, padding=1)
        )

    def encode(self, source: Tensor, allowed: Tensor) -> Tensor:
        embedded = self.embed_source(source) * allowed.unsqueeze(-1)
        x = self.place(embedded + self.near(embedded.mT).mT)
        for block in self.encoder:
            x = block(x, allowed.unsqueeze(-2))
        return x


class RelativeAttention(MultiHeadAttention):
    """Self-attention whose scores depend on the offset between two tokens, too: by a learned bias, or by rotation."""

    def __init__(self, d_model: int, n_heads: int, with_bias: bool) -> None:
        super().__init__(d_model, n_heads)
        self.table = nn.Parameter(torch.zeros(n_heads, 2 * REACH + 1)) if with_bias else None

    def forward(
        self, query: Tensor, key: Tensor | None = None, value: Tensor | None = None, allowed: Tensor | None = None
    ) -> tuple[Tensor, Tensor]:
        assert key is None and value is None and allowed is not None
        n_tokens = query.shape[-2]
        q, k, v = (split_heads(w(query), self.n_heads) for w in (self.w_query, self.w_key, self.w_value))
        if self.table is None:
            q, k = (rotary(one, torch.arange(n_tokens), BASE) for one in (q, k))
        scores = q @ k.mT / q.shape[-1] ** 0.5
        if self.table is not None:
            scores = scores + relative_bias(self.table, n_tokens, n_tokens)
        weights = masked_softmax(scores, allowed.unsqueeze(-3))
        return self.w_out(merge_heads(weights @ v)), weights


def with_relative_positions(model: Transformer, with_bias: bool) -> Transformer:
    """Give the encoder of a Transformer relative positions as well; the other weights stay what they are."""
    for block in model.encoder:
        old = block.attention
        block.attention = RelativeAttention(old.w_query.in_features, old.n_heads, with_bias)
        block.attention.load_state_dict(old.state_dict(), strict=False)
    return model


def built(network: str, seed: int) -> nn.Module:
    """Return a translator of dates with its initial weights."""
    sizes = [len(symbols) for symbols in dates.date_vocabularies()]
    name, _, more = network.rpartition(", ")
    if more in TRAININGS:
        return built(name, seed)
    name, _, more = network.partition(", ")
    if network == LAST_NORMS:
        return parts_and_norms.built_of(*sizes, network, 2, seed)
    if network in HALVES:
        return (RecurrentEncoder if network == HALVES[0] else RecurrentDecoder)(*sizes, seed=seed)
    if network in (NEIGHBOURS, ALONE):
        return Neighbours(*sizes, seed=seed, alone=48 if network == ALONE else None)
    if network == TABLE:
        return Table(*sizes, seed=seed)
    if network == MEAN_FIRST:
        torch.manual_seed(seed)
        return MeanFirst(*sizes, attend_and_concat, d_hidden=64)
    if network == NO_ATTENTION:
        torch.manual_seed(seed)
        return Translator(*sizes, None, d_hidden=64)
    if name == RELATIVE[0] and more:
        width = SMALL_WIDTHS[more]
        without_networks = parts_and_norms.built_of(*sizes, "without feed-forward", 2, seed, d_model=width)
        return with_relative_positions(without_networks, with_bias=True)
    if network in RELATIVE:
        whole = parts_and_norms.built_of(*sizes, "whole", 2, seed)
        return with_relative_positions(whole, with_bias=network == RELATIVE[0])
    if name == "recurrent":
        torch.manual_seed(seed)
        d_embedding, d_hidden = SMALLER.get(more, (32, 64))
        return Translator(*sizes, attend_and_concat, d_embedding=d_embedding, d_hidden=d_hidden)
    model = "whole" if name == "Transformer" else name
    return parts_and_norms.built_of(*sizes, model, 2, seed, d_model=WIDTHS.get(more, 32))


def first(pairs: Pairs, n_pairs: int | None) -> Pairs:
    """Return the first of some pairs, or all of them."""
    if n_pairs is None:
        return pairs
    texts = (some[:n_pairs] for some in (pairs.sources, pairs.targets, pairs.labels))
    return Pairs.of(*texts, pairs.source_vocabulary, pairs.target_vocabulary)


def settings() -> Iterator[tuple[int, float, str]]:
    """Yield the seed, the rate and the network of each model."""
    yield from product(SEEDS, RATES, NETWORKS)
    yield from product(SEEDS_OF_OTHERS, RATES_OF_OTHERS, (*OTHERS, *HALVES, NEIGHBOURS, ALONE, *RELATIVE))
    yield from product(SEEDS, RATES_OF_OTHERS, (SMALL,))
    yield from product(SEEDS_OF_OTHERS, RATES_OF_OTHERS, (MEAN_FIRST, TABLE, LAST_NORMS))
    yield from product(SEEDS_OF_OTHERS, (0.01, 0.02, 0.03), (f"Transformer, {LARGE}",))
    yield from product(SEEDS_OF_OTHERS, RATES_OF_OTHERS, ("recurrent, 24 wide",))
    yield 0, 0.01, f"recurrent, {LARGE}"
    yield from product(SEEDS_OF_OTHERS, (0.02, 0.04), (NARROW,))
    yield from product(SEEDS_OF_OTHERS, (0.02,), (f"{NARROW}, 1200 steps", "Transformer, 900 steps"))
    yield from product(SEEDS_OF_OTHERS, (0.01,), (NO_ATTENTION,))
    yield from product(SEEDS_OF_OTHERS, (0.08,), ("recurrent, 24 wide",))
    yield from product(SEEDS_OF_OTHERS, (0.005, 0.02), (NO_ATTENTION,))
    yield from product(SEEDS_OF_OTHERS, (0.005, 0.01), (f"{NO_ATTENTION}, 1200 steps",))
    yield from ((0, 0.01, NARROW), (0, 0.005, HALVES[1]), (0, 0.08, SMALL))
    few_long = [f"{network}, 1200 steps" for network in FEW]
    yield from product(SEEDS_OF_OTHERS, (0.02,), few_long)
    yield from product(SEEDS_OF_OTHERS, (0.01, 0.04), (f"{NARROW}, 1200 steps", *few_long[:3]))
    yield from product(SEEDS_OF_OTHERS, (0.08,), few_long[2:3])
    yield from product(SEEDS_OF_OTHERS, (0.01, 0.04), few_long[3:])
    for n_dates in (4000, 1000):  # does it need more dates, or more steps?
        yield from product(SEEDS_OF_OTHERS, (0.02,), (f"Transformer, 900 steps on {n_dates} dates",))
    yield from product(SEEDS_OF_OTHERS, (0.01,), [f"{network}, 900 steps on 1000 dates" for network in NETWORKS])
    yield 1, 0.01, NARROW
    yield from product(SEEDS, (0.01, 0.005), (f"{NO_ATTENTION}, 3000 steps",))
    yield from product(SEEDS, (0.005, 0.01, 0.02), ("Transformer, 900 steps of 21",))
    both_narrow = [f"recurrent, {sizes} wide, 1200 steps" for sizes in ("12 and 16", "12 and 14", "8 and 12")]
    yield from product(SEEDS_OF_OTHERS, RATES_OF_OTHERS, both_narrow)
    relative = [f"{RELATIVE[0]}, {size}, 1200 steps" for size in ("narrow", "narrowest")]
    yield from product(SEEDS_OF_OTHERS, (0.02, 0.04, 0.08), relative)


def main() -> None:
    torch.set_num_threads(1)
    store = Store("transformer", __file__, ("network", "rate", "seed"))
    train, test = dates.date_pairs()
    asked = ({"network": network, "rate": rate, "seed": seed} for seed, rate, network in settings())
    for setting in store.missing(asked):
        network, rate, seed = setting.values()
        began, model = time.process_time(), built(network, seed)
        batch, n_steps, n_dates = TRAININGS.get(network.rpartition(", ")[2], (BATCH, N_STEPS, None))
        losses = parts_and_norms.train(model, first(train, n_dates), batch, rate, WARM_UP, n_steps, seed)
        seconds = time.process_time() - began
        exact = round(float(translation.translate(model, test).exact.mean()), 4)
        parameters = sum(parameter.numel() for parameter in model.parameters())
        loss = round(sum(losses[-20:]) / 20, 4)
        store.add(**setting, parameters=parameters, loss=loss, accuracy=exact)
        print(network, rate, seed, loss, exact, f"{seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
