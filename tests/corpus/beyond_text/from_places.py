"""Answers to the practice `from_places(chosen, labels, chosen_unseen, labels_unseen)` of notebook 13."""

import torch
import torch.nn.functional as F
from torch import nn

from course_attention.practice.beyond_text.from_places import train
from tests.corpus import change

def right__named(chosen, labels, chosen_unseen, labels_unseen):
    layer = nn.Linear(in_features=16, out_features=10)

    def loss_of(model):
        return F.cross_entropy(model(chosen), labels)

    trained = train(layer, loss_of, 200, 0.1)
    with torch.no_grad():
        named = trained(chosen_unseen).argmax(1)
    return float((named == labels_unseen).sum()) / len(labels_unseen)

def right__loss_module(chosen, labels, chosen_unseen, labels_unseen):
    model, loss = nn.Linear(16, 10), nn.CrossEntropyLoss()
    train(model, lambda m: loss(m(chosen), labels), n_steps=200, rate=0.1)
    hits = model(chosen_unseen).argmax(-1) == labels_unseen
    return hits.double().mean().item()

wrong__from_places_measured_on_learned__1 = change(
    right__loss_module, ("model(chosen_unseen).argmax(-1) == labels_unseen", "model(chosen).argmax(-1) == labels")
)
wrong__from_places_measured_on_learned__2 = change(
    right__loss_module, ("loss(m(chosen), labels)", "loss(m(chosen_unseen), labels_unseen)")
)
wrong__from_places_errors__1 = change(right__loss_module, ("== labels_unseen", "!= labels_unseen"))
wrong__from_places_scale__1 = change(right__loss_module, ("hits.double().mean()", "100 * hits.double().mean()"))
wrong__from_places_scale__2 = change(right__named, (" / len(labels_unseen)", ""))

# The layer is never trained.
extra__not_trained = change(
    right__loss_module, ("train(model, lambda m: loss(m(chosen), labels), n_steps=200, rate=0.1)", "")
)
# The loss in place of the accuracy.
extra__loss = change(
    right__loss_module, ("hits.double().mean().item()", "loss(model(chosen_unseen), labels_unseen).item()")
)
