/** Heights of a wave as text, a character each: `0` is none, `Z` all of it (base 36). */

const MOST = 35

/** Heights from 0 to 1 as text, to the nearest step. */
export function encodeWave(heights: Iterable<number>): string {
  let text = ''
  for (const height of heights) {
    text += Math.round(Math.min(1, Math.max(0, height)) * MOST)
      .toString(36)
      .toUpperCase()
  }
  return text
}

/** The heights, 0 to 1; a character that is none of ours counts as nothing. */
export function decodeWave(text: string): Float64Array {
  return Float64Array.from(text, (character) => {
    const value = Number.parseInt(character, 36)
    return Number.isNaN(value) ? 0 : value / MOST
  })
}
