/**
 * Published limits of the platforms for the encoding of uploaded files, as of 2026. Limits of bytes and pixels, with
 * their sources, are in each platform's adapter.
 */
import type { Platform } from '../../contract/post.ts'
import { ADAPTERS } from './registry.ts'

export interface UploadLimits {
  readonly platform: Platform
  readonly videoCodecs: readonly string[]
  readonly audioCodecs: readonly string[]
  /** 4:2:0, 8 bit. */
  readonly pixelFormat: 'yuv420p'
  readonly frameRate: { readonly least: number; readonly most: number }
  readonly audioRates: readonly number[]
  readonly videoMegabits: number | null
  /** The index is at the front of the file. */
  readonly fastStart: boolean
}

const COMMON = {
  videoCodecs: ['h264'],
  audioCodecs: ['aac'],
  pixelFormat: 'yuv420p',
  frameRate: { least: 23, most: 60 },
} as const

export const UPLOAD_LIMITS: readonly UploadLimits[] = [
  { platform: 'instagram', ...COMMON, audioRates: [44_100, 48_000], videoMegabits: 25, fastStart: true },
  { platform: 'tiktok', ...COMMON, audioRates: [44_100, 48_000], videoMegabits: null, fastStart: false },
  { platform: 'youtube', ...COMMON, audioRates: [48_000, 96_000], videoMegabits: null, fastStart: true },
]

/** What ffprobe reports for a finished file, and where its index is. */
export interface UploadedFile {
  readonly videoCodec: string
  readonly audioCodec: string
  readonly profile: string
  /** As ffprobe reports it: 40 means 4.0. */
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
  const { bytes, longSide, shortSide } = ADAPTERS[limits.platform].limits.video
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
    [Math.max(file.width, file.height) <= longSide, `it is ${file.width}x${file.height}`],
    [Math.min(file.width, file.height) >= shortSide, `it is only ${file.width}x${file.height}`],
    [limits.audioCodecs.includes(file.audioCodec), `its sound is ${file.audioCodec}`],
    [limits.audioRates.includes(file.audioRate), `its sound has ${file.audioRate} samples a second`],
    [file.channels >= 1 && file.channels <= 2, `its sound has ${file.channels} channels`],
    [
      limits.videoMegabits === null || megabits <= limits.videoMegabits,
      `it takes ${megabits.toFixed(1)} Mbit/s`,
    ],
    [file.bytes <= bytes, `it has ${file.bytes} bytes`],
    [file.fastStart || !limits.fastStart, 'its index is at the end'],
  ]
  return rules.filter(([holds]) => !holds).map(([, problem]) => `${limits.platform}: ${problem}.`)
}
