/**
 * Sound through its spectrum: short frames that overlap, each with a gain for every frequency. Both channels get the same gains, so
 * that everything stays where it is heard. As many samples come out as went in, each in its place, and with gains of 1 they are
 * the same. Memory does not grow with the length.
 */
import FFT from 'fft.js'
import type { Stereo } from '../mix/stereo.ts'

/** Samples of a frame at 48 kHz: 43 ms, in which the harmonics of a voice are apart. */
export const FRAME = 2048
export const HOP = FRAME / 4
/** Frequencies of a frame's spectrum, from 0 to half the sample rate. */
export const BINS = FRAME / 2 + 1

/** Root of a Hann window, before and after: their product, four times overlapped, sums to 2. */
const WINDOW = Float64Array.from({ length: FRAME }, (_, at) => Math.sin((Math.PI * (at + 0.5)) / FRAME))
const OVERLAP_SUM = 2

/**
 * Decides the gains of one frame. `power`: of both channels together, by frequency. `whole`: false where the frame reaches beyond
 * the beginning or the end of the sound, and holds less of it.
 */
export type FrameGains = (power: Float64Array, gains: Float64Array, whole: boolean) => void

/** Takes sound piece by piece. */
export interface SoundFilter {
  /** Returns what is ready, which may be less or more than was given. */
  push(sound: Stereo): Stereo
  /** The rest; nothing may be pushed afterwards. */
  flush(): Stereo
}

export function createSpectralFilter(decide: FrameGains): SoundFilter {
  const fft = new FFT(FRAME)
  // One complex transform carries both channels: left as real, right as imaginary part.
  const frame: number[] = new Array<number>(2 * FRAME).fill(0)
  const spectrum = fft.createComplexArray()
  const filtered = fft.createComplexArray()
  const power = new Float64Array(BINS)
  const gains = new Float64Array(BINS)
  const held = { left: new Float64Array(FRAME), right: new Float64Array(FRAME) }
  const sum = { left: new Float64Array(FRAME), right: new Float64Array(FRAME) }
  /** Of the frame; it starts behind what comes before the sound. */
  let filled = FRAME - HOP
  let taken = 0
  let given = 0
  let frames = 0

  function filterFrame(isEnd: boolean): void {
    powerInto(power, { fft, frame, spectrum, left: held.left, right: held.right })
    decide(power, gains, !isEnd && frames >= FRAME / HOP - 1)
    for (let bin = 0; bin < FRAME; bin++) {
      const gain = gains[bin < BINS ? bin : FRAME - bin] ?? 1
      spectrum[2 * bin] = (spectrum[2 * bin] ?? 0) * gain
      spectrum[2 * bin + 1] = (spectrum[2 * bin + 1] ?? 0) * gain
    }
    fft.inverseTransform(filtered, spectrum)
    for (let at = 0; at < FRAME; at++) {
      const weight = (WINDOW[at] ?? 0) / OVERLAP_SUM
      sum.left[at] = (sum.left[at] ?? 0) + (filtered[2 * at] ?? 0) * weight
      sum.right[at] = (sum.right[at] ?? 0) + (filtered[2 * at + 1] ?? 0) * weight
    }
    frames += 1
  }

  /** Filters the frame, and writes what no later frame adds to. */
  function step(out: Writer, isEnd: boolean): void {
    filterFrame(isEnd)
    // The first frames end before the sound begins to be whole.
    if (frames >= FRAME / HOP) {
      const count = isEnd ? Math.min(HOP, taken - given) : HOP
      out.write(sum.left.subarray(0, count), sum.right.subarray(0, count))
      given += count
    }
    for (const side of [sum.left, sum.right, held.left, held.right]) side.copyWithin(0, HOP)
    for (const side of [sum.left, sum.right]) side.fill(0, FRAME - HOP)
    filled = FRAME - HOP
  }

  return {
    push({ left, right }) {
      const out = createWriter(left.length + FRAME)
      for (let from = 0; from < left.length;) {
        const count = Math.min(FRAME - filled, left.length - from)
        held.left.set(left.subarray(from, from + count), filled)
        held.right.set(right.subarray(from, from + count), filled)
        filled += count
        from += count
        taken += count
        if (filled === FRAME) step(out, false)
      }
      return out.finish()
    },
    flush() {
      const out = createWriter(2 * FRAME)
      while (given < taken) {
        held.left.fill(0, filled)
        held.right.fill(0, filled)
        step(out, true)
      }
      return out.finish()
    },
  }
}

/** Hears the power by frequency of the frames that lie wholly in a sound. */
export function createSpectralListener(hear: (power: Float64Array) => void): (sound: Stereo) => void {
  const fft = new FFT(FRAME)
  const frame: number[] = new Array<number>(2 * FRAME).fill(0)
  const spectrum = fft.createComplexArray()
  const power = new Float64Array(BINS)
  const left = new Float64Array(FRAME)
  const right = new Float64Array(FRAME)
  let filled = 0
  return (sound) => {
    for (let from = 0; from < sound.left.length;) {
      const count = Math.min(FRAME - filled, sound.left.length - from)
      left.set(sound.left.subarray(from, from + count), filled)
      right.set(sound.right.subarray(from, from + count), filled)
      filled += count
      from += count
      if (filled < FRAME) return
      powerInto(power, { fft, frame, spectrum, left, right })
      hear(power)
      left.copyWithin(0, HOP)
      right.copyWithin(0, HOP)
      filled = FRAME - HOP
    }
  }
}

interface Transform {
  readonly fft: FFT
  readonly frame: number[]
  readonly spectrum: number[]
  readonly left: Float64Array
  readonly right: Float64Array
}

/** Transforms both channels, and sums up their power. */
function powerInto(power: Float64Array, { fft, frame, spectrum, left, right }: Transform): void {
  for (let at = 0; at < FRAME; at++) {
    const weight = WINDOW[at] ?? 0
    frame[2 * at] = (left[at] ?? 0) * weight
    frame[2 * at + 1] = (right[at] ?? 0) * weight
  }
  fft.transform(spectrum, frame)
  for (let bin = 0; bin < BINS; bin++) {
    // What is left and what is right cannot be told apart in one bin; together with its mirror image their powers add up.
    power[bin] = (squareAt(spectrum, bin) + squareAt(spectrum, (FRAME - bin) % FRAME)) / 2
  }
}

function squareAt(complex: readonly number[], bin: number): number {
  const real = complex[2 * bin] ?? 0
  const imaginary = complex[2 * bin + 1] ?? 0
  return real * real + imaginary * imaginary
}

type Writer = ReturnType<typeof createWriter>

function createWriter(most: number) {
  const left = new Float32Array(most)
  const right = new Float32Array(most)
  let length = 0
  return {
    write(ofLeft: Float64Array, ofRight: Float64Array): void {
      left.set(ofLeft, length)
      right.set(ofRight, length)
      length += ofLeft.length
    },
    finish: (): Stereo => ({ left: left.subarray(0, length), right: right.subarray(0, length) }),
  }
}
