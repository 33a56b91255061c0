"""Answers to the practice `regrouped(query, key, value)` of notebook 02."""

import torch

from tests.corpus import change

def right__brackets(query, key, value):
    return query @ (key.T @ value) / key.shape[0]

def right__divided_first(query, key, value):
    memory = (key / key.shape[-2]).mT @ value
    return query @ memory

def right__one_key_after_another(query, key, value):
    memory = sum(torch.outer(k, v) for k, v in zip(key, value))
    return query @ memory / len(key)

# `@` goes from left to right.
wrong__regrouped_all_pairs__1 = change(right__brackets, ("(key.T @ value)", "key.T @ value"))
wrong__regrouped_not_divided__1 = change(right__brackets, (" / key.shape[0]", ""))
wrong__regrouped_queries_counted__1 = change(right__brackets, ("/ key.shape[0]", "/ query.shape[0]"))
wrong__regrouped_scaled__1 = change(right__brackets, ("key.shape[0]", "key.shape[1] ** 0.5"))
wrong__regrouped_softmax__1 = change(right__brackets, ("(key.T @ value)", "(key.T @ value).softmax(-1)"))

# The shapes do not fit.
extra__other_order = change(right__brackets, ("(key.T @ value)", "(value.T @ key)"))
