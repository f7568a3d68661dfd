"""Windows of sound as the speech stage cuts them, put together from pieces of the recordings, with the tokens they must give."""

from dataclasses import dataclass, field

import numpy as np

from background import Background
from recordings import RATE, RECORDINGS, Word, is_held_out

FRAMES_A_SECOND = 50
TIMESTAMP = 50364
END = 50257
# A segment of the model's answer ends with a sentence, or at a pause of as many seconds.
PAUSE = 0.25


@dataclass
class Window:
    samples: np.ndarray
    tokens: list[int] = field(default_factory=list)
    # For each token: first and last frame of the sound that its attention lies on; None: anywhere.
    spans: list[tuple[float, float] | None] = field(default_factory=list)
    words: list[Word] = field(default_factory=list)


class Mixer:
    """Makes windows without end. `bank`: see recordings.make_bank; `encode`: text to tokens."""

    def __init__(self, bank, words: dict[str, list[Word]], encode, seed: int):
        self.bank, self.words, self.encode = bank, words, encode
        self.rng = np.random.default_rng(seed)
        self.variants = sorted({(tempo, pitch) for _, tempo, pitch in bank})
        self.names = [name for name, *_ in RECORDINGS]
        self.weights = [weight for *_, weight in RECORDINGS]
        self.background = Background(self.rng, [sound for key, sound in bank.items() if key[1:] in self.variants[:9]])

    def choose_piece(self, most: float):
        """Name, tempo, pitch, first word, and the word after the last one, of a piece that is not too long."""
        rng = self.rng
        name = self.names[rng.choice(len(self.names), p=self.weights)]
        words = self.words[name]
        tempo, pitch = self.variants[rng.integers(len(self.variants))]
        cuts = [at for at in range(len(words) + 1) if at in (0, len(words)) or not is_held_out(at)]
        paused = [
            at for at in cuts if at in (0, len(words)) or words[at].start - words[at - 1].end > 0.03
        ]
        at_pauses = rng.random() < 0.25
        starts = paused if at_pauses else cuts
        first = starts[rng.integers(len(starts) - 1)]
        later = [at for at in (paused if at_pauses else cuts) if at > first]
        length = rng.integers(1, 4) if at_pauses else rng.integers(1, 13)
        last = later[min(len(later), length) - 1]
        while last > first + 1 and (words[last - 1].end - words[first].start) / tempo > most:
            last = max((at for at in cuts if first < at < last), default=first + 1)
        return name, tempo, pitch, first, last

    def cut_piece(self, name: str, tempo: float, pitch: float, first: int, last: int):
        """Samples of the piece, and its words with times from its start."""
        words = self.words[name]
        sound = self.bank[(name, tempo, pitch)]
        before = words[first - 1].end if first > 0 else 0
        after = words[last].start if last < len(words) else sound.size * tempo / RATE
        edge = lambda: self.rng.uniform(0, 0.3 if self.rng.random() < 0.6 else 0.03)
        start = max(before, words[first].start - edge())
        end = min(after, words[last - 1].end + edge())
        samples = sound[int(start / tempo * RATE) : int(end / tempo * RATE)].astype(np.float32) / 32768
        fade = min(int(self.rng.choice([20, 160, 160, 400])), samples.size // 4)
        samples[:fade] *= np.linspace(0, 1, fade)
        samples[samples.size - fade :] *= np.linspace(1, 0, fade)
        timed = [
            Word(word.text, (word.start - start) / tempo, (word.end - start) / tempo, word.place)
            for word in words[first:last]
        ]
        return samples, timed

    def make(self, longest: float) -> Window:
        rng = self.rng
        if rng.random() < 0.1:
            return self.make_empty(rng.uniform(0.5, longest))
        total = rng.uniform(min(1.5, longest), longest)
        at = rng.uniform(0, 0.5)
        parts, words = [], []
        if rng.random() < 0.2 and longest > 4:
            at = rng.uniform(0.3, min(4, longest / 3))
            parts.append((0.0, self.background.part(int(at * RATE)) * self.loudness()))
            at += rng.uniform(0, 0.4)
        while at < total or not words:
            name, tempo, pitch, first, last = self.choose_piece(max(1.0, total - at))
            samples, timed = self.cut_piece(name, tempo, pitch, first, last)
            if words and at + samples.size / RATE > longest:
                break
            parts.append((at, samples * 10 ** rng.uniform(-0.25, 0.25)))
            words.append([Word(word.text, word.start + at, word.end + at, word.place) for word in timed])
            at += samples.size / RATE
            kind = rng.random()
            gap = rng.uniform(0.03, 0.5) if kind < 0.5 else rng.uniform(0.5, 2.9)
            if kind > 0.65:
                gap = rng.uniform(0.3, 6 if longest > 9 else 2)
                gap = max(0.0, min(gap, longest - at - 0.1))
            if kind > 0.65 and gap > 0.2:
                parts.append((at, self.background.part(int(gap * RATE)) * self.loudness()))
            at += gap
        ending = max(start + part.size / RATE for start, part in parts) + rng.uniform(0, 0.4)
        samples = np.zeros(int(ending * RATE), dtype=np.float32)
        for start, part in parts:
            first = int(start * RATE)
            samples[first : first + part.size] += part[: samples.size - first]
        window = Window(self.colour(samples))
        self.add_tokens(window, words, samples.size / RATE)
        return window

    def loudness(self) -> float:
        return 10 ** self.rng.uniform(-1.7, -0.3)

    def make_empty(self, seconds: float) -> Window:
        """Silence, noise or music, for which the answer has no words."""
        samples = np.zeros(int(seconds * RATE), dtype=np.float32)
        at = 0.0
        while at < seconds and self.rng.random() < 0.8:
            part = self.background.part(int(min(seconds - at, self.rng.uniform(0.5, 8)) * RATE))
            samples[int(at * RATE) : int(at * RATE) + part.size] = part[: samples.size - int(at * RATE)] * self.loudness()
            at += part.size / RATE + self.rng.uniform(0, 1)
        return Window(self.colour(samples), [TIMESTAMP, END], [None, None])

    def colour(self, samples: np.ndarray) -> np.ndarray:
        """A place, a microphone and a level."""
        rng = self.rng
        level = max(1e-4, float(np.sqrt(np.mean(samples**2))))
        if rng.random() < 0.2:
            length = int(RATE * rng.uniform(0.1, 0.35))
            tail = rng.standard_normal(length) * np.exp(-np.arange(length) / (length / 5)) * rng.uniform(0.01, 0.06)
            tail[0] = 1
            size = samples.size + length
            samples = np.fft.irfft(np.fft.rfft(samples, size) * np.fft.rfft(tail, size), size)[: samples.size]
        if rng.random() < 0.75:
            samples = samples + self.background.noise(samples.size) * level * 10 ** (-rng.uniform(8, 45) / 20)
        if rng.random() < 0.08:
            music = self.background.take(self.background.musics, samples.size)
            samples = samples + music / max(1e-6, float(music.std())) * level * 10 ** (-rng.uniform(14, 40) / 20)
        if rng.random() < 0.4:
            tilt = rng.uniform(-0.5, 0.5)
            samples = samples + tilt * np.concatenate([[0], samples[:-1]])
        samples = samples * rng.uniform(0.06, 0.97) / max(1e-4, float(np.abs(samples).max()))
        return (np.round(samples * 32767) / 32768).astype(np.float32)

    def add_tokens(self, window: Window, pieces: list[list[Word]], seconds: float) -> None:
        """The text in segments with their times, and whose sound each frame is."""
        segments: list[list[Word]] = []
        for words in pieces:
            segments.append([])
            for word in words:
                open_ = segments[-1]
                if open_ and (word.start - open_[-1].end > PAUSE or open_[-1].text[-1] in ".?!;"):
                    segments.append([])
                segments[-1].append(word)
        time = lambda at: TIMESTAMP + min(1500, max(0, round(at * FRAMES_A_SECOND)))
        window.words = [word for words in pieces for word in words]
        last_end = 0.0
        for index, words in enumerate(segments):
            start, end = words[0].start, words[-1].end
            following = segments[index + 1][0].start if index + 1 < len(segments) else seconds
            window.tokens.append(time(start))
            window.spans.append((last_end, start))
            for word, after in zip(words, [*words[1:], None]):
                self.add_word(window, word, after.start if after else word.end)
            window.tokens.append(time(end))
            last_end = (end + following) / 2
            window.spans.append((end, last_end))
        window.tokens.append(END)
        window.spans.append((last_end, seconds))

    def add_word(self, window: Window, word: Word, following: float) -> None:
        """A word's tokens share its sound by their letters; punctuation has the pause after it, if there is one."""
        tokens = self.encode(" " + word.text)
        bare = word.text.rstrip(".,;:?!")
        spoken = len(self.encode(" " + bare))
        at = word.start
        for index, token in enumerate(tokens):
            window.tokens.append(token)
            if index >= spoken:
                end = max(word.end, following)
                window.spans.append((max(word.start, min(word.end, end - 0.1)), end))
                continue
            until = word.start + (word.end - word.start) * (index + 1) / spoken
            window.spans.append((at, until))
            at = until
