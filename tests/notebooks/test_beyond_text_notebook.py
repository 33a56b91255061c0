"""In notebook 13, a step that nobody judges is used where it is right, and a usual mistake in it is named."""

from __future__ import annotations

import contextlib
import io
import re

import matplotlib as mpl
import pytest

from course_attention import image_patches
from tests.notebooks.running import defined, grade_id, read
from tools.notebooks import FOLDER

CELLS = [cell for cell in read(FOLDER / "13_beyond_text.ipynb")["cells"] if cell["cell_type"] == "code"]
TRIES = {cell["id"].removeprefix("try-"): cell["source"] for cell in CELLS if cell["id"].startswith("try-")}
# the cell that tries a step, what a mistake changes in the notebook's own answer, and what is said of it
MISTAKES = [
    ("stretched", "recordings.n_words[:, None]", "recordings.text.shape[1]", "every text has its own `n_words`"),
    ("stretched", "recordings.n_frames[:, None]", "len(frame)", "every sound has its own `n_frames`"),
    ("stretched", "return ", "return place  # ", "gives the place"),
    ("stretched", "place.clamp(max=recordings.text.shape[1] - 1)", "place", "must be kept in the text"),
    ("listen", "sound, text, hearable, readable", "text, sound, readable, hearable", "lets the words ask"),
    ("listen", "hearable, readable)", "hearable)", "the words need a mask"),
    ("listen", "hearable, readable)", "None, readable)", "the frames need a mask"),
    ("listen", "hearable, readable)", "readable, hearable)", "a column for each key"),
    ("listen", "model.say(x), weights", "x, weights", "turns them into logits"),
    ("listen", "model.say(x), weights", "weights, model.say(x)", "gives the weights first"),
    ("listen", "x, weights = model", "x = model", "gives two things"),
    ("listen", "sound, text, hearable, readable", "sound, sound, hearable, hearable", "among the frames"),
    ("listen", "hearable, readable)", "~hearable, ~readable)", "the wrong way round"),
    ("listen", "model.say(x), weights", "model.say(x).softmax(dim=-1), weights", "gives probabilities"),
    ("hearing-accuracy", "[counted]", "", "counts silence and padding"),
    ("hearing-accuracy", " & among", "", "takes no notice of `among`"),
    ("hearing-accuracy", ".mean().item()", ".sum().item()", "the number of right frames"),
    ("hearing-accuracy", "(recordings)[0]", "(recordings)", "the first of the two things"),
    ("hearing-accuracy", ".argmax(dim=-1)", "", "where its logits are largest"),
    ("hearing-accuracy", " & among", " and among", "`and` does not"),
    ("hearing-accuracy", "==", "!=", "the frames that are wrong"),
    ("hearing-accuracy", "!=", "==", "should not count"),
    ("hearing-accuracy", ".float().mean().item()", ".sum().item() / len(recordings)", "number of recordings"),
    ("picture-tokens", "1, -1), x], dim", "1, -1), x][::-1], dim", "behind the patches"),
    ("picture-tokens", " + model.place", "", "leaves out the places"),
    ("picture-tokens", "image_patches(pictures, 2)", "pictures.reshape(-1, 16, 4)", "follow each other in memory"),
    ("picture-tokens", "x], dim=1)", "x])", "along the axis of the tokens"),
    ("picture-tokens", "model.place", "model.place[None]", "the number 0.0"),
    ("recognise", "x[:, 0]", "x.mean(dim=1)", "from the mean"),
    ("recognise", "block(x, allowed)", "block(x)", "no notice of `kept`"),
    ("recognise", "value=True", "value=False", "hides the class token too"),
    ("recognise", ".unsqueeze(1)", ".unsqueeze(2)", "The mask is (batch, 1, 17)"),
    ("recognise", "(1, 0)", "(0, 1)", "behind the patches"),
    ("recognise", "None if kept is None else ", "", "there is no mask"),
    ("recognise", "x = block(x, allowed)", "x = model.blocks(x)", "one block after the other"),
    ("recognise", "x[:, 0])", "x[:, 0]).softmax(dim=-1)", "gives probabilities"),
    ("looks", "0, 1:", "1:, 0", "queries are rows"),
    ("looks", "0, 1:", "0", "17 places"),
    ("looks", ".mean(dim=1)", "", "each head by itself"),
    ("looks", "model.blocks[0](picture_tokens(model, pictures))", "picture_tokens(model, pictures)", "the first block"),
    ("looks", "attention(x)[1]", "attention(x)", "The second one is the weights"),
    ("looks", ":, 0, 1:].mean(dim=1)", "0, 0, 1:]", "the weights of one head"),
    ("looks", "0, 1:].mean(dim=1)", "1:, 1:].mean(dim=(1, 2))", "the patches as queries"),
    ("first", ".argsort(dim=-1) <", " <", "for their ranks"),
    ("first", "descending=True", "descending=False", "keeps the darkest"),
    ("first", "< n", "<= n", "keeps 7 patches"),
    ("first", "return ", "return order >= order.topk(n).values[:, -1:]  # ", "the same"),
    ("first", "dim=-1", "dim=0", "compares the pictures"),
    ("first", ".argsort(dim=-1) <", ".argsort(dim=-1, descending=True) <", "from the largest twice"),
    ("first", "< n", "< 6", "where `n` is not 6"),
    ("from-places", "(chosen_unseen).argmax(dim=-1) == unseen", "(chosen).argmax(dim=-1) == learn", "on `chosen`"),
    ("from-places", "n_steps=200", "n_steps=0", "must be trained"),
    ("from-places", "lambda model: F.cross_entropy(model(", "F.cross_entropy(linear(", "given a function"),
    ("from-places", "return ", "return F.cross_entropy(linear(chosen_unseen), unseen.labels).item()  # ", "loss"),
    ("from-places", "model(chosen), learn", "model(chosen_unseen), unseen", "nothing to learn"),
    ("rises", "- before for", "for", "take the loss with all 16"),
    ("rises", "!= i", "== i", "keeps one patch"),
    ("rises", "dim=1)", "dim=0)", "a row for each place"),
    ("next-words", ", causal_mask(words.shape[1])", "", "see the words after it"),
    ("next-words", "+ model.position[: words.shape[1]]", "", "leaves out the positions"),
    ("next-words", "[: words.shape[1]]", "", "only as many positions"),
    ("next-words", "memory, causal", "memory, None, causal", "among themselves"),
    ("next-words", "[: words.shape[1]]", "[words]", "has position 0"),
    ("next-words", "x, weights = model", "x = model", "gives two things"),
    ("next-words", "causal_mask", "~causal_mask", "only the words after it"),
    ("caption", "words[:, 1:], weights", "words, weights", "the start word in front"),
    ("caption", "logits[:, -1:]", "logits[:, :1]", "those of the last place"),
    ("caption", "model(words, memory)", "model(words, model.see(pictures))", "looks at the pictures 6 times"),
    ("caption-loss", "shift_right(captions, digits.START)", "captions", "must be shifted"),
    ("caption-loss", "captions, digits.START", "captions, digits.PAD", "starts with padding"),
    ("caption-loss", "captions, digits.PAD", "captions, digits.END", "padding does not count"),
]  # fmt: skip


@pytest.fixture(scope="module")
def names() -> dict:
    """Return what the notebook defines, run without its training."""
    mpl.use("Agg")
    given: dict = {"image_patches": image_patches}
    train = None
    with contextlib.redirect_stdout(io.StringIO()):
        for cell in CELLS:
            if cell["id"] == "install" or grade_id(cell) or "claim" in cell["metadata"].get("tags", ()):
                continue
            exec(cell["source"], given)
            if train is None and "train" in given:
                train, given["train"] = given["train"], lambda model, *_, **__: model.eval()
    return given | {"train": train}


def answer(step: str) -> tuple[str, str]:
    """Return the name of a step's function, and the notebook's own answer under this name."""
    (name,) = re.findall(r"^def given_(\w+)", TRIES[step], re.MULTILINE)
    return name, defined(TRIES[step], f"given_{name}").replace("def given_", "def ", 1)


def said(step: str, source: str, names: dict) -> str:
    """Return what the folded cell prints about an answer."""
    names = dict(names)
    exec(source, names)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(TRIES[step], names)
    return printed.getvalue()


@pytest.mark.slow
@pytest.mark.parametrize("step", TRIES)
def test_right(step: str, names: dict) -> None:
    """The notebook's own answer, in the student's cell, is used."""
    name, source = answer(step)
    assert said(step, source, names) == f"Your {name} does what it should.\n"


@pytest.mark.slow
@pytest.mark.parametrize(("step", "old", "new", "words"), MISTAKES)
def test_mistake(step: str, old: str, new: str, words: str, names: dict) -> None:
    """A usual mistake is named, and the notebook goes on with its own answer."""
    _, source = answer(step)
    assert source.count(old) >= 1, "the notebook's answer has changed"
    printed = said(step, source.replace(old, new), names)
    assert words in printed and "goes on with its own" in printed


def test_every_step() -> None:
    """At least two mistakes are tried in each step."""
    tried = [step for step, *_ in MISTAKES]
    assert all(tried.count(step) >= 2 for step in TRIES)
