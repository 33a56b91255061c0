from course_attention.authoring import Misconception, ValueExercise

EXERCISE = ValueExercise(
    name="kv_cache_bytes",
    prompt="How many bytes does the cache of 32 layers with 32 heads of 128 need after 4096 tokens, 2 bytes a number?",
    points=1,
    difficulty=1,
    minutes=3,
    hints=(
        "Start with one token in one head of one layer: what of it is kept, and how many numbers is that?",
        "A key and a value of 128 numbers each. Then multiply by heads, layers, tokens and bytes.",
    ),
    value=2147483648,
    misconceptions={
        "factor-two-forgotten": Misconception(
            "One factor of two is missing",
            "There are two of them: a key and a value for each token, and 2 bytes for each number.",
            (1073741824,),
        ),
        "both-twos-forgotten": Misconception(
            "Two factors of two are missing",
            "Each token leaves a key and a value, and each number of them takes 2 bytes.",
            (536870912,),
        ),
        "one-layer-or-head": Misconception(
            "The heads, or the layers, are counted once",
            "Each of the 32 layers has 32 heads, and every one of these 1024 heads keeps its own keys and values.",
            (67108864, 33554432, 2097152),
        ),
        "one-token": Misconception(
            "That is the share of a single token",
            "Every token before the newest one stays in the cache: 4096 of them.",
            (524288, 262144),
        ),
        "bits-for-bytes": Misconception("That is the number of bits", "A byte has 8 of them.", (17179869184,)),
        "four-bytes": Misconception(
            "Four bytes are counted for a number",
            "Here a number takes 2, as in float16 and bfloat16.",
            (4294967296,),
        ),
        "queries-counted": Misconception(
            "The queries are counted as well",
            "A query is needed once, in the step of its own token. The cache keeps keys and values.",
            (3221225472,),
        ),
        "scores-counted": Misconception(
            "The score matrices are counted",
            "The cache holds keys and values. Scores are made anew at every step and thrown away.",
            (34359738368, 17179869184 * 4),
        ),
        "another-unit": Misconception(
            "That is in another unit",
            "The number of bytes is asked for.",
            (2.0, 2.147483648, 2048.0, 2147.483648, 2147483.648),
        ),
    },
)
