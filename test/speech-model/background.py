"""
Noise and music without speech, of kinds drawn at random, for the training alone. What changes.ts measures with is left out:
brown noise, a fan's, an organ, a synthesiser.
"""

import numpy as np

from recordings import RATE

MUSIC_SECONDS = 8
NOISE_SECONDS = 30
# Steps of the notes of an arpeggio or a chord; no major triad, which the organ plays.
CHORDS = [(0, 3, 7), (0, 5, 10), (0, 7, 14), (0, 2, 9), (0, 3, 8), (0, 4, 11), (0, 6, 9), (0, 12, 19), (0,), (0, 7)]
SCALES = [(0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10), (0, 3, 5, 7, 10), (0, 2, 4, 7, 9), tuple(range(12))]


def scaled(sound: np.ndarray) -> np.ndarray:
    """With peaks of 1."""
    return (sound / max(1e-6, float(np.abs(sound).max()))).astype(np.float32)


def shaped_noise(rng: np.random.Generator, count: int) -> np.ndarray:
    """Noise of a random slope, flatter or steeper than brown noise, with some resonances."""
    spectrum = np.fft.rfft(rng.standard_normal(count))
    hertz = np.fft.rfftfreq(count, 1 / RATE)
    slope = rng.uniform(-1.0, 0.7) if rng.random() < 0.75 else rng.uniform(1.4, 2.0)
    shape = np.maximum(20, hertz) ** -slope
    for _ in range(rng.integers(0, 4)):
        centre, width = np.exp(rng.uniform(np.log(100), np.log(6000))), rng.uniform(0.05, 0.6)
        shape = shape * (1 + rng.uniform(1, 12) * np.exp(-((np.log(np.maximum(20, hertz) / centre) / width) ** 2)))
    return np.fft.irfft(spectrum * shape, count)


def hum(rng: np.random.Generator, count: int) -> np.ndarray:
    """A mains hum, a motor or a whistle: partials of a steady tone, and a little noise."""
    base = rng.choice([50.0, 60.0, 100.0, rng.uniform(40, 900)])
    time = np.arange(count) / RATE
    most = max(2, min(24, int(7000 / base)))
    tones = sum(
        rng.random() ** 2 * np.sin(2 * np.pi * base * part * time + rng.uniform(0, 6)) for part in range(1, most)
    )
    return tones / max(1e-6, np.std(tones)) + rng.uniform(0, 0.3) * rng.standard_normal(count)


def clicks(rng: np.random.Generator, count: int) -> np.ndarray:
    """Crackle, knocks, keys, a beep now and then."""
    sound = 0.03 * rng.random() * rng.standard_normal(count)
    every = np.exp(rng.uniform(np.log(0.01), np.log(1.5)))
    size = int(rng.uniform(0.002, 0.25) * RATE)
    time = np.arange(size) / RATE
    tone = np.exp(rng.uniform(np.log(60), np.log(4000)))
    for first in np.cumsum(rng.exponential(every, int(count / RATE / every) + 1)) * RATE:
        at = int(first)
        if at + size >= count:
            break
        burst = rng.standard_normal(size) if rng.random() < 0.6 else np.sin(2 * np.pi * tone * rng.uniform(0.8, 1.2) * time)
        sound[at : at + size] += burst * np.exp(-time * rng.uniform(3, 20) / (size / RATE)) * rng.uniform(0.2, 1)
    return sound


def babble(rng: np.random.Generator, count: int, voices: list[np.ndarray]) -> np.ndarray:
    """Several people at once, all of them backwards, so that no word can be understood."""
    sound = np.zeros(count)
    for _ in range(rng.integers(1, 7)):
        voice = voices[rng.integers(len(voices))][::-1].astype(np.float32)
        voice = np.tile(voice, 1 + count // voice.size)
        sound += np.roll(voice[:count], rng.integers(count)) * 10 ** rng.uniform(-0.3, 0)
    return sound


def make_noise(rng: np.random.Generator, voices: list[np.ndarray]) -> np.ndarray:
    """Noise with an RMS level of 1, sometimes of two kinds, sometimes with breaks."""
    count = NOISE_SECONDS * RATE
    kinds = [shaped_noise, shaped_noise, hum, clicks, lambda own, size: babble(own, size, voices)]
    sound = np.zeros(count)
    for _ in range(rng.integers(1, 3)):
        part = kinds[rng.integers(len(kinds))](rng, count)
        sound += part / max(1e-6, part.std()) * 10 ** rng.uniform(-0.7, 0)
    if rng.random() < 0.25:
        edges = np.cumsum(rng.uniform(0.05, 4, 60))
        on = np.searchsorted(edges, np.arange(count) / RATE) % 2
        sound = sound * np.where(on == 1, 1, rng.choice([0, 0.1, 0.4]))
    return (sound / max(1e-6, sound.std())).astype(np.float32)


def make_tone(rng: np.random.Generator):
    """A timbre: from pitch and seconds since the note's start to its sound, which always dies away or wavers."""
    parts = rng.integers(1, 20)
    strengths = rng.random(parts) ** rng.uniform(0.5, 3) / np.arange(1, parts + 1) ** rng.uniform(0, 2)
    stretch = rng.choice([0.0, 0.0, rng.uniform(0.0005, 0.2)])
    rise = np.exp(rng.uniform(np.log(0.001), np.log(0.3)))
    decay, spread = rng.uniform(0.6, 9), rng.choice([0.0, rng.uniform(0, 3)])
    detune = rng.choice([0.0, 0.004, 0.012])
    breath = rng.choice([0.0, 0.0, 0.05, 0.3])
    glide = rng.choice([0.0, 0.0, 0.0, rng.uniform(-1.5, 1.5)])
    trill, depth = rng.uniform(3, 14), rng.choice([0.0, 0.0, rng.uniform(0.1, 0.9)])

    def tone(pitch: float, at: np.ndarray) -> np.ndarray:
        phase = 2 * np.pi * pitch * (at + glide * at**2 / 2)
        sound = breath * rng.standard_normal(at.size)
        for part, strength in enumerate(strengths, 1):
            place = part * (1 + stretch * part)
            if place * pitch > 7500:
                break
            partial = np.sin(phase * place)
            if detune > 0:
                partial = partial + np.sin(phase * place * (1 + detune))
            sound = sound + strength * partial * np.exp(-at * spread * part)
        waver = 1 - depth * (0.5 + 0.5 * np.sin(2 * np.pi * trill * at))
        return sound * np.minimum(1, at / rise) * np.exp(-at * decay) * waver

    return tone


def make_notes(rng: np.random.Generator, count: int) -> np.ndarray:
    """A melody, an arpeggio or chords of one timbre."""
    sound = np.zeros(count)
    tone = make_tone(rng)
    beat = np.exp(rng.uniform(np.log(0.09), np.log(1.4)))
    root, scale = np.exp(rng.uniform(np.log(55), np.log(700))), SCALES[rng.integers(len(SCALES))]
    chord = CHORDS[rng.integers(len(CHORDS))]
    style = rng.choice(["melody", "arpeggio", "chords"])
    lasts = beat * rng.choice([0.5, 1.0, 3.0])
    for index, start in enumerate(np.arange(0, count / RATE, beat)):
        if rng.random() < 0.12:
            continue
        if index % 4 == 0 and rng.random() < 0.5:
            chord = CHORDS[rng.integers(len(CHORDS))]
        lowest = rng.choice(scale) + rng.choice([0, 0, 12])
        steps = {"melody": [lowest], "arpeggio": [chord[index % len(chord)]], "chords": [lowest + each for each in chord]}
        first = int(start * RATE)
        at = np.arange(min(count - first, int(min(3, lasts) * RATE))) / RATE
        for step in steps[style]:
            sound[first : first + at.size] += tone(root * 2 ** (step / 12), at) * rng.uniform(0.5, 1)
    return scaled(sound)


def make_drums(rng: np.random.Generator, count: int) -> np.ndarray:
    sound = np.zeros(count)
    beat = rng.uniform(0.1, 0.6)
    kinds = [(rng.uniform(0, 1), rng.uniform(8, 90), rng.uniform(40, 300), rng.uniform(5, 30)) for _ in range(3)]
    for start in np.arange(rng.uniform(0, beat), count / RATE, beat):
        noisy, dull, pitch, decay = kinds[rng.integers(len(kinds))]
        first = int(start * RATE)
        at = np.arange(min(count - first, RATE // 2)) / RATE
        hit = noisy * rng.standard_normal(at.size) * np.exp(-at * dull)
        low = (1 - noisy) * np.sin(2 * np.pi * pitch * (at - 0.5 * at**2)) * np.exp(-at * decay)
        sound[first : first + at.size] += (hit + low) * rng.uniform(0.3, 1)
    return scaled(sound)


def make_music(rng: np.random.Generator) -> np.ndarray:
    """Some seconds with peaks of 1: notes, drums, or both."""
    count = MUSIC_SECONDS * RATE
    kind = rng.random()
    if kind < 0.2:
        return make_drums(rng, count)
    sound = make_notes(rng, count)
    if kind > 0.6:
        sound = sound + make_notes(rng, count) * rng.uniform(0.2, 1)
    if kind > 0.8:
        sound = sound + make_drums(rng, count) * rng.uniform(0.2, 1)
    return scaled(sound)


class Background:
    """Many pieces of noise and music, made once, from which parts are taken at random."""

    def __init__(self, rng: np.random.Generator, bank: list[np.ndarray], counts=(40, 120)):
        self.rng = rng
        self.noises = [make_noise(rng, bank) for _ in range(counts[0])]
        self.musics = [make_music(rng) for _ in range(counts[1])]

    def take(self, sounds: list[np.ndarray], count: int) -> np.ndarray:
        sound = sounds[self.rng.integers(len(sounds))]
        first = self.rng.integers(0, max(1, sound.size - count))
        part = sound[first : first + count]
        return np.tile(part, 1 + count // max(1, part.size))[:count]

    def noise(self, count: int) -> np.ndarray:
        part = self.take(self.noises, count)
        return part / max(1e-6, float(part.std()))

    def part(self, count: int) -> np.ndarray:
        """Music, or now and then noise, with peaks of 1 at most, whose edges may be abrupt."""
        own = self.rng.random() < 0.25
        part = (scaled(self.take(self.noises, count)) if own else self.take(self.musics, count)).copy()
        for edge in (slice(None), slice(None, None, -1)):
            fade = min(int(self.rng.choice([0, 50, 400, 4000])), part.size // 2)
            part[edge][:fade] *= np.linspace(0, 1, fade, dtype=np.float32)
        return part
