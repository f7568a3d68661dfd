/** PURE. Passages of a transcript: some sentences in a row, the unit of search by meaning. */
import { Type, type Static } from '@sinclair/typebox'

/** Seconds of the source, or of its chunk for a livestream. */
export const Passage = Type.Object({ start: Type.Number(), end: Type.Number(), text: Type.String() })
export type Passage = Static<typeof Passage>

/** Vectors as they are stored: for each one a scale, 4 bytes (float32, little-endian), then its numbers, one byte each. */
export const SCALE_BYTES = 4

/**
 * Vectors in a quarter of their size: each number as a signed byte, and for each vector the scale that gives length 1
 * back. The cosine of a stored vector with one of length 1 is the product of bytes and numbers times the scale; the
 * error of it is below 0.005 for vectors of 384 numbers. All have the same length.
 */
export function packVectors(vectors: readonly Float32Array[]): Uint8Array<ArrayBuffer> {
  const size = vectors[0]?.length ?? 0
  const packed = new Uint8Array(vectors.length * (SCALE_BYTES + size))
  const view = new DataView(packed.buffer)
  for (const [index, vector] of vectors.entries()) {
    const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    const at = index * (SCALE_BYTES + size)
    let squares = 0
    for (const [place, value] of vector.entries()) {
      const rounded = largest === 0 ? 0 : Math.round((value / largest) * 127)
      squares += rounded * rounded
      view.setInt8(at + SCALE_BYTES + place, rounded)
    }
    view.setFloat32(at, squares === 0 ? 0 : 1 / Math.sqrt(squares), true)
  }
  return packed
}

/** The cosine of each packed vector with `query`, which has length 1; `found` is called with its place among them. */
export function comparePacked(
  packed: Uint8Array,
  query: Float32Array,
  found: (place: number, cosine: number) => void,
): void {
  const size = query.length
  const step = SCALE_BYTES + size
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const bytes = new Int8Array(packed.buffer, packed.byteOffset, packed.byteLength)
  for (let at = 0, place = 0; at + step <= packed.byteLength; at += step, place += 1) {
    const from = at + SCALE_BYTES
    let even = 0
    let odd = 0
    // Two sums at once: the processor adds to one while it waits for the other.
    for (let index = 0; index + 1 < size; index += 2) {
      even += (bytes[from + index] ?? 0) * (query[index] ?? 0)
      odd += (bytes[from + index + 1] ?? 0) * (query[index + 1] ?? 0)
    }
    if (size % 2 === 1) even += (bytes[from + size - 1] ?? 0) * (query[size - 1] ?? 0)
    found(place, (even + odd) * view.getFloat32(at, true))
  }
}
