/** Finds the hum of mains, 50 or 60 Hz with its harmonics, by what stands in a sound all the time, and takes it out. */
import FFT from 'fft.js'
import { SAMPLE_RATE } from '../../../../media/arguments/render-time.ts'
import type { Stereo } from '../mix/stereo.ts'
import type { SoundFilter } from './spectral-filter.ts'

/** Long frames: what hums is narrower than anything that is spoken. */
const SIZE = 32_768
const HERTZ_PER_BIN = SAMPLE_RATE / SIZE
/** Hum is looked for up to here. */
const HIGHEST_HERTZ = 1250
const BINS = Math.ceil(HIGHEST_HERTZ / HERTZ_PER_BIN) + 20
const MAINS = [50, 60] as const
/** By how much mains may be off, Hz. */
const OFF = 0.5
const STEP = 0.05

const LEVELS = 256
const LOWEST_DB = -160
const LEVEL_DB = 0.75
/** What is that strong three quarters of the time is no voice. */
const STEADY = 0.25

/** Listens to a whole sound. */
export function createHumFinder() {
  const fft = new FFT(SIZE)
  const frame = new Array<number>(SIZE).fill(0)
  const spectrum = fft.createComplexArray()
  const counts = new Uint32Array(BINS * LEVELS)
  /** Of each bin, by what its phase moves from frame to frame; only what hums moves by the same each time. */
  const turns = new Float64Array(2 * BINS)
  const before = new Float64Array(2 * BINS)
  let filled = 0
  let frames = 0

  function count(): void {
    for (let at = 0; at < SIZE; at++)
      frame[at] = (frame[at] ?? 0) * (0.5 - 0.5 * Math.cos((2 * Math.PI * at) / SIZE))
    fft.realTransform(spectrum, frame)
    for (let bin = 0; bin < BINS; bin++) {
      const real = spectrum[2 * bin] ?? 0
      const imaginary = spectrum[2 * bin + 1] ?? 0
      const power = real ** 2 + imaginary ** 2
      const was = [before[2 * bin] ?? 0, before[2 * bin + 1] ?? 0] as const
      const size = Math.sqrt(power) * Math.hypot(...was) + 1e-30
      turns[2 * bin] = (turns[2 * bin] ?? 0) + (real * was[0] + imaginary * was[1]) / size
      turns[2 * bin + 1] = (turns[2 * bin + 1] ?? 0) + (imaginary * was[0] - real * was[1]) / size
      before[2 * bin] = real
      before[2 * bin + 1] = imaginary
      const level = (10 * Math.log10(power / SIZE + 1e-16) - LOWEST_DB) / LEVEL_DB
      const place = bin * LEVELS + Math.max(0, Math.min(LEVELS - 1, Math.floor(level)))
      counts[place] = (counts[place] ?? 0) + 1
    }
    frames += 1
    filled = 0
  }

  function steadyLevel(bin: number): number {
    let seen = 0
    let level = 0
    for (; level < LEVELS && seen < Math.max(1, frames * STEADY); level++)
      seen += counts[bin * LEVELS + level] ?? 0
    return LOWEST_DB + LEVEL_DB * level
  }

  return {
    push({ left, right }: Stereo): void {
      for (let at = 0; at < left.length; at++) {
        frame[filled++] = (left[at] ?? 0) + (right[at] ?? 0)
        if (filled === SIZE) count()
      }
    },
    /** Frequencies that hum, Hz; none where nothing does, or the sound is too short to tell. */
    finish(): number[] {
      if (frames < LEAST_FRAMES) return []
      const levels = Array.from({ length: BINS }, (_, bin) => steadyLevel(bin))
      return humIn(levels, turns)
    },
  }
}

const LEAST_FRAMES = 2
/** dB over what is beside it. */
const STANDS_OUT = 9
/** So many of the first harmonics have to. */
const LEAST_HARMONICS = 3
const FIRST_HARMONICS = 10

function humIn(levels: readonly number[], turns: Float64Array): number[] {
  let best = { score: 0, hertz: 0 }
  for (const mains of MAINS) {
    for (let hertz = mains - OFF; hertz <= mains + OFF; hertz += STEP) {
      let score = 0
      for (let harmonic = 1; harmonic <= FIRST_HARMONICS; harmonic++)
        score += Math.min(30, Math.max(0, prominence(levels, hertz * harmonic)))
      if (score > best.score) best = { score, hertz }
    }
  }
  if (best.hertz === 0) return []
  const exact = exactMains(levels, turns, best.hertz)
  const all = Array.from({ length: Math.floor(HIGHEST_HERTZ / exact) }, (_, at) => (at + 1) * exact)
  const found = all.filter((hertz) => prominence(levels, hertz) >= STANDS_OUT)
  const first = found.filter((hertz) => hertz < (FIRST_HARMONICS + 0.5) * exact)
  return first.length >= LEAST_HARMONICS ? found : []
}

/** Their frequency to a few hundredths, by the phases of their harmonics. */
function exactMains(levels: readonly number[], turns: Float64Array, rough: number): number {
  let mains = rough
  let sum = 0
  let weights = 0
  for (let harmonic = 1; harmonic <= FIRST_HARMONICS; harmonic++) {
    if (prominence(levels, rough * harmonic) < STANDS_OUT) continue
    const bin = Math.round((mains * harmonic) / HERTZ_PER_BIN)
    const real = turns[2 * bin] ?? 0
    const imaginary = turns[2 * bin + 1] ?? 0
    const off = Math.atan2(imaginary, real) / (2 * Math.PI)
    // A phase does not say by how many whole turns it has moved: the harmonics before do.
    const whole = Math.round((mains * harmonic) / HERTZ_PER_BIN - bin - off)
    const weight = harmonic * Math.hypot(real, imaginary)
    sum += (weight * (bin + off + whole) * HERTZ_PER_BIN) / harmonic
    weights += weight
    mains = sum / weights
  }
  return mains
}

/** By how many dB a frequency stands out of those beside it, between its neighbours in the spectrum. */
function prominence(levels: readonly number[], hertz: number): number {
  const place = hertz / HERTZ_PER_BIN
  const low = Math.floor(place)
  const own = (levels[low] ?? 0) * (low + 1 - place) + (levels[low + 1] ?? 0) * (place - low)
  const around: number[] = []
  for (let off = 5; off <= 14; off++) around.push(levels[low - off] ?? 0, levels[low + 1 + off] ?? 0)
  around.sort((one, other) => one - other)
  return own - (around[around.length >> 1] ?? 0)
}

/** Width of a notch, Hz: mains waver, and their harmonics by as many times as much. */
const widthOf = (hertz: number): number => Math.max(2.5, hertz * 0.006)
/** Seconds at the beginning by which the phase of the hum is found. */
const LEAD = Math.round(0.8 * SAMPLE_RATE)

/** Takes these frequencies out. Each channel by itself. */
export function createHumFilter(frequencies: readonly number[]): SoundFilter {
  const sides = [createNotches(frequencies), createNotches(frequencies)] as const
  let early: Stereo = { left: new Float32Array(0), right: new Float32Array(0) }
  let began = false

  function begin(): Stereo {
    began = true
    sides[0].prime(early.left)
    sides[1].prime(early.right)
    return { left: sides[0].filter(early.left), right: sides[1].filter(early.right) }
  }
  return {
    push(sound) {
      if (began) return { left: sides[0].filter(sound.left), right: sides[1].filter(sound.right) }
      early = { left: joined(early.left, sound.left), right: joined(early.right, sound.right) }
      return early.left.length < LEAD ? { left: new Float32Array(0), right: new Float32Array(0) } : begin()
    },
    flush: () => (began ? { left: new Float32Array(0), right: new Float32Array(0) } : begin()),
  }
}

function joined(one: Float32Array, other: Float32Array): Float32Array {
  const both = new Float32Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

function createNotches(frequencies: readonly number[]) {
  const notches = frequencies.map((hertz) => {
    const angle = (2 * Math.PI * hertz) / SAMPLE_RATE
    const alpha = Math.tan((Math.PI * widthOf(hertz)) / SAMPLE_RATE)
    return { angle, turn: 2 * Math.cos(angle), alpha, s1: 0, s2: 0 }
  })
  function one(value: number): number {
    let now = value
    for (const notch of notches) {
      const { turn, alpha } = notch
      const gain = 1 / (1 + alpha)
      const out = gain * now + notch.s1
      notch.s1 = -gain * turn * now + gain * turn * out + notch.s2
      notch.s2 = gain * now - gain * (1 - alpha) * out
      now = out
    }
    return now
  }
  return {
    /** Lets the filters hear the hum as it would have been before the beginning, so that they are swung in by then. */
    prime(beginning: Float32Array): void {
      const length = Math.min(LEAD, beginning.length)
      if (length < LEAD / 4) return
      const waves = notches.map(({ angle }) => waveIn(beginning.subarray(0, length), angle))
      for (let at = -LEAD; at < 0; at++)
        one(waves.reduce((sum, { angle, size, phase }) => sum + size * Math.cos(angle * at + phase), 0))
    },
    filter: (samples: Float32Array): Float32Array => samples.map(one),
  }
}

/** Size and phase of a steady wave. */
function waveIn(samples: Float32Array, angle: number) {
  let real = 0
  let imaginary = 0
  let weights = 0
  for (let at = 0; at < samples.length; at++) {
    const weight = 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / samples.length)
    real += weight * (samples[at] ?? 0) * Math.cos(angle * at)
    imaginary -= weight * (samples[at] ?? 0) * Math.sin(angle * at)
    weights += weight
  }
  return { angle, size: (2 * Math.hypot(real, imaginary)) / weights, phase: Math.atan2(imaginary, real) }
}
