/**
 * PURE. Pitch and spectrum of a voice at a moment. The pitch is the best lag of the normalised cross-correlation (Talkin 1995,
 * RAPT); the shape of the spectrum is the cepstrum of a linear prediction (Atal 1974), whose peaks are the formants.
 */

/** Coefficients of a shape. */
const SHAPE_SIZE = 12

export interface SpectrumShape {
  readonly cepstrum: Float32Array
  /** The lowest two formants, Hertz; 0 where there is none. The first is often hidden by the voice's own tone. */
  readonly formant1Hz: number
  readonly formant2Hz: number
}

export type VoiceAnalyser = ReturnType<typeof createVoiceAnalyser>

/** The spectrum is measured up to half of this rate, the pitch at half of it. */
const SPECTRUM_RATE = 8000
const PITCH_RATE = 4000
const SPECTRUM_WINDOW = 240
const PITCH_WINDOW = 120
const LOWEST_HZ = 65
const HIGHEST_HZ = 400
/** Correlation of neighbouring periods from which on a sound is voiced. */
const VOICED = 0.6
/** A longer period must correlate this much better than a shorter one, so that no octave below is taken. */
const SHORTER_IS_BETTER = 0.04
const ORDER = 10
const EMPHASIS = 0.94

/** Looks into mono PCM (signed 16 bit) at 16 kHz; moments are seconds from its beginning. */
export function createVoiceAnalyser(samples: Int16Array) {
  const full = new Float32Array(samples.length)
  for (let at = 0; at < full.length; at += 1) full[at] = samples[at]! / 32_768
  const wide = halve(full)
  const narrow = halve(wide)
  return {
    /** Hertz; 0 where the sound does not repeat itself. */
    pitchAt: (seconds: number): number => pitchAt(narrow, seconds),
    shapeAt(seconds: number): SpectrumShape {
      const prediction = predict(wide, seconds)
      return { cepstrum: cepstrumOf(prediction), ...formantsOf(peaksOf(prediction)) }
    },
  }
}

/** A higher peak is no first formant. */
const HIGHEST_FIRST_HZ = 950

function formantsOf([lowest = 0, second = 0]: readonly number[]) {
  return lowest > HIGHEST_FIRST_HZ
    ? { formant1Hz: 0, formant2Hz: lowest }
    : { formant1Hz: lowest, formant2Hz: second }
}

/** Root of the summed squares of what differs; about 0.3 within a steady vowel, over 1 between two sounds. */
export function shapeDistance(one: SpectrumShape, other: SpectrumShape): number {
  let sum = 0
  for (let at = 0; at < SHAPE_SIZE; at += 1) sum += ((one.cepstrum[at] ?? 0) - (other.cepstrum[at] ?? 0)) ** 2
  return Math.sqrt(sum)
}

/** Half the rate; what lies above is weakened by a short low pass. */
function halve(samples: Float32Array): Float32Array {
  const result = new Float32Array(samples.length >> 1)
  // The first and the last value stay 0: they have no neighbours.
  for (let at = 1; at + 1 < result.length; at += 1) {
    const centre = 2 * at
    const one = samples[centre]! + samples[centre + 1]!
    const two = samples[centre - 1]! + samples[centre + 2]!
    const three = samples[centre - 2]! + samples[centre + 3]!
    result[at] = 0.42 * one + 0.11 * two - 0.03 * three
  }
  return result
}

function pitchAt(narrow: Float32Array, seconds: number): number {
  const shortest = Math.floor(PITCH_RATE / HIGHEST_HZ)
  const longest = Math.ceil(PITCH_RATE / LOWEST_HZ)
  const from = Math.round(seconds * PITCH_RATE - (PITCH_WINDOW + longest / 2) / 2)
  if (from < 0 || from + PITCH_WINDOW + longest + 2 > narrow.length) return 0
  let own = 0
  for (let at = from; at < from + PITCH_WINDOW; at += 1) own += narrow[at]! ** 2
  const scores = new Float64Array(longest + 2)
  let other = 0
  for (let at = from; at < from + PITCH_WINDOW; at += 1) other += narrow[at + shortest - 1]! ** 2
  for (let lag = shortest - 1; lag <= longest + 1; lag += 1) {
    let together = 0
    for (let at = from; at < from + PITCH_WINDOW; at += 1) together += narrow[at]! * narrow[at + lag]!
    scores[lag] = together / Math.sqrt(own * Math.max(0, other) + 1e-12)
    other += narrow[from + lag + PITCH_WINDOW]! ** 2 - narrow[from + lag]! ** 2
  }
  let best = 0
  for (let lag = shortest; lag <= longest; lag += 1) {
    const score = scores[lag]!
    if (score < VOICED || score < scores[lag - 1]! || score < scores[lag + 1]!) continue
    if (best === 0 || score > scores[best]! + SHORTER_IS_BETTER) best = lag
  }
  return best === 0 ? 0 : PITCH_RATE / (best + vertex(scores[best - 1]!, scores[best]!, scores[best + 1]!))
}

/** Where the parabola through three neighbours has its top, -0.5 to 0.5. */
function vertex(before: number, top: number, after: number): number {
  const bend = before - 2 * top + after
  return bend >= 0 ? 0 : Math.min(0.5, Math.max(-0.5, (0.5 * (before - after)) / bend))
}

const WINDOW = Float64Array.from(
  { length: SPECTRUM_WINDOW },
  (_, at) => 0.54 - 0.46 * Math.cos((2 * Math.PI * at) / (SPECTRUM_WINDOW - 1)),
)

/** Coefficients of linear prediction by Levinson and Durbin; the first is 1. */
function predict(wide: Float32Array, seconds: number): Float64Array {
  const from = Math.round(seconds * SPECTRUM_RATE) - SPECTRUM_WINDOW / 2
  const frame = new Float64Array(SPECTRUM_WINDOW)
  for (let at = 0; at < SPECTRUM_WINDOW; at += 1) {
    const sample = wide[from + at] ?? 0
    frame[at] = (sample - EMPHASIS * (wide[from + at - 1] ?? 0)) * WINDOW[at]!
  }
  const correlation = new Float64Array(ORDER + 1)
  for (let lag = 0; lag <= ORDER; lag += 1) {
    let sum = 0
    for (let at = lag; at < SPECTRUM_WINDOW; at += 1) sum += frame[at]! * frame[at - lag]!
    correlation[lag] = sum
  }
  correlation[0] = correlation[0]! * 1.0001 + 1e-12
  const solved = new Float64Array(ORDER + 1)
  solved[0] = 1
  let error = correlation[0]
  for (let order = 1; order <= ORDER; order += 1) {
    let sum = correlation[order]!
    for (let at = 1; at < order; at += 1) sum += solved[at]! * correlation[order - at]!
    const reflection = -sum / error
    const before = solved.slice(0, order)
    for (let at = 1; at < order; at += 1) solved[at] = before[at]! + reflection * before[order - at]!
    solved[order] = reflection
    error *= 1 - reflection * reflection
  }
  return solved
}

/** The cepstrum of the prediction, without its level. */
function cepstrumOf(prediction: Float64Array): Float32Array {
  const cepstrum = new Float32Array(SHAPE_SIZE + 1)
  for (let at = 1; at <= SHAPE_SIZE; at += 1) {
    let sum = 0
    for (let lag = Math.max(1, at - ORDER); lag < at; lag += 1)
      sum += (lag / at) * cepstrum[lag]! * (prediction[at - lag] ?? 0)
    cepstrum[at] = -(prediction[at] ?? 0) - sum
  }
  return cepstrum.subarray(1)
}

const GRID_HZ = 25
const LOWEST_FORMANT_HZ = 200
const HIGHEST_FORMANT_HZ = 3000
const GRID_SIZE = (HIGHEST_FORMANT_HZ - LOWEST_FORMANT_HZ) / GRID_HZ + 1
const COSINES = Float64Array.from({ length: GRID_SIZE * (ORDER + 1) }, (_, at) => Math.cos(phaseOf(at)))
const SINES = Float64Array.from({ length: GRID_SIZE * (ORDER + 1) }, (_, at) => Math.sin(phaseOf(at)))

function phaseOf(at: number): number {
  const hertz = LOWEST_FORMANT_HZ + GRID_HZ * Math.floor(at / (ORDER + 1))
  return (2 * Math.PI * hertz * (at % (ORDER + 1))) / SPECTRUM_RATE
}

/** Peaks of the prediction's spectrum between 200 and 3000 Hz, Hertz, from below. */
function peaksOf(prediction: Float64Array): number[] {
  const inverse = new Float64Array(GRID_SIZE)
  for (let place = 0; place < GRID_SIZE; place += 1) {
    let real = 0
    let imaginary = 0
    for (let at = 0; at <= ORDER; at += 1) {
      real += prediction[at]! * COSINES[place * (ORDER + 1) + at]!
      imaginary += prediction[at]! * SINES[place * (ORDER + 1) + at]!
    }
    inverse[place] = real * real + imaginary * imaginary
  }
  const peaks: number[] = []
  for (let place = 1; place < GRID_SIZE - 1; place += 1)
    if (inverse[place]! < inverse[place - 1]! && inverse[place]! <= inverse[place + 1]!)
      peaks.push(LOWEST_FORMANT_HZ + GRID_HZ * place)
  return peaks
}
