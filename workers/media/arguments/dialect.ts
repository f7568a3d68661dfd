/** Options that differ between versions of ffmpeg. PURE. */
import { listArguments } from './input.ts'
import type { Rational } from '../../../server/contract/time.ts'

export interface Dialect {
  /** Takes `-fps_mode` for each output; older versions have `-vsync` for all of them, which newer versions will drop. */
  readonly fpsMode: boolean
  /** Reads the value of an option from a file with `-/option FILE`; older versions can do that for a few options only. */
  readonly optionFiles: boolean
  readonly overlayLuma: OverlayLuma
}

/**
 * What must be added to the luma of premultiplied pictures so that `overlay` blends them unchanged. Some versions subtract
 * the luma of black (16) once more, which would make the picture darker.
 */
export interface OverlayLuma {
  readonly transparent: number
  readonly opaque: number
}

/** The bundled build of 2018. */
export const OLD_DIALECT: Dialect = {
  fpsMode: false,
  optionFiles: false,
  overlayLuma: { transparent: 0, opaque: 0 },
}

type LibraryVersion = readonly [major: number, minor: number]

/** libavutil of ffmpeg 5.1. Builds between releases have no ffmpeg version, but all builds have library versions. */
const FPS_MODE_SINCE: LibraryVersion = [57, 28]
/** libavutil of ffmpeg 7.0 (https://github.com/FFmpeg/FFmpeg/blob/n7.0/Changelog). */
const OPTION_FILES_SINCE: LibraryVersion = [59, 8]

/** Parses the output of `ffmpeg -version`. An unreadable version counts as old. */
export const takesFpsMode = (versionText: string): boolean => isSince(versionText, FPS_MODE_SINCE)
export const takesOptionFiles = (versionText: string): boolean => isSince(versionText, OPTION_FILES_SINCE)

function isSince(versionText: string, [sinceMajor, sinceMinor]: LibraryVersion): boolean {
  const found = /^libavutil\s+(\d+)\.\s*(\d+)\./m.exec(versionText)
  if (found === null) return false
  const major = Number(found[1])
  const minor = Number(found[2])
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor)
}

const PROBE = { below: 126, over: 100, width: 32 } as const

/**
 * Blends a premultiplied picture, whose left half is opaque and whose right half is transparent, over a grey one. Writes one
 * yuv420p picture to stdout, for `overlayLumaOf`.
 */
export function overlayProbeArguments(): string[] {
  const color = `color=c=gray:s=${PROBE.width}x16:r=1:d=1`
  const below = `${color},format=yuv420p,lutyuv=y=${PROBE.below}:u=128:v=128[below]`
  const half = (x: number, alpha: number): string =>
    `${color},format=yuva420p,lutyuv=y=${PROBE.over}:u=128:v=128:a=${alpha},crop=${PROBE.width / 2}:16:${x}:0`
  const blend = 'alpha=premultiplied:format=yuv420:eval=init'
  const graph = [
    below,
    `${half(0, 255)}[opaque]`,
    `${half(0, 0)}[transparent]`,
    `[below][opaque]overlay=x=0:${blend}[half]`,
    `[half][transparent]overlay=x=${PROBE.width / 2}:${blend},format=yuv420p[out]`,
  ]
  return listArguments`
    -hide_banner -nostdin -loglevel error -filter_complex ${graph.join(';')} -map [out] -frames:v 1
    -f rawvideo pipe:1
  `
}

/** Evaluates the picture of the probe; null when the blending differs in a way that cannot be corrected. */
export function overlayLumaOf(picture: Uint8Array): OverlayLuma | null {
  const opaque = picture[4]
  const transparent = picture[PROBE.width - 4]
  if (opaque === undefined || transparent === undefined) return null
  const missing = { opaque: PROBE.over - opaque, transparent: PROBE.below + PROBE.over - transparent }
  const possible = [missing.opaque, missing.transparent].every((value) => value >= 0 && value <= 20)
  return possible ? missing : null
}

/**
 * Writes the frames as the filters produce them, which is at exactly `rate`: none repeated and none dropped. Newer versions
 * give the last frame of a stream no duration unless the rate is set.
 */
export function everyFrame({ fpsMode }: Dialect, rate: Rational): string[] {
  return fpsMode ? ['-fps_mode', 'cfr', '-r', `${rate.numerator}/${rate.denominator}`] : ['-vsync', '0']
}
