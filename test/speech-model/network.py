"""A small network with the inputs and outputs of Whisper: sound to states, states and text to the next token."""

import math

import torch
from torch import nn
from torch.nn import functional

STATES = 1500
HEAD = 32


def positions(count: int, width: int) -> torch.Tensor:
    """Sines and cosines of positions, as Whisper's encoder has them."""
    rates = torch.exp(-math.log(10_000) / (width // 2 - 1) * torch.arange(width // 2))
    angles = torch.arange(count)[:, None] * rates[None]
    return torch.cat([angles.sin(), angles.cos()], dim=1)


class Linear(nn.Linear):
    """May be used as if its weights were already quantised to 4 bits in blocks of 32, so that it learns to bear that."""

    coarse = False

    def forward(self, x):
        weight = self.weight
        if self.coarse:
            blocks = weight.detach().reshape(weight.shape[0], -1, 32)
            size = (blocks.abs().amax(-1, keepdim=True) / 8).clamp(min=1e-8)
            rounded = ((blocks / size).round().clamp(-8, 7) * size).reshape(weight.shape)
            weight = weight + (rounded - weight).detach()
        return functional.linear(x, weight, self.bias)


class Mix(nn.Module):
    """Neighbouring frames mixed for each channel, then channels mixed for each frame."""

    def __init__(self, width: int, inner: int, step: int):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.near = nn.Conv1d(width, width, 7, padding=3 * step, dilation=step, groups=width)
        self.wide = Linear(width, inner)
        self.narrow = Linear(inner, width)

    def forward(self, x):
        near = self.near(self.norm(x).transpose(1, 2)).transpose(1, 2)
        return x + self.narrow(functional.gelu(self.wide(near)))


class Encoder(nn.Module):
    """
    The two convolutions of Whisper's encoder, and convolutions over half a second where it has attention over all: enough
    for a text that is known, at a tenth of the cost, and the same wherever a window is cut.
    """

    def __init__(self, width: int, inner: int, steps=(1, 1, 2, 3, 4)):
        super().__init__()
        self.first = nn.Conv1d(80, width, 3, padding=1)
        self.second = nn.Conv1d(width, width, 3, stride=2, padding=1)
        self.blocks = nn.ModuleList([Mix(width, inner, step) for step in steps])
        self.norm = nn.LayerNorm(width)
        self.register_buffer("places", positions(STATES, width), persistent=False)

    def content(self, features):
        """What is spoken at each frame, wherever it is."""
        x = functional.gelu(self.second(functional.gelu(self.first(features)))).transpose(1, 2)
        for block in self.blocks:
            x = block(x)
        return self.norm(x)

    def forward(self, features):
        content = self.content(features)
        return content + self.places[: content.shape[1]]


class Attention(nn.Module):
    def __init__(self, width: int):
        super().__init__()
        self.heads = width // HEAD
        self.query = Linear(width, width)
        self.key = Linear(width, width, bias=False)
        self.value = Linear(width, width)
        self.out = Linear(width, width)

    def split(self, x):
        return x.reshape(x.shape[0], x.shape[1], self.heads, HEAD).transpose(1, 2)

    def known(self, x):
        """Keys and values, which need computing once for each position."""
        return self.split(self.key(x)), self.split(self.value(x))

    def forward(self, x, key, value, hidden=None):
        """The result, and the logarithms and values of the attention. `hidden`: added to the scores."""
        scores = self.split(self.query(x)) @ key.transpose(2, 3) * HEAD**-0.5
        if hidden is not None:
            scores = scores + hidden
        attention = torch.softmax(scores, dim=-1)
        mixed = (attention @ value).transpose(1, 2).reshape(x.shape[0], x.shape[1], self.heads * HEAD)
        return self.out(mixed), attention, scores


class Layer(nn.Module):
    def __init__(self, width: int, inner: int):
        super().__init__()
        self.norms = nn.ModuleList([nn.LayerNorm(width) for _ in range(3)])
        self.own = Attention(width)
        self.cross = Attention(width)
        self.wide = Linear(width, inner)
        self.narrow = Linear(inner, width)

    def forward(self, x, past, sound, hidden):
        """`past`: keys and values of earlier positions, or None; `sound`: those of the states."""
        normed = self.norms[0](x)
        key, value = self.own.known(normed)
        if past is not None:
            key, value = torch.cat([past[0], key], dim=2), torch.cat([past[1], value], dim=2)
        x = x + self.own(normed, key, value, hidden)[0]
        mixed, attention, scores = self.cross(self.norms[1](x), *sound)
        x = x + mixed
        x = x + self.narrow(functional.gelu(self.wide(self.norms[2](x))))
        return x, (key, value), attention, scores


class Decoder(nn.Module):
    """
    Words that are not in the training text share one row of the embedding. Rows of timestamps are made from the positions
    of the encoder, so that all of them are learned together.
    """

    def __init__(self, width: int, inner: int, layers: int, words: int, times: int):
        super().__init__()
        self.words = nn.Parameter(torch.randn(words, width) * 0.1)
        self.times = Linear(width, width)
        nn.init.normal_(self.times.weight, std=0.015)
        self.bias = nn.Parameter(torch.zeros(words + 1))
        self.layers = nn.ModuleList([Layer(width, inner) for _ in range(layers)])
        self.norm = nn.LayerNorm(width)
        self.register_buffer("places", positions(448, width), persistent=False)
        self.register_buffer("moments", positions(times, width), persistent=False)

    def rows(self):
        return torch.cat([self.words, self.times(self.moments)])

    def forward(self, classes, states):
        """Logits of the classes for each position, and the scores of each layer's cross attention."""
        rows = self.rows()
        count = classes.shape[1]
        x = rows[classes] + 0.3 * self.places[:count]
        hidden = torch.full((count, count), -1e4).triu(1)
        scores = []
        for layer in self.layers:
            x, _, _, layer_scores = layer(x, None, layer.cross.known(states), hidden)
            scores.append(layer_scores)
        return self.score(self.norm(x), rows), scores

    def score(self, x, rows):
        bias = torch.cat([self.bias[:-1], self.bias[-1:].expand(self.moments.shape[0])])
        return x @ rows.T + bias


class Network(nn.Module):
    def __init__(self, words: int, spoken: int, width=128, inner=256, layers=3, times=1501):
        """`words`: rows of the embedding beside the times; `spoken`: words of the recordings, for the training alone."""
        super().__init__()
        self.recognise = nn.Linear(width, spoken + 1)
        self.encoder = Encoder(width, inner)
        self.decoder = Decoder(width, inner, layers, words, times)

    def quantised(self, coarse: bool) -> None:
        for module in self.modules():
            if isinstance(module, Linear):
                module.coarse = coarse
