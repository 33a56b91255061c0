"""A memory that fades: at each token it becomes smaller by the token's decay, and the token's pair is added."""

from collections.abc import Iterator

import torch
from torch import Tensor

from course_attention.practice.authoring import Misconception, Practice, Trial


def fading(query, key, value, beta, decay):
    """Let the memory fade, add the token's pair, and read: token by token."""
    memory = key.new_zeros(*key.shape[:-2], key.shape[-1], value.shape[-1])
    outputs = []
    for t in range(key.shape[-2]):
        written = key[..., t, :, None] * value[..., t, None, :]
        memory = decay[..., t, None, None] * memory + beta[..., t, None, None] * written
        outputs.append((query[..., t, :, None] * memory).sum(dim=-2))
    return torch.stack(outputs, dim=-2)


def _held(memory: Tensor, k: Tensor) -> Tensor:
    return (memory * k).sum(dim=-2, keepdim=True)


def _right(memory: Tensor, k: Tensor, v: Tensor, b: Tensor, g: Tensor) -> Tensor:
    return g * memory + b * k * v


def _fading(query, key, value, beta, decay, write=_right, reads="after"):
    """Go through the tokens; keys are columns, values are rows, and shares have two more axes."""
    memory = key.new_zeros(*key.shape[:-2], key.shape[-1], value.shape[-1])
    after, seen = [], {"before": [], "faded": []}
    for t in range(key.shape[-2]):
        g = decay[..., t, None, None]
        seen["before"].append(memory)
        seen["faded"].append(g * memory)
        memory = write(memory, key[..., t, :, None], value[..., t, None, :], beta[..., t, None, None], g)
        after.append(memory)
    seen |= {"after": after, "at the end": after[-1:] * len(after)}
    read = [_held(memory, query[..., t, :, None]).squeeze(-2) for t, memory in enumerate(seen[reads])]
    return torch.stack(read, dim=-2)


def _by(write):
    return lambda query, key, value, beta, decay: _fading(query, key, value, beta, decay, write)


def _read(when):
    return lambda query, key, value, beta, decay: _fading(query, key, value, beta, decay, reads=when)


def _with(change):
    """Change the arguments, and do the rest rightly."""
    return lambda query, key, value, beta, decay: fading(*change(query, key, value, beta, decay))


def one_late(query, key, value, beta, decay):
    late = torch.cat([torch.ones_like(decay[..., :1]), decay[..., :-1]], dim=-1)
    return fading(query, key, value, beta, late)


def only_the_output_fades(query, key, value, beta, decay):
    return fading(query, key, value, beta, torch.ones_like(decay)) * decay.unsqueeze(-1)


def _shared(query, key, value, beta, decay, add):
    """Add up what the texts of a batch write, for all of them."""
    memory = key.new_zeros(key.shape[-1], value.shape[-1])
    outputs = []
    for t in range(key.shape[-2]):
        written = beta[..., t, None, None] * key[..., t, :, None] * value[..., t, None, :]
        of_all = add(written.reshape(-1, key.shape[-1], value.shape[-1]), 0)
        memory = decay[..., t, None, None] * memory + of_all
        outputs.append((query[..., t, :, None] * memory).sum(dim=-2))
    return torch.stack(outputs, dim=-2)


def added_over_the_batch(query, key, value, beta, decay):
    return _shared(query, key, value, beta, decay, torch.sum)


def mean_over_the_batch(query, key, value, beta, decay):
    return _shared(query, key, value, beta, decay, torch.mean)


def handed_on(query, key, value, beta, decay):
    """Begin each text with the memory that the text before has left."""
    memory = key.new_zeros(key.shape[-1], value.shape[-1])
    rows = []
    flat = (x.reshape(-1, *x.shape[key.dim() - 2 :]) for x in (query, key, value, beta, decay))
    for q, k, v, b, g in zip(*flat, strict=True):
        outputs = []
        for t in range(len(k)):
            memory = g[t] * memory + b[t] * torch.outer(k[t], v[t])
            outputs.append(q[t] @ memory)
        rows.append(torch.stack(outputs))
    return torch.stack(rows).reshape(value.shape)


def decay_of_the_first_text(query, key, value, beta, decay):
    first = decay.reshape(-1, decay.shape[-1])[0]
    return fading(query, key, value, beta, first.expand_as(decay))


def mean_decay_of_the_texts(query, key, value, beta, decay):
    mean = decay.reshape(-1, decay.shape[-1]).mean(dim=0)
    return fading(query, key, value, beta, mean.expand_as(decay))


def along_the_values(query, key, value, beta, decay):
    """Let the decay, one number for each text, line up with the last axis of the memory."""
    memory = key.new_zeros(*key.shape[:-2], key.shape[-1], value.shape[-1])
    outputs = []
    for t in range(key.shape[-2]):
        written = key[..., t, :, None] * value[..., t, None, :]
        memory = decay[..., t] * memory + beta[..., t, None, None] * written
        outputs.append((query[..., t, :, None] * memory).sum(dim=-2))
    return torch.stack(outputs, dim=-2)


def both_along_the_values(query, key, value, beta, decay):
    memory = key.new_zeros(*key.shape[:-2], key.shape[-1], value.shape[-1])
    outputs = []
    for t in range(key.shape[-2]):
        memory = decay[..., t] * memory + beta[..., t] * (key[..., t, :, None] * value[..., t, None, :])
        outputs.append((query[..., t, :, None] * memory).sum(dim=-2))
    return torch.stack(outputs, dim=-2)


def along_the_rows(query, key, value, beta, decay):
    """Let the decay have one new axis and not two, so that it lines up with the rows of the memory."""
    memory = key.new_zeros(*key.shape[:-2], key.shape[-1], value.shape[-1])
    outputs = []
    for t in range(key.shape[-2]):
        written = key[..., t, :, None] * value[..., t, None, :]
        memory = decay[..., t, None] * memory + beta[..., t, None, None] * written
        outputs.append((query[..., t, :, None] * memory).sum(dim=-2))
    return torch.stack(outputs, dim=-2)


def both_along_the_rows(query, key, value, beta, decay):
    memory = key.new_zeros(*key.shape[:-2], key.shape[-1], value.shape[-1])
    outputs = []
    for t in range(key.shape[-2]):
        memory = decay[..., t, None] * memory + beta[..., t, None] * (key[..., t, :, None] * value[..., t, None, :])
        outputs.append((query[..., t, :, None] * memory).sum(dim=-2))
    return torch.stack(outputs, dim=-2)


def _exchanged(read):
    def answer(query, key, value, beta, decay):
        memory = key.new_zeros(*key.shape[:-2], key.shape[-1], value.shape[-1])
        outputs = []
        for t in range(key.shape[-2]):
            written = key[..., t, :, None] * value[..., t, None, :]
            memory = decay[..., t, None, None] * memory + beta[..., t, None, None] * written
            outputs.append(read(memory, query[..., t, :]))
        return torch.stack(outputs, dim=-2)

    return answer


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield numbers, rows and two texts to compute by hand, then batches of several sizes."""
    yield Trial(
        "3 tokens; queries and keys are 1, so that the memory is one number",
        {
            "query": torch.ones(3, 1),
            "key": torch.ones(3, 1),
            "value": torch.tensor([[8.0], [2.0], [4.0]]),
            "beta": torch.tensor([1.0, 1.0, 0.5]),
            "decay": torch.tensor([0.5, 0.5, 0.25]),
        },
        torch.tensor([[8.0], [6.0], [3.5]]),
        says="The first token finds 0 and writes 8. At the second, half of 8 is left, and 2 is added: 6. At the third, "
        "a quarter of 6 is left, 1.5, and half of 4 is added: 3.5.",
    )
    yield Trial(
        "2 tokens with keys (1, 0) and (0, 1)",
        {
            "query": torch.tensor([[1.0, 0.0], [1.0, 0.0]]),
            "key": torch.tensor([[1.0, 0.0], [0.0, 1.0]]),
            "value": torch.tensor([[2.0, 8.0], [4.0, 6.0]]),
            "beta": torch.ones(2),
            "decay": torch.tensor([1.0, 0.5]),
        },
        torch.tensor([[2.0, 8.0], [1.0, 4.0]]),
        says="The first token writes (2, 8) into the first row of the memory. At the second, half of this row is left, "
        "(1, 4), and its own value goes into the second row. The query (1, 0) reads the first row.",
    )
    first, pairs = torch.tensor([1.0, 0.0]).repeat(2, 2, 1), torch.tensor([[8.0, 8.0], [2.0, 2.0]])
    yield Trial(
        "2 texts of the same 2 tokens, and other decays; queries and keys are (1, 0)",
        {
            "query": first,
            "key": first,
            "value": torch.stack([pairs, pairs]),
            "beta": torch.ones(2, 2),
            "decay": torch.tensor([[1.0, 0.5], [1.0, 0.25]]),
        },
        torch.tensor([[[8.0, 8.0], [6.0, 6.0]], [[8.0, 8.0], [4.0, 4.0]]]),
        says="Each text has a memory of its own. At the second token, half of (8, 8) is left in the first text, and a "
        "quarter in the second. Then (2, 2) is added.",
    )
    for title, batch, n_tokens, d_key, d_value in (
        ("a batch of 3, every size 3", (3,), 3, 3, 3),
        ("a batch of 2, 4 tokens, d_key 3, d_value 5", (2,), 4, 3, 5),
        ("two axes before the tokens, 2 and 3; 4 tokens, d_key 2, d_value 1", (2, 3), 4, 2, 1),
    ):
        query, key = torch.randn(2, *batch, n_tokens, d_key, generator=generator, dtype=torch.float64)
        share, left = torch.rand(2, *batch, n_tokens, generator=generator, dtype=torch.float64)
        yield Trial(
            title,
            {
                "query": query,
                "key": key,
                "value": torch.randn(*batch, n_tokens, d_value, generator=generator, dtype=torch.float64),
                "beta": 0.1 + 0.8 * share,
                "decay": 0.1 + 0.8 * left,
            },
            says="Each text of the batch has a memory of its own, and each of its tokens a beta and a decay: "
            "`decay[..., t, None, None]` has the two axes that it lacks to meet a memory of (…, d_key, d_value).",
        )


PRACTICE = Practice(
    name="fading",
    prompt="A memory that fades by the decay of each token, to which the token's pair is added.",
    minutes=5,
    hints=(
        "Begin with your `delta_rule`. The memory, the loop and the read stay. Only the line that writes changes: what "
        "has to go, and what comes in?",
        "Nothing is read under the key here, and nothing is subtracted. At each token the old memory is multiplied by "
        "the decay, and beta times the outer product of key and value is added.",
        "beta and decay have one number for each token, and a memory is a matrix. `decay[..., t, None, None]` has two "
        "more axes of size 1, so that it meets the memory of its own text.",
    ),
    given=fading,
    trials=trials,
    returns=("output",),
    misconceptions={
        "fading-not-at-all": Misconception(
            "The memory does not fade",
            "Then every value of a name counts the same, and the memory cannot know which is the latest. At each token "
            "the whole memory is multiplied by that token's decay.",
            (_by(lambda memory, k, v, b, g: memory + b * k * v),),
        ),
        "fading-corrected": Misconception(
            "What the memory holds under the key is still subtracted",
            "That is the correction of the delta rule. The rival has none: it adds the whole value, and only the decay "
            "makes old values small.",
            (
                _by(lambda memory, k, v, b, g: g * memory + b * k * (v - _held(g * memory, k))),
                _by(lambda memory, k, v, b, g: g * memory + b * k * (v - _held(memory, k))),
                _by(lambda memory, k, v, b, g: g * (memory + b * k * (v - _held(memory, k)))),
                _by(lambda memory, k, v, b, g: memory + b * k * (v - _held(memory, k))),
                _by(lambda memory, k, v, b, g: memory + b * k * (v - g * _held(memory, k))),
            ),
        ),
        "fading-new-as-well": Misconception(
            "The new pair fades as well, before anyone has read it",
            "The decay says what is left of the memory of the token before. So the memory fades first, and then the "
            "pair is added.",
            (_by(lambda memory, k, v, b, g: g * (memory + b * k * v)),),
        ),
        "fading-moving-average": Misconception(
            "The new pair is multiplied by 1 − decay",
            "That is a moving average. Here beta alone says how much of the new pair is written, and decay how much of "
            "the old memory is left.",
            (
                _by(lambda memory, k, v, b, g: g * memory + (1 - g) * b * k * v),
                _by(lambda memory, k, v, b, g: g * memory + (1 - g) * k * v),
            ),
        ),
        "fading-read-first": Misconception(
            "The output is read before the token is written",
            "The output o_t is read from S_t, which holds the token's own pair already.",
            (_read("before"), _read("faded")),
        ),
        "fading-one-late": Misconception(
            "The memory fades after the output was read",
            "Then a token finds the memory faded by the decay of the token before it. Its own decay comes first: fade, "
            "write, read.",
            (one_late,),
        ),
        "fading-output-alone": Misconception(
            "What is read is multiplied by the decay, and the memory does not fade",
            "Then a decay changes the output of its own token alone, and later tokens find the memory as large as it "
            "was.",
            (only_the_output_fades,),
        ),
        "fading-pair-alone": Misconception(
            "Only the new pair is multiplied by the decay, and the memory does not fade",
            "decay says how much of the old memory is left. How much of the new pair is written is beta's matter.",
            (
                _by(lambda memory, k, v, b, g: memory + g * b * k * v),
                _by(lambda memory, k, v, b, g: memory + g * k * v),
            ),
        ),
        "fading-share-lost": Misconception(
            "The decay is read as the share that is lost",
            "decay is the share that is left: with 1 the memory stays as it is.",
            (_by(lambda memory, k, v, b, g: (1 - g) * memory + b * k * v),),
        ),
        "fading-without-beta": Misconception(
            "beta is not used",
            "beta says how much of the pair is written. A question has a beta of 0 and writes nothing.",
            (_by(lambda memory, k, v, b, g: g * memory + k * v),),
        ),
        "fading-beta-on-all": Misconception(
            "beta is multiplied with the old memory as well",
            "beta belongs to the new pair alone. With a beta of 0 the memory only fades, and is not cleared.",
            (
                _by(lambda memory, k, v, b, g: b * (g * memory + k * v)),
                _by(lambda memory, k, v, b, g: b * g * memory + b * k * v),
            ),
        ),
        "fading-shares-exchanged": Misconception(
            "beta and decay have changed places",
            "decay says how much of the old memory is left, and beta how much of the new pair is written.",
            (_with(lambda q, k, v, b, g: (q, k, v, g, b)),),
        ),
        "fading-by-all-so-far": Misconception(
            "The memory fades by the product of all decays so far",
            "The memory has already faded at every token before. Only the decay of this token is new.",
            (_with(lambda q, k, v, b, g: (q, k, v, b, g.cumprod(dim=-1))),),
        ),
        "fading-one-decay": Misconception(
            "All tokens share one decay",
            "Each token has a decay of its own, by which the memory fades before this token is written.",
            (
                _with(lambda q, k, v, b, g: (q, k, v, b, g[..., :1].expand_as(g))),
                _with(lambda q, k, v, b, g: (q, k, v, b, g.mean(dim=-1, keepdim=True).expand_as(g))),
                _with(lambda q, k, v, b, g: (q, k, v, b, g.mean().expand_as(g))),
            ),
        ),
        "fading-last-memory": Misconception(
            "All outputs are read from the last memory",
            "Then a token sees what comes after it. Each output is read from the memory as it is at its own time.",
            (_read("at the end"),),
        ),
        "fading-read-under-key": Misconception(
            "The memory is read with the key",
            "A token writes under its key and reads with its query. In the comparison of this notebook the two are "
            "equal, in a model they are not.",
            (_with(lambda q, k, v, b, g: (k, k, v, b, g)),),
        ),
        "fading-axes-exchanged": Misconception(
            "Keys and values have changed places in the memory",
            "The memory has d_key rows and d_value columns, and the output is Sᵀq. So the query "
            "meets the rows, and the sum goes over them.",
            (
                _exchanged(lambda memory, q: (memory @ q.unsqueeze(-1)).squeeze(-1)),
                _exchanged(lambda memory, q: (memory @ q[..., None])[..., 0]),
                _exchanged(lambda memory, q: torch.einsum("...ac,...c->...a", memory, q)),
                _exchanged(lambda memory, q: (memory * q.unsqueeze(-2)).sum(dim=-1)),
                _exchanged(lambda memory, q: (q.unsqueeze(-2) * memory).sum(dim=-1)),
                _exchanged(lambda memory, q: (q.unsqueeze(-2) @ memory.mT).squeeze(-2)),
            ),
        ),
        "fading-one-memory": Misconception(
            "All texts of a batch share one memory",
            "Then a text reads what another has written. The memory needs the axes of the batch as well: "
            "(…, d_key, d_value), and 0 at the beginning of each text.",
            (added_over_the_batch, mean_over_the_batch, handed_on),
        ),
        "fading-decay-of-one-text": Misconception(
            "All texts of a batch share the decays of one",
            "decay has a number for each token of each text.",
            (decay_of_the_first_text, mean_decay_of_the_texts),
        ),
        "fading-along-an-axis": Misconception(
            "The decay does not line up with the texts",
            "A token's decay has one number for each text, and the memory of a text is a matrix. Without two more axes "
            "of size 1, broadcasting lines up these numbers with the rows or columns of the memory.",
            (along_the_values, both_along_the_values, along_the_rows, both_along_the_rows),
        ),
    },
)
