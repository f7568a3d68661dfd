/** Arguments that take a caption track out of a source as text. PURE. */
import { inputFile, inputGuard, sourceStart } from './input.ts'

/** `vtt` copies a WebVTT track as it is (voice tags and inline times survive), `srt` converts any text track. */
export function captionTrackArguments(
  path: string,
  stream: number,
  format: 'vtt' | 'srt',
  output: string,
): string[] {
  const codec = format === 'vtt' ? ['-c:s', 'copy', '-f', 'webvtt'] : ['-c:s', 'srt', '-f', 'srt']
  return [
    ...[...sourceStart(), '-y', ...inputGuard(), '-i', inputFile(path), '-map', `0:${stream}`],
    ...[...codec, inputFile(output)],
  ]
}
