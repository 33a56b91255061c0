"""Questions and answers: each token is an input, and the token after it is the target."""

from collections.abc import Iterator

import torch

from course_attention.practice.authoring import Misconception, Practice, Trial


def inputs_and_targets(tokens):
    """All tokens but the last, and all tokens but the first."""
    return tokens[:, :-1], tokens[:, 1:]


def not_shifted(tokens):
    return tokens[:, :-1], tokens[:, :-1]


def not_shifted_at_the_end(tokens):
    return tokens[:, 1:], tokens[:, 1:]


def not_shifted_and_whole(tokens):
    return tokens, tokens


def exchanged(tokens):
    return tokens[:, 1:], tokens[:, :-1]


def shifted_along_the_batch(tokens):
    return tokens[:-1], tokens[1:]


def last_token_asks(tokens):
    return tokens, tokens[:, 1:]


def last_token_asks_for_the_first(tokens):
    return tokens, tokens.roll(-1, dims=1)


def first_token_is_a_target(tokens):
    return tokens[:, :-1], tokens


def two_further_on(tokens):
    return tokens[:, :-2], tokens[:, 2:]


def first_question_lost(tokens):
    return tokens[:, 1:-1], tokens[:, 2:]


def last_question_lost(tokens):
    return tokens[:, :-2], tokens[:, 1:-1]


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield one sentence, two with padding, and a batch of random tokens."""
    yield Trial(
        "one sentence: the start mark 1, the words 3 and 5, and the full stop 2",
        {"tokens": torch.tensor([[1, 3, 5, 2]])},
        (torch.tensor([[1, 3, 5]]), torch.tensor([[3, 5, 2]])),
        says="After 1 comes 3, after 3 comes 5, and after 5 comes 2. These are three questions with their answers.",
    )
    yield Trial(
        "two sentences, the second with padding",
        {"tokens": torch.tensor([[1, 3, 5, 2], [1, 4, 2, 0]])},
        (torch.tensor([[1, 3, 5], [1, 4, 2]]), torch.tensor([[3, 5, 2], [4, 2, 0]])),
        says="The first axis goes over the sentences, and the second over the tokens of each.",
    )
    yield Trial("5 sentences of 8 tokens", {"tokens": torch.randint(3, 99, (5, 8), generator=generator)})


PRACTICE = Practice(
    name="inputs_and_targets",
    prompt="Turn sentences into inputs and the token that comes after each of them.",
    minutes=3,
    hints=(
        "A sentence of 4 tokens asks 3 questions. Which of its tokens has no token after it? Which one comes after no "
        "other?",
        "The inputs are all tokens but the last of each sentence. The targets are all but the first.",
        "`tokens[:, a:b]` takes all sentences, and of each the tokens from a up to b, without b. A negative number "
        "counts from the end.",
    ),
    given=inputs_and_targets,
    trials=trials,
    returns=("inputs", "targets"),
    misconceptions={
        "shift-missing": Misconception(
            "The targets are the inputs",
            "Each token is asked for itself here, so a model would only have to copy what it reads. The target of a "
            "position is the token *after* it.",
            (not_shifted, not_shifted_at_the_end, not_shifted_and_whole),
        ),
        "shift-backwards": Misconception(
            "Each token is asked for the token before it",
            "The inputs begin with the start mark, and the targets begin one position further on. Here it is the other "
            "way round.",
            (exchanged,),
        ),
        "shift-along-the-batch": Misconception(
            "The sentences are shifted, not their tokens",
            "The first axis of `tokens` goes over the sentences. A slice without a comma, such as `tokens[1:]`, takes "
            "whole sentences away. Leave the first axis as it is, and cut the second: `tokens[:, …]`.",
            (shifted_along_the_batch,),
        ),
        "shift-last-token-asks": Misconception(
            "The last token is an input, but no token comes after it",
            "The model would make an output at the last token, and there is no answer to compare it with. Leave the "
            "last token out of the inputs.",
            (last_token_asks, last_token_asks_for_the_first),
        ),
        "shift-first-token-is-a-target": Misconception(
            "The first token is a target, but no input comes before it",
            "The start mark is given, and nobody has to guess it. Leave it out of the targets.",
            (first_token_is_a_target,),
        ),
        "shift-of-two": Misconception(
            "The targets are two positions further on",
            "The target of a position is the next token, and not the one after that.",
            (two_further_on,),
        ),
        "shift-loses-a-question": Misconception(
            "A question is missing",
            "Inputs and targets fit each other, but a sentence of 4 tokens asks 3 questions. The first is at the start "
            "mark, and the last asks for the last token.",
            (first_question_lost, last_question_lost),
        ),
    },
)
