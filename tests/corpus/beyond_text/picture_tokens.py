"""Answers to the practice `picture_tokens(model, pictures)` of notebook 13."""

import torch

from course_attention.mechanisms.beyond_text import image_patches
from tests.corpus import change

def right__repeated(model, pictures):
    patches = image_patches(pictures, size=2)
    vectors = model.embed(patches)
    vectors = vectors + model.place
    front = model.class_token.repeat(len(pictures), 1, 1)
    return torch.cat((front, vectors), dim=1)

def right__filled(model, pictures):
    n, d_model = pictures.shape[0], model.class_token.shape[-1]
    tokens = torch.zeros(n, 17, d_model)
    tokens[:, 0] = model.class_token
    tokens[:, 1:] = model.embed(image_patches(pictures, 2)) + model.place
    return tokens

wrong__tokens_no_class_token__1 = change(
    right__repeated, ("return torch.cat((front, vectors), dim=1)", "return vectors")
)
wrong__tokens_no_class_token__2 = change(
    right__repeated,
    ("vectors = vectors + model.place", ""),
    ("return torch.cat((front, vectors), dim=1)", "return vectors"),
)
wrong__tokens_no_places__1 = change(right__repeated, ("vectors = vectors + model.place", ""))
wrong__tokens_class_token_behind__1 = change(right__repeated, ("(front, vectors)", "(vectors, front)"))
wrong__tokens_rows__1 = change(right__repeated, ("image_patches(pictures, size=2)", "pictures.view(-1, 16, 4)"))
wrong__tokens_places_twice__1 = change(right__repeated, ("vectors + model.place", "vectors + 2 * model.place"))

# The tokens are joined along the channels.
extra__channels = change(right__filled, ("return tokens", "return tokens.mT"))
# Patches of another size.
extra__other_size = change(right__repeated, ("size=2", "size=4"))
