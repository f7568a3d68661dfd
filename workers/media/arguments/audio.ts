/** Arguments of the one decode of a source's sound. PURE. */
import { inputFile, inputGuard, sourceStart } from './input.ts'

export const SPEECH_RATE = 16_000

/**
 * The stream as 16 kHz mono s16le on stdout. ffmpeg's clock already starts at the container's start; `first_pts=0` fills
 * with silence (or trims) so that the first sample is the source's time 0, and `async=1` fills gaps further on.
 */
export function speechAudioArguments(path: string, stream: number): string[] {
  return [
    ...[...sourceStart(), ...inputGuard(), '-vn', '-sn', '-dn', '-i', inputFile(path), '-map', `0:${stream}`],
    ...[
      '-af',
      'aresample=async=1:first_pts=0',
      '-ac',
      '1',
      '-ar',
      String(SPEECH_RATE),
      '-f',
      's16le',
      'pipe:1',
    ],
  ]
}
