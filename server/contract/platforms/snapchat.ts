import type { PlatformPreset } from './platform.ts'

export const snapchat = {
  platform: 'snapchat',
  label: 'Snapchat',
  limits: {
    source: 'https://developers.snap.com/api/marketing-api/Public-Profile-API/ProfileAssetManagement',
    text: { most: 160, unit: 'characters' },
    title: null,
    firstComment: null,
    cover: null,
    visibilities: ['public'],
    videoRequired: true,
    video: {
      bytes: 300e6,
      seconds: { least: 5, most: 60 },
      aspect: { least: 0.5, most: 0.6 },
      longSide: 1920,
      shortSide: 540,
    },
  },
  post: { hashtags: { count: 2, place: 'text' }, text: 'line', asks: false, links: false },
  safeZone: null,
  encoding: null,
} as const satisfies PlatformPreset
