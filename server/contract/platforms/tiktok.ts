import { COMMON_ENCODING, type PlatformPreset } from './platform.ts'

export const tiktok = {
  platform: 'tiktok',
  label: 'TikTok',
  limits: {
    source: 'https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide',
    text: { most: 2200, unit: 'characters' },
    title: null,
    firstComment: null,
    cover: 'moment',
    visibilities: ['public', 'followers', 'private'],
    videoRequired: true,
    video: {
      bytes: 4e9,
      seconds: { least: 1, most: 600 },
      aspect: { least: 0.1, most: 10 },
      longSide: 4096,
      shortSide: 360,
    },
  },
  post: { hashtags: { count: 4, place: 'text' }, text: 'lines', asks: false, links: false },
  safeZone: { name: 'tiktok', label: 'TikTok', covered: { top: 8, right: 13, bottom: 22, left: 5 } },
  encoding: { ...COMMON_ENCODING, audioRates: [44_100, 48_000], videoMegabits: null, fastStart: false },
} as const satisfies PlatformPreset
