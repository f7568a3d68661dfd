import type { PlatformPreset } from './platform.ts'

export const bluesky = {
  platform: 'bluesky',
  label: 'Bluesky',
  limits: {
    source: 'https://docs.bsky.app/docs/advanced-guides/posts',
    text: { most: 300, unit: 'graphemes' },
    title: null,
    firstComment: { most: 300 },
    cover: null,
    visibilities: ['public'],
    videoRequired: false,
    video: {
      bytes: 100e6,
      seconds: { least: 0.1, most: 180 },
      aspect: { least: 0.1, most: 10 },
      longSide: 3840,
      shortSide: 16,
    },
  },
  post: { hashtags: { count: 2, place: 'text' }, text: 'line', asks: false, links: true },
  safeZone: null,
  encoding: null,
} as const satisfies PlatformPreset
