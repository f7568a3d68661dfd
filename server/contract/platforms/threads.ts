import type { PlatformPreset } from './platform.ts'

export const threads = {
  platform: 'threads',
  label: 'Threads',
  limits: {
    source: 'https://developers.facebook.com/docs/threads/overview',
    text: { most: 500, unit: 'characters' },
    title: null,
    firstComment: { most: 500 },
    cover: null,
    visibilities: ['public'],
    videoRequired: false,
    video: {
      bytes: 1e9,
      seconds: { least: 0.1, most: 300 },
      aspect: { least: 0.01, most: 10 },
      longSide: 1920,
      shortSide: 16,
    },
  },
  post: { hashtags: { count: 1, place: 'text' }, text: 'line', asks: false, links: true },
  safeZone: null,
  encoding: null,
} as const satisfies PlatformPreset
