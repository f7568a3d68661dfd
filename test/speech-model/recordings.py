"""The development recordings: their words with times, where they may be cut, and how they sound at other speeds and pitches."""

import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np

RATE = 16_000
HERE = Path(__file__).parent
NASA_TEXT = (
    "This is the optical and science segment of the Webb space telescope in one of the largest cleanrooms in the"
    " world at NASA's Goddard Space Flight Center in Greenbelt, Maryland."
)
# Name, file below the media folder, arguments that choose its sound, how often it is chosen.
RECORDINGS = [
    ("flite_rms_gettysburg", "flite_rms_gettysburg.wav", [], 0.36),
    ("flite_slt_alice", "flite_slt_alice.wav", [], 0.30),
    ("jfk", "jfk.flac", [], 0.19),
    ("nasa_13013", "people/nasa_13013.mp4", ["-map", "0:a:1"], 0.15),
]
# Speeds and pitches of training. Those between them are what is measured with: see changes.ts.
TEMPOS = [0.84, 0.88, 0.92, 0.97, 1.0, 1.03, 1.08, 1.12, 1.17]
PITCHES = [0.87, 0.91, 0.96, 1.0, 1.04, 1.09, 1.15]


@dataclass(frozen=True)
class Word:
    """`text` as it is written, with its punctuation; times in seconds; `place`: its number among all words, from 1."""

    text: str
    start: float
    end: float
    place: int = 0


def is_held_out(boundary: int) -> bool:
    """Whether the place before a word is cut at only in measuring."""
    return boundary % 5 == 2


def read_all_words(media: Path) -> dict[str, list[Word]]:
    """The words of each recording, numbered through all of them."""
    words: dict[str, list[Word]] = {}
    place = 0
    for name, *_ in RECORDINGS:
        words[name] = []
        for word in read_words(media, name):
            place += 1
            words[name].append(Word(word.text, word.start, word.end, place))
    return words


def read_words(media: Path, name: str) -> list[Word]:
    """The written words with the times of the alignment. Raises ValueError when the two do not fit."""
    own = HERE / f"{name}.align.txt"
    lines = (own if own.exists() else media / f"{name}.align.txt").read_text().splitlines()
    timed = []
    for line in lines:
        parts = line.split()
        if len(parts) >= 3 and re.fullmatch(r"[\d.]+", parts[1]) and parts[0][0] not in "<[":
            timed.append((re.sub(r"\(\d+\)$", "", parts[0]), float(parts[1]), float(parts[2]) + 0.01))
    written = (NASA_TEXT if own.exists() else (media / f"{name}.txt").read_text()).split()
    if len(written) != len(timed):
        raise ValueError(f"{name}: {len(written)} words are written and {len(timed)} aligned")
    for text, (word, _, _) in zip(written, timed):
        if re.sub(r"[^a-z']", "", text.lower()) != word:
            raise ValueError(f"{name}: {text} is aligned as {word}")
    return [Word(text, start, end) for text, (_, start, end) in zip(written, timed)]


def read_sound(ffmpeg: str, path: Path, choose: list[str], filters: str) -> np.ndarray:
    """Mono samples of 16 bits at 16 kHz."""
    command = [ffmpeg, "-v", "error", "-i", str(path), *choose, "-af", filters]
    raw = subprocess.run([*command, "-ac", "1", "-ar", str(RATE), "-f", "s16le", "-"], capture_output=True, check=True)
    return np.frombuffer(raw.stdout, dtype=np.int16)


def change_filter(tempo: float, pitch: float) -> str:
    """Another speed at the same pitch, and another pitch at the same speed."""
    return f"aresample={RATE},asetrate={round(RATE * pitch)},aresample={RATE},atempo={tempo / pitch:.6f}"


def make_bank(ffmpeg: str, media: Path, folder: Path) -> dict[tuple[str, float, float], np.ndarray]:
    """Each recording at each speed and pitch; kept in `folder`, because making them takes a minute."""
    folder.mkdir(parents=True, exist_ok=True)
    bank = {}
    for name, file, choose, _ in RECORDINGS:
        for tempo in TEMPOS:
            for pitch in PITCHES:
                kept = folder / f"{name}-{tempo}-{pitch}.npy"
                if not kept.exists():
                    np.save(kept, read_sound(ffmpeg, media / file, choose, change_filter(tempo, pitch)))
                bank[(name, tempo, pitch)] = np.load(kept)
    return bank


def read_tokenizer(folder: Path):
    """Text to tokens of Whisper, without special ones."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


def read_settings(folder: Path) -> dict:
    return json.loads((folder / "generation_config.json").read_text())
