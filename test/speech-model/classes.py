"""The tokens that the model knows. All others share a class, which is never chosen."""

import torch

from mix import END, TIMESTAMP
from recordings import Word

START, ENGLISH, TRANSCRIBE, PREVIOUS = 50258, 50259, 50359, 50361
VOCABULARY = 51865


class Classes:
    """Class 0 is every other token; the classes of timestamps are the last 1501."""

    def __init__(self, words: dict[str, list[Word]], encode):
        texts = sorted({token for list_ in words.values() for word in list_ for token in encode(" " + word.text)})
        self.text = texts
        self.tokens = [*texts, END, *range(START, TIMESTAMP)]
        self.count = len(self.tokens) + 1
        table = torch.zeros(VOCABULARY, dtype=torch.int64)
        table[self.tokens] = torch.arange(1, self.count)
        table[TIMESTAMP:] = torch.arange(self.count, self.count + VOCABULARY - TIMESTAMP)
        self.table = table
