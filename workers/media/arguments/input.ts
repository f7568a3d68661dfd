/** How every tool opens a stored source. PURE. */
import { ticksToSeconds, type Ticks } from '../../../server/contract/time.ts'

/**
 * Demuxers for media files. Left out on purpose: playlists and scripts that refer to other files or addresses (hls, dash,
 * concat, sdp), image sequences, subtitles, devices and generators.
 */
const FORMATS = [
  'mov,matroska,avi,flv,mpegts,mpeg,mpegvideo,mxf,asf,ogg,wav,w64,mp3,aac,flac,aiff,caf,ac3,eac3,dts,amr,gxf,nut,rm',
  'h264,hevc,m4v,dv,ivf,wv,ape,tta,au,oma,vob,obu,av1',
].join(',')

/**
 * Options before `-i` that restrict a tool to this one local file, for ffmpeg and ffprobe. With `file:` before it, no tool
 * takes the path for an option, a pattern or another protocol.
 */
export function inputGuard(): string[] {
  return ['-protocol_whitelist', 'file,pipe', '-format_whitelist', FORMATS]
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

/** Ensures that every input of ffmpeg and ffprobe is local, whoever built the arguments. PURE. */

const OPTION = '-protocol_whitelist'
const LOCAL: ReadonlySet<string> = new Set(['file', 'pipe', 'fd'])

/**
 * Adds a list of local protocols to each input that has no list of its own. Throws RangeError for an input whose list has
 * another protocol; `srt` is allowed where the tool connects to a relay on this machine.
 */
export function localInputs(args: readonly string[], network: 'none' | 'loopback' = 'none'): string[] {
  const made: string[] = []
  let from = 0
  const guard = (): void => {
    const own = made.slice(from)
    const at = own.lastIndexOf(OPTION)
    const protocols = own[at + 1]?.split(',') ?? []
    if (at === -1) {
      if (!isGenerated(own)) made.push(OPTION, [...LOCAL].join(','))
    } else if (!protocols.every((name) => LOCAL.has(name) || (network === 'loopback' && name === 'srt')))
      throw new RangeError(`an input takes ${protocols.join(', ')}`)
  }
  const takesInputs = args.includes('-i')
  args.forEach((arg, at) => {
    // ffprobe has one input, named by its last argument.
    const isLast = !takesInputs && at === args.length - 1 && arg.startsWith('file:')
    if (arg === '-i' || isLast) guard()
    made.push(arg)
    if (arg === '-i') from = made.length + 1
  })
  return made
}

/** An input that a filter generates opens no file. */
function isGenerated(own: readonly string[]): boolean {
  return own.some((option, at) => option === '-f' && own[at + 1] === 'lavfi')
}

/** Seconds read before the wanted time: encoders usually set a keyframe at least every 250 frames. */
export const LOOSE_LEAD_SECONDS = 12

/**
 * Seconds of sound read before the wanted time. An MP3 frame may need data from earlier frames (154 ms, measured in a quiet
 * one), and frames whose data is missing are silent.
 */
export const SOUND_LEAD_SECONDS = 0.3

/** What is known about seeking in a source (`seekingIn`). */
export interface Seeking {
  /** A seek in the container may land between key frames. */
  readonly seeksLoosely?: true | undefined
  /** Time at which the picture ends, if the sound is longer. */
  readonly pictureEnd?: Ticks | undefined
}

/** Where to seek to show `start`, and how many seconds to drop from there. Seconds from the source's time 0. */
export function looseSeek(start: number, { seeksLoosely, pictureEnd }: Seeking) {
  if (seeksLoosely !== true) return { from: start, drop: 0 }
  // After its last picture a source has none to find: the last one is still shown.
  const shown = pictureEnd === undefined ? start : Math.min(start, ticksToSeconds(pictureEnd))
  const from = Math.max(0, shown - LOOSE_LEAD_SECONDS)
  return { from, drop: start - from }
}
