import { COMMON_ENCODING, type PlatformPreset } from './platform.ts'

export const instagram = {
  platform: 'instagram',
  label: 'Instagram',
  limits: {
    source:
      'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media',
    text: { most: 2200, unit: 'characters' },
    marks: { hashtags: 30, names: 20 },
    title: null,
    firstComment: { most: 2200 },
    cover: 'moment',
    visibilities: ['public'],
    videoRequired: true,
    video: {
      bytes: 300e6,
      seconds: { least: 3, most: 900 },
      aspect: { least: 0.01, most: 10 },
      longSide: 1920,
      shortSide: 16,
    },
  },
  post: { hashtags: { count: 5, place: 'comment' }, text: 'lines', asks: false, links: false },
  safeZone: { name: 'reels', label: 'Reels', covered: { top: 11, right: 11, bottom: 21, left: 5 } },
  encoding: { ...COMMON_ENCODING, audioRates: [44_100, 48_000], videoMegabits: 25, fastStart: true },
} as const satisfies PlatformPreset
