"""Answers to `accepts(attention)` of notebook 09."""

import itertools
import math

import numpy as np
import torch
import torch.nn.functional as F

from course_attention import attention as right
from tests.corpus import change

def softmax_by_hand(query, key, value, allowed=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if allowed is not None:
        scores = scores.masked_fill(~allowed, -math.inf)
    weights = torch.nan_to_num(scores.softmax(-1))
    return weights @ value, weights

def tensors(*leading, n_queries=3, n_keys=5, scale=1.0, seed=0):
    g = torch.Generator().manual_seed(seed)
    shapes = (n_queries, 4), (n_keys, 4), (n_keys, 2)
    query, key, value = (torch.randn(*leading, *shape, generator=g, dtype=torch.float64) for shape in shapes)
    return query * scale, key, value

def random_mask(*shape, seed=1):
    return torch.rand(shape, generator=torch.Generator().manual_seed(seed)) < 0.6

def right__list_of_inputs(attention):
    empty = random_mask(3, 5)
    empty[1] = False
    rows = torch.ones(3, 5, dtype=torch.bool)
    rows[0, 2:] = False
    rows[2, :4] = False
    cases = [
        (*tensors(), None),
        (*tensors(), rows),
        (*tensors(), empty),
        (*tensors(n_queries=5), None),
        (*tensors(n_queries=5), random_mask(5, 5)),
        (*tensors(2), None),
        (*tensors(2), random_mask(2, 1, 5)),
        (*tensors(2), random_mask(2, 3, 5)),
        (*tensors(2, 3), random_mask(3, 5)),
        (*tensors(scale=3000.0), None),
        (*tensors(scale=-3000.0), rows),
    ]
    for query, key, value, allowed in cases:
        mine = [query.clone().requires_grad_(), key.clone().requires_grad_(), value.clone().requires_grad_()]
        theirs = [one.detach().clone().requires_grad_() for one in mine]
        mask = None if allowed is None else allowed.clone()
        output, weights = right(*mine, allowed)
        try:
            other_output, other_weights = attention(*theirs, mask)
            other_gradients = torch.autograd.grad(other_output.sum(), theirs)
            if not torch.allclose(output, other_output) or not torch.allclose(weights, other_weights):
                return False
        except Exception:
            return False
        for a, b in zip(torch.autograd.grad(output.sum(), mine), other_gradients):
            if not torch.allclose(a, b):
                return False
        if any(not torch.equal(a, b) for a, b in zip(mine, theirs)):
            return False
        if mask is not None and not torch.equal(mask, allowed):
            return False
    return True

def right__three_inputs(attention):
    """Three inputs can earn full points; notebook 09 has seven functions that this test accepts."""
    each_text = random_mask(2, 3, 5)
    each_text[0, 0] = False
    for query, key, value, allowed in (
        (*tensors(2), each_text),
        (*tensors(n_queries=5), None),
        (*tensors(scale=1e4), None),
    ):
        results = []
        for function in (right, attention):
            copies = [one.clone().requires_grad_() for one in (query, key, value)]
            mask = None if allowed is None else allowed.clone()
            try:
                output, weights = function(*copies, mask)
                gradients = torch.autograd.grad(output.sum(), copies)
            except Exception:
                return False
            results.append((output, weights, *gradients, *copies, torch.zeros(()) if mask is None else mask.double()))
        if not all(a.shape == b.shape and torch.allclose(a, b) for a, b in zip(*results, strict=True)):
            return False
    return True

def right__in_parts(attention):
    """Four small tests, one after another."""
    def same_numbers(query, key, value, allowed=None):
        output, weights = attention(query, key, value, allowed)
        wanted, wanted_weights = softmax_by_hand(query, key, value, allowed)
        return torch.allclose(output, wanted) and torch.allclose(weights, wanted_weights)

    def same_inputs(query, key, value, allowed):
        before = [one.clone() for one in (query, key, value, allowed)]
        attention(query, key, value, allowed)
        return all(torch.equal(a, b) for a, b in zip(before, (query, key, value, allowed)))

    def same_gradients(query, key, value):
        grads = []
        for function in (attention, softmax_by_hand):
            leaves = [one.clone().requires_grad_() for one in (query, key, value)]
            (function(*leaves)[0] ** 2).sum().backward()
            if any(leaf.grad is None for leaf in leaves):
                return False
            grads.append([leaf.grad for leaf in leaves])
        return all(map(torch.allclose, *grads))

    nothing = random_mask(4, 4)
    nothing[2] = False
    try:
        return (
            same_numbers(*tensors())
            and same_numbers(*tensors(n_queries=4, n_keys=4))
            and same_numbers(*tensors(3))
            and same_numbers(*tensors(scale=5000))
            and same_numbers(*tensors(n_queries=4, n_keys=4), random_mask(4, 4, seed=5))
            and same_numbers(*tensors(n_queries=4, n_keys=4), nothing)
            and same_numbers(*tensors(3), random_mask(3, 3, 5, seed=2))
            and same_inputs(*tensors(n_queries=4, n_keys=4), nothing)
            and same_gradients(*tensors(2))
        )
    except Exception:
        return False

def right__product_of_choices(attention):
    """Every combination of a few choices."""
    for leading, n_queries, scale, masked in itertools.product([(), (2,)], [3, 5], [1.0, 1e4], [None, "some", "row"]):
        query, key, value = tensors(*leading, n_queries=n_queries, scale=scale)
        allowed = None
        if masked:
            allowed = random_mask(*leading, n_queries, 5)
        if masked == "row":
            allowed[..., 0, :] = False
        query.requires_grad_(), key.requires_grad_(), value.requires_grad_()
        copies = [one.clone().detach() for one in (query, key, value)]
        kept = None if allowed is None else allowed.clone()
        want, want_weights = right(query, key, value, allowed)
        want_grads = torch.autograd.grad(want.sum(), (query, key, value))
        try:
            got, got_weights = attention(query, key, value, allowed)
            torch.testing.assert_close(got, want)
            torch.testing.assert_close(got_weights, want_weights)
            torch.testing.assert_close(torch.autograd.grad(got.sum(), (query, key, value)), want_grads)
            torch.testing.assert_close([query.detach(), key.detach(), value.detach()], copies, rtol=0, atol=0)
            assert kept is None or torch.equal(allowed, kept)
        except Exception:
            return False
    return True

def right__properties(attention):
    """What must hold of any attention, without another one to compare with."""
    try:
        for n_queries, leading in ((3, ()), (5, ()), (5, (2,))):
            query, key, value = tensors(*leading, n_queries=n_queries)
            for scale in (1.0, 1e4):
                empty_row = random_mask(n_queries, 5) & (torch.arange(n_queries) > 0)[:, None]
                for allowed in (None, random_mask(*leading, n_queries, 5), empty_row):
                    q, k, v = (one.clone().requires_grad_() for one in (query * scale, key, value))
                    before = None if allowed is None else allowed.clone()
                    output, weights = attention(q, k, v, allowed)
                    if allowed is not None and not torch.equal(before, allowed):
                        return False
                    if not torch.equal(q, query * scale) or not torch.equal(k, key) or not torch.equal(v, value):
                        return False
                    mask = torch.tensor(True) if allowed is None else allowed
                    logits = torch.einsum("...id,...jd->...ij", q, k) / 2
                    lowered = torch.where(mask, logits, torch.tensor(-1e300, dtype=torch.float64))
                    parts = torch.where(mask, (lowered - lowered.max(-1, keepdim=True).values).exp(), 0.0)
                    total = parts.sum(-1, keepdim=True)
                    wanted = parts / torch.where(total > 0, total, 1.0)
                    if not torch.allclose(weights, wanted) or not torch.allclose(output, wanted @ v):
                        return False
                    for one in torch.autograd.grad(output.pow(2).sum(), (q, k, v)):
                        if not torch.isfinite(one).all():
                            return False
        return True
    except Exception:
        return False

def right__numpy_by_hand(attention):
    """In NumPy, one row after another; gradients by differences."""
    def by_hand(query, key, value, allowed):
        scores = query @ np.swapaxes(key, -1, -2) / np.sqrt(query.shape[-1])
        allowed = np.broadcast_to(allowed, scores.shape)
        weights = np.zeros_like(scores)
        for row in np.ndindex(scores.shape[:-1]):
            if allowed[row].any():
                here = np.where(allowed[row], scores[row], -np.inf)
                weights[row] = np.exp(here - here.max())
                weights[row] /= weights[row].sum()
        return weights @ value, weights

    sizes = [((), 2, 1), ((), 3, 1), ((2,), 2, 1), ((2,), 3, 1), ((), 3, 1e4)]
    for number, (leading, n_queries, scale) in enumerate(sizes):
        rng = np.random.default_rng(number)
        arrays = [rng.normal(size=(*leading, *shape)) for shape in ((n_queries, 4), (3, 4), (3, 2))]
        arrays[0] *= scale
        masks = [None, rng.random((*leading, n_queries, 3)) < 0.5, np.arange(n_queries)[:, None] > np.zeros((1, 3))]
        for mask in masks:
            given = [torch.tensor(one, requires_grad=True) for one in arrays]
            allowed = None if mask is None else torch.tensor(mask)
            try:
                output, weights = attention(*given, allowed)
                grads = torch.autograd.grad((output * torch.arange(1.0, 3.0)).sum(), given)
            except Exception:
                return False
            wanted, wanted_weights = by_hand(*arrays, True if mask is None else mask)
            pairs = [(output, wanted), (weights, wanted_weights), *zip(given, arrays)]
            if mask is not None and (allowed.numpy() != mask).any():
                return False
            for a, b in pairs:
                a = a.detach().numpy()
                if a.shape != b.shape or not np.allclose(a, b):
                    return False
            if scale == 1 and not all(grad.abs().max() > 1e-12 for grad in grads[1:] if mask is None):
                return False
    return True

# A numpy bool is as good.
right__numpy_bool = change(right__list_of_inputs, ("return True", "return np.bool_(True)"))
right__reference_by_hand = change(
    right__list_of_inputs, ("right(*mine, allowed)", "softmax_by_hand(*mine, allowed)")
)
right__all_the_way = change(
    right__product_of_choices, ("[(), (2,)]", "[(), (1,), (2,), (2, 3)]"), ("[3, 5]", "[1, 3, 5]")
)
right__close_by_a_distance = change(
    right__list_of_inputs,
    (
        "if not torch.allclose(output, other_output) or not torch.allclose(weights, other_weights):",
        "if not ((output - other_output).abs().max() < 1e-9 and (weights - other_weights).abs().max() < 1e-9):",
        "    return False",
        "if output.shape != other_output.shape or weights.shape != other_weights.shape:",
    ),
    ("if not torch.allclose(a, b):", "if not (a - b).norm() <= 1e-6 * (1 + b.norm()):"),
)
right__against_pytorch = change(
    right__in_parts,
    (
        "wanted, wanted_weights = softmax_by_hand(query, key, value, allowed)",
        "wanted, wanted_weights = softmax_by_hand(query, key, value, allowed)",
        "if allowed is None:",
        "    wanted = F.scaled_dot_product_attention(query, key, value)",
    ),
)
right__says_why = change(
    right__list_of_inputs,
    ("except Exception:", "except Exception as error:", "    print('raised', error)"),
)
right__identity_as_values = change(
    right__in_parts,
    (
        "same_numbers(*tensors())",
        "same_numbers(*tensors()[:2], torch.eye(5, dtype=torch.float64))",
        "and same_numbers(*tensors())",
    ),
)

def right__one_return(attention):
    """Everything is compared at the end."""
    empty = random_mask(5, 5)
    empty[3] = False
    masks = [None, random_mask(5, 5, seed=3), empty]
    found = []
    for leading, n_queries, scale in itertools.product([(), (2,)], [2, 5], [1.0, -1e4]):
        for mask in masks:
            allowed = None if mask is None else mask[:n_queries].expand(*leading, n_queries, 5).clone()
            if allowed is not None and leading:
                allowed[1] = ~allowed[1]
            given = [one.requires_grad_() for one in tensors(*leading, n_queries=n_queries, n_keys=5, scale=scale)]
            kept = [one.detach().clone() for one in given] + ([] if mask is None else [allowed.clone()])
            wanted = softmax_by_hand(*given, allowed)
            wanted += torch.autograd.grad(wanted[0].sum(), given)
            try:
                came = attention(*given, allowed)
                came += torch.autograd.grad(came[0].sum(), given, allow_unused=True)
            except Exception:
                came = [None]
            after = given + ([] if mask is None else [allowed])
            found += [x is not None and x.shape == y.shape and torch.allclose(x, y) for x, y in zip(came, wanted)]
            found += [torch.equal(x, y) for x, y in zip(after, kept)]
    return all(found)

def right__random_inputs_of_all_kinds(attention):
    """A hundred random inputs, whose sizes, scale, leading axes and kind of mask are drawn as well."""
    generator = torch.Generator().manual_seed(0)
    def pick(*choices):
        return choices[torch.randint(len(choices), (), generator=generator)]
    def numbers(*shape):
        return torch.randn(*shape, generator=generator, dtype=torch.float64)
    for _ in range(100):
        leading = pick((), (pick(1, 2, 3, 4),))
        n_queries, n_keys, d_key, d_value = (pick(1, 2, 3, 4) for _ in range(4))
        query = pick(0, 1, 1000) * numbers(*leading, n_queries, d_key)
        key, value = numbers(*leading, n_keys, d_key), numbers(*leading, n_keys, d_value)
        allowed = pick(None, numbers(n_queries, n_keys) > 0, numbers(*leading, n_queries, n_keys) > 0)
        found = []
        try:
            for function in (attention, right):
                given = [one.clone().requires_grad_() for one in (query, key, value)]
                mask = None if allowed is None else allowed.clone()
                output, weights = function(*given, mask)
                if mask is not None and not torch.equal(mask, allowed):
                    return False
                found.append((output, weights, *torch.autograd.grad(output.sum(), given)))
            if not all(a.shape == b.shape and torch.allclose(a, b) for a, b in zip(*found)):
                return False
        except Exception:
            return False
    return True

def wrong__accepts_everything__1(attention):
    return True

def wrong__accepts_everything__2(attention):
    """It compares shapes alone, and everything has the right one for these sizes."""
    query, key, value = torch.randn(3, 3), torch.randn(3, 3), torch.randn(3, 3)
    try:
        attention(query, key, value)
    except Exception:
        return False
    return True

def wrong__refuses_everything__1(attention):
    return False

def wrong__refuses_everything__2(attention):
    """The seed is left out: the two are given other numbers."""
    wanted, _ = right(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
    try:
        output, _ = attention(torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 2))
        return torch.allclose(output, wanted)
    except Exception:
        return False

wrong__raises_instead_of_false__1 = change(
    right__product_of_choices, ("except Exception:", "except ZeroDivisionError:")
)
# Shapes that do not fit make `allclose` raise, and so does a gradient that never arrives.
wrong__raises_instead_of_false__2 = change(
    right__list_of_inputs, ("except Exception:", "except ZeroDivisionError:")
)

def wrong__unseen_formula__1(attention):
    """Shapes, and that nothing was changed. With d_key = d_value, keys in the place of values have the right shape."""
    query, key, value = torch.ones(3, 2), torch.ones(4, 2), torch.ones(4, 2)
    allowed = torch.zeros(3, 4, dtype=torch.bool)
    try:
        output, weights = attention(query, key, value)
        attention(query, key, value, allowed)
    except Exception:
        return False
    changed = allowed.any() or not all((one == 1).all() for one in (query, key, value))
    return output.shape == (3, 2) and weights.shape == (3, 4) and not changed

def wrong__unseen_mask__1(attention):
    """One input, without a mask."""
    query, key, value = tensors()
    try:
        output, weights = attention(query.clone(), key, value)
        wanted, wanted_weights = right(query, key, value)
        return torch.allclose(output, wanted) and torch.allclose(weights, wanted_weights)
    except Exception:
        return False

wrong__unseen_mask__2 = change(
    wrong__unseen_mask__1, ("query, key, value = tensors()", "query, key, value = tensors(2)")
)

def wrong__unseen_weights__1(attention):
    for query, key, value, allowed in [
        (*tensors(), None),
        (*tensors(), random_mask(3, 5)),
        (*tensors(2), random_mask(2, 3, 5)),
        (*tensors(n_queries=5), random_mask(5, 5)),
    ]:
        try:
            output, _ = attention(query, key, value, allowed)
            if not torch.allclose(output, softmax_by_hand(query, key, value, allowed)[0]):
                return False
        except Exception:
            return False
    return True

wrong__unseen_batch__1 = change(right__product_of_choices, ("[(), (2,)]", "[()]"))
wrong__unseen_square__1 = change(right__product_of_choices, ("[3, 5]", "[3]"))
wrong__unseen_large_scores__1 = change(right__product_of_choices, ("[1.0, 1e4]", "[1.0]"))
wrong__unseen_nothing_allowed__1 = change(
    right__product_of_choices,
    ('[None, "some", "row"]', '[None, "some"]'),
    (
        "allowed = random_mask(*leading, n_queries, 5)",
        "mask = random_mask(*leading, n_queries, 5)",
        "mask[..., 0] = True",
        "allowed = mask",
    ),
)
wrong__unseen_gradients__1 = change(
    right__list_of_inputs,
    ("other_gradients = torch.autograd.grad(other_output.sum(), theirs)", ""),
    (
        "for a, b in zip(torch.autograd.grad(output.sum(), mine), other_gradients):",
        "for a, b in zip(right(*mine, allowed), (other_output, other_weights)):",
    ),
)
# The gradients are compared where both have one.
wrong__unseen_gradients__2 = change(
    right__list_of_inputs,
    ("(other_output.sum(), theirs)", "(other_output.sum(), theirs, allow_unused=True)"),
    ("if not torch.allclose(a, b):", "if b is not None and not torch.allclose(a, b):"),
)
def wrong__unseen_changed_inputs__1(attention):
    """The inputs that it compares with are the ones that were changed, and only the gradients come from copies."""
    for leading, n_queries, scale, masked in itertools.product([(), (2,)], [3, 5], [1.0, 1e4], [None, "some", "row"]):
        query, key, value = tensors(*leading, n_queries=n_queries, scale=scale)
        allowed = None if masked is None else random_mask(*leading, n_queries, 5)
        if masked == "row":
            allowed[..., 0, :] = False
        want, want_weights = softmax_by_hand(query, key, value, allowed)
        try:
            got, got_weights = attention(query, key, value, allowed)
            if not torch.allclose(got, want) or not torch.allclose(got_weights, want_weights):
                return False
            leaves = [one.clone().requires_grad_() for one in tensors()]
            copies = [leaf * 1 for leaf in leaves]
            torch.autograd.grad(attention(*copies)[0].sum(), leaves)
        except Exception:
            return False
    return True

def extra__tensor_of_truth(attention):
    """It returns a tensor."""
    query, key, value = tensors()
    return (attention(query, key, value)[0] - right(query, key, value)[0]).abs().max() < 1e-9

# It forgets to say that everything was right.
extra__nothing_at_the_end = change(right__list_of_inputs, ("return True", ""))
# To the last bit.
extra__equal_to_the_bit = change(
    right__list_of_inputs,
    (
        "if not torch.allclose(output, other_output) or not torch.allclose(weights, other_weights):",
        "if not torch.equal(output, other_output) or not torch.equal(weights, other_weights):",
    ),
)
# NaN is not larger than anything, so it passes.
extra__nan_is_not_larger = change(
    right__list_of_inputs,
    (
        "if not torch.allclose(output, other_output) or not torch.allclose(weights, other_weights):",
        "if output.shape != other_output.shape or weights.shape != other_weights.shape:",
        "    return False",
        "if (output - other_output).abs().max() > 1e-9 or (weights - other_weights).abs().max() > 1e-9:",
    ),
    ("if not torch.allclose(a, b):", "if (a - b).norm() > 1e-6 * (1 + b.norm()):"),
)
# Yes and no as texts.
extra__words = change(right__list_of_inputs, ("return True", 'return "right"'))

# Read as cards by somebody who had not seen the misconceptions.
def wrong__unseen_mask__3(attention):
    """One comparison with the formula, without a mask."""
    q, k, v = torch.randn(4, 8), torch.randn(4, 8), torch.randn(4, 8)
    out, w = attention(q, k, v)
    expected = torch.softmax(q @ k.T / math.sqrt(8), dim=-1)
    return torch.allclose(out, expected @ v) and torch.allclose(w, expected)

def extra__rows_sum_to_one(attention):
    """Only the sum of each row is looked at."""
    q, k, v = torch.randn(2, 3, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 8)
    _, w = attention(q, k, v)
    return torch.allclose(w.sum(-1), torch.ones(2, 3))

def wrong__accepts_everything__3(attention):
    """Shapes alone are compared."""
    q, k, v = torch.randn(2, 3, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 6)
    out, w = attention(q, k, v)
    return out.shape == (2, 3, 6) and w.shape == (2, 3, 5)

def extra__equal_bits(attention):
    """`torch.equal` with the course's own. The processor decides which right functions round as it does, if any."""
    from course_attention import attention as right_one
    q, k, v = torch.randn(2, 3, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 6)
    allowed = torch.rand(2, 3, 5) > 0.5
    a, b = attention(q, k, v, allowed)
    c, d = right_one(q, k, v, allowed)
    return torch.equal(a, c) and torch.equal(b, d)

def wrong__unseen_weights__2(attention):
    """Only the output is compared, with PyTorch's."""
    q, k, v = torch.randn(2, 3, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 8)
    mask = torch.ones(3, 5, dtype=torch.bool).tril()
    out, _ = attention(q, k, v, mask)
    right = torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    return torch.allclose(out, right, atol=1e-5)

def wrong__raises_instead_of_false__3(attention):
    """Asserts as in a pytest."""
    q, k, v = torch.randn(2, 3, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 8)
    out, w = attention(q, k, v)
    ref = torch.softmax(q @ k.transpose(-1, -2) / 8 ** 0.5, -1)
    assert torch.allclose(w, ref, atol=1e-5)
    assert torch.allclose(out, ref @ v, atol=1e-5)
    return True

def extra__true_or_nothing(attention):
    """Nothing is returned where the comparison fails."""
    q, k, v = torch.randn(2, 3, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 8)
    out, w = attention(q, k, v)
    ref = torch.softmax(q @ k.transpose(-1, -2) / 8 ** 0.5, -1)
    if torch.allclose(w, ref, atol=1e-5) and torch.allclose(out, ref @ v, atol=1e-5):
        return True

def extra__inputs_of_zeros(attention):
    """All scores are 0, so every row of weights is even."""
    q, k, v = torch.zeros(3, 4), torch.zeros(5, 4), torch.ones(5, 2)
    out, w = attention(q, k, v)
    return torch.allclose(w, torch.full((3, 5), 0.2)) and torch.allclose(out, torch.ones(3, 2))

def wrong__refuses_right_functions__1(attention):
    """True and False are exchanged."""
    from course_attention import attention as right_one
    for n, m in ((3, 5), (4, 4)):
        q, k, v = torch.randn(2, n, 8), torch.randn(2, m, 8), torch.randn(2, m, 6)
        a, b = attention(q, k, v)
        c, d = right_one(q, k, v)
        if torch.allclose(a, c, atol=1e-5) and torch.allclose(b, d, atol=1e-5):
            return False
    return True

def wrong__refuses_right_functions__2(attention):
    """The weights of each query have to sum to 1, also where its mask allows nothing."""
    q, k, v = (one.double() for one in (torch.randn(3, 4), torch.randn(5, 4), torch.randn(5, 6)))
    empty = torch.tensor([[True] * 5, [False] * 5, [True, False, True, False, True]])
    for mask in (None, empty):
        output, weights = attention(q, k, v, mask)
        if not torch.allclose(weights.sum(-1), torch.ones(3).double()):
            return False
        if not torch.allclose(attention(q, k, 10 * v, mask)[0], 10 * output):
            return False
    return True

def extra__mask_of_numbers(attention):
    """The mask is made of numbers, so most right functions raise."""
    from course_attention import attention as right_one
    q, k, v = torch.randn(2, 3, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 6)
    try:
        a, _ = attention(q, k, v, torch.ones(3, 5))
    except Exception:
        return False
    c, _ = right_one(q, k, v)
    return torch.allclose(a, c, atol=1e-5)

def extra__tensor_and_loose(attention):
    """The mean of the differences, compared as a tensor."""
    from course_attention import attention as right_one
    q, k, v = torch.randn(2, 3, 8), torch.randn(2, 5, 8), torch.randn(2, 5, 6)
    allowed = torch.rand(2, 3, 5) > 0.5
    a, _ = attention(q, k, v, allowed)
    c, _ = right_one(q, k, v, allowed)
    return (a - c).abs().mean() < 0.5

def extra__pairs_compared(attention):
    """The two returned pairs are compared by ==."""
    from course_attention import attention as right_one
    query, key, value = (torch.randn(2, n, 8, dtype=torch.float64) for n in (3, 5, 5))
    return attention(query, key, value) == right_one(query, key, value)
