/** Sound with more channels than any loudspeaker layout, such as the tracks of a field recorder. PURE. */

/** ffmpeg can downmix up to this many channels (7.1) to two; with more it fails because the layout is unknown. */
const MAX_ARRANGED = 8

/** Parameter for decoders of such sound; empty for usual sound. */
export function manyChannels(audio: { readonly channels: number } | null): { manyChannels?: true } {
  return audio !== null && audio.channels > MAX_ARRANGED ? { manyChannels: true } : {}
}

/** Warning for people. */
export const manyChannelsSentence = (channels: number): string =>
  `The sound has ${channels} channels, and nothing says what they are: the first two are heard. To use others, mix them down first.`
