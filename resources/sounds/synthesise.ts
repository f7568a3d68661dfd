/** The sound effects as numbers: noise, sines and envelopes. The same on every machine, but for the last bit. */

const RATE = 48_000

/** Noise that is the same every time, -1 to 1. */
function noise(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 31 - 1
  }
}

/** Lets a band of frequencies through, whose middle moves (state-variable filter). */
function bandPass(narrow: number): (sample: number, hertz: number) => number {
  let low = 0
  let band = 0
  return (sample, hertz) => {
    const tuning = 2 * Math.sin((Math.PI * Math.min(hertz, RATE / 6)) / RATE)
    low += tuning * band
    const high = sample - low - narrow * band
    band += tuning * high
    return band
  }
}

function make(seconds: number, at: (second: number) => number): Float64Array {
  const samples = Float64Array.from({ length: Math.round(seconds * RATE) }, (_, index) => at(index / RATE))
  const loudest = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-9)
  // Without a step at its end, and with 3 dB of room.
  return samples.map((value, index) => {
    const left = (samples.length - index) / (0.01 * RATE)
    return (value / loudest) * 0.707 * Math.min(1, left)
  })
}

function whoosh(): Float64Array {
  const hiss = noise(7)
  const filter = bandPass(0.35)
  return make(0.6, (t) => {
    const near = Math.exp(-(((t - 0.3) / 0.11) ** 2))
    return filter(hiss(), 300 + 2_600 * near) * near
  })
}

function hit(): Float64Array {
  const hiss = noise(11)
  let phase = 0
  return make(0.7, (t) => {
    phase += (2 * Math.PI * (48 + 110 * Math.exp(-t * 28))) / RATE
    const click = hiss() * Math.exp(-t * 190) * 0.5
    return Math.sin(phase) * Math.exp(-t * 7) * Math.min(1, t / 0.001) + click
  })
}

function riser(): Float64Array {
  const hiss = noise(23)
  const filter = bandPass(0.2)
  let phase = 0
  return make(1.45, (t) => {
    const share = Math.min(1, t / 1.4)
    phase += (2 * Math.PI * 110 * 2 ** (share * 3)) / RATE
    const level = share ** 2 * (t > 1.4 ? Math.exp(-(t - 1.4) * 120) : 1)
    return (filter(hiss(), 250 + 5_500 * share ** 2) + 0.25 * Math.sin(phase)) * level
  })
}

function pop(): Float64Array {
  let phase = 0
  return make(0.14, (t) => {
    phase += (2 * Math.PI * (380 + 900 * (1 - Math.exp(-t * 60)))) / RATE
    return Math.sin(phase) * Math.exp(-t * 42) * Math.min(1, t / 0.002)
  })
}

export const SYNTHESISED = { whoosh, hit, riser, pop } as const

/** A WAV file: one channel of 16 bits. */
export function wavOf(samples: Float64Array): Buffer {
  const file = Buffer.alloc(44 + samples.length * 2)
  file.write('RIFF', 0)
  file.writeUInt32LE(36 + samples.length * 2, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(RATE, 24)
  file.writeUInt32LE(RATE * 2, 28)
  file.writeUInt16LE(2, 32)
  file.writeUInt16LE(16, 34)
  file.write('data', 36)
  file.writeUInt32LE(samples.length * 2, 40)
  samples.forEach((value, index) => file.writeInt16LE(Math.round(value * 32_767), 44 + index * 2))
  return file
}
