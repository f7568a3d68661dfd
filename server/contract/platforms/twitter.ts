import type { PlatformPreset } from './platform.ts'

export const twitter = {
  platform: 'twitter',
  label: 'X',
  limits: {
    source: 'https://docs.x.com/x-api/media/quickstart/best-practices',
    text: { most: 280, unit: 'weighted' },
    title: null,
    firstComment: { most: 280 },
    cover: null,
    visibilities: ['public'],
    videoRequired: false,
    video: {
      bytes: 512e6,
      seconds: { least: 0.5, most: 140 },
      aspect: { least: 1 / 3, most: 3 },
      longSide: 1920,
      shortSide: 32,
    },
  },
  post: { hashtags: { count: 1, place: 'text' }, text: 'line', asks: false, links: true },
  safeZone: null,
  encoding: null,
} as const satisfies PlatformPreset
