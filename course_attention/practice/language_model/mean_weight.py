"""What a head looks at: its mean weight on the keys that are asked about."""

from collections.abc import Iterator

import torch
from torch import Tensor

from course_attention.practice.authoring import Misconception, Practice, Trial


def mean_weight(weights, keys):
    """Add up the weight on these keys, and divide by the number of queries that have one."""
    on_keys = (weights * keys[:, None]).sum(dim=(1, 3, 4))  # the keys get an axis for the heads
    return on_keys / keys.any(dim=-1).sum()


def _on_keys(weights, keys):
    return (weights * keys[:, None]).sum(dim=(1, 3, 4))


def over_all_queries(weights, keys):
    return _on_keys(weights, keys) / keys.shape[:2].numel()


def over_all_entries(weights, keys):
    return (weights * keys[:, None]).mean(dim=(1, 3, 4))


def summed(weights, keys):
    return _on_keys(weights, keys)


def over_texts(weights, keys):
    return _on_keys(weights, keys) / len(keys)


def mean_of_texts(weights, keys):
    on_keys = (weights * keys[:, None]).sum(dim=(3, 4))
    return (on_keys / keys.any(dim=-1).sum(dim=-1)[:, None].clamp(min=1)).mean(dim=1)


def queries_and_keys_exchanged(weights, keys):
    return mean_weight(weights, keys.mT)


def exchanged_in_the_sum(weights, keys):
    return _on_keys(weights, keys.mT) / keys.any(dim=-1).sum()


def on_all_other_keys(weights, keys):
    rows = keys.any(dim=-1)
    others = ~keys & rows.unsqueeze(-1)
    return _on_keys(weights, others) / rows.sum()


def of_all_heads(weights, keys):
    return mean_weight(weights, keys).mean(dim=1, keepdim=True).expand(weights.shape[0], weights.shape[2])


def heads_first(weights, keys):
    return mean_weight(weights, keys).T


def axis_for_heads_missing(weights, keys):
    return (weights * keys).sum(dim=(1, 3, 4)) / keys.any(dim=-1).sum()


def _attention_like(generator: torch.Generator, *shape: int) -> Tensor:
    return torch.rand(*shape, generator=generator, dtype=torch.float64).softmax(dim=-1)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two heads on a text of three tokens, then layers, heads and texts of which some ask for nothing."""
    heads = torch.tensor([[[1.0, 0, 0], [0.8, 0.2, 0], [0.1, 0.6, 0.3]], [[1.0, 0, 0], [0.5, 0.5, 0], [0, 0, 1]]])
    previous = torch.tensor([[False, False, False], [True, False, False], [False, True, False]])
    yield Trial(
        "one layer, two heads, one text of 3 tokens; the key of a query is the token before it",
        {"weights": heads[None, None], "keys": previous[None]},
        torch.tensor([[0.7, 0.25]]),
        says="The first query has no token before it, so two queries count. The first head gives 0.8 and 0.6 to the "
        "token before, and the mean is 0.7. The second head gives 0.5 and 0.",
    )
    for n_layers, batch, n_heads, n_tokens in ((2, 3, 4, 5), (3, 2, 2, 6), (2, 4, 4, 4)):
        keys = torch.zeros(batch, n_tokens, n_tokens, dtype=torch.bool)
        for text in range(batch):
            for query in range(1 + text % 2, n_tokens, 1 + text):
                keys[text, query, torch.randint(query, (), generator=generator)] = True
        yield Trial(
            f"{n_layers} layers, {batch} texts, {n_heads} heads, {n_tokens} tokens",
            {"weights": _attention_like(generator, n_layers, batch, n_heads, n_tokens, n_tokens), "keys": keys},
            says="Each query that has such a key counts the same, whichever text it is in. The others do not count.",
        )


PRACTICE = Practice(
    name="mean_weight",
    prompt="The weight that each head gives to certain keys, as a mean over the queries that have such a key.",
    minutes=10,
    hints=(
        "Multiply the weights by the keys. What was not asked about becomes 0, and the rest can be added up.",
        "`keys` has no axis for the heads. `keys[:, None]` has one, (batch, 1, n_tokens, n_tokens), and broadcasts.",
        "Add up over texts, queries and keys: `.sum(dim=(1, 3, 4))`. How many queries have a key? "
        "`keys.any(dim=-1).sum()`.",
    ),
    given=mean_weight,
    trials=trials,
    returns=("weight",),
    misconceptions={
        "mean-weight-all-queries": Misconception(
            "Queries without such a key count too",
            "The mean is taken over all queries. A query that has no such key gives 0 and makes the mean smaller. "
            "Divide by the number of those that have one.",
            (over_all_queries,),
        ),
        "mean-weight-all-entries": Misconception(
            "The mean is taken over all entries of the matrices",
            "`.mean()` divides by the number of queries *and* keys. Add up, and divide by the number of queries that "
            "have such a key.",
            (over_all_entries,),
        ),
        "mean-weight-sum": Misconception(
            "The weights are added up and not averaged",
            "Divide the sum by the number of queries that have such a key.",
            (summed,),
        ),
        "mean-weight-over-texts": Misconception(
            "The sum is divided by the number of texts",
            "Each query counts: divide by the number of queries that have such a key.",
            (over_texts,),
        ),
        "mean-weight-of-texts": Misconception(
            "Each text has the same say",
            "This is the mean over the texts of their means. Each query should count the same, so a text with many "
            "such keys counts more.",
            (mean_of_texts,),
        ),
        "mean-weight-transposed": Misconception(
            "Queries and keys have changed places",
            "In `keys[text, i, j]` the query is i and the key is j, as in the weights.",
            (queries_and_keys_exchanged, exchanged_in_the_sum),
        ),
        "mean-weight-others": Misconception(
            "The weight on all other keys is measured",
            "`keys` is True where the key is asked about.",
            (on_all_other_keys,),
        ),
        "mean-weight-one-for-all": Misconception(
            "All heads get the same number",
            "Each head has its own mean: the axes of layers and heads stay.",
            (of_all_heads,),
        ),
        "mean-weight-heads-first": Misconception(
            "Layers and heads have changed places",
            "The result has a row for each layer and a column for each head.",
            (heads_first,),
        ),
        "mean-weight-no-axis": Misconception(
            "The keys have no axis for the heads",
            "The weights are (n_layers, batch, n_heads, n, n), and the keys (batch, n, n). PyTorch lines the axes up "
            "from the right, so the texts of the keys meet the heads of the weights. `keys[:, None]` has an axis for "
            "the heads.",
            (axis_for_heads_missing,),
        ),
    },
)
