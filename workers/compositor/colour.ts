/** Colours as numbers: parsing of the CSS forms that a Composition may carry, and mixing for transitions. */
export interface Rgba {
  readonly red: number
  readonly green: number
  readonly blue: number
  /** 0 to 1. */
  readonly alpha: number
}

export const WHITE: Rgba = { red: 255, green: 255, blue: 255, alpha: 1 }
export const BLACK: Rgba = { red: 0, green: 0, blue: 0, alpha: 1 }

/** `#rgb`, `#rgba`, `#rrggbb`, `#rrggbbaa`, `rgb()`, `rgba()` or `transparent`; null for anything else. */
export function parseColour(text: string): Rgba | null {
  const value = text.trim().toLowerCase()
  if (value === 'transparent') return { red: 0, green: 0, blue: 0, alpha: 0 }
  const hex = /^#([0-9a-f]{3,8})$/.exec(value)?.[1]
  if (hex !== undefined) return parseHex(hex)
  const inside = /^rgba?\(([^)]*)\)$/.exec(value)?.[1]
  if (inside === undefined) return null
  const parts = inside.split(/[\s,/]+/).filter((part) => part !== '')
  if (parts.length !== 3 && parts.length !== 4) return null
  const numbers = parts.map((part, index) => parsePart(part, index === 3 ? 1 : 255))
  const [red, green, blue, alpha = 1] = numbers
  if (red === undefined || green === undefined || blue === undefined || numbers.some(Number.isNaN))
    return null
  return { red: clamp(red, 255), green: clamp(green, 255), blue: clamp(blue, 255), alpha: clamp(alpha, 1) }
}

function parsePart(part: string, whole: number): number {
  return part.endsWith('%') ? (Number(part.slice(0, -1)) / 100) * whole : Number(part)
}

function parseHex(hex: string): Rgba | null {
  const long = hex.length === 3 || hex.length === 4 ? [...hex].map((digit) => digit + digit).join('') : hex
  if (long.length !== 6 && long.length !== 8) return null
  const byte = (at: number): number => parseInt(long.slice(at, at + 2), 16)
  return { red: byte(0), green: byte(2), blue: byte(4), alpha: long.length === 8 ? byte(6) / 255 : 1 }
}

function clamp(value: number, most: number): number {
  return Math.min(most, Math.max(0, value))
}

/** `amount` 0 gives `from`, 1 gives `to`. */
export function mixColour(from: Rgba, to: Rgba, amount: number): Rgba {
  const mix = (a: number, b: number): number => a + (b - a) * amount
  return {
    red: mix(from.red, to.red),
    green: mix(from.green, to.green),
    blue: mix(from.blue, to.blue),
    alpha: mix(from.alpha, to.alpha),
  }
}

/** As CSS, with its alpha multiplied by `opacity`. */
export function cssColour(colour: Rgba, opacity = 1): string {
  const alpha = Math.round(colour.alpha * opacity * 1000) / 1000
  return `rgba(${Math.round(colour.red)}, ${Math.round(colour.green)}, ${Math.round(colour.blue)}, ${alpha})`
}
