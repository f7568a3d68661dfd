import { declareHandPart } from './declare.ts'

/** Names of speakers: they change no picture, and stand in transcripts and exports (`speakersOf`). */
export const handSpeakers = declareHandPart({ name: 'speakers' })
