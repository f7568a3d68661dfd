/** Sound of more channels than any arrangement of loudspeakers has: the tracks of a field recorder, say. PURE. */

/** ffmpeg knows how to bring up to so many (7.1) to two; of more it says that it knows too little, and fails. */
const MAX_ARRANGED = 8

/** Told to whatever decodes the sound; nothing of a usual one. */
export function manyChannels(audio: { readonly channels: number } | null): { manyChannels?: true } {
  return audio !== null && audio.channels > MAX_ARRANGED ? { manyChannels: true } : {}
}

/** For the people whose recording it is. */
export const manyChannelsSentence = (channels: number): string =>
  `The sound has ${channels} channels, and nothing says what they are: the first two are heard. To use others, mix them down first.`
