/** What a voice embedding model takes instead of samples. Each front end has a file of its own; the manifest names it per model. PURE. */

/** Pieces are brought to this level (root mean square of -1 to 1), because recordings differ by 30 dB. */
const LEVEL = 0.05
/** The gain of a piece that is all but silent. */
const MAX_GAIN = 500

export interface FrontEnd {
  /** Values per row. */
  readonly width: number
  /**
   * How many rows the model takes at a time, and how many rows further the next ones begin; a piece with fewer rows goes in whole, and
   * the voice is the mean over the windows. Null: a piece of any length goes in whole.
   */
  readonly window: { readonly rows: number; readonly hop: number } | null
  /**
   * The mean row of the speech that the model was trained on; the mean of a recording is moved half of the way to it, which takes off
   * a part of the room and the microphone. Null: the features are free of their mean.
   */
  readonly usual: readonly number[] | null
  /** `samples`: 16 kHz, -1 to 1. Rows of `width` values, one after the other. */
  readonly features: (samples: Float32Array) => Float32Array
}

/** Samples of a piece (-1 to 1) at the level that front ends expect. */
export function levelled(samples: Int16Array): Float32Array {
  let power = 0
  for (const sample of samples) power += (sample / 32_768) ** 2
  const gain = Math.min(MAX_GAIN, LEVEL / Math.max(1e-9, Math.sqrt(power / Math.max(1, samples.length))))
  const result = new Float32Array(samples.length)
  for (let at = 0; at < samples.length; at += 1) result[at] = (gain * (samples[at] ?? 0)) / 32_768
  return result
}

/** How much of the difference to the usual mean is taken off. */
const SHARE = 0.5

/** Moves the rows of all pieces of a recording, in place, so that their mean comes nearer to the usual one. */
export function moveToUsual({ usual, width }: FrontEnd, pieces: readonly Float32Array[]): void {
  const rows = pieces.reduce((sum, piece) => sum + piece.length / width, 0)
  if (usual === null || rows === 0) return
  const sums = new Float64Array(width)
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += 1) sums[at % width] = (sums[at % width] ?? 0) + (piece[at] ?? 0)
  const moves = sums.map((sum, column) => SHARE * ((usual[column] ?? 0) - sum / rows))
  for (const piece of pieces)
    for (let at = 0; at < piece.length; at += 1) piece[at] = (piece[at] ?? 0) + (moves[at % width] ?? 0)
}
