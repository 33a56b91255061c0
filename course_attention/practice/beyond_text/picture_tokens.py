"""A picture as tokens: a class token, and a token for each patch."""

from collections.abc import Iterator

import torch

from course_attention.mechanisms.beyond_text import image_patches
from course_attention.practice.authoring import Misconception, Practice, Trial
from course_attention.practice.beyond_text.picture_parts import SmallClassifier, drawn_classifier


def picture_tokens(model, pictures):
    """Cut the pictures, embed the patches, add their places, and put the class token in front."""
    x = model.embed(image_patches(pictures, 2)) + model.place
    return torch.cat([model.class_token.expand(len(x), 1, -1), x], dim=1)


def _parts(model, pictures):
    tokens = picture_tokens(model, pictures)
    return tokens[:, :1], tokens[:, 1:]


def no_class_token(model, pictures):
    return _parts(model, pictures)[1]


def neither_class_token_nor_places(model, pictures):
    return model.embed(image_patches(pictures, 2))


def without_places(model, pictures):
    front, x = _parts(model, pictures)
    return torch.cat([front, x - model.place], dim=1)


def class_token_behind(model, pictures):
    front, x = _parts(model, pictures)
    return torch.cat([x, front], dim=1)


def rows_in_place_of_patches(model, pictures):
    front, _ = _parts(model, pictures)
    return torch.cat([front, model.embed(pictures.reshape(len(pictures), 16, 4)) + model.place], dim=1)


def places_before_embedding(model, pictures):
    front, x = _parts(model, pictures)
    return torch.cat([front, x + model.place], dim=1)


def place_on_the_class_token(model, pictures):
    front, x = _parts(model, pictures)
    first = model.place[0] if isinstance(model.place, torch.Tensor) else 0.0
    return torch.cat([front + first, x], dim=1)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield a picture of ones, whose tokens can be counted, then drawn pictures, with places and without."""
    by_hand = SmallClassifier(torch.ones(1, 4), 100 * torch.arange(16.0)[:, None], torch.tensor([[7.0]]))
    yield Trial(
        "a picture of ones; the embedding of a patch is the sum of its 4 pixels, place p has the vector (100p), and "
        "the class token is (7)",
        {"model": by_hand, "pictures": torch.ones(1, 1, 8, 8)},
        torch.tensor([7.0, *(4 + 100 * torch.arange(16.0)).tolist()]).view(1, 17, 1),
        says="The class token comes first, as it is. The 16 patches follow: 4 + 0, 4 + 100, 4 + 200 and so on.",
    )
    for n_pictures, places in ((2, True), (3, True), (2, False)):
        number = "with" if places else "without"
        yield Trial(
            f"{n_pictures} pictures, a model {number} places",
            {
                "model": drawn_classifier(generator, places),
                "pictures": torch.rand(n_pictures, 1, 8, 8, generator=generator),
            },
            says="`image_patches(pictures, 2)` cuts the patches. In a model without places, `model.place` is the "
            "number 0.0.",
        )


PRACTICE = Practice(
    name="picture_tokens",
    prompt="What the blocks are given: the class token, and after it one token for each patch.",
    minutes=6,
    hints=(
        "`image_patches(pictures, 2)` has the shape (batch, 16, 4). `model.embed` makes (batch, 16, d_model) of it.",
        "Add `model.place`: it broadcasts over the pictures, whether it is a tensor or the number 0.0.",
        "`torch.cat([…, …], dim=1)` joins along the axis of the tokens. The class token is the first of the two, for "
        "every picture: `model.class_token.expand(len(pictures), 1, -1)`.",
    ),
    given=picture_tokens,
    trials=trials,
    returns=("tokens",),
    misconceptions={
        "tokens-no-class-token": Misconception(
            "The class token is missing",
            "A picture becomes 17 tokens: the class token, and after it the 16 patches.",
            (no_class_token, neither_class_token_nor_places),
        ),
        "tokens-no-places": Misconception(
            "The places are left out",
            "Without them nothing says where a patch was. Add `model.place` to the patches.",
            (without_places,),
        ),
        "tokens-class-token-behind": Misconception(
            "The class token comes after the patches",
            "It belongs in front of them: the digit will be read from token 0.",
            (class_token_behind,),
        ),
        "tokens-rows": Misconception(
            "The pictures are not cut into squares",
            "Four numbers that follow each other in memory are a piece of a row. `image_patches(pictures, 2)` cuts "
            "patches of 2 × 2 pixels.",
            (rows_in_place_of_patches,),
        ),
        "tokens-places-twice": Misconception(
            "The places are added twice",
            "Each patch gets the vector of its place once.",
            (places_before_embedding,),
        ),
        "tokens-class-token-placed": Misconception(
            "The class token gets a place",
            "Only the patches have places. Add them before the class token is put in front.",
            (place_on_the_class_token,),
        ),
    },
)
