/** Arguments that join received segments without encoding. PURE. */
import { ffmpegStart, inputGuard, seconds, listArguments } from './input.ts'

export interface Joined {
  /** The picture, or picture and sound. */
  readonly path: string
  /** The sound, if it came in a stream of its own. */
  readonly soundPath: string | null
  /** Where the sound begins on the clock of the picture, in seconds, if its file has no clock. */
  readonly soundStart?: number
  readonly output: string
}

/** The streams of a chunk: the first picture, and the first sound or the separate sound file. */
function streams({ path, soundPath, soundStart }: Omit<Joined, 'output'>): string[] {
  const input = (file: string): string[] => [...inputGuard(), '-i', `file:${file}`]
  // Both files share one clock; without -copyts each would begin at its own zero.
  const clock = soundPath === null ? [] : ['-copyts']
  const shift = soundStart === undefined ? [] : ['-itsoffset', seconds(soundStart)]
  const inputs = [...input(path), ...(soundPath === null ? [] : [...shift, ...input(soundPath)])]
  return listArguments`${clock} ${inputs} -map 0:v:0? -map ${soundPath === null ? '0:a:0?' : '1:a:0'} -c copy`
}

/** A file that begins at 0. `container`: `mp4` accepts what streams usually carry, `matroska` everything else. */
export function chunkArguments(joined: Joined, container: 'mp4' | 'matroska' | 'mpegts'): string[] {
  return listArguments`
    ${ffmpegStart()} -y ${streams(joined)} -avoid_negative_ts make_zero -max_muxing_queue_size 4096
    -f ${container} ${joined.output}
  `
}

/** A stretch as MPEG-TS that begins at `start` seconds, so that several of them can be concatenated to one file. */
export function stretchArguments(stretch: Pick<Joined, 'path' | 'output'>, start: number): string[] {
  return listArguments`
    ${ffmpegStart()} -y ${streams({ ...stretch, soundPath: null })} -max_muxing_queue_size 4096
    -muxdelay 0 -muxpreload 0 -output_ts_offset ${seconds(start)} -f mpegts ${stretch.output}
  `
}

/** The form of a stretch as JSON: streams are concatenated only if their forms are equal. */
export function formArguments(path: string): string[] {
  const entries =
    'stream=codec_type,codec_name,profile,width,height,pix_fmt,sample_rate,channels,duration:format=duration,start_time'
  return ['-v', 'error', ...inputGuard(), '-show_entries', entries, '-of', 'json', `file:${path}`]
}

/** Where a pulled stream comes from: a pipe on file descriptor 3, or a relayed port of this machine. */
export type PullInput =
  | { readonly kind: 'pipe' }
  | {
      readonly kind: 'srt'
      readonly port: number
      readonly query: string
      readonly passphrase: string | null
      readonly streamId: string | null
    }

const SEGMENT_SECONDS = 2
const FLV_PIPE = listArguments`-protocol_whitelist pipe -f flv -i pipe:3`

/**
 * Cuts a stream into MPEG-TS segments `<name>-<number>` in a folder, and reports each one as `name,start,end` on stdout. An
 * SRT passphrase is visible in the arguments (docs/threat-model.md): a script for the concat demuxer could hold the address
 * instead, but ffmpeg would then not close jumps of the stream's clock, and lose what follows them.
 */
export function cutArguments(input: PullInput, folder: string, name: string): string[] {
  return listArguments`
    ${ffmpegStart()} ${input.kind === 'pipe' ? FLV_PIPE : srtInput(input)} -map 0:v:0? -map 0:a:0? -c copy -max_muxing_queue_size 4096 -f segment
    -segment_time ${SEGMENT_SECONDS} -segment_format mpegts -segment_list pipe:1
    -segment_list_type csv ${folder.replaceAll('%', '%%')}/${name}-%06d
  `
}

/**
 * Passphrase and stream id as options: in the address they would have to be encoded, and ffmpeg does not decode them. A
 * stream id without special characters stays in the address, because old builds lack the option (`-streamid` is another).
 */
function srtInput({ port, query, passphrase, streamId }: Extract<PullInput, { kind: 'srt' }>): string[] {
  const plain = streamId === null || encodeURIComponent(streamId) === streamId
  const id = plain && streamId !== null ? `&streamid=${streamId}` : ''
  return listArguments`
    -protocol_whitelist srt -f mpegts ${passphrase === null ? [] : ['-passphrase', passphrase]}
    ${plain ? [] : ['-srt_streamid', streamId]} -i srt://127.0.0.1:${port}${query}${id}
  `
}
