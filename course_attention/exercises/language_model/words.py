"""What is said of the misconceptions of `DecoderOnlyBlock`: id → (title, explanation)."""

from __future__ import annotations

from course_attention.exercises.common.words import WORDS as SHARED
from course_attention.exercises.multi_head.words import WORDS as OF_HEADS

_FROM_HEADS = (
    "heads-by-view",
    "heads-interleaved",
    "merge-by-view",
    "no-output-projection",
    "scale-by-d-model",
)

WORDS: dict[str, tuple[str, str]] = (
    SHARED
    | {name: OF_HEADS[name] for name in _FROM_HEADS}
    | {
        "post-norm": (
            "The norm comes after the sum",
            "That is the block of notebook 08. Here the norm comes "
            "first: a branch reads norm(x), and x itself is carried "
            "on unchanged, with the branch's result added to it.",
        ),
        "no-norm": (
            "A norm is left out",
            "Each branch reads its own norm of x. A branch that reads x "
            "itself gets larger numbers from block to block.",
        ),
        "norm-of-branch": (
            "The norm is taken of what the branch gives",
            "The norm is for what a branch reads. The result of the branch is added as it is.",
        ),
        "residual-normalised": (
            "The normalised tokens are carried on",
            "A branch reads norm(x), and its result is added to x, not to norm(x).",
        ),
        "no-residual": (
            "A skip connection is left out",
            "What a branch gives is added to x. Without that, everything a token was before is lost.",
        ),
        "residual-from-start": (
            "The second sum starts at the block's input",
            "The second branch's result is added to the result of the first sum. Otherwise the attention is lost.",
        ),
        "branches-in-parallel": (
            "The second branch reads the block's input",
            "Some models do that. Here the second branch reads norm_2(x) after the attention's result was added to x.",
        ),
        "feed-forward-first": (
            "The feed-forward part comes first",
            "The attention comes first: the tokens read one another. Then each token works on what it has read.",
        ),
        "norms-exchanged": (
            "The norms have changed places",
            "Each norm has weights of its own: norm_1 is for the attention, norm_2 for the feed-forward part.",
        ),
        "one-norm-for-all": (
            "One norm serves both branches",
            "Each norm has weights of its own: norm_1 is for the attention, norm_2 for the feed-forward part.",
        ),
        "mean-subtracted": (
            "The mean is subtracted",
            "A layer norm does that. The RMS norm divides by the root of the mean square, and leaves the mean alone.",
        ),
        "norm-without-mean": (
            "The norm divides by the length of the token",
            "It divides by the root of the *mean* of the squares, so that it does not depend on d_model.",
        ),
        "norm-without-root": (
            "The norm divides by the mean square, without the root",
            "A token that is twice as large should give the same result. Try it with your norm.",
        ),
        "norm-epsilon": (
            "The norm has another epsilon",
            "It shows for small tokens only. These weights were trained "
            "with 1e-6; `nn.RMSNorm` takes another number if "
            "you give it none.",
        ),
        "attention-left-out": (
            "What the attention gives is not used",
            "It is added to x before the second branch reads x. Is the sum assigned to anything?",
        ),
        "feed-forward-left-out": (
            "The feed-forward part is not used",
            "Its result is added to x, as that of the attention is.",
        ),
        "positions-from-zero": (
            "With a cache the positions begin at 0 again",
            "The new tokens stand behind those in the cache, and so do "
            "their positions: the first new one stands at the "
            "cache's length. Counted from 0, every distance to an earlier token is wrong.",
        ),
        "rotary-forgotten": (
            "Nothing is turned",
            "Without positions the attention cannot tell the order of the tokens. Is what `rotary` returns used?",
        ),
        "only-one-turned": (
            "Only one of query and key is turned",
            "If both are turned, a score depends only on the difference of the two positions.",
        ),
        "values-turned": (
            "The values are turned as well",
            "Only queries and keys are turned, because only their dot product needs the positions. A value is brought "
            "back as it is.",
        ),
        "rotary-half-split": (
            "Channels are turned in pairs of the two halves",
            "Other libraries do that. These weights were trained with "
            "pairs of neighbours, (2i, 2i + 1), and mean nothing "
            "with other pairs.",
        ),
        "rotary-backwards": (
            "Both are turned the other way",
            "A token that stands before the query then looks as if it stood behind it. Look at the signs of your "
            "rotation.",
        ),
        "rotary-before-heads": (
            "The channels are turned before the heads are cut",
            "Every head has the same frequencies: d in base^(−2i/d) is d_head. So cut first, and turn afterwards.",
        ),
        "cache-unturned": (
            "The cache holds keys that are not turned",
            "Keys are turned once, when they are new, and kept turned. A "
            "key's position never changes, so nothing has to "
            "be turned a second time.",
        ),
        "cache-turned-again": (
            "The keys of the cache are turned once more",
            "They were turned when they were new. Turn the new keys alone, before they join the cache.",
        ),
        "cache-order": (
            "The new tokens are put first",
            "A cache is in the order of the sequence: the new keys and values come behind the others.",
        ),
        "cache-not-extended": (
            "The old cache is handed on",
            "The next step gets what this one returns. The new keys and "
            "values are not in it, so no later token can ever "
            "attend to these.",
        ),
        "cache-ignored": (
            "The cache is not attended to",
            "The new tokens see one another, and nothing that came "
            "before. Keys and values of the cache belong in front.",
        ),
        "cache-only-newest": (
            "The new cache holds the new tokens alone",
            "The output is right this time. The next step gets what this one returns, and all earlier tokens are lost.",
        ),
        "cache-exchanged": (
            "Keys and values of the cache have changed places",
            "The pair is (keys, values), in that order, where it comes in and where it goes out.",
        ),
        "cache-of-all-heads": (
            "The cache holds a copy for every head",
            "Groups are there to make the cache small: it holds n_groups "
            "keys and values for a token. The copies for the "
            "heads are made afterwards.",
        ),
        "future-seen": (
            "Tokens see what comes after them",
            "A model that sees the next token while it is trained need "
            "not predict it, and cannot write. Each token sees "
            "itself and what came before.",
        ),
        "causal-top-left": (
            "With a cache the causal mask is aligned at the top left",
            "The first new token is not the first of the sequence. It "
            "sees the whole cache and itself: the mask is aligned "
            "at the bottom right.",
        ),
        "causal-only-without-cache": (
            "With a cache there is no mask",
            "A single new token needs no mask. Where there are several, each must not see those after it.",
        ),
        "causal-strict": (
            "A token does not see itself",
            "The diagonal is allowed. The first token has nothing else to attend to.",
        ),
        "causal-off-by-one": (
            "A token sees the one after it",
            "That is the very token that it has to predict.",
        ),
        "causal-upper": (
            "The mask is the wrong way round",
            "A token sees itself and those before it. Here it sees those after it.",
        ),
        "groups-tiled": (
            "The groups are dealt out in turn",
            "Consecutive heads share a group: 0, 0, 1, 1, and not 0, 1, 0, 1. `repeat` gives the one and "
            "`repeat_interleave` the other.",
        ),
        "first-group-everywhere": (
            "All heads use the first group",
            "Each group has keys and values of its own.",
        ),
        "gate-on-up": (
            "SiLU is on the wrong branch",
            "w_gate says how far each gate is open, so its result goes through SiLU. w_up stays linear.",
        ),
        "gate-on-both": (
            "SiLU is on both branches",
            "Only the gate goes through SiLU. w_up stays linear.",
        ),
        "gate-on-product": (
            "SiLU comes after the product",
            "First the gate goes through SiLU, and then it is multiplied with what w_up gives.",
        ),
        "gate-linear": (
            "The gate has no nonlinearity",
            "The gate goes through SiLU: x · sigmoid(x).",
        ),
        "gate-added": (
            "The gate is added",
            "A gate multiplies: where it is 0, nothing comes through.",
        ),
        "gate-alone": (
            "One of the two branches is not used",
            "w_gate and w_up both read the tokens, and their results are multiplied.",
        ),
        "another-nonlinearity": (
            "The gate has another nonlinearity",
            "Other nonlinearities work well in other models. These weights were trained with SiLU: x · sigmoid(x).",
        ),
    }
)
