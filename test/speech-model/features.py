"""Whisper's features: 80 bands of the mel scale, logarithms, the loudest band at most 8 above the rest, divided by 4."""

import numpy as np
import torch

from recordings import RATE


def mel_filters(bands: int = 80, size: int = 400) -> torch.Tensor:
    """Slaney's triangular bands with equal areas."""

    def to_mel(hertz):
        hertz = np.asarray(hertz, dtype=np.float64)
        return np.where(hertz < 1000, hertz * 3 / 200, 15 + np.log(np.maximum(hertz, 1) / 1000) * 27 / np.log(6.4))

    def to_hertz(mel):
        return np.where(mel < 15, mel * 200 / 3, 1000 * np.exp((mel - 15) * np.log(6.4) / 27))

    edges = to_hertz(np.linspace(to_mel(0), to_mel(RATE / 2), bands + 2))
    bins = np.linspace(0, RATE / 2, size // 2 + 1)
    rise = (bins[None] - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    fall = (edges[2:, None] - bins[None]) / (edges[2:] - edges[1:-1])[:, None]
    filters = np.maximum(0, np.minimum(rise, fall)) * (2 / (edges[2:] - edges[:-2]))[:, None]
    return torch.tensor(filters, dtype=torch.float32)


FILTERS = mel_filters()
SHAPE = torch.hann_window(400)


def features_of(samples: torch.Tensor) -> torch.Tensor:
    """Rows of samples, whose count divides by 320, as bands by frames; what follows a window must be zeros."""
    spectrum = torch.stft(samples, 400, 160, window=SHAPE, return_complex=True)[..., :-1].abs() ** 2
    logs = (FILTERS @ spectrum).clamp(min=1e-10).log10()
    logs = torch.maximum(logs, logs.amax(dim=(1, 2), keepdim=True) - 8)
    return (logs + 4) / 4
