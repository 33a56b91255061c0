"""How many multiply–adds a block does for each byte that it reads, while it writes one more token for each user."""

from collections.abc import Callable, Iterator

import torch

from course_attention.practice.authoring import Misconception, Practice, Trial


def decode_intensity(n_users, n_tokens, d_model, bytes_per_number):
    """Divide the work of all users by the bytes of the weights, read once, and of the keys and values of each user."""
    weights, keys_and_values = 12 * d_model**2, 2 * n_tokens * d_model  # a user's token meets each number once
    work = n_users * (weights + keys_and_values)
    numbers = weights + n_users * keys_and_values
    return work / (bytes_per_number * numbers)


def _work(users: int, tokens: int, d: int) -> int:
    return users * (12 * d**2 + 2 * tokens * d)


def _numbers(users: int, tokens: int, d: int) -> int:
    return 12 * d**2 + users * 2 * tokens * d


Count = Callable[[int, int, int], int]


def _ratio(work: Count = _work, numbers: Count = _numbers) -> Callable[..., float]:
    """Return the ratio with another count of the work, or of the numbers that are read."""

    def ratio(n_users, n_tokens, d_model, bytes_per_number):
        return work(n_users, n_tokens, d_model) / (bytes_per_number * numbers(n_users, n_tokens, d_model))

    return ratio


def _weights(weights: Callable[[int], int]) -> tuple[Callable[..., float], ...]:
    """Return the ratio with so many weights, in the work and in the bytes, in the work alone, in the bytes alone."""

    def work(users: int, tokens: int, d: int) -> int:
        return users * (weights(d) + 2 * tokens * d)

    def numbers(users: int, tokens: int, d: int) -> int:
        return weights(d) + users * 2 * tokens * d

    return _ratio(work, numbers), _ratio(work), _ratio(numbers=numbers)


def _of_attention(count: Callable[[int, int], int]) -> tuple[Callable[..., float], ...]:
    """Return the ratio with so many keys and values, in the work and in the bytes, or in one of the two."""

    def work(users: int, tokens: int, d: int) -> int:
        return users * (12 * d**2 + count(tokens, d))

    def numbers(users: int, tokens: int, d: int) -> int:
        return 12 * d**2 + users * count(tokens, d)

    return _ratio(work, numbers), _ratio(work), _ratio(numbers=numbers)


def bytes_of_weights_alone(n_users, n_tokens, d_model, bytes_per_number):
    read = bytes_per_number * 12 * d_model**2 + n_users * 2 * n_tokens * d_model
    return _work(n_users, n_tokens, d_model) / read


def bytes_of_keys_alone(n_users, n_tokens, d_model, bytes_per_number):
    read = 12 * d_model**2 + n_users * bytes_per_number * 2 * n_tokens * d_model
    return _work(n_users, n_tokens, d_model) / read


def bytes_multiply(n_users, n_tokens, d_model, bytes_per_number):
    return _ratio()(n_users, n_tokens, d_model, 1) * bytes_per_number


def numbers_multiply(n_users, n_tokens, d_model, bytes_per_number):
    return _work(n_users, n_tokens, d_model) / bytes_per_number * _numbers(n_users, n_tokens, d_model)


def rounded_down(n_users, n_tokens, d_model, bytes_per_number):
    return _work(n_users, n_tokens, d_model) // (bytes_per_number * _numbers(n_users, n_tokens, d_model))


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two users whose numbers can be counted by hand, a single user, and drawn ones."""
    yield Trial(
        "2 users with 3 tokens each, d_model 1, and 2 bytes a number",
        {"n_users": 2, "n_tokens": 3, "d_model": 1, "bytes_per_number": 2},
        0.75,
        says="The block has 12 weights here. Each user has 3 keys and 3 values of one number. Both new tokens meet the "
        "12 weights and the 6 numbers of their own user: 2 · 18 multiply–adds. The weights are read once: there are "
        "12 + 2 · 6 numbers of 2 bytes to read.",
    )
    yield Trial(
        "1 user with 5 tokens, d_model 2, and 4 bytes a number",
        {"n_users": 1, "n_tokens": 5, "d_model": 2, "bytes_per_number": 4},
        0.25,
        says="With a single user, each number that is read takes part in one multiply–add. It has 4 bytes.",
    )
    for bytes_per_number in (1, 2):
        users, tokens, d = (int(torch.randint(low, 2 * low, (), generator=generator)) for low in (5, 13, 3))
        yield Trial(
            f"{users} users with {tokens} tokens each, d_model {d}",
            {"n_users": users, "n_tokens": tokens, "d_model": d, "bytes_per_number": bytes_per_number},
            says="Count the multiply–adds for one user, and then for all. Count the numbers that are read once for all "
            "users, and then those that are read for each of them.",
        )


PRACTICE = Practice(
    name="decode_intensity",
    prompt="Multiply–adds for each byte that a block reads for one more token of each user.",
    minutes=6,
    hints=(
        "Begin with one user. The new token is multiplied with every weight of the block, and it meets a key and a "
        "value for each of the n_tokens tokens. How many numbers is that? Each takes part in one multiply–add.",
        "The block has six matrices: four of attention, and two of the feed-forward network, which is four times as "
        "wide. All keys of a user have n_tokens · d_model numbers, whatever the number of heads.",
        "Now all users. Their tokens come together, so a weight is read once and used n_users times. Nobody can use "
        "the keys and values of somebody else. Which of the two counts are multiplied by n_users in the work, and "
        "which in the bytes?",
    ),
    given=decode_intensity,
    trials=trials,
    returns=("multiply–adds a byte",),
    misconceptions={
        "users-change-nothing": Misconception(
            "More users change nothing",
            "In your result one user and a thousand have the same intensity. But all users share one reading of the "
            "weights, while every user's token is multiplied with every weight. So with more users there is more work "
            "for each byte of the weights.",
            (_ratio(numbers=_work),),
        ),
        "users-share-keys": Misconception(
            "The keys and values are not read for each user",
            "All users need the same weights. But each of them writes a text of their own, and nobody else can use its "
            "keys and values. So those of all n_users texts are read.",
            (
                _ratio(numbers=lambda users, tokens, d: _numbers(1, tokens, d)),
                _ratio(numbers=lambda users, tokens, d: 12 * d**2),
            ),
        ),
        "users-work-of-one": Misconception(
            "Not all of the work is done for every user",
            "Each user gets a new token. It is multiplied with every weight, and with the keys and values of its own "
            "text. So all the work of one token is done n_users times.",
            (
                _ratio(lambda users, tokens, d: _work(1, tokens, d)),
                _ratio(lambda users, tokens, d: _work(1, tokens, d), _work),
                _ratio(lambda users, tokens, d: users * 12 * d**2 + 2 * tokens * d),
            ),
        ),
        "users-exchanged": Misconception(
            "What is read once and what is read for each user are exchanged",
            "The weights are the same for all users, and one reading serves them all. Keys and values belong to the "
            "text of one user.",
            (_ratio(numbers=lambda users, tokens, d: users * 12 * d**2 + 2 * tokens * d),),
        ),
        "users-bytes-forgotten": Misconception(
            "The numbers that are read are counted, and not their bytes",
            "Each number has `bytes_per_number` bytes. This factor belongs to all that is read.",
            (lambda n_users, n_tokens, d_model, bytes_per_number: _ratio()(n_users, n_tokens, d_model, 1),),
        ),
        "users-bytes-in-part": Misconception(
            "Only a part of what is read is counted in bytes",
            "Weights, keys and values all have `bytes_per_number` bytes a number. In Python a * b + c multiplies only "
            "a by b, so the sum needs parentheses.",
            (bytes_of_weights_alone, bytes_of_keys_alone),
        ),
        "users-bytes-multiply": Misconception(
            "A factor of the bytes multiplies",
            "The bytes are the numbers that are read, times the bytes of each. The whole of it divides. In Python "
            "a / b * c is (a / b) · c, so the denominator needs parentheses: a / (b * c).",
            (bytes_multiply, numbers_multiply),
        ),
        "users-weights-missing": Misconception(
            "Too few weights are counted",
            "A block has six matrices. Four belong to attention, and each of them is (d_model, d_model). The two of "
            "the feed-forward network are four times as large each. All six are read, and all six are multiplied with "
            "each new token.",
            (
                *_weights(lambda d: 8 * d**2),
                *_weights(lambda d: 4 * d**2),
                *_weights(lambda d: 6 * d**2),
                *_weights(lambda d: 11 * d**2),
                *_weights(lambda d: 12 * d),
                *_weights(lambda d: d**2),
            ),
        ),
        "users-keys-only": Misconception(
            "Only the keys or only the values are counted",
            "Every token of the text has a key and a value, each with d_model numbers in all heads together. Both are "
            "read. The keys give the scores, and the values are mixed. That is a multiply–add for each number.",
            _of_attention(lambda tokens, d: tokens * d),
        ),
        "users-all-pairs": Misconception(
            "All pairs of the text are counted",
            "Only the new token is a query. It meets each of the n_tokens keys once, and no older token meets them "
            "again.",
            _of_attention(lambda tokens, d: 2 * tokens**2 * d)[:2],
        ),
        "users-whole-text": Misconception(
            "The whole text goes through the weights again",
            "The keys and values of the older tokens are in the cache. So only the new token of each user is "
            "multiplied with the weights.",
            (
                _ratio(lambda users, tokens, d: users * (12 * tokens * d**2 + 2 * tokens**2 * d)),
                _ratio(lambda users, tokens, d: users * (12 * tokens * d**2 + 2 * tokens * d)),
            ),
        ),
        "users-length-forgotten": Misconception(
            "Keys and values are counted for one token only",
            "The new token of a user meets a key and a value of every token of the user's text. There are n_tokens of "
            "them, in the work and in what is read.",
            _of_attention(lambda tokens, d: 2 * d),
        ),
        "users-no-pairs": Misconception(
            "The work with the keys and values is left out",
            "Scores and mixing are work, too: each number of a user's keys and values takes part in one multiply–add.",
            (_ratio(lambda users, tokens, d: users * 12 * d**2),),
        ),
        "users-no-weights": Misconception(
            "The weights are missing in the work or in the bytes",
            "The weights of the block are read for this token of all users, and each new token is multiplied with "
            "every one of them.",
            (
                _ratio(lambda users, tokens, d: users * 2 * tokens * d),
                _ratio(numbers=lambda users, tokens, d: users * 2 * tokens * d),
            ),
        ),
        "users-operations": Misconception(
            "A multiply–add is counted as two",
            "A multiplication and an addition together are one multiply–add. Papers that count FLOPs count two.",
            (
                _ratio(lambda users, tokens, d: 2 * _work(users, tokens, d)),
                _ratio(lambda users, tokens, d: users * (24 * d**2 + 2 * tokens * d)),
            ),
        ),
        "users-inverted": Misconception(
            "The ratio is upside down",
            "The question is how many multiply–adds there are for each byte, not how many bytes for each multiply–add.",
            (
                lambda n_users, n_tokens, d_model, bytes_per_number: (
                    1 / decode_intensity(n_users, n_tokens, d_model, bytes_per_number)
                ),
            ),
        ),
        "users-two-ratios": Misconception(
            "Two ratios are added or averaged",
            "You have an intensity for the weights and one for the keys and values, but they do not have equally many "
            "bytes. Add up all the work and all the bytes first, and divide once.",
            (
                lambda n_users, n_tokens, d_model, bytes_per_number: (n_users + 1) / bytes_per_number,
                lambda n_users, n_tokens, d_model, bytes_per_number: (n_users + 1) / bytes_per_number / 2,
            ),
        ),
        "users-rounded-down": Misconception(
            "The ratio is rounded down",
            "Multiply–adds for each byte need not be a whole number: `//` drops what comes after the point, and `/` "
            "keeps it.",
            (rounded_down,),
        ),
    },
)
