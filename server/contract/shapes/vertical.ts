import type { Shape } from './shape.ts'

export const vertical = {
  ratio: '9:16',
  width: 9,
  height: 16,
  terms: ['vertical', 'portrait', 'upright', 'tiktok', 'reels?', 'shorts?'],
  thumbnailSizes: ['1080x1920'],
} as const satisfies Shape
