/** How every tool opens a stored source. PURE. */

/**
 * Demuxers for media files. Left out on purpose: playlists and scripts that refer to other files or addresses (hls, dash,
 * concat, sdp), image sequences, subtitles, devices and generators.
 */
const FORMATS = [
  'mov,matroska,avi,flv,mpegts,mpeg,mpegvideo,mxf,asf,ogg,wav,w64,mp3,aac,flac,aiff,caf,ac3,eac3,dts,amr,gxf,nut,rm',
  'h264,hevc,m4v,dv,ivf,wv,ape,tta,au,oma,vob,obu,av1',
].join(',')

/** Options before `-i` that restrict a tool to this one local file, for ffmpeg and ffprobe. */
export function inputGuard(): string[] {
  return ['-protocol_whitelist', 'file,pipe', '-format_whitelist', FORMATS]
}

/** A path as an input that no tool takes for an option, a pattern or another protocol. */
export function inputFile(path: string): string {
  return `file:${path}`
}

/** Options at the start of every ffmpeg run: only errors are printed, and nothing is read from stdin. */
export function ffmpegStart(): string[] {
  return ['-hide_banner', '-nostdin', '-loglevel', 'error']
}

/**
 * Takes times from the packets. By default ffmpeg treats a jump of ten seconds in a transport stream (a gap in a recording)
 * as a new clock and closes it if it reads across it; sound read from the start would then lie elsewhere than a seek
 * finds it.
 */
export const OWN_CLOCK = ['-dts_delta_threshold', '1000000'] as const

/** Options at the start of every run that reads a stored source. */
export function sourceStart(): string[] {
  return [...ffmpegStart(), ...OWN_CLOCK]
}

/** A picture that stays for long is encoded only when the next one comes; until then the muxer must buffer the sound. */
export const PATIENT_MUXER = ['-max_muxing_queue_size', '1000000'] as const

/** Seconds as ffmpeg reads them, with microseconds and without an exponent. */
export function seconds(value: number): string {
  return value.toFixed(6)
}

/**
 * Arguments written as on a command line: words end at spaces. A value is (part of) one argument, whatever is in it; a
 * list is one argument for each of its entries.
 */
export function listArguments(
  texts: TemplateStringsArray,
  ...values: readonly (string | number | readonly string[])[]
): string[] {
  const found: string[] = []
  let word: string | null = null
  const endWord = (): void => {
    if (word !== null) found.push(word)
    word = null
  }
  texts.forEach((text, at) => {
    for (const piece of text.split(/(\s+)/)) {
      if (/^\s/.test(piece)) endWord()
      else if (piece !== '') word = (word ?? '') + piece
    }
    const value = values[at]
    if (typeof value === 'object') {
      endWord()
      found.push(...value)
    } else if (value !== undefined) word = `${word ?? ''}${value}`
  })
  endWord()
  return found
}
