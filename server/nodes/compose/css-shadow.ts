/** Shadows as callers give them: `true`, `false`, or CSS such as `0 4px 12px rgba(0,0,0,0.6)`. */
import type { Shadow } from '../../contract/composition.ts'
import { normaliseColour } from './colours.ts'

/** A length of its own; the digits of `#123`, `rgba(1, 2, 3)` and `50%` are none. */
const LENGTH = /(?<![\w#(.,%]|,\s)-?\d+(?:\.\d+)?(?:px)?(?=\s|$)/gu

/**
 * Lengths are x, y and blur, the rest is the colour. `fallback` is the preset's own shadow, `usual` what `true` asks for
 * where the preset has none. Reference units.
 */
export function readShadow(
  value: boolean | string | undefined,
  fallback: Shadow | null,
  usual: Shadow,
): Shadow | null {
  if (value === undefined || value === '') return fallback
  if (value === false || value === 'none') return null
  if (value === true) return fallback ?? usual
  const lengths = [...value.matchAll(LENGTH)].map((match) => parseFloat(match[0]))
  const colour = normaliseColour(value.replaceAll(LENGTH, ' '))
  if (lengths.length < 2) return colour === null ? usual : { ...usual, colour }
  const [offsetX = 0, offsetY = 0, blur = 0] = lengths
  return { colour: colour ?? usual.colour, blur: Math.max(0, blur), offsetX, offsetY }
}
