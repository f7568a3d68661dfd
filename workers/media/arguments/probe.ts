/** Arguments of the probe stage. PURE. */
import { ffmpegStart, inputGuard, seconds, listArguments } from './input.ts'

/** A minute of a stream; by default ffprobe analyses five seconds and 5 MB. */
const PATIENT = ['-analyzeduration', '60000000', '-probesize', '100000000']

/** Container, streams and chapters as JSON. `patient`: also finds streams that begin late in a file without an index. */
export function factsArguments(path: string, patient = false): string[] {
  return listArguments`
    -v error -hide_banner ${inputGuard()} ${patient ? PATIENT : []} -print_format json -show_format
    -show_streams -show_chapters file:${path}
  `
}

/** Where to read packets: from a time of the file's own clock, at most this many packets (none: to the end). */
export interface PacketInterval {
  readonly from: number
  readonly packets: number | null
}

/** Times of one stream's packets in some intervals, one line each: `pts_time,dts_time,duration_time,flags`. */
export function packetArguments(
  path: string,
  stream: number,
  intervals: readonly PacketInterval[],
): string[] {
  const ranges = intervals.map(
    ({ from, packets }) => `${seconds(from)}%${packets === null ? '' : `+#${packets}`}`,
  )
  return listArguments`
    -v error -hide_banner ${inputGuard()} -select_streams ${stream}
    -show_entries packet=pts_time,dts_time,duration_time,flags -of csv=p=0
    ${ranges.length === 0 ? [] : ['-read_intervals', ranges.join(',')]} file:${path}
  `
}

/** Decodes the first moments of one stream and prints a line per frame on stdout, which proves that it can be decoded. */
export function decodeCheckArguments(path: string, stream: number, kind: 'video' | 'audio'): string[] {
  const limit = kind === 'video' ? ['-frames:v', '1'] : ['-t', '1']
  return listArguments`${ffmpegStart()} ${inputGuard()} -i file:${path} -map 0:${stream} ${limit} -f framecrc pipe:1`
}

const PICTURE_FORMATS: Readonly<Record<string, string>> = {
  'image/png': 'png_pipe',
  'image/jpeg': 'jpeg_pipe',
  'image/webp': 'webp_pipe',
  'image/gif': 'gif',
}

/** Decodes a picture, or the first one of an animation. By its type, so that no other reader is tried on it. */
export function pictureCheckArguments(path: string, mediaType: string): string[] {
  const format = PICTURE_FORMATS[mediaType] ?? 'png_pipe'
  return listArguments`
    ${ffmpegStart()} -protocol_whitelist file,pipe -f ${format} -i file:${path} -map 0:0 -frames:v 1
    -f framecrc pipe:1
  `
}

/** The bytes of an attached picture on stdout, unchanged. */
export function coverArguments(path: string, stream: number): string[] {
  return listArguments`
    ${ffmpegStart()} ${inputGuard()} -i file:${path} -map 0:${stream} -c copy -frames:v 1
    -f image2pipe pipe:1
  `
}

/** Only start and duration of the container, as JSON. */
export function timingArguments(path: string): string[] {
  const entries = ['-show_entries', 'format=start_time,duration', '-print_format', 'json']
  return ['-v', 'error', '-hide_banner', ...inputGuard(), ...entries, `file:${path}`]
}
