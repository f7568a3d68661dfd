/** Arguments that extract a caption track of a source as text. PURE. */
import { inputFile, inputGuard, sourceStart, listArguments } from './input.ts'

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
    ${sourceStart()} -y ${inputGuard()} -i ${inputFile(path)} -map 0:${stream}
    ${CODECS[format]} ${inputFile(output)}
  `
}
