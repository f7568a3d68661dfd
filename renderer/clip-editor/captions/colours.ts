/** Colours as controls hold them: `#rrggbb` and an opacity. PURE. */
import { parseColour } from '../../../workers/compositor/colour.ts'

export interface PickedColour {
  /** `#rrggbb` */
  readonly hex: string
  /** 0 to 1. */
  readonly alpha: number
}

const byte = (value: number): string => Math.round(value).toString(16).padStart(2, '0')

/** Black for what is not a colour. */
export function pickedColour(text: unknown): PickedColour {
  const colour = typeof text === 'string' ? parseColour(text) : null
  if (colour === null) return { hex: '#000000', alpha: 1 }
  const { red, green, blue, alpha } = colour
  return { hex: `#${byte(red)}${byte(green)}${byte(blue)}`, alpha }
}

/** As it is stored: `#rrggbb`, or `#rrggbbaa` where something is seen through it. */
export function colourText({ hex, alpha }: PickedColour): string {
  return alpha >= 1 ? hex : `${hex}${byte(Math.max(0, alpha) * 255)}`
}

/** Written text as a colour to store; null: it is no colour. */
export function writtenColour(text: string): string | null {
  const value = text.trim()
  const colour = parseColour(/^[0-9a-f]{3,8}$/i.test(value) ? `#${value}` : value)
  return colour === null
    ? null
    : colourText(pickedColour(/^[0-9a-f]{3,8}$/i.test(value) ? `#${value}` : value))
}
