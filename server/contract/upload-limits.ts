/**
 * What the platforms publish about files that are uploaded to them, as far as it concerns how a clip is encoded. Looked
 * up in 2026; the addresses say where. How long a video may be is a matter of the account and not listed.
 */

export interface UploadLimits {
  readonly platform: string
  readonly source: string
  readonly videoCodecs: readonly string[]
  readonly audioCodecs: readonly string[]
  /** 4:2:0, 8 bit. */
  readonly pixelFormat: 'yuv420p'
  readonly frameRate: { readonly least: number; readonly most: number }
  /** Pixels of the longer and of the shorter side. */
  readonly longSide: number
  readonly leastSide: number
  readonly audioRates: readonly number[]
  readonly videoMegabits: number | null
  readonly bytes: number
  /** The index is at the front of the file. */
  readonly fastStart: boolean
}

const COMMON = { videoCodecs: ['h264'], audioCodecs: ['aac'], pixelFormat: 'yuv420p' } as const
const GIGABYTE = 1_000_000_000

export const UPLOAD_LIMITS: readonly UploadLimits[] = [
  {
    ...{ platform: 'instagram', ...COMMON, fastStart: true },
    source:
      'https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media',
    frameRate: { least: 23, most: 60 },
    // 1920 columns at most: what is upright may be taller than that, ours is not.
    ...{ longSide: 1920, leastSide: 16, audioRates: [44_100, 48_000], videoMegabits: 25, bytes: GIGABYTE },
  },
  {
    ...{ platform: 'tiktok', ...COMMON, fastStart: false },
    source: 'https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide',
    frameRate: { least: 23, most: 60 },
    ...{
      longSide: 4096,
      leastSide: 360,
      audioRates: [44_100, 48_000],
      videoMegabits: null,
      bytes: 4 * GIGABYTE,
    },
  },
  {
    ...{ platform: 'youtube', ...COMMON, fastStart: true },
    source: 'https://support.google.com/youtube/answer/1722171',
    frameRate: { least: 23, most: 60 },
    ...{
      longSide: 7680,
      leastSide: 16,
      audioRates: [48_000, 96_000],
      videoMegabits: null,
      bytes: 256 * GIGABYTE,
    },
  },
]

/** What ffprobe says of a finished file, and where its index is. */
export interface UploadedFile {
  readonly videoCodec: string
  readonly audioCodec: string
  readonly profile: string
  /** As ffprobe says it: 40 is 4.0. */
  readonly level: number
  readonly pixelFormat: string
  readonly interlaced: boolean
  readonly framesPerSecond: number
  readonly width: number
  readonly height: number
  readonly audioRate: number
  readonly channels: number
  readonly bytes: number
  readonly seconds: number
  readonly fastStart: boolean
}

/** Profiles and the highest level of H.264 that phones play without exception. */
const PROFILES = new Set(['Constrained Baseline', 'Main', 'High'])
const HIGHEST_LEVEL = 42

/** Why the platform would refuse the file, in sentences; none: it is within what is published. */
export function uploadProblems(file: UploadedFile, limits: UploadLimits): string[] {
  const { least, most } = limits.frameRate
  const megabits = (file.bytes * 8) / file.seconds / 1_000_000
  const rules: readonly (readonly [boolean, string])[] = [
    [limits.videoCodecs.includes(file.videoCodec), `its picture is ${file.videoCodec}`],
    [
      PROFILES.has(file.profile) && file.level <= HIGHEST_LEVEL,
      `it is ${file.profile} at level ${file.level / 10}`,
    ],
    [file.pixelFormat === limits.pixelFormat, `its pixels are ${file.pixelFormat}`],
    [!file.interlaced, 'it is interlaced'],
    [
      file.framesPerSecond >= least && file.framesPerSecond <= most,
      `it has ${file.framesPerSecond} frames a second`,
    ],
    [Math.max(file.width, file.height) <= limits.longSide, `it is ${file.width}x${file.height}`],
    [Math.min(file.width, file.height) >= limits.leastSide, `it is only ${file.width}x${file.height}`],
    [limits.audioCodecs.includes(file.audioCodec), `its sound is ${file.audioCodec}`],
    [limits.audioRates.includes(file.audioRate), `its sound has ${file.audioRate} samples a second`],
    [file.channels >= 1 && file.channels <= 2, `its sound has ${file.channels} channels`],
    [
      limits.videoMegabits === null || megabits <= limits.videoMegabits,
      `it takes ${megabits.toFixed(1)} Mbit/s`,
    ],
    [file.bytes <= limits.bytes, `it has ${file.bytes} bytes`],
    [file.fastStart || !limits.fastStart, 'its index is at the end'],
  ]
  return rules.filter(([holds]) => !holds).map(([, problem]) => `${limits.platform}: ${problem}.`)
}
