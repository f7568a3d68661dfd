import type { Shape } from './shape.ts'

export const horizontal = {
  ratio: '16:9',
  width: 16,
  height: 9,
  terms: ['horizontal', 'landscape', 'wide(?:screen)?', 'youtube'],
  thumbnailSizes: ['1280x720', '1920x1080'],
} as const satisfies Shape
