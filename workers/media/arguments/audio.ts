/** Arguments of the single decoding of a source's sound. PURE. */
import { inputFile, inputGuard, sourceStart, listArguments } from './input.ts'

export const SPEECH_RATE = 16_000

/**
 * The stream as 16 kHz mono s16le on stdout. ffmpeg's clock already starts at the container's start; `first_pts=0` fills
 * with silence (or trims) so that the first sample is the source's time 0, and `async=1` fills gaps further on.
 */
export function speechAudioArguments(
  path: string,
  { streamIndex, manyChannels }: { readonly streamIndex: number; readonly manyChannels?: true },
): string[] {
  const filters = `${firstTwoChannels({ manyChannels })}aresample=async=1:first_pts=0`
  return listArguments`
    ${sourceStart()} ${inputGuard()} -vn -sn -dn -i ${inputFile(path)} -map 0:${streamIndex}
    -af ${filters} -ac 1 -ar ${SPEECH_RATE} -f s16le pipe:1
  `
}

/** A filter prefix, with its comma: of channels without a layout, only the first two, where recorders put their mix. */
export function firstTwoChannels(source: { readonly manyChannels?: true | undefined }): string {
  return source.manyChannels === true ? 'pan=stereo|c0=c0|c1=c1,' : ''
}
