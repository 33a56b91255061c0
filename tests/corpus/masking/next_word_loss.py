"""Answers to the practice `next_word_loss(model, tokens, allowed)` of notebook 05."""

import torch
import torch.nn.functional as F

from course_attention.experiments.masking import grammar
from tests.corpus import change

def right__reshape(model, tokens, allowed):
    logits = model(tokens[:, :-1], allowed)
    n_words = logits.shape[-1]
    return F.cross_entropy(logits.reshape(-1, n_words), tokens[:, 1:].reshape(-1), ignore_index=grammar.PAD)

def right__classes_first(model, tokens, allowed):
    logits = model(tokens[:, :-1], allowed)
    return F.cross_entropy(logits.transpose(1, 2), tokens[:, 1:], ignore_index=0)

def right__chosen(model, tokens, allowed):
    questions, answers = tokens[:, :-1], tokens[:, 1:]
    log_probabilities = torch.log_softmax(model(questions, allowed), dim=-1)
    asked = answers != grammar.PAD
    of_answers = log_probabilities.gather(-1, answers.unsqueeze(-1)).squeeze(-1)
    return -of_answers[asked].mean()

wrong__loss_of_padding__1 = change(right__reshape, (", ignore_index=grammar.PAD", ""))
wrong__loss_of_padding__2 = change(right__chosen, ("[asked]", ""))
wrong__loss_without_shift__1 = change(right__reshape, ("tokens[:, 1:]", "tokens[:, :-1]"))
wrong__loss_backwards__1 = change(
    right__chosen,
    ("questions, answers = tokens[:, :-1], tokens[:, 1:]", "answers, questions = tokens[:, :-1], tokens[:, 1:]"),
)
wrong__loss_sum__1 = change(right__chosen, (".mean()", ".sum()"))
wrong__loss_divided_by_padding__1 = change(right__chosen, ("-of_answers[asked].mean()", "-(of_answers * asked).mean()"))
wrong__loss_mean_of_texts__1 = change(
    right__chosen, ("-of_answers[asked].mean()", "-((of_answers * asked).sum(1) / asked.sum(1)).mean()")
)
wrong__loss_of_probabilities__1 = change(right__classes_first, ("[:, :-1], allowed)", "[:, :-1], allowed).softmax(-1)"))
wrong__loss_of_probabilities__2 = change(right__chosen, ("questions, allowed)", "questions, allowed).softmax(-1)"))
wrong__loss_without_logarithm__1 = change(right__chosen, ("torch.log_softmax", "torch.softmax"))
wrong__loss_without_gradient__1 = change(right__chosen, (".mean()", ".mean().item()"))
wrong__loss_without_gradient__2 = change(right__chosen, ("[asked].mean()", "[asked].mean().detach()"))
wrong__loss_without_mask__1 = change(right__reshape, (":-1], allowed)", ":-1], torch.ones_like(allowed))"))

# The model reads all tokens, also the last one.
extra__all_tokens = change(right__reshape, ("model(tokens[:, :-1], allowed)", "model(tokens, allowed)"))
# The sign is lost.
extra__negative = change(right__chosen, ("-of", "of"))
# The loss of each question.
extra__each_question = change(right__chosen, (".mean()", ""))
