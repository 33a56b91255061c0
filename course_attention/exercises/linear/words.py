"""What is said of misconceptions that several exercises of this topic share: id → (title, explanation)."""

WORDS: dict[str, tuple[str, str]] = {
    "delta-not-subtracted": (
        "The value is added to what is there already",
        "This is linear attention: under a key that comes again, the old value and the new one add "
        "up. The delta rule reads first, and writes only the difference.",
    ),
    "beta-forgotten": (
        "beta is not used",
        "beta says how much of the difference is written: 0 leaves the memory as it is.",
    ),
    "beta-on-value-only": (
        "beta is multiplied with only one part of the difference",
        "It belongs to the whole change, v − Sᵀk. With a beta of 0 nothing is written.",
    ),
    "delta-sign": (
        "What the memory holds is added to the value, not subtracted",
        "Write what is missing: the value minus what is read under its key.",
    ),
    "read-before-write": (
        "The output is read before the token is written",
        "o_t is read from S_t, which holds the token's own value already.",
    ),
    "last-memory-for-all": (
        "All outputs are read from the last memory",
        "Then a token sees what comes after it. Each output is read from the memory as it is at its own time.",
    ),
    "read-under-query": (
        "What is subtracted was read under the query",
        "The value will be held under the key. So the memory is read under the key, to see what it holds there "
        "already. The query reads only afterwards, for the output.",
    ),
    "beta-squashed": (
        "A sigmoid is applied to beta",
        "Models make beta with a sigmoid before they call the rule. Here beta comes as a share already, and is used as "
        "it is.",
    ),
    "one-beta-for-all": (
        "All tokens share one beta",
        "Each token has a beta of its own, which says how much of its own difference is written.",
    ),
    "features-applied": (
        "The φ of linear attention is applied to queries and keys",
        "Here queries and keys are used as they come. Nothing is divided by a sum of likenesses, so they may be "
        "negative.",
    ),
    "keys-normalised": (
        "The keys are made unit vectors",
        "Models that use the delta rule often do so before it. Here the keys are taken as they come.",
    ),
}
