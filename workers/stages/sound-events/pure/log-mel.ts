/** YAMNet's input (tensorflow/models, yamnet/params.py): log mel energies of 64 bands, in patches of 96 frames of 10 ms. */
import FFT from 'fft.js'

export const SAMPLE_RATE = 16_000
const WINDOW = 400
const HOP = 160
const SIZE = 512
export const BANDS = 64
export const PATCH_FRAMES = 96
/** Distance of the patches' starts: half a patch. */
const PATCH_HOP_FRAMES = 48
const LOWEST_HZ = 125
const HIGHEST_HZ = 7500
const OFFSET = 0.001

export const PATCH_HOP_SECONDS = (PATCH_HOP_FRAMES * HOP) / SAMPLE_RATE
export const PATCH_SECONDS = (PATCH_FRAMES * HOP) / SAMPLE_RATE

/** Number of samples that `patches` patches need. */
export const samplesOf = (patches: number): number =>
  ((patches - 1) * PATCH_HOP_FRAMES + PATCH_FRAMES - 1) * HOP + WINDOW

const mel = (hz: number): number => 1127 * Math.log(1 + hz / 700)

const WEIGHTS = Array.from({ length: SIZE / 2 + 1 }, (_, bin) => {
  const place = mel((bin * SAMPLE_RATE) / SIZE)
  const low = mel(LOWEST_HZ)
  const high = mel(HIGHEST_HZ)
  const edge = (index: number): number => low + ((high - low) * index) / (BANDS + 1)
  return Array.from({ length: BANDS }, (__, band) => {
    const left = edge(band)
    const middle = edge(band + 1)
    const right = edge(band + 2)
    const share = Math.min((place - left) / (middle - left), (right - place) / (right - middle))
    return { band, share }
  }).filter(({ share }) => bin > 0 && share > 0)
})

const HANN = Float64Array.from(
  { length: WINDOW },
  (_, at) => 0.5 - 0.5 * Math.cos((2 * Math.PI * at) / WINDOW),
)

/** Patches of 96 x 64 values, one after the other, from 16 kHz samples. */
export function patchesOf(samples: Int16Array): Float32Array {
  const frames = Math.max(0, Math.floor((samples.length - WINDOW) / HOP) + 1)
  const energies = logMel(samples, frames)
  const patches = Math.max(0, Math.floor((frames - PATCH_FRAMES) / PATCH_HOP_FRAMES) + 1)
  const result = new Float32Array(patches * PATCH_FRAMES * BANDS)
  for (let patch = 0; patch < patches; patch += 1) {
    const from = patch * PATCH_HOP_FRAMES * BANDS
    result.set(energies.subarray(from, from + PATCH_FRAMES * BANDS), patch * PATCH_FRAMES * BANDS)
  }
  return result
}

function logMel(samples: Int16Array, frames: number): Float32Array {
  const energies = new Float32Array(frames * BANDS)
  const fft = new FFT(SIZE)
  const spectrum = fft.createComplexArray()
  const input = new Array<number>(SIZE).fill(0)
  for (let frame = 0; frame < frames; frame += 1) {
    for (let at = 0; at < WINDOW; at += 1)
      input[at] = ((samples[frame * HOP + at] ?? 0) / 32768) * (HANN[at] ?? 0)
    fft.realTransform(spectrum, input)
    const row = frame * BANDS
    WEIGHTS.forEach((weights, bin) => {
      const magnitude = Math.hypot(spectrum[bin * 2] ?? 0, spectrum[bin * 2 + 1] ?? 0)
      for (const { band, share } of weights)
        energies[row + band] = (energies[row + band] ?? 0) + share * magnitude
    })
    for (let band = 0; band < BANDS; band += 1)
      energies[row + band] = Math.log((energies[row + band] ?? 0) + OFFSET)
  }
  return energies
}
