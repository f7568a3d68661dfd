import type { PlatformPreset } from './platform.ts'

export const facebook = {
  platform: 'facebook',
  label: 'Facebook',
  limits: {
    source: 'https://developers.facebook.com/docs/video-api/guides/publishing',
    text: { most: 63_206, unit: 'characters' },
    title: { most: 255, required: false },
    firstComment: { most: 8000 },
    cover: null,
    visibilities: ['public'],
    videoRequired: false,
    video: {
      bytes: 10e9,
      seconds: { least: 1, most: 240 * 60 },
      aspect: { least: 0.1, most: 10 },
      longSide: 4096,
      shortSide: 16,
    },
  },
  post: { hashtags: { count: 2, place: 'text' }, text: 'lines', asks: true, links: true },
  safeZone: null,
  encoding: null,
} as const satisfies PlatformPreset
