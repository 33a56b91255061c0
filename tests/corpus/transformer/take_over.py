"""Answers to the practice `take_over(new, trained, frozen)` of notebook 08."""

import copy

import torch

from tests.corpus import change

def right__parts(new, trained, frozen):
    new.embed_source.load_state_dict(trained.embed_source.state_dict())
    new.encoder.load_state_dict(trained.encoder.state_dict())
    for part in (new.embed_source, new.encoder):
        part.requires_grad_(not frozen)

def right__copied_modules(new, trained, frozen):
    new.embed_source = copy.deepcopy(trained.embed_source)
    new.encoder = copy.deepcopy(trained.encoder)
    if frozen:
        new.embed_source.requires_grad_(False)
        new.encoder.requires_grad_(False)

def right__parameters(new, trained, frozen):
    for name, parameter in new.named_parameters():
        if name.startswith(("embed_source", "encoder")):
            with torch.no_grad():
                parameter.copy_(trained.get_parameter(name))
            parameter.requires_grad = not frozen
    return new

wrong__transfer_nothing__1 = change(right__parameters, ('encoder")', 'encode_")'), ('embed_source"', 'embed_sources"'))
wrong__transfer_wrong_way__1 = change(
    right__parts,
    ("new.embed_source.load_state_dict(trained.embed_source", "trained.embed_source.load_state_dict(new.embed_source"),
    ("new.encoder.load_state_dict(trained.encoder", "trained.encoder.load_state_dict(new.encoder"),
)
wrong__transfer_shared__1 = change(
    right__copied_modules,
    ("copy.deepcopy(trained.embed_source)", "trained.embed_source"),
    ("copy.deepcopy(trained.encoder)", "trained.encoder"),
)
wrong__transfer_never_frozen__1 = change(right__parts, ("not frozen", "True"))
wrong__transfer_always_frozen__1 = change(right__parts, ("not frozen", "False"))
wrong__transfer_exchanged__1 = change(right__parts, ("not frozen", "frozen"))
wrong__transfer_trained_frozen__1 = change(
    right__parts, ("in (new.embed_source, new.encoder)", "in (trained.embed_source, trained.encoder)")
)
wrong__transfer_decoder_too__1 = change(
    right__parts,
    (
        "new.embed_source.load_state_dict(trained.embed_source.state_dict())",
        "new.load_state_dict(trained.state_dict())",
    ),
)
wrong__transfer_everything_frozen__1 = change(right__parts, ("in (new.embed_source, new.encoder)", "in (new,)"))
wrong__transfer_one_part__1 = change(right__parameters, ('("embed_source", "encoder")', '"encoder"'))
wrong__transfer_one_part__2 = change(right__parts, ("in (new.embed_source, new.encoder)", "in (new.encoder,)"))

# Only the embedding is shared.
wrong__transfer_shared__2 = change(
    right__copied_modules, ("copy.deepcopy(trained.embed_source)", "trained.embed_source")
)
# Both parts are shared, and only the encoder is frozen.
wrong__transfer_shared__3 = change(
    right__copied_modules,
    ("copy.deepcopy(trained.embed_source)", "trained.embed_source"),
    ("copy.deepcopy(trained.encoder)", "trained.encoder"),
    ("        new.embed_source.requires_grad_(False)", "        pass"),
)
# Both parts are shared, and none is frozen.
wrong__transfer_shared__4 = change(
    right__copied_modules,
    ("copy.deepcopy(trained.embed_source)", "trained.embed_source"),
    ("copy.deepcopy(trained.encoder)", "trained.encoder"),
    ("if frozen", "if False"),
)
# The decoder is frozen, and the encoder is not.
extra__decoder_frozen = change(right__parts, ("in (new.embed_source, new.encoder)", "in (new.decoder,)"))
