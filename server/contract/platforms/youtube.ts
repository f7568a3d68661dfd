import { COMMON_ENCODING, type PlatformPreset } from './platform.ts'

export const youtube = {
  platform: 'youtube',
  label: 'YouTube',
  limits: {
    source: 'https://developers.google.com/youtube/v3/docs/videos',
    text: { most: 5000, unit: 'bytes' },
    title: { most: 100, required: true },
    firstComment: { most: 10_000 },
    cover: 'picture',
    visibilities: ['public', 'unlisted', 'private'],
    videoRequired: true,
    video: {
      bytes: 256e9,
      seconds: { least: 1, most: 12 * 3600 },
      aspect: { least: 0.1, most: 10 },
      longSide: 7680,
      shortSide: 16,
    },
  },
  post: { hashtags: { count: 3, place: 'text' }, text: 'lines', asks: true, links: false },
  safeZone: { name: 'shorts', label: 'Shorts', covered: { top: 9, right: 13, bottom: 20, left: 5 } },
  encoding: { ...COMMON_ENCODING, audioRates: [48_000, 96_000], videoMegabits: null, fastStart: true },
} as const satisfies PlatformPreset
