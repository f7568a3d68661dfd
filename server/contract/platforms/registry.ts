/** PURE: every social platform, read by everything: a new one is one file and one line here, and an adapter. */
import { bluesky } from './bluesky.ts'
import { facebook } from './facebook.ts'
import { instagram } from './instagram.ts'
import { linkedin } from './linkedin.ts'
import { snapchat } from './snapchat.ts'
import { threads } from './threads.ts'
import { tiktok } from './tiktok.ts'
import { twitter } from './twitter.ts'
import { youtube } from './youtube.ts'
import type { PlatformPreset } from './platform.ts'

/** In the order in which people are shown them. */
export const PLATFORM_PRESETS = [
  youtube,
  tiktok,
  instagram,
  twitter,
  linkedin,
  facebook,
  threads,
  snapchat,
  bluesky,
] as const satisfies readonly PlatformPreset[]

export type Platform = (typeof PLATFORM_PRESETS)[number]['platform']

type NamedZone = NonNullable<(typeof PLATFORM_PRESETS)[number]['safeZone']>
export type SafeZone = 'none' | NamedZone['name']

/** The safe zones of all platforms that have one; the one that covers most of the bottom first. */
export const SAFE_ZONES: readonly NamedZone[] = PLATFORM_PRESETS.flatMap(({ safeZone }): NamedZone[] =>
  safeZone === null ? [] : [safeZone],
).toSorted((a, b) => b.covered.bottom - a.covered.bottom)

/** Loudness of every finished clip, at about which all platforms play. The peak leaves room for lossy encoding. */
export const DELIVERY_LOUDNESS = { integratedLufs: -14, truePeakDb: -1.5 } as const
