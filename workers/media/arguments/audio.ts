/** Arguments of the single decoding of a source's sound. PURE. */
import { inputGuard, sourceStart, listArguments } from './input.ts'

export const SPEECH_RATE = 16_000

type SpeechStream = { readonly streamIndex: number; readonly manyChannels?: true }

/**
 * The stream as 16 kHz mono s16le on stdout. ffmpeg's clock already starts at the container's start; `first_pts=0` fills
 * with silence (or trims) so that the first sample is the source's time 0, and `async=1` fills gaps further on.
 */
export const speechAudioArguments = (path: string, stream: SpeechStream): string[] =>
  speechFrom([], path, stream)

/** The same samples from a file that is still being written. At the end of what is there it waits for more, without end. */
export const growingSpeechAudioArguments = (path: string, stream: SpeechStream): string[] =>
  speechFrom(['-follow', '1'], path, stream)

function speechFrom(
  reading: readonly string[],
  path: string,
  { streamIndex, manyChannels }: SpeechStream,
): string[] {
  const filters = `${firstTwoChannels({ manyChannels })}aresample=async=1:first_pts=0`
  return listArguments`
    ${sourceStart()} ${inputGuard()} ${reading} -vn -sn -dn -i file:${path} -map 0:${streamIndex}
    -af ${filters} -ac 1 -ar ${SPEECH_RATE} -f s16le pipe:1
  `
}

/** A filter prefix, with its comma: of channels without a layout, only the first two, where recorders put their mix. */
export function firstTwoChannels(source: { readonly manyChannels?: true | undefined }): string {
  return source.manyChannels === true ? 'pan=stereo|c0=c0|c1=c1,' : ''
}

/** Measures a stream's loudness from beginning to end: ebur128's summary on stderr. */
export function fileLoudnessArguments(path: string, stream: number): string[] {
  return listArguments`
    -hide_banner -nostdin -nostats -loglevel info ${inputGuard()} -vn -sn -dn -i file:${path}
    -map 0:${stream} -af ebur128=framelog=verbose -f null -
  `
}

/** `vtt` and `ass` copy tracks of that kind; `srt` converts any text track. */
const CODECS = {
  vtt: ['-c:s', 'copy', '-f', 'webvtt'],
  ass: ['-c:s', 'copy', '-f', 'ass'],
  srt: ['-c:s', 'srt', '-f', 'srt'],
} as const

/**
 * `vtt` copies a WebVTT track unchanged (voice tags and inline times survive), `ass` copies an ASS or SSA track (styles,
 * positions and drawings can be told apart from words), `srt` converts any text track.
 */
export function captionTrackArguments(
  path: string,
  stream: number,
  format: keyof typeof CODECS,
  output: string,
): string[] {
  return listArguments`
    ${sourceStart()} -y ${inputGuard()} -i file:${path} -map 0:${stream}
    ${CODECS[format]} file:${output}
  `
}
