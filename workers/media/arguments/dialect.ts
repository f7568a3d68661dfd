/** What is said differently to different versions of ffmpeg. PURE. */

export interface Dialect {
  /** Takes `-fps_mode`, of each output, for the `-vsync` of all, which newer versions mean to forget. */
  readonly fpsMode: boolean
}

/** Of the bundled build of 2018. */
export const OLD_DIALECT: Dialect = { fpsMode: false }

/** libavutil of ffmpeg 5.1. Builds between releases say no version of ffmpeg, but all say those of its libraries. */
const FPS_MODE_SINCE: readonly [number, number] = [57, 28]

/** From what `ffmpeg -version` prints. What cannot be read is taken for old. */
export function dialectOf(versionText: string): Dialect {
  const found = /^libavutil\s+(\d+)\.\s*(\d+)\./m.exec(versionText)
  if (found === null) return OLD_DIALECT
  const [major, minor] = [Number(found[1]), Number(found[2])]
  const [sinceMajor, sinceMinor] = FPS_MODE_SINCE
  return { fpsMode: major > sinceMajor || (major === sinceMajor && minor >= sinceMinor) }
}

/** Frames are written as the filters make them, none repeated and none dropped; for the options of one output. */
export function everyFrame({ fpsMode }: Dialect): string[] {
  return fpsMode ? ['-fps_mode', 'passthrough'] : ['-vsync', '0']
}
