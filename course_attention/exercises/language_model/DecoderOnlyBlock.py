from collections.abc import Callable, Mapping
from functools import partial
from itertools import product
from typing import Any

import numpy as np

from course_attention.authoring import Array, Case, Draw, Misconception, ModuleExercise, Returns, properties
from course_attention.exercises.common.attention import (
    ATTENTION_MISTAKES,
    attend,
    attention_oracle,
    dot,
    scaled_by,
)
from course_attention.exercises.common.masking import MASK_MISTAKES, softmax_along
from course_attention.exercises.common.ready_made import ATTENTION
from course_attention.exercises.common.variants import Variants, changed, each, variants
from course_attention.exercises.language_model import block_in_parts as parts
from course_attention.exercises.language_model.block_in_parts import EPSILON, block, root_mean_square
from course_attention.exercises.multi_head.heads import (
    merge_by_view,
    merge_interleaved,
    split_by_view,
    split_interleaved,
    times,
)
from course_attention.exercises.multi_head.words import WORDS
from course_attention.exercises.positions.rotary import oracle as rotary_oracle
from course_attention.exercises.positions.rotary import turned
from course_attention.exercises.transformer.sublayers import backward_noise


def oracle(x, cache=None, *, d_model, n_heads, n_groups, d_hidden, **loaded) -> tuple[np.ndarray, ...]:
    """Each head by itself; then each hidden unit."""
    d_head = d_model // n_heads

    def weight(name: str) -> np.ndarray:
        return loaded[f"{name}.weight"].T

    def heads(y: np.ndarray, name: str) -> list[np.ndarray]:
        return np.split(times(y, weight(name)), weight(name).shape[1] // d_head, axis=-1)

    n_past = 0 if cache is None else cache[0].shape[-2]
    positions = np.arange(n_past, n_past + x.shape[-2])
    y = norm_oracle(x, loaded["norm_1.weight"])
    keys = np.stack([rotary_oracle(head, positions) for head in heads(y, "w_key")], axis=-3)
    values = np.stack(heads(y, "w_value"), axis=-3)
    if cache is not None:
        keys, values = np.concatenate([cache[0], keys], axis=-2), np.concatenate([cache[1], values], axis=-2)
    allowed = np.array([[j <= i for j in range(keys.shape[-2])] for i in positions])
    outputs = []
    for head, query in enumerate(heads(y, "w_query")):
        group = head * n_groups // n_heads
        query = rotary_oracle(query, positions)
        outputs.append(attention_oracle(query, keys[..., group, :, :], values[..., group, :, :], allowed)[0])
    x = x + times(np.concatenate(outputs, axis=-1), weight("w_out"))
    y = norm_oracle(x, loaded["norm_2.weight"])
    gate, up = times(y, weight("w_gate")), times(y, weight("w_up"))
    return x + times(gate / (1.0 + np.exp(-gate)) * up, weight("w_down")), keys, values


def norm_oracle(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Each token over the root of its mean square."""
    result = np.empty_like(x)
    for token in np.ndindex(x.shape[:-1]):
        result[token] = weight * x[token] / (dot(x[token], x[token]) / len(x[token]) + EPSILON) ** 0.5
    return result


BY_HAND = {"d_model": 2, "n_heads": 1, "n_groups": 1, "d_hidden": 2}
SHARED = {"d_model": 8, "n_heads": 4, "n_groups": 2, "d_hidden": 3}
WIDE_HEADS = {"d_model": 8, "n_heads": 2, "n_groups": 1, "d_hidden": 5}
TWO_HEADS = {"d_model": 4, "n_heads": 2, "n_groups": 1, "d_hidden": 3}
LEAST_SIZE = 0.3  # a token that is close to 0 is made large by the norm, and its rounding errors with it


def block_weights(sizes: dict[str, int], number) -> dict[str, Array]:
    """Make a matrix for each linear layer, by the names that a `state_dict` has, and a vector for each norm."""
    d_model, d_hidden = sizes["d_model"], sizes["d_hidden"]
    d_shared = d_model // sizes["n_heads"] * sizes["n_groups"]
    shapes = {
        "norm_1": (d_model,),
        "w_query": (d_model, d_model),
        "w_key": (d_shared, d_model),
        "w_value": (d_shared, d_model),
        "w_out": (d_model, d_model),
        "norm_2": (d_model,),
        "w_gate": (d_hidden, d_model),
        "w_up": (d_hidden, d_model),
        "w_down": (d_model, d_hidden),
    }
    return {f"{name}.weight": number(*shape) for name, shape in shapes.items()}


def _healthy(case: Case) -> bool:
    """Whether no norm divides by next to nothing, and no two tokens are alike."""
    sizes: list[float] = []

    def watched(x: np.ndarray, weight: np.ndarray) -> np.ndarray:
        sizes.append(float(np.sqrt(np.square(x).mean(axis=-1)).min()))
        return root_mean_square(x, weight)

    block(**case.plain(), normalise=watched)
    tokens = case.arguments["x"].values.reshape(-1, case.arguments["x"].values.shape[-1])
    return min(sizes) > LEAST_SIZE and len(np.unique(tokens, axis=0)) == len(tokens)


def cases(draw: Draw) -> list[Case]:
    """Without a cache and with one, one new token and several; groups of every size; large and small numbers."""

    def case(title, name, batch, n_tokens, sizes, n_past=None, gradient=False, dtype="", strided=False) -> Case:
        dtype = dtype or ("float64" if sizes is BY_HAND else "float32")

        def number(*shape: int) -> Array:
            if sizes is BY_HAND:
                return draw.halves(*shape, dtype=dtype)
            return Array(draw.normal(*shape, dtype=dtype).values / 2, dtype)

        past = (*batch, sizes["n_groups"], n_past or 0, sizes["d_model"] // sizes["n_heads"])
        while True:
            x = Array(2 * number(*batch, n_tokens, sizes["d_model"]).values, dtype, strided)
            cache = None if n_past is None else (number(*past), number(*past))
            arguments = {"x": x} if cache is None else {"x": x, "cache": cache}
            drawn = Case(title, name, arguments, gradient, dict(sizes), block_weights(sizes, number))
            if _healthy(drawn):
                return drawn

    coarse = case("batch 2, 1 in the cache", properties.DTYPES, (2,), 2, TWO_HEADS, 1, dtype="bfloat16")
    coarse.arguments["x"].values[:] *= 16  # no epsilon shows
    small = case("numbers near 0.001", properties.EDGES, (1,), 2, SHARED)
    small.arguments["x"].values[:] = small.arguments["x"].values / 1024
    several = properties.LEADING_DIMENSIONS
    return [
        case("2 tokens, d_model 2, 1 head", properties.VALUES, (1,), 2, BY_HAND, gradient=True),
        case("3 tokens, 4 heads, 2 groups", properties.VALUES, (1,), 3, SHARED),
        case("3 tokens, 2 heads of 4 channels, 1 group", properties.VALUES, (1,), 3, WIDE_HEADS),
        case("batch 2, 5 tokens, 4 heads, 4 groups", properties.VALUES, (2,), 5, {**SHARED, "n_groups": 4}),
        case("batch 4, 4 tokens, 4 heads, 2 groups", properties.VALUES, (4,), 4, SHARED),
        case("one token", properties.FIRST_TOKEN, (1,), 1, BY_HAND),
        case("batch 3, one token", properties.FIRST_TOKEN, (3,), 1, SHARED),
        case("1 new token, 2 in the cache, 1 head", properties.CACHE, (1,), 1, BY_HAND, 2, gradient=True),
        case("2 new tokens, 1 in the cache, 1 head", properties.CACHE, (1,), 2, BY_HAND, 1),
        case("batch 2, 1 new token, 3 in the cache", properties.CACHE, (2,), 1, SHARED, 3),
        case("batch 2, 3 new tokens, 2 in the cache", properties.CACHE, (2,), 3, WIDE_HEADS, 2),
        case("batch 3, 3 new tokens, 3 in the cache", properties.CACHE, (3,), 3, SHARED, 3),
        case("no batch", several, (), 2, SHARED),
        # As many in the cache as nothing else: a length read from another dimension is a wrong one.
        case("no batch, 3 in the cache", several, (), 2, SHARED, 3),
        case("two batch dimensions, 4 in the cache", several, (2, 3), 2, SHARED, 4),
        case("inputs that are not contiguous", properties.STRIDES, (2,), 4, SHARED, strided=True),
        large_scores(draw),
        small,
        coarse,
        case("batch 2, 1 in the cache", properties.DTYPES, (2,), 2, TWO_HEADS, 1, dtype="float64"),
    ]


def large_scores(draw: Draw) -> Case:
    """Scores near ±10,000, far apart; those of the first token lie below whatever a blocked one may be filled with."""

    def of(values: object) -> Array:
        return Array(np.array(values, dtype=float), "float32")

    weights = block_weights(BY_HAND, lambda *shape: draw.halves(*shape, dtype="float32"))
    weights |= {f"{name}.weight": of([1.0, 1.0]) for name in ("norm_1", "norm_2")}
    weights |= {"w_query.weight": of(120 * np.eye(2)), "w_key.weight": of(-120 * np.eye(2))}
    x = of([[[1.0, 0.5], [-1.0, 0.5], [0.5, 1.0]]])
    cache = of([[[[86.0, -69.0], [110.0, -80.0]]]]), of([[[[1.0, -2.0], [0.5, 1.0]]]])
    return Case(
        "scores near ±10,000",
        properties.LARGE_SCORES,
        {"x": x, "cache": cache},
        False,
        dict(BY_HAND),
        weights,
    )


def _meeting(*ways: Mapping[str, Any]) -> Variants:
    return each(block, "meet", *(partial(parts.meet, **way) for way in ways))


def _around(wrong: Callable) -> Variants:
    """Return the block with one wrong way around either branch, and around both."""
    return each(block, "wraps", *(pair for pair in product((wrong, parts.pre_norm), repeat=2) if wrong in pair))


_MASK_FILLS = ("mask-after-softmax", "mask-scores-to-zero", "mask-tiny-fill", "mask-added-as-01")
_BY_MODEL = scaled_by(lambda query, key, value: np.sqrt(key.shape[-1] * query.shape[-3]))

EXERCISE = ModuleExercise(
    name="DecoderOnlyBlock",
    prompt="The block of today's language models: rotary positions, shared keys, a cache, and a gated network.",
    points=4,
    difficulty=3,
    minutes=25,
    hints=(
        "The block has two branches of the same form: x = x + branch(norm(x)). Write the attention first, without a "
        "cache, and run the check: its first cases have none.",
        "Cut the projections into heads, and move the head axis before the tokens: queries into n_heads heads, keys "
        "and values into n_groups. `rotary` turns queries and keys by their positions, and then "
        "`grouped_query_attention` does the rest.",
        "With a cache of n_past tokens, the new ones stand at positions n_past, n_past + 1 … Turn the new keys, put "
        "them behind the cached ones, and hand on the longer pair. `causal_mask(n_queries, n_keys)` is aligned at the "
        "bottom right, which is what is needed here.",
        "The second branch is `w_down(F.silu(w_gate(y)) * w_up(y))` with y = norm_2(x). Here x already "
        "holds the sum that the first branch has made.",
    ),
    ready_made=ATTENTION,
    returns=Returns(
        names=("output", "keys", "values"),
        groups=(0, 2),
        axes=(
            "..., n_tokens, d_model",
            "..., n_groups, n_past + n_tokens, d_head",
            "..., n_groups, n_past + n_tokens, d_head",
        ),
    ),
    oracle=oracle,
    cases=cases,
    mutant_inputs={
        "n_groups": lambda inputs: inputs.whole(1, 3),
        "n_heads": lambda inputs: inputs.multiple("n_groups"),
        "d_head": lambda inputs: inputs.even(),
        "d_model": lambda inputs: inputs.of("n_heads") * inputs.of("d_head"),
    },
    noise=backward_noise(block),
    words=WORDS,
    misconceptions={
        # Norms and branches.
        "post-norm": Misconception(
            "The norm comes after the sum",
            "That is the block of notebook 08. Here the norm comes first: a branch reads norm(x), and x itself is "
            "carried on unchanged, with the branch's result added to it.",
            _around(parts.post_norm),
        ),
        "no-norm": Misconception(
            "A norm is left out",
            "Each branch reads its own norm of x. A branch that reads x "
            "itself gets larger numbers from block to block.",
            _around(parts.no_norm),
        ),
        "norm-of-branch": Misconception(
            "The norm is taken of what the branch gives",
            "The norm is for what a branch reads. The result of the branch is added as it is.",
            _around(lambda x, branch, norm: x + norm(branch(x))),
        ),
        "residual-normalised": Misconception(
            "The normalised tokens are carried on",
            "A branch reads norm(x), and its result is added to x, not to norm(x).",
            _around(parts.residual_normalised),
        ),
        "no-residual": Misconception(
            "A skip connection is left out",
            "What a branch gives is added to x. Without that, everything a token was before is lost.",
            _around(parts.no_residual),
        ),
        "residual-from-start": Misconception(
            "The second sum starts at the block's input",
            "The second branch's result is added to the result of the first sum. Otherwise the attention is lost.",
            each(block, "skip", lambda start, x: start),
        ),
        "branches-in-parallel": Misconception(
            "The second branch reads the block's input",
            "Some models do that. Here the second branch reads norm_2(x) after the attention's result was added to x.",
            each(block, "feed", lambda start, y: start),
        ),
        "feed-forward-first": Misconception(
            "The feed-forward part comes first",
            "The attention comes first: the tokens read one another. Then each token works on what it has read.",
            changed(block, {"order": (1, 0)}, {"order": (1, 0), "norms": ("norm_2", "norm_1")}),
        ),
        "norms-exchanged": Misconception(
            "The norms have changed places",
            "Each norm has weights of its own: norm_1 is for the attention, norm_2 for the feed-forward part.",
            each(block, "norms", ("norm_2", "norm_1")),
        ),
        "one-norm-for-all": Misconception(
            "One norm serves both branches",
            "Each norm has weights of its own: norm_1 is for the attention, norm_2 for the feed-forward part.",
            each(block, "norms", ("norm_1", "norm_1"), ("norm_2", "norm_2")),
        ),
        "mean-subtracted": Misconception(
            "The mean is subtracted",
            "A layer norm does that. The RMS norm divides by the root of the mean square, and leaves the mean alone.",
            each(block, "normalise", parts.mean_subtracted),
        ),
        "norm-without-mean": Misconception(
            "The norm divides by the length of the token",
            "It divides by the root of the *mean* of the squares, so that it does not depend on d_model.",
            # `F.normalize` has no epsilon beside the length.
            each(block, "normalise", parts.root_sum_square, partial(parts.root_sum_square, epsilon=0.0)),
        ),
        "norm-without-root": Misconception(
            "The norm divides by the mean square, without the root",
            "A token that is twice as large should give the same result. Try it with your norm.",
            each(block, "normalise", parts.mean_square),
        ),
        "norm-epsilon": Misconception(
            "The norm has another epsilon",
            "It shows for small tokens only. These weights were trained with 1e-6; `nn.RMSNorm` takes another number "
            "if you give it none.",
            changed(
                block,
                {"normalise": parts.epsilon_of_dtype},
                *({"normalise": partial(root_mean_square, epsilon=epsilon)} for epsilon in (1e-5, 1e-8, 1e-12, 0.0)),
            ),
        ),
        "attention-left-out": Misconception(
            "What the attention gives is not used",
            "It is added to x before the second branch reads x. Is the sum assigned to anything?",
            each(block, "wraps", (parts.left_out, parts.pre_norm)),
        ),
        "feed-forward-left-out": Misconception(
            "The feed-forward part is not used",
            "Its result is added to x, as that of the attention is.",
            each(block, "wraps", (parts.pre_norm, parts.left_out)),
        ),
        # Rotary positions.
        "positions-from-zero": Misconception(
            "With a cache the positions begin at 0 again",
            "The new tokens stand behind those in the cache, and so do their positions: the first new one stands at "
            "the cache's length. Counted from 0, every distance to an earlier token is wrong.",
            _meeting(
                {"first": (parts.from_zero, parts.from_zero)},
                {"first": (parts.counted_on, parts.from_zero)},
                {"first": (parts.from_zero, parts.counted_on)},
            ),
        ),
        "rotary-forgotten": Misconception(
            "The scores are as if nothing were turned",
            "Then the attention cannot tell the order of the tokens. Is what `rotary` returns used? And does each "
            "token have a position of its own? Where all are turned by the same angle, no score changes.",
            _meeting({"turn": (parts.as_it_is, parts.as_it_is, parts.as_it_is)}),
        ),
        "only-one-turned": Misconception(
            "Only one of query and key is turned",
            "If both are turned, a score depends only on the difference of the two positions.",
            _meeting(
                {"turn": (turned, parts.as_it_is, parts.as_it_is)},
                {"turn": (parts.as_it_is, turned, parts.as_it_is)},
            ),
        ),
        "values-turned": Misconception(
            "The values are turned as well",
            "Only queries and keys are turned, because only their dot product needs the positions. A value is brought "
            "back as it is.",
            _meeting({"turn": (turned, turned, turned)}),
        ),
        "rotary-half-split": Misconception(
            "Channels are turned in pairs of the two halves",
            "Other libraries do that. These weights were trained with pairs of neighbours, (2i, 2i + 1), and mean "
            "nothing with other pairs.",
            _meeting({"turn": (parts.half_split, parts.half_split, parts.as_it_is)}),
        ),
        "rotary-backwards": Misconception(
            "Both are turned the other way",
            "A token that stands before the query then looks as if it stood behind it. Look at the signs of your "
            "rotation.",
            _meeting({"turn": (parts.backwards, parts.backwards, parts.as_it_is)}),
        ),
        "rotary-before-heads": Misconception(
            "The channels are turned before the heads are cut",
            "Every head has the same frequencies: d in base^(−2i/d) is d_head. So cut first, and turn afterwards.",
            _meeting({"turn": (parts.over_model, parts.over_model, parts.as_it_is)}),
        ),
        # The cache.
        "cache-unturned": Misconception(
            "The cache holds keys that are not turned",
            "Keys are turned once, when they are new, and kept turned. A key's position never changes, so nothing "
            "has to be turned a second time.",
            each(block, "meet", parts.turned_when_used, partial(parts.turned_when_used, new_only=True)),
        ),
        "cache-turned-again": Misconception(
            "The keys of the cache are turned once more",
            "They were turned when they were new. Turn the new keys alone, before they join the cache.",
            each(block, "meet", parts.turned_again),
        ),
        "cache-order": Misconception(
            "The new tokens are put first",
            "A cache is in the order of the sequence: the new keys and values come behind the others.",
            _meeting({"seen": parts.new_first, "kept": parts.new_first}, {"kept": parts.new_first}),
        ),
        "cache-not-extended": Misconception(
            "The old cache is handed on",
            "The next step gets what this one returns. The new keys and values are not in it, so no later token can "
            "ever attend to these.",
            _meeting({"kept": parts.old}),
        ),
        "cache-ignored": Misconception(
            "The cache is not attended to",
            "The new tokens see one another, and nothing that came "
            "before. Keys and values of the cache belong in front.",
            _meeting(
                {"seen": parts.newest, "kept": parts.newest},
                {"seen": parts.newest},
                {"seen": parts.newest, "kept": parts.newest, "first": (parts.from_zero, parts.from_zero)},
            ),
        ),
        "cache-only-newest": Misconception(
            "The new cache holds the new tokens alone",
            "The output is right this time. The next step gets what this one returns, and all earlier tokens are lost.",
            _meeting({"kept": parts.newest}),
        ),
        "cache-exchanged": Misconception(
            "Keys and values of the cache have changed places",
            "The pair is (keys, values), in that order, where it comes in and where it goes out.",
            _meeting({"seen": parts.exchanged, "kept": parts.handed_on_exchanged}),
        ),
        "cache-of-all-heads": Misconception(
            "The cache holds a copy for every head",
            "Groups are there to make the cache small: it holds n_groups keys and values for a token. The copies for "
            "the heads are made afterwards.",
            each(block, "before_cache", True),
        ),
        # Who may be seen.
        "future-seen": Misconception(
            "Tokens see what comes after them",
            "A model that sees the next token while it is trained need not predict it, and cannot write. Each token "
            "sees itself and what came before.",
            each(block, "allowed", parts.everything),
        ),
        "causal-top-left": Misconception(
            "With a cache the causal mask is aligned at the top left",
            "The first new token is not the first of the sequence. It sees the whole cache and itself: the mask is "
            "aligned at the bottom right.",
            each(block, "allowed", lambda n_queries, n_keys: np.tril(parts.everything(n_queries, n_keys))),
        ),
        "causal-only-without-cache": Misconception(
            "With a cache there is no mask",
            "A single new token needs no mask. Where there are several, each must not see those after it.",
            each(block, "allowed", parts.only_without_cache),
        ),
        "causal-strict": Misconception(
            "A token does not see itself",
            "The diagonal is allowed. The first token has nothing else to attend to.",
            changed(
                block,
                *(
                    {"allowed": partial(parts.shifted, by=-1), "attend": way}
                    for way in (attend, parts.attend_or_nan, parts.attend_or_average)
                ),
            ),
        ),
        "causal-off-by-one": Misconception(
            "A token sees the one after it",
            "That is the very token that it has to predict.",
            each(block, "allowed", partial(parts.shifted, by=1)),
        ),
        "causal-upper": Misconception(
            "The mask is the wrong way round",
            "A token sees itself and those before it. Here it sees those after it.",
            each(block, "allowed", parts.upper),
        ),
        **variants(block, "attend", {idea: each(attend, "weigh", *MASK_MISTAKES[idea]) for idea in _MASK_FILLS}),
        # Heads and groups.
        "groups-tiled": Misconception(
            "The groups are dealt out in turn",
            "Consecutive heads share a group: 0, 0, 1, 1, and not 0, 1, 0, 1. `repeat` gives the one and "
            "`repeat_interleave` the other.",
            each(block, "share", lambda shared, n: np.concatenate([shared] * (n // shared.shape[-3]), axis=-3)),
        ),
        "first-group-everywhere": Misconception(
            "All heads use the first group",
            "Each group has keys and values of its own.",
            each(block, "share", lambda shared, n: np.repeat(shared[..., :1, :, :], n, axis=-3)),
        ),
        "heads-by-view": changed(block, {"cut": split_by_view}, {"cut": split_by_view, "join": merge_by_view}),
        "heads-interleaved": changed(
            block, {"cut": split_interleaved}, {"cut": split_interleaved, "join": merge_interleaved}
        ),
        "merge-by-view": each(block, "join", merge_by_view),
        "no-output-projection": each(block, "finish", lambda merged, w_out: merged),
        "no-scale": each(block, "attend", *ATTENTION_MISTAKES["no-scale"]),
        "scale-by-d": each(block, "attend", *ATTENTION_MISTAKES["scale-by-d"]),
        "scale-multiplied": each(block, "attend", *ATTENTION_MISTAKES["scale-multiplied"]),
        "scale-by-d-model": each(block, "attend", partial(attend, score=_BY_MODEL)),
        "softmax-over-queries": each(block, "attend", *(partial(attend, weigh=way) for way in softmax_along(-2))),
        "softmax-overflows": each(block, "attend", *ATTENTION_MISTAKES["softmax-overflows"]),
        # The gate.
        "gate-on-up": Misconception(
            "SiLU is on the wrong branch",
            "w_gate says how far each gate is open, so its result goes through SiLU. w_up stays linear.",
            each(block, "gate", lambda gate, up: gate * parts.silu(up)),
        ),
        "gate-on-both": Misconception(
            "SiLU is on both branches",
            "Only the gate goes through SiLU. w_up stays linear.",
            each(block, "gate", lambda gate, up: parts.silu(gate) * parts.silu(up)),
        ),
        "gate-on-product": Misconception(
            "SiLU comes after the product",
            "First the gate goes through SiLU, and then it is multiplied with what w_up gives.",
            each(block, "gate", lambda gate, up: parts.silu(gate * up)),
        ),
        "gate-linear": Misconception(
            "The gate has no nonlinearity",
            "The gate goes through SiLU: x · sigmoid(x).",
            each(block, "gate", lambda gate, up: gate * up),
        ),
        "gate-added": Misconception(
            "The gate is added",
            "A gate multiplies: where it is 0, nothing comes through.",
            each(block, "gate", lambda gate, up: parts.silu(gate) + up),
        ),
        "gate-alone": Misconception(
            "One of the two branches is not used",
            "w_gate and w_up both read the tokens, and their results are multiplied.",
            each(block, "gate", lambda gate, up: parts.silu(gate), lambda gate, up: parts.silu(up)),
        ),
        "another-nonlinearity": Misconception(
            "The gate has another nonlinearity",
            "Other nonlinearities work well in other models. These weights were trained with SiLU: x · sigmoid(x).",
            each(
                block,
                "gate",
                lambda gate, up: parts.sigmoid(gate) * up,
                lambda gate, up: np.maximum(gate, 0.0) * up,
                lambda gate, up: parts.gelu(gate) * up,
                lambda gate, up: np.tanh(gate) * up,
            ),
        ),
    },
)
