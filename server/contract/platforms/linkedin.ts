import type { PlatformPreset } from './platform.ts'

export const linkedin = {
  platform: 'linkedin',
  label: 'LinkedIn',
  limits: {
    source: 'https://learn.microsoft.com/linkedin/marketing/community-management/shares/videos-api',
    text: { most: 3000, unit: 'characters' },
    title: { most: 200, required: false },
    firstComment: { most: 1250 },
    cover: null,
    visibilities: ['public', 'followers'],
    videoRequired: false,
    video: {
      bytes: 500e6,
      seconds: { least: 3, most: 1800 },
      aspect: { least: 1 / 2.4, most: 2.4 },
      longSide: 4096,
      shortSide: 144,
    },
  },
  post: { hashtags: { count: 3, place: 'text' }, text: 'lines', asks: true, links: true },
  safeZone: null,
  encoding: null,
} as const satisfies PlatformPreset
