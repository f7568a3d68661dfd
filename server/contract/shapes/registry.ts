/** PURE: every output shape, from the narrowest to the widest: a new one is one file and one line here. */
import { horizontal } from './horizontal.ts'
import { portrait } from './portrait.ts'
import { square } from './square.ts'
import { vertical } from './vertical.ts'

export const SHAPES = [vertical, portrait, square, horizontal] as const

export type ShapeRatio = (typeof SHAPES)[number]['ratio']

/** The shape that clips are converted to unless a workflow sets another. */
export const DEFAULT_SHAPE = vertical

/** The ratios of all shapes, for sentences: `9:16, 4:5, ...`. */
export const SHAPE_RATIOS: readonly ShapeRatio[] = SHAPES.map(({ ratio }) => ratio)

/** By ratio, the regular expression of everything that people call a shape: `9:16`, `9 by 16`, `vertical`, ... */
export const SHAPE_TERMS = Object.fromEntries(
  SHAPES.map(({ ratio, width, height, terms }) => [
    ratio,
    [`${width} ?(?::|x|/|by) ?${height}`, ...terms].join('|'),
  ]),
) as Readonly<Record<ShapeRatio, string>>
