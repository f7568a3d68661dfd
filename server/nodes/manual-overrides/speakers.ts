import { declareOverridePart } from './declare.ts'

/** Names of speakers: they do not change the picture, and appear in transcripts and exports (`speakersOf`). */
export const manualSpeakers = declareOverridePart({ name: 'speakers' })
