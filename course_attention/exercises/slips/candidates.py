"""Functions that a test of attention is to tell apart: right ones in many styles, and wrong ones with a witness each.

They are texts, because they are made in the process of the answer. A wrong one is the plainest right one with a piece
exchanged.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from course_attention.authoring import Candidate, Draw, Witness
from course_attention.exercises.common.attention import attention_oracle

_PLAIN = """
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is None:
        weights = scores.softmax(dim=-1)
    else:
        nothing = ~allowed.any(dim=-1, keepdim=True)
        scores = scores.masked_fill(~(allowed | nothing), float("-inf"))
        weights = scores.softmax(dim=-1).masked_fill(nothing, 0.0)
    output = weights @ value
    return output, weights
"""

_RIGHT = {
    "is written as in notebook 02": _PLAIN,
    "divides the queries before it multiplies": """
def attention(query, key, value, allowed=None):
    scores = torch.matmul(query * query.size(-1) ** -0.5, key.transpose(-2, -1))
    if allowed is not None:
        scores = torch.where(allowed, scores, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1)
    if allowed is not None:
        weights = torch.where(allowed, weights, 0.0)
    return torch.matmul(weights, value), weights
""",
    "divides the keys": """
def attention(query, key, value, allowed=None):
    scores = query @ (key / key.shape[-1] ** 0.5).mT
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -torch.inf)
    weights = scores.softmax(-1).nan_to_num(0.0)
    return weights @ value, weights
""",
    "is written with einsum": """
def attention(query, key, value, allowed=None):
    scores = torch.einsum("...qd,...kd->...qk", query, key) / key.shape[-1] ** 0.5
    allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
    weights = scores.masked_fill(allowed.logical_not(), float("-inf")).softmax(-1).nan_to_num(0.0)
    return torch.einsum("...qk,...kv->...qv", weights, value), weights
""",
    "takes the exponential and divides by the sum, after it has taken off the largest score": """
def attention(query, key, value, allowed=None):
    scores = (query.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1) / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    parts = torch.exp(scores - scores.amax(-1, keepdim=True).detach())
    if allowed is not None:
        parts = parts * allowed
    total = parts.sum(-1, keepdim=True)
    weights = parts / torch.where(total == 0, 1.0, total)
    return weights @ value, weights
""",
    "takes one query after another": """
def attention(query, key, value, allowed=None):
    outputs, rows = [], []
    for i in range(query.shape[-2]):
        scores = (key * query[..., i : i + 1, :]).sum(-1) / query.shape[-1] ** 0.5
        if allowed is not None:
            mask = allowed.expand(*scores.shape[:-1], query.shape[-2], key.shape[-2])
            scores = scores.masked_fill(~mask[..., i, :], -torch.inf)
        rows.append(scores.softmax(-1).nan_to_num())
        outputs.append((rows[-1].unsqueeze(-1) * value).sum(-2))
    return torch.stack(outputs, -2), torch.stack(rows, -2)
""",
    "adds a mask of 0 and a very low number": """
def attention(query, key, value, allowed=None):
    scores = query @ key.transpose(-1, -2) / query.shape[-1] ** 0.5
    if allowed is None:
        weights = scores.softmax(-1)
    else:
        bias = torch.zeros_like(scores).masked_fill(~allowed, torch.finfo(scores.dtype).min / 2)
        weights = (scores + bias).softmax(-1).masked_fill(~allowed, 0)
    return weights @ value, weights
""",
    "computes in float64 and gives the numbers in the dtype of its inputs": """
def attention(query, key, value, allowed=None):
    q, k, v = query.double(), key.double(), value.double()
    scores = q @ k.mT / q.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return (weights @ v).to(query.dtype), weights.to(query.dtype)
""",
    "takes the softmax through a logarithm": """
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, torch.finfo(scores.dtype).min)
    weights = (scores - torch.logsumexp(scores, -1, keepdim=True)).exp()
    if allowed is not None:
        weights = weights * allowed
    return weights @ value, weights
""",
    "sums over the keys from the last to the first": """
def attention(query, key, value, allowed=None):
    scores = query @ key.flip(-2).mT / query.shape[-1] ** 0.5
    if allowed is not None:
        allowed = allowed.expand(*allowed.shape[:-1], key.shape[-2]).flip(-1)
        scores = scores.masked_fill(~allowed, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    return weights @ value.flip(-2), weights.flip(-1)
""",
    "leaves the output to PyTorch, and computes the weights beside it": """
def attention(query, key, value, allowed=None):
    scores = query @ key.mT / query.shape[-1] ** 0.5
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -torch.inf)
    weights = scores.softmax(-1).nan_to_num()
    nothing = torch.zeros((), dtype=torch.bool)
    mask = None
    if allowed is not None:
        nothing = ~allowed.any(-1, keepdim=True)
        mask = (allowed | nothing).expand(scores.shape)
    output = torch.nn.functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
    output = output.masked_fill(nothing.to(output.device), 0.0)
    return output, weights
""",
    "is a module's forward, handed over as a function": """
class Attention(torch.nn.Module):
    def forward(self, query, key, value, allowed=None):
        scores = torch.matmul(query, key.mT).div(query.size(-1) ** 0.5)
        allowed = torch.ones_like(scores, dtype=torch.bool) if allowed is None else allowed
        weights = scores.masked_fill(~allowed, -torch.inf).softmax(-1).nan_to_num()
        return torch.matmul(weights, value), weights

def attention(query, key, value, allowed=None):
    return Attention()(query, key, value, allowed)
""",
}

# What a test has to look at, in the order in which a card speaks of it: the ids of `accepts`.
FORMULA, MASK, NOTHING_ALLOWED = "unseen-formula", "unseen-mask", "unseen-nothing-allowed"
BATCH, SQUARE, LARGE_SCORES = "unseen-batch", "unseen-square", "unseen-large-scores"
WEIGHTS, GRADIENTS, INPUTS = "unseen-weights", "unseen-gradients", "unseen-changed-inputs"

_NAN = float("nan")
_QUERY, _KEY, _VALUE = [[1.0, 0.0], [0.0, 2.0]], [[1.0, 0.0], [0.0, 1.0], [2.0, 1.0]], [[1.0], [2.0], [4.0]]
_BY_HAND = {"query": _QUERY, "key": _KEY, "value": _VALUE, "allowed": None}
_MASKED = _BY_HAND | {"allowed": [[True, False, True], [True, True, False]]}
_BLIND = _BY_HAND | {"allowed": [[False, False, False], [True, True, False]]}
_SQUARE = {"query": _KEY, "key": _KEY, "value": _VALUE, "allowed": None}
_SQUARE_MASKED = _SQUARE | {"allowed": [[True, False, True], [True, True, False], [False, False, True]]}
_BATCH = {
    "query": [_QUERY, [[1.0, 1.0], [0.0, -1.0]]],
    "key": [_KEY, [[0.0, 1.0], [1.0, 1.0], [-1.0, 0.0]]],
    "value": [_VALUE, [[3.0], [5.0], [7.0]]],
    "allowed": None,
}
_BATCH_MASKED = _BATCH | {"allowed": [[[True, False, True]] * 2, [[True, True, False]] * 2]}
_ROTATED = {"query": _KEY, "key": [[0.0, 1.0], [1.0, 1.0], [-1.0, 0.0]], "value": _VALUE, "allowed": None}
_LARGE = {
    "query": [[100.0, 0.0], [-100.0, 0.0]],
    "key": [[150.0, 0.0], [100.0, 0.0]],
    "value": [[1.0], [2.0]],
    "allowed": None,
}

_TITLES = (
    (_BY_HAND, "2 queries, 3 keys, no mask"),
    (_MASKED, "2 queries, 3 keys, with a mask"),
    (_BLIND, "2 queries, 3 keys, nothing allowed for query 0"),
    (_SQUARE, "3 queries, 3 keys, no mask"),
    (_ROTATED, "3 queries, 3 other keys, no mask"),
    (_SQUARE_MASKED, "3 queries, 3 keys, with a mask"),
    (_BATCH, "a batch of 2, with 2 queries and 3 keys"),
    (_BATCH_MASKED, "a batch of 2 with a mask for each item"),
    (_LARGE, "scores of ±15,000 and ±10,000, before they are divided"),
)


def _wrong(
    does: str, hidden_from: str, inputs: Mapping[str, Any], part: str, received: Any, *exchanged: tuple[str, str]
) -> Candidate:
    """Return the plainest right function with pieces exchanged.

    Args:
        does, hidden_from: of the candidate.
        inputs, part, received: of its witness. What is right for these inputs follows from the oracle.
        exchanged: each piece, and what stands in its place.
    """
    source = _PLAIN
    for old, new in exchanged:
        source = source.replace(old, new)
    arrays = {name: None if value is None else np.array(value) for name, value in inputs.items()}
    title = next(title for known, title in _TITLES if known is inputs)
    came = None if received is None else np.array(received)
    return Candidate(source, does, Witness(title, arrays, part, _expected(arrays, part), came), hidden_from)


def _expected(arrays: Mapping[str, Any], part: str) -> Any:
    """Return what is right; None for a gradient, of which the card says that there is none."""
    name, _, rest = part.partition(" ")
    if rest == "after the call":
        return arrays[name]
    return dict(zip(("output", "weights"), attention_oracle(**arrays), strict=True)).get(part)


RIGHT = tuple(Candidate(source, does) for does, source in _RIGHT.items())
"""Functions that compute attention, each in another style."""

WRONG = (
    _wrong(
        "does not divide the scores",
        FORMULA,
        _BY_HAND,
        "weights",
        [[0.2447, 0.09003, 0.6652], [0.06338, 0.4683, 0.4683]],
        (" / query.shape[-1] ** 0.5", ""),
    ),
    _wrong(
        "divides the scores by d_key",
        FORMULA,
        _BY_HAND,
        "weights",
        [[0.3072, 0.1863, 0.5065], [0.1554, 0.4223, 0.4223]],
        ("query.shape[-1] ** 0.5", "query.shape[-1]"),
    ),
    _wrong(
        "divides the scores by √n_keys",
        FORMULA,
        _BY_HAND,
        "weights",
        [[0.2992, 0.1679, 0.5329], [0.1361, 0.4319, 0.4319]],
        ("query.shape[-1] ** 0.5", "key.shape[-2] ** 0.5"),
    ),
    _wrong(
        "takes the softmax over the queries",
        FORMULA,
        _BY_HAND,
        "weights",
        [[0.6698, 0.1956, 0.5], [0.3302, 0.8044, 0.5]],
        (".softmax(dim=-1)", ".softmax(dim=-2)"),
    ),
    _wrong(
        "takes no softmax",
        FORMULA,
        _BY_HAND,
        "weights",
        [[0.7071, 0.0, 1.414], [0.0, 1.414, 1.414]],
        ("        weights = scores.softmax(dim=-1)\n", "        weights = scores\n"),
        (".softmax(dim=-1).masked_fill(nothing", ".masked_fill(~allowed"),
    ),
    _wrong(
        "multiplies the weights with the keys",
        FORMULA,
        _BY_HAND,
        "output",
        [[1.436, 0.716], [1.0, 0.8916]],
        ("weights @ value", "weights @ key"),
    ),
    _wrong(
        "reshapes the keys where it should transpose them",
        FORMULA,
        _BY_HAND,
        "weights",
        [[0.5035, 0.2483, 0.2483], [0.1636, 0.6728, 0.1636]],
        ("key.mT", "key.reshape(*key.shape[:-2], key.shape[-1], key.shape[-2])"),
    ),
    _wrong(
        "takes True in the mask for “blocked”",
        MASK,
        _MASKED,
        "weights",
        [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        ("        nothing", "        allowed = ~allowed\n        nothing"),
    ),
    _wrong(
        "does not look at the mask",
        MASK,
        _MASKED,
        "weights",
        [[0.284, 0.14, 0.576], [0.1084, 0.4458, 0.4458]],
        ("if allowed is None:", "if True:"),
    ),
    _wrong(
        "sets blocked weights to 0 after the softmax",
        MASK,
        _MASKED,
        "weights",
        [[0.284, 0.0, 0.576], [0.1084, 0.4458, 0.0]],
        ('        scores = scores.masked_fill(~(allowed | nothing), float("-inf"))\n', ""),
        ("masked_fill(nothing", "masked_fill(~allowed"),
    ),
    _wrong(
        "sets blocked scores to 0",
        MASK,
        _MASKED,
        "weights",
        [[0.284, 0.14, 0.576], [0.1636, 0.6728, 0.1636]],
        ('float("-inf")', "0.0"),
    ),
    _wrong(
        "sets blocked scores to −10",
        MASK,
        _MASKED,
        "weights",
        [[0.3302, 7.392e-06, 0.6698], [0.1956, 0.8044, 8.879e-06]],
        ('float("-inf")', "-10.0"),
    ),
    _wrong(
        "adds the mask to the scores as 1 and 0",
        MASK,
        _MASKED,
        "weights",
        [[0.3116, 0.05652, 0.6319], [0.1509, 0.6207, 0.2284]],
        ('scores.masked_fill(~(allowed | nothing), float("-inf"))', "scores + allowed.to(scores.dtype)"),
    ),
    _wrong(
        "exchanges queries and keys in the mask",
        MASK,
        _SQUARE_MASKED,
        "weights",
        [[0.6698, 0.3302, 0.0], [0.0, 1.0, 0.0], [0.107, 0.0, 0.893]],
        ("        nothing", "        allowed = allowed.mT\n        nothing"),
    ),
    _wrong(
        "gives NaN for a query that may attend to nothing",
        NOTHING_ALLOWED,
        _BLIND,
        "weights",
        [[_NAN, _NAN, _NAN], [0.1956, 0.8044, 0.0]],
        ("(allowed | nothing)", "allowed"),
        (".masked_fill(nothing, 0.0)", ""),
    ),
    _wrong(
        "spreads the weights evenly for a query that may attend to nothing",
        NOTHING_ALLOWED,
        _BLIND,
        "weights",
        [[0.3333, 0.3333, 0.3333], [0.1956, 0.8044, 0.0]],
        ("(allowed | nothing)", "allowed"),
        ('float("-inf")', "torch.finfo(scores.dtype).min"),
        (".masked_fill(nothing, 0.0)", ""),
    ),
    _wrong(
        "lets a query that may attend to nothing attend to everything",
        NOTHING_ALLOWED,
        _BLIND,
        "weights",
        [[0.284, 0.14, 0.576], [0.1956, 0.8044, 0.0]],
        (".masked_fill(nothing, 0.0)", ""),
    ),
    _wrong(
        "takes the softmax over the batch, where there is one",
        BATCH,
        _BATCH,
        "weights",
        [[[0.5, 0.1956, 0.893], [0.6698, 0.893, 0.8044]], [[0.5, 0.8044, 0.107], [0.3302, 0.107, 0.1956]]],
        (".softmax(dim=-1)", ".softmax(dim=0 if scores.ndim == 3 else -1)"),
    ),
    _wrong(
        "uses the mask of the first item for the whole batch",
        BATCH,
        _BATCH_MASKED,
        "weights",
        [[[0.3302, 0.0, 0.6698], [0.1956, 0.0, 0.8044]], [[0.8044, 0.0, 0.1956], [0.3302, 0.0, 0.6698]]],
        ("        nothing", "        allowed = allowed[0] if allowed.ndim == 3 else allowed\n        nothing"),
    ),
    _wrong(
        "uses the values of the first item for the whole batch",
        BATCH,
        _BATCH,
        "output",
        [[[2.868], [2.783]], [[1.843], [2.759]]],
        ("weights @ value", "weights @ (value[:1] if value.ndim > 2 else value)"),
    ),
    _wrong(
        "hides later keys, where there are as many keys as queries",
        SQUARE,
        _SQUARE,
        "weights",
        [[1.0, 0.0, 0.0], [0.3302, 0.6698, 0.0], [0.1017, 0.05013, 0.8482]],
        (
            "    if allowed is None:",
            "    if query.shape[-2] == key.shape[-2]:\n"
            "        earlier = torch.ones(scores.shape[-2:], dtype=torch.bool, device=scores.device).tril()\n"
            "        allowed = earlier if allowed is None else earlier & allowed\n"
            "    if allowed is None:",
        ),
    ),
    _wrong(
        "exchanges queries and keys in the scores, where there are as many of both",
        SQUARE,
        _ROTATED,
        "weights",
        [[0.1978, 0.4011, 0.4011], [0.1636, 0.1636, 0.6728], [0.284, 0.576, 0.14]],
        (
            "    if allowed is None:",
            "    if query.shape[-2] == key.shape[-2]:\n        scores = scores.mT\n    if allowed is None:",
        ),
    ),
    _wrong(
        "takes the exponential of the scores as they are",
        LARGE_SCORES,
        _LARGE,
        "weights",
        [[_NAN, _NAN], [_NAN, _NAN]],
        ("scores.softmax(dim=-1)", "(scores.exp() / scores.exp().sum(dim=-1, keepdim=True))"),
    ),
    _wrong(
        "cuts the scores off at ±50",
        LARGE_SCORES,
        _LARGE,
        "weights",
        [[0.5, 0.5], [0.5, 0.5]],
        ("query @ key.mT / query.shape[-1] ** 0.5", "(query @ key.mT / query.shape[-1] ** 0.5).clamp(-50.0, 50.0)"),
    ),
    _wrong(
        "gives the scores in place of the weights",
        WEIGHTS,
        _BY_HAND,
        "weights",
        [[0.7071, 0.0, 1.414], [0.0, 1.414, 1.414]],
        ("return output, weights", "return output, scores"),
    ),
    _wrong(
        "divides the weights by the largest of their row before it returns them",
        WEIGHTS,
        _BY_HAND,
        "weights",
        [[0.4931, 0.2431, 1.0], [0.2431, 1.0, 1.0]],
        ("return output, weights", "return output, weights / weights.amax(dim=-1, keepdim=True).clamp(min=1e-9)"),
    ),
    _wrong(
        "returns the weights that there would be without a mask",
        WEIGHTS,
        _MASKED,
        "weights",
        [[0.284, 0.14, 0.576], [0.1084, 0.4458, 0.4458]],
        ("return output, weights", "return output, (query @ key.mT / query.shape[-1] ** 0.5).softmax(dim=-1)"),
    ),
    _wrong(
        "lets no gradient flow from the output to the weights",
        GRADIENTS,
        _BY_HAND,
        "gradient of key",
        None,
        ("weights @ value", "weights.detach() @ value"),
    ),
    _wrong(
        "lets no gradient reach the keys", GRADIENTS, _BY_HAND, "gradient of key", None, ("key.mT", "key.detach().mT")
    ),
    _wrong(
        "divides the queries in place",
        INPUTS,
        _BY_HAND,
        "query after the call",
        [[0.7071, 0.0], [0.0, 1.414]],
        ("query @ key.mT / query.shape[-1] ** 0.5", "query.div_(query.shape[-1] ** 0.5) @ key.mT"),
    ),
    _wrong(
        "changes the mask in place",
        INPUTS,
        _BLIND,
        "allowed after the call",
        [[True, True, True], [True, True, False]],
        ("(allowed | nothing)", "allowed.logical_or_(nothing)"),
    ),
)
"""Functions that do not, each with what a test has to look at to see it."""

# How many are drawn: each thing that a test has to look at is tried at every seed, and their number says nothing.
_FEWEST_RIGHT, _MOST_RIGHT = 5, 7
_MOST_OF_ONE = 2


def drawn(draw: Draw) -> list[Candidate]:
    """Draw right functions, and wrong ones of each kind, in an order that says nothing."""
    number = int(draw.rng.integers(_FEWEST_RIGHT, _MOST_RIGHT + 1))
    chosen = [RIGHT[place] for place in draw.rng.permutation(len(RIGHT))[:number]]
    for kind in dict.fromkeys(one.hidden_from for one in WRONG):
        those = [one for one in WRONG if one.hidden_from == kind]
        number = int(draw.rng.integers(1, _MOST_OF_ONE + 1))
        chosen += [those[place] for place in draw.rng.permutation(len(those))[:number]]
    return [chosen[place] for place in draw.rng.permutation(len(chosen))]
