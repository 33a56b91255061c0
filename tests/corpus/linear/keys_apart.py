"""Answers to the practice `keys_apart(n_names, d_key)` of notebook 12."""

import torch
import torch.nn.functional as F

from tests.corpus import change

def right__identity(n_names, d_key):
    return torch.eye(n_names, d_key)

def right__one_hot(n_names, d_key):
    return F.one_hot(torch.arange(n_names), d_key).float()

def right__filled(n_names, d_key):
    keys = torch.zeros(n_names, d_key)
    for i in range(n_names):
        keys[i, i] = 1.0
    return keys

def right__turned(n_names, d_key):
    # Random directions, made orthogonal.
    return torch.linalg.qr(torch.randn(d_key, n_names)).Q.mT

def right__one_after_the_other(n_names, d_key):
    keys = torch.zeros(0, d_key)
    for _ in range(n_names):
        new = torch.randn(d_key, dtype=torch.float64).float()
        for _ in range(3):
            new = new - keys.mT @ (keys @ new)
            new = new / new.norm()
        keys = torch.cat([keys, new[None]])
    return keys

def wrong__apart_random__1(n_names, d_key):
    return F.normalize(torch.randn(n_names, d_key), dim=1)

# The length is forgotten as well.
wrong__apart_random__2 = change(
    wrong__apart_random__1, ("F.normalize(torch.randn(n_names, d_key), dim=1)", "torch.randn(n_names, d_key)")
)

def wrong__apart_the_same__1(n_names, d_key):
    return F.normalize(torch.ones(n_names, d_key), dim=-1)

def wrong__apart_opposite__1(n_names, d_key):
    """An axis and its opposite, then the next axis."""
    keys = torch.zeros(n_names, d_key)
    for i in range(n_names):
        keys[i, i // 2] = (-1) ** i
    return keys

def wrong__apart_on_a_circle__1(n_names, d_key):
    """Spread evenly."""
    keys = torch.zeros(n_names, d_key)
    angles = torch.arange(n_names) * (2 * torch.pi / n_names)
    keys[:, 0], keys[:, 1] = angles.cos(), angles.sin()
    return keys

wrong__apart_not_of_length_one__1 = change(
    right__identity, ("torch.eye(n_names, d_key)", "torch.eye(n_names, d_key) * 2")
)
# The length of the keys is forgotten.
wrong__apart_wrong_size__1 = change(right__identity, ("torch.eye(n_names, d_key)", "torch.eye(n_names)"))
# Keys as columns.
wrong__apart_wrong_size__2 = change(right__identity, ("torch.eye(n_names, d_key)", "torch.eye(d_key, n_names)"))
# The wrong factor of the right matrix.
wrong__apart_wrong_size__3 = change(
    right__turned, ("torch.randn(d_key, n_names)).Q.mT", "torch.randn(n_names, d_key)).Q")
)

def extra__neighbours(n_names, d_key):
    """Two keys in turn."""
    keys = torch.zeros(n_names, d_key)
    for i in range(n_names):
        keys[i, i % 2] = 1.0
    return keys
