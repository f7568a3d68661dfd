/** What is said differently to different versions of ffmpeg. PURE. */
import type { Rational } from '../../../server/contract/time.ts'

export interface Dialect {
  /** Takes `-fps_mode`, of each output, for the `-vsync` of all, which newer versions mean to forget. */
  readonly fpsMode: boolean
  /** Reads an option's value from a file by `-/option FILE`; the older ones know that of a few by names of their own. */
  readonly optionFiles: boolean
  readonly overlayLuma: OverlayLuma
}

/**
 * What must be added to the luma of premultiplied pictures, so that `overlay` lays them over others as they are. Some
 * versions take black's share of luma (16) off again, and the picture would be darker by it.
 */
export interface OverlayLuma {
  readonly transparent: number
  readonly opaque: number
}

/** Of the bundled build of 2018. */
export const OLD_DIALECT: Dialect = {
  fpsMode: false,
  optionFiles: false,
  overlayLuma: { transparent: 0, opaque: 0 },
}

type LibraryVersion = readonly [major: number, minor: number]

/** libavutil of ffmpeg 5.1. Builds between releases say no version of ffmpeg, but all say those of its libraries. */
const FPS_MODE_SINCE: LibraryVersion = [57, 28]
/** libavutil of ffmpeg 7.0 (https://github.com/FFmpeg/FFmpeg/blob/n7.0/Changelog). */
const OPTION_FILES_SINCE: LibraryVersion = [59, 8]

/** From what `ffmpeg -version` prints. What cannot be read is taken for old. */
export const takesFpsMode = (readVersionText: string): boolean => isSince(readVersionText, FPS_MODE_SINCE)
export const takesOptionFiles = (readVersionText: string): boolean =>
  isSince(readVersionText, OPTION_FILES_SINCE)

function isSince(readVersionText: string, [sinceMajor, sinceMinor]: LibraryVersion): boolean {
  const found = /^libavutil\s+(\d+)\.\s*(\d+)\./m.exec(readVersionText)
  if (found === null) return false
  const major = Number(found[1])
  const minor = Number(found[2])
  return major > sinceMajor || (major === sinceMajor && minor >= sinceMinor)
}

const PROBE = { below: 126, over: 100, width: 32 } as const

/**
 * Lays a premultiplied picture over a grey one: its left half is opaque, its right half transparent. One yuv420p picture
 * on stdout, for `overlayLumaOf`.
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
  return [
    '-hide_banner',
    '-nostdin',
    '-loglevel',
    'error',
    '-filter_complex',
    graph.join(';'),
    '-map',
    '[out]',
    '-frames:v',
    '1',
    '-f',
    'rawvideo',
    'pipe:1',
  ]
}

/** From the picture that the probe gives; null when this is not a way of blending that can be made up for. */
export function overlayLumaOf(picture: Uint8Array): OverlayLuma | null {
  const opaque = picture[4]
  const transparent = picture[PROBE.width - 4]
  if (opaque === undefined || transparent === undefined) return null
  const missing = { opaque: PROBE.over - opaque, transparent: PROBE.below + PROBE.over - transparent }
  const possible = [missing.opaque, missing.transparent].every((value) => value >= 0 && value <= 20)
  return possible ? missing : null
}

/**
 * Frames are written as the filters make them, which is at exactly `rate`: none repeated and none dropped. Newer versions
 * give the last frame of a stream no length unless they are told the rate.
 */
export function everyFrame({ fpsMode }: Dialect, rate: Rational): string[] {
  return fpsMode ? ['-fps_mode', 'cfr', '-r', `${rate.numerator}/${rate.denominator}`] : ['-vsync', '0']
}
