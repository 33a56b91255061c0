"""A reader of convolutions: the vectors of the words, layers with a ReLU behind each, and the output layer."""

from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn

from course_attention.experiments.self_attention.word_senses import VOCABULARY, word_vectors
from course_attention.practice.authoring import Misconception, Practice, Trial


class ConvolutionReader(nn.Module):
    """Layers of convolutions over the vectors of the words."""

    def __init__(self, kernel_size=5, n_layers=2, d_model=16, d_hidden=32):
        super().__init__()
        self.embedding = word_vectors(d_model)
        widths = [d_model] + [d_hidden] * n_layers
        self.layers = nn.ModuleList(
            nn.Conv1d(d_in, d_out, kernel_size, padding=kernel_size // 2) for d_in, d_out in pairwise(widths)
        )
        self.output = nn.Linear(d_hidden, 2)

    def forward(self, tokens):
        """Word numbers (batch, n_tokens). Returns the scores of the two senses, (batch, n_tokens, 2)."""
        x = self.embedding(tokens).mT  # (batch, d_model, n_tokens)
        for layer in self.layers:
            x = layer(x).relu()
        return self.output(x.mT)


class NoRelu(ConvolutionReader):
    def forward(self, tokens):
        x = self.embedding(tokens).mT
        for layer in self.layers:
            x = layer(x)
        return self.output(x.mT)


class NoLastRelu(ConvolutionReader):
    def forward(self, tokens):
        x = self.embedding(tokens).mT
        for layer in self.layers[:-1]:
            x = layer(x).relu()
        return self.output(self.layers[-1](x).mT)


class LastReluAlone(ConvolutionReader):
    def forward(self, tokens):
        x = self.embedding(tokens).mT
        for layer in self.layers:
            x = layer(x)
        return self.output(x.relu().mT)


class ReluBeforeLayers(ConvolutionReader):
    def forward(self, tokens):
        x = self.embedding(tokens).mT
        for layer in self.layers:
            x = layer(x.relu())
        return self.output(x.mT)


class ReluOfScores(ConvolutionReader):
    def forward(self, tokens):
        return super().forward(tokens).relu()


class Probabilities(ConvolutionReader):
    def forward(self, tokens):
        return super().forward(tokens).softmax(dim=-1)


class FirstLayerAlone(ConvolutionReader):
    def forward(self, tokens):
        return self.output(self.layers[0](self.embedding(tokens).mT).relu().mT)


class NotTransposed(ConvolutionReader):
    def forward(self, tokens):
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x).relu()
        return self.output(x.mT)


class NeverTransposed(ConvolutionReader):
    def forward(self, tokens):
        x = self.embedding(tokens)
        for layer in self.layers:
            x = layer(x).relu()
        return self.output(x)


class WithoutOutput(ConvolutionReader):
    def forward(self, tokens):
        x = self.embedding(tokens).mT
        for layer in self.layers:
            x = layer(x).relu()
        return x.mT


class WithoutOutputTransposed(ConvolutionReader):
    def forward(self, tokens):
        return WithoutOutput.forward(self, tokens).mT


def _scores(
    answer: Callable[..., Any],
    tokens: Tensor,
    kernel_size: int,
    n_layers: int,
    embedding: Tensor | None = None,
) -> Any:
    """Return what a reader gives; where the vectors of the words are given, with layers that hand on what they get."""
    if embedding is None:
        return answer(kernel_size, n_layers).to(tokens.device)(tokens)
    reader = answer(kernel_size, n_layers, d_model=2, d_hidden=2).to(tokens.device)
    with torch.no_grad():
        reader.embedding.weight[: len(embedding)] = embedding
        for layer in reader.layers:
            layer.weight.copy_(torch.eye(2)[..., None])
            layer.bias.zero_()
        reader.output.weight.copy_(torch.eye(2))
        reader.output.bias.zero_()
    return reader(tokens)


def trials(generator: torch.Generator) -> Iterator[Trial]:
    """Yield two words of which the scores are seen at once, then readers with weights of their own."""
    yield Trial(
        "two words; one layer of kernel size 1, which hands on what it gets, as the output layer does",
        {
            "tokens": torch.tensor([[0, 1]]),
            "kernel_size": 1,
            "n_layers": 1,
            "embedding": torch.tensor([[1.0, -1.0], [-2.0, 3.0]]),
        },
        torch.tensor([[[1.0, 0.0], [0.0, 3.0]]]),
        _scores,
        says="The vectors of the two words are (1, −1) and (−2, 3). The layer changes nothing, and the ReLU behind it "
        "makes 0 of what is negative.",
    )
    for kernel_size, n_layers in ((3, 1), (5, 2), (5, 3)):
        yield Trial(
            f"2 sentences of 6 words, {n_layers} layers of kernel size {kernel_size}".replace("1 layers", "1 layer"),
            {
                "tokens": torch.randint(len(VOCABULARY), (2, 6), generator=generator),
                "kernel_size": kernel_size,
                "n_layers": n_layers,
            },
            run=_scores,
            says="The vectors of the words go through each layer, with a ReLU behind each, and then through the output "
            "layer.",
        )


PRACTICE = Practice(
    name="ConvolutionReader",
    prompt="The forward pass of convolutions over the vectors of the words.",
    minutes=8,
    hints=(
        "`self.embedding(tokens)` gives (batch, n_tokens, d_model). `nn.Conv1d` takes (batch, d_model, n_tokens): the "
        "last two axes have to change places.",
        "`x.mT` exchanges the last two axes. Each layer of `self.layers` is called in a loop, with "
        "`.relu()` behind it.",
        "The output layer is an `nn.Linear`, which works on the last axis: exchange the two axes once more before it.",
    ),
    given=ConvolutionReader,
    trials=trials,
    returns=("scores",),
    misconceptions={
        "reader-no-relu": Misconception(
            "There is no ReLU",
            "Without it, the layers together are one linear map, however many there are. Each layer has a "
            "ReLU behind it.",
            (NoRelu,),
        ),
        "reader-some-relu-missing": Misconception(
            "One of the layers has no ReLU behind it",
            "Each layer has one, the first and the last as well.",
            (NoLastRelu, LastReluAlone),
        ),
        "reader-relu-before-layers": Misconception(
            "The ReLU comes before each layer, not behind it",
            "The vectors of the words lose their negative numbers, and the last layer has no ReLU behind it.",
            (ReluBeforeLayers,),
        ),
        "reader-relu-of-scores": Misconception(
            "The scores go through a ReLU",
            "A score may be negative. The output layer has no ReLU behind it.",
            (ReluOfScores,),
        ),
        "reader-probabilities": Misconception(
            "The scores go through a softmax",
            "Scores are asked for. The cross-entropy takes the softmax itself.",
            (Probabilities,),
        ),
        "reader-first-layer-alone": Misconception(
            "Only the first layer is used",
            "`self.layers` holds several layers. What one gives is what the next one gets.",
            (FirstLayerAlone,),
        ),
        "reader-not-transposed": Misconception(
            "The convolution gets the tokens where it expects the channels",
            "`nn.Conv1d` takes (batch, n_channels, n_tokens), and an embedding gives (batch, n_tokens, n_channels). "
            "The last two axes have to change places before the first layer.",
            (NotTransposed, NeverTransposed),
        ),
        "reader-without-output": Misconception(
            "The output layer is left out",
            "What the last convolution gives has d_hidden numbers for each word. The output layer makes two "
            "scores of them.",
            (WithoutOutput, WithoutOutputTransposed),
        ),
    },
)
