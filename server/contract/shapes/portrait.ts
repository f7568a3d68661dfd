import type { Shape } from './shape.ts'

export const portrait = {
  ratio: '4:5',
  width: 4,
  height: 5,
  terms: [],
  thumbnailSizes: [],
} as const satisfies Shape
