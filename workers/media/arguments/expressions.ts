/** ffmpeg expressions. PURE. */

export interface Piece {
  /** The piece applies from this value of the variable on. */
  readonly from: number
  readonly value: string
}

/** A balanced tree of `if(lt(v,..))`, because ffmpeg would evaluate a chain to its end for every frame. Pieces are sorted. */
export function piecewise(variable: string, pieces: readonly Piece[]): string {
  const [only] = pieces
  if (only === undefined) throw new Error('a piecewise expression needs a piece')
  if (pieces.length === 1) return only.value
  const middle = Math.ceil(pieces.length / 2)
  const edge = pieces[middle]?.from ?? 0
  return `if(lt(${variable}\\,${edge})\\,${piecewise(variable, pieces.slice(0, middle))}\\,${piecewise(variable, pieces.slice(middle))})`
}

/** A number as ffmpeg reads it: without an exponent, and with no more digits than needed. */
export function decimal(value: number, digits = 6): string {
  const text = value.toFixed(digits)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}
