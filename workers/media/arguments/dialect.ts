/** Options that differ between versions of ffmpeg. PURE. */
import { listArguments } from './input.ts'
import type { Rational } from '../../../server/contract/time.ts'

export interface Dialect {
  /** Takes `-fps_mode` for each output; older versions have `-vsync` for all of them, which newer versions will drop. */
  readonly fpsMode: boolean
  /** Reads the value of an option from a file with `-/option FILE`; older versions can do that for a few options only. */
  readonly optionFiles: boolean
  readonly blending: Blending
}

/**
 * What `overlay=alpha=premultiplied` makes of a picture with alpha. By its own description it adds the picture to what is left of the
 * one below; some versions subtract the luma of black (16) once more, which would make the picture darker, and `transparent` and
 * `opaque` are what must be added to its luma in return. Since alpha modes are negotiated (9.0) it multiplies the picture by its
 * alpha whatever the option says, so it is given colours that are not multiplied yet.
 */
export type Blending =
  | { readonly kind: 'premultiplied'; readonly transparent: number; readonly opaque: number }
  | { readonly kind: 'straight' }

/** As ffmpeg describes it, and the bundled build does it. */
export const PLAIN_BLENDING: Blending = { kind: 'premultiplied', transparent: 0, opaque: 0 }

/** The bundled build of 2018. */
export const OLD_DIALECT: Dialect = {
  fpsMode: false,
  optionFiles: false,
  blending: PLAIN_BLENDING,
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

const PROBE = { below: 126, over: 100, width: 48, part: 16, half: 128 } as const
/** The lumas that versions of ffmpeg were seen to differ by, with room. */
const MOST_MISSING = 20

/**
 * Blends a picture over a grey one: its first third is opaque, the second transparent, the last half transparent. Writes one
 * yuv420p picture to stdout, for `blendingOf`.
 */
export function overlayProbeArguments(): string[] {
  const color = `color=c=gray:s=${PROBE.width}x16:r=1:d=1`
  const below = `${color},format=yuv420p,lutyuv=y=${PROBE.below}:u=128:v=128[p0]`
  const blend = 'alpha=premultiplied:format=yuv420:eval=init'
  const parts = [255, 0, PROBE.half].flatMap((alpha, index) => [
    `${color},format=yuva420p,lutyuv=y=${PROBE.over}:u=128:v=128:a=${alpha},crop=${PROBE.part}:16:0:0[a${index}]`,
    `[p${index}][a${index}]overlay=x=${index * PROBE.part}:${blend}[p${index + 1}]`,
  ])
  const graph = [below, ...parts, '[p3]format=yuv420p[out]']
  return listArguments`
    -hide_banner -nostdin -loglevel error -filter_complex ${graph.join(';')} -map [out] -frames:v 1
    -f rawvideo pipe:1
  `
}

/** Evaluates the picture of the probe; null when the blending differs in a way that cannot be corrected. */
export function blendingOf(picture: Uint8Array): Blending | null {
  const [opaque, transparent, half] = [4, PROBE.part + 4, 2 * PROBE.part + 4].map((at) => picture[at])
  if (opaque === undefined || transparent === undefined || half === undefined) return null
  const alpha = PROBE.half / 255
  const isNear = (value: number, expected: number): boolean => Math.abs(value - expected) <= 1.5
  if (
    opaque === PROBE.over &&
    transparent === PROBE.below &&
    isNear(half, PROBE.below * (1 - alpha) + PROBE.over * alpha)
  )
    return { kind: 'straight' }
  const missing = { transparent: PROBE.below + PROBE.over - transparent, opaque: PROBE.over - opaque }
  const isPossible = Object.values(missing).every((value) => value >= 0 && value <= MOST_MISSING)
  const between = missing.transparent + (missing.opaque - missing.transparent) * alpha
  const isLinear = isNear(half, PROBE.below * (1 - alpha) + PROBE.over - between)
  return isPossible && isLinear ? { kind: 'premultiplied', ...missing } : null
}

/**
 * Writes the frames as the filters produce them, which is at exactly `rate`: none repeated and none dropped. Newer versions
 * give the last frame of a stream no duration unless the rate is set.
 */
export function everyFrame({ fpsMode }: Dialect, rate: Rational): string[] {
  return fpsMode ? ['-fps_mode', 'cfr', '-r', `${rate.numerator}/${rate.denominator}`] : ['-vsync', '0']
}
