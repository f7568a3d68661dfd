import type { Shape } from './shape.ts'

export const square = {
  ratio: '1:1',
  width: 1,
  height: 1,
  terms: ['square'],
  thumbnailSizes: ['1080x1080'],
} as const satisfies Shape
