"""What is said of misconceptions that several exercises of this topic share: id → (title, explanation)."""

from course_attention.exercises.common.words import WORDS as SHARED

WORDS: dict[str, tuple[str, str]] = SHARED | {
    "pre-norm": (
        "The norm comes before the sublayer",
        "That is a good design, and many later models have it; it is not the one asked for. "
        "Here, as in the paper, a sublayer reads x as it is, and the norm is taken of the sum.",
    ),
    "no-residual": (
        "A skip connection is left out",
        "A sublayer's result is added to what the sublayer was given. Without that, all that a token was is "
        "lost wherever attention looks elsewhere, and gradients have no straight way back.",
    ),
    "no-norm": (
        "A norm is left out",
        "Each sublayer's sum is normalised. Without norms the numbers grow from block to block.",
    ),
    "norm-of-sublayer": (
        "The norm is taken of the sublayer's result, and then x is added",
        "The norm is the outer operation: first x and the sublayer's result are added, then their sum is normalised.",
    ),
    "feed-forward-linear": (
        "The feed-forward network has no nonlinearity",
        "Two linear layers in a row are one linear layer. Between them stands a ReLU.",
    ),
    "relu-after-both": (
        "A ReLU follows the second layer as well",
        "The ReLU stands between the two layers. After the second one it would set all negative numbers to 0, and the "
        "network could then only raise the numbers of a token, and never lower one.",
    ),
    "mask-ignored": (
        "A mask has no effect",
        "Blocked positions are weighted as if they were allowed. Is the mask handed on to the attention, by its name, "
        "`allowed=…`? Where a block has two attentions, each has a mask of its own.",
    ),
    "another-nonlinearity": (
        "The feed-forward network has another nonlinearity",
        "Other models use others, and use them well. This block has the ReLU of the paper.",
    ),
    "one-norm-for-all": (
        "One norm serves more than one sublayer",
        "Each norm has a weight and a bias of its own, so it matters which is used where: there "
        "is one for each sublayer, in order.",
    ),
    "norms-exchanged": (
        "The norms have changed places",
        "They are numbered in the order of the sublayers: norm_1 comes after the first.",
    ),
    "feed-forward-left-out": (
        "The feed-forward network is not used",
        "Attention mixes tokens, and the feed-forward network then works on each by itself. It "
        "is a sublayer like the others, with a skip connection and a norm.",
    ),
    "attention-left-out": (
        "What attention gives is not used",
        "Each attention is a sublayer: its output is added to what it was given, and the sum is normalised.",
    ),
    "residual-from-start": (
        "A skip connection starts at the block's input",
        "Each sublayer's result is added to what that sublayer was given. After the first "
        "sublayer, that is what the norm before it gave.",
    ),
}
