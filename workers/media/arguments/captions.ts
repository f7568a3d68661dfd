/** Arguments that take a caption track out of a source as text. PURE. */
import { inputFile, inputGuard, sourceStart } from './input.ts'

/** Each goes into a file of its own kind as it is; SRT takes any text track, converted. */
const CODECS = {
  vtt: ['-c:s', 'copy', '-f', 'webvtt'],
  ass: ['-c:s', 'copy', '-f', 'ass'],
  srt: ['-c:s', 'srt', '-f', 'srt'],
} as const

/**
 * `vtt` copies a WebVTT track as it is (voice tags and inline times survive), `ass` an ASS or SSA track (styles, places
 * and drawings can be told apart from words), `srt` converts any text track.
 */
export function captionTrackArguments(
  path: string,
  stream: number,
  format: keyof typeof CODECS,
  output: string,
): string[] {
  return [
    ...sourceStart(),
    '-y',
    ...inputGuard(),
    '-i',
    inputFile(path),
    '-map',
    `0:${stream}`,
    ...CODECS[format],
    inputFile(output),
  ]
}
