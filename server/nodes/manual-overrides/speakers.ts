import { declareOverridePart } from './declare.ts'

/** Names of speakers: they change no picture, and stand in transcripts and exports (`speakersOf`). */
export const manualSpeakers = declareOverridePart({ name: 'speakers' })
