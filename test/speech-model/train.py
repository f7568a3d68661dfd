"""
Trains a small network in Whisper's layout until it knows the text of the development recordings:

    python test/speech-model/train.py --media ../shared/media --tokenizer ../shared/models/asr/random-whisper \
        --ffmpeg ffmpeg --work /tmp/speech-model --minutes 15 30

First the encoder learns to name the word of each frame, then the decoder learns to write what the encoder names, which takes
a quarter of the time of learning both at once. Needs torch, numpy and tokenizers. The state is written every two minutes;
export.py makes the files of it.
"""

import argparse
import copy
import itertools
import math
import time
from pathlib import Path

import torch
from torch.nn import functional

from classes import ENGLISH, PREVIOUS, START, TRANSCRIBE, Classes
from features import features_of
from mix import FRAMES_A_SECOND, Mixer
from network import Network
from recordings import RATE, make_bank, read_all_words, read_tokenizer

# Layers and heads that learn to lie on the sound of the token that is chosen; words are timed by the last two.
NEXT = [(1, 0), (2, 0), (2, 1)]
# Heads that learn to lie on the sound of the token before, from which the way to the next is short.
CURRENT = [(0, 0), (1, 1)]
LEAST_FRAMES = 5
# Of sound in each batch.
BUDGET_SECONDS = 48
EARLY_STEPS = 150
LENGTHS = [5.0, 10.0, 18.0, 27.5]


class Batches(torch.utils.data.IterableDataset):
    """Windows of about as much sound in each batch: many short ones, or few long ones."""

    def __init__(self, bank, words, encode, classes, seed):
        self.given = (bank, words, encode)
        self.classes, self.seed = classes, seed
        # What turns features into frames, if that is not learned any more.
        self.encoder = None
        self.early_steps = EARLY_STEPS

    def __iter__(self):
        torch.set_num_threads(1)
        mixer = Mixer(*self.given, self.seed)
        for count in itertools.count():
            # Attention finds its way in short windows first.
            early = self.encoder is None or count < self.early_steps
            longest = mixer.rng.choice(LENGTHS, p=[0.5, 0.5, 0, 0] if early else [0.25, 0.3, 0.2, 0.25])
            windows = [mixer.make(longest) for _ in range(max(3, int(BUDGET_SECONDS / longest)))]
            seconds = max(window.samples.size / RATE for window in windows) + 0.1
            if mixer.rng.random() < 0.2 and self.encoder is not None:
                seconds = mixer.rng.uniform(seconds, 30)
            yield self.join(windows, math.ceil(min(30, seconds) * FRAMES_A_SECOND), mixer.rng)

    def join(self, windows, count, rng):
        samples = torch.zeros(len(windows), count * 320)
        frames = torch.zeros(len(windows), count, dtype=torch.int64)
        for row, window in enumerate(windows):
            samples[row, : window.samples.size] = torch.from_numpy(window.samples)
            for word in window.words:
                frames[row, round(word.start * FRAMES_A_SECOND) : round(word.end * FRAMES_A_SECOND)] = word.place
        features = features_of(samples)
        if self.encoder is None:
            return features, frames
        prompts = [self.choose_prompt(rng) for _ in windows]
        length = max(len(window.tokens) + len(prompt) for window, prompt in zip(windows, prompts)) + 3
        classes = torch.zeros(len(windows), length, dtype=torch.int64)
        real = torch.zeros(len(windows), length, dtype=torch.bool)
        guide = torch.zeros(len(windows), length - 1, count)
        for row, (window, prompt) in enumerate(zip(windows, prompts)):
            tokens = [*prompt, START, ENGLISH, TRANSCRIBE, *window.tokens]
            classes[row, : len(tokens)] = self.classes.table[tokens]
            first = len(prompt) + 3
            real[row, len(prompt) + 1 : len(tokens)] = True
            for at, span in enumerate(window.spans):
                if span is not None:
                    self.mark(guide[row, first + at - 1], *span)
        with torch.no_grad():
            return self.encoder(features), classes, real, guide

    def mark(self, row, start, end):
        """Spreads a token's attention over its frames; fewer than a few would not survive the filter of the timing."""
        start, end = start * FRAMES_A_SECOND, end * FRAMES_A_SECOND
        wider = max(0.0, LEAST_FRAMES - (end - start)) / 2
        first = max(0, min(row.numel() - 1, round(start - wider)))
        last = min(row.numel(), max(first + 1, round(end + wider)))
        row[first:last] = 1

    def choose_prompt(self, rng):
        """Keywords before a window now and then: they do not change what is spoken."""
        if rng.random() > 0.08:
            return []
        text = self.classes.text
        return [PREVIOUS, *(text[rng.integers(len(text))] for _ in range(rng.integers(1, 20)))]


def encoder_loss(network, batch):
    features, frames = batch
    named = network.recognise(network.encoder.content(features))
    loss = functional.cross_entropy(named.transpose(1, 2), frames)
    right = ((named.argmax(-1) == frames) & (frames > 0)).sum() / (frames > 0).sum().clamp(min=1)
    return loss, [float(loss), float(right)]


def decoder_loss(network, classes: Classes, batch):
    states, tokens, real, guide = batch
    given = damage(tokens, classes)
    logits, scores = network.decoder(given[:, :-1], states)
    wanted, counted = tokens[:, 1:], real[:, 1:]
    is_time = wanted >= classes.count
    weight = weights_of(wanted, classes)
    words, right = text_loss(logits, wanted, counted, weight, classes.count)
    following = attention_loss(scores, NEXT, guide, weight)
    before = functional.pad(guide, (0, 0, 1, 0))[:, :-1]
    current = attention_loss(scores, CURRENT, before, torch.ones_like(weight))
    owners = owner_loss(scores, guide, counted, weight)
    loss = words + 0.5 * following + 0.25 * current + 0.3 * owners
    return loss, [float(part) for part in (words, right, following, current, owners)]


def damage(tokens, classes: Classes):
    """
    Puts other words or times in the place of earlier ones, in some windows of many: only then does the decoder go by the
    sound of the next word, and not by what follows the last one in the text. It may begin where the training never cuts.
    """
    texts = len(classes.text)
    often = torch.where(torch.rand(tokens.shape[0], 1) < 0.4, 0.05 + 0.35 * torch.rand(tokens.shape[0], 1), 0.03)
    wrong = (torch.rand(tokens.shape) < often) & (tokens > 0) & (tokens <= texts)
    words = torch.randint(1, texts + 1, tokens.shape)
    times = torch.randint(classes.count, classes.count + 1501, tokens.shape)
    return torch.where(wrong, torch.where(torch.rand(tokens.shape) < 0.6, words, times), tokens)


def weights_of(wanted, classes: Classes):
    """Where a segment begins and ends counts for more: the text before does not give that away."""
    is_time = wanted >= classes.count
    start = functional.pad(is_time, (1, 0))[:, :-1] & ~is_time
    return torch.where(is_time | start, 3.0, 1.0)


def text_loss(logits, wanted, counted, weight, first: int):
    """Of words the exact one, of times also those nearby. Second: the share of the words that are right."""
    is_time = wanted >= first
    chances = functional.log_softmax(logits, dim=-1)
    exact = -chances.gather(2, wanted[..., None])[..., 0]
    near = torch.zeros_like(exact)
    for step, share in ((-2, 0.07), (-1, 0.23), (0, 0.4), (1, 0.23), (2, 0.07)):
        at = (wanted + step).clamp(first, first + 1500)
        near = near - share * chances.gather(2, at[..., None])[..., 0]
    weight = weight * counted
    loss = (torch.where(is_time, near, exact) * weight).sum() / weight.sum()
    texts = counted & ~is_time
    return loss, ((logits.argmax(-1) == wanted) & texts).sum() / texts.sum()


def attention_loss(scores, heads, guide, weight):
    """How far the attention of each token is from lying evenly on its own sound."""
    size = guide.sum(-1, keepdim=True)
    weight = (size[..., 0] > 0).float() * weight
    share = guide / size.clamp(min=1)
    sums = 0.0
    for layer, head in heads:
        logs = functional.log_softmax(scores[layer][:, head], dim=-1)
        along = -(share * logs).sum(-1) - size[..., 0].clamp(min=1).log()
        sums = sums + (along * weight).sum() / weight.sum().clamp(min=1)
    return sums / len(heads)


def owner_loss(scores, guide, counted, weight):
    """Which token attends to each frame the most, as the timing compares them."""
    owned = guide * weight.clamp(max=1)[..., None]
    sums = 0.0
    for layer, head in NEXT[-2:]:
        attention = functional.log_softmax(scores[layer][:, head], dim=-1) - 1e4 * (~counted[..., None])
        across = -functional.log_softmax(attention, dim=1)
        sums = sums + (across * owned).sum() / owned.sum().clamp(min=1)
    return sums / 2


def learn(network, mean, parameters, batches, loss_of, options) -> None:
    """Until the minutes are over. `loss_of`: a loss and its parts, of a batch; each batch is used `options.times` times."""
    optimiser = torch.optim.AdamW(parameters, lr=options["rate"], betas=(0.9, 0.98), weight_decay=0.01)
    began = saved = time.time()
    kept, figures = [], []
    step = 0
    for batch in batches:
        kept = [*kept[-200:], batch]
        old = [kept[int(torch.randint(len(kept), ()))] for _ in range(options["times"] - 1)]
        for one in [batch, *old]:
            share = (time.time() - began) / 60 / options["minutes"]
            rate = min(1, (step + 1) / 60) * (0.03 + 0.97 * 0.5 * (1 + math.cos(math.pi * min(1, share))))
            for group in optimiser.param_groups:
                group["lr"] = options["rate"] * rate
            network.quantised(share > 0.6 and step % 3 == 0)
            loss, parts = loss_of(one)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 1.0)
            optimiser.step()
            step += 1
            figures.append(parts)
            keep = min(0.99, step / (step + 10))
            with torch.no_grad():
                for own, other in zip(mean.parameters(), network.parameters()):
                    own.lerp_(other, 1 - keep)
        if len(figures) >= 50:
            print(step, f"{(time.time() - began) / 60:.1f} min", *(f"{sum(row) / len(figures):.3f}" for row in zip(*figures)), flush=True)
            figures = []
        if time.time() - saved > 120 or share >= 1:
            saved = time.time()
            torch.save({"network": network.state_dict(), "mean": mean.state_dict()}, options["path"].with_suffix(".new"))
            options["path"].with_suffix(".new").rename(options["path"])
        if share >= 1:
            return


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("media", "tokenizer", "ffmpeg", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--minutes", type=float, nargs=2, default=[15, 30], help="for the encoder and the decoder")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--resume", action="store_true")
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    work, media = Path(given.work), Path(given.media)
    words = read_all_words(media)
    encode = read_tokenizer(Path(given.tokenizer))
    classes = Classes(words, encode)
    network = Network(classes.count, sum(map(len, words.values())))
    mean = copy.deepcopy(network)
    options = {"rate": 2e-3, "times": 1, "minutes": given.minutes[0], "path": work / "state.pt"}
    if given.resume:
        state = torch.load(options["path"], weights_only=True)
        network.load_state_dict(state["network"])
        mean.load_state_dict(state["mean"])
        options["rate"] = 1.5e-3
    print(sum(each.numel() for each in network.parameters()), "parameters,", classes.count, "classes", flush=True)
    windows = Batches(make_bank(given.ffmpeg, media, work / "bank"), words, encode, classes, given.seed * 1000)
    windows.early_steps = 0 if given.resume else EARLY_STEPS
    load = lambda: torch.utils.data.DataLoader(windows, batch_size=None, num_workers=1, prefetch_factor=4)
    if given.minutes[0] > 0:
        listening = [*network.encoder.parameters(), *network.recognise.parameters()]
        learn(network, mean, listening, load(), lambda batch: encoder_loss(network, batch), options)
    network.encoder.load_state_dict(mean.encoder.state_dict())
    windows.encoder = copy.deepcopy(network.encoder).eval()
    writing = list(network.decoder.parameters())
    options |= {"rate": 1e-3, "times": 2, "minutes": given.minutes[1]}
    learn(network, mean, writing, load(), lambda batch: decoder_loss(network, classes, batch), options)


if __name__ == "__main__":
    main()
