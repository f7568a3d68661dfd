/** Whether a finished file is within what the platforms publish about uploads. */
import type { PlatformLimits, UploadEncoding } from '../../server/contract/platforms/platform.ts'
import { PLATFORM_PRESETS } from '../../server/contract/platforms/registry.ts'

/** The platforms whose encoding limits are known. */
export const PLATFORMS_WITH_ENCODING = PLATFORM_PRESETS.filter(({ encoding }) => encoding !== null)

/** What ffprobe reports of a finished file, and whether its index is at the front. */
export interface UploadedFile {
  readonly videoCodec: string
  readonly audioCodec: string
  readonly profile: string
  /** As ffprobe reports it: 40 is 4.0. */
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
const MAX_LEVEL = 42

/** Why a platform would refuse the file, in sentences; none: it is within what is published. */
export function uploadProblems(
  file: UploadedFile,
  { platform, limits, encoding }: (typeof PLATFORM_PRESETS)[number],
): string[] {
  return encoding === null
    ? []
    : encodingProblems(file, limits.video, encoding).map((problem) => `${platform}: ${problem}.`)
}

function encodingProblems(
  file: UploadedFile,
  { bytes, longSide, shortSide }: PlatformLimits['video'],
  encoding: UploadEncoding,
): string[] {
  const { least, most } = encoding.frameRate
  const megabits = (file.bytes * 8) / file.seconds / 1_000_000
  const rules: readonly (readonly [boolean, string])[] = [
    [encoding.videoCodecs.includes(file.videoCodec), `its picture is ${file.videoCodec}`],
    [
      PROFILES.has(file.profile) && file.level <= MAX_LEVEL,
      `it is ${file.profile} at level ${file.level / 10}`,
    ],
    [file.pixelFormat === encoding.pixelFormat, `its pixels are ${file.pixelFormat}`],
    [!file.interlaced, 'it is interlaced'],
    [
      file.framesPerSecond >= least && file.framesPerSecond <= most,
      `it has ${file.framesPerSecond} frames a second`,
    ],
    [Math.max(file.width, file.height) <= longSide, `it is ${file.width}x${file.height}`],
    [Math.min(file.width, file.height) >= shortSide, `it is only ${file.width}x${file.height}`],
    [encoding.audioCodecs.includes(file.audioCodec), `its sound is ${file.audioCodec}`],
    [encoding.audioRates.includes(file.audioRate), `its sound has ${file.audioRate} samples a second`],
    [file.channels >= 1 && file.channels <= 2, `its sound has ${file.channels} channels`],
    [
      encoding.videoMegabits === null || megabits <= encoding.videoMegabits,
      `it takes ${megabits.toFixed(1)} Mbit/s`,
    ],
    [file.bytes <= bytes, `it has ${file.bytes} bytes`],
    [file.fastStart || !encoding.fastStart, 'its index is at the end'],
  ]
  return rules.filter(([holds]) => !holds).map(([, problem]) => problem)
}
