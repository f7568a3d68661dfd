import { Type } from '@sinclair/typebox'
import { declareStage } from '../declare.ts'

/** The words of a clip, padding included, as JSON, SRT and WebVTT. Times count from the extended cut's start. */
export const transcriptFile = declareStage({
  name: 'transcript-file',
  version: 3,
  lane: 'cpu',
  label: 'Writing the transcript',
  inputs: ['transcript'],
  reuse: 'content',
  weight: 1,
  params: Type.Object({
    /** Seconds in the source: the extended range, and what the clip plays inside of it. */
    extendedStart: Type.Number(),
    extendedEnd: Type.Number(),
    played: Type.Array(Type.Object({ start: Type.Number(), end: Type.Number() })),
    /** Names by speaker number, in place of the transcript's. */
    speakers: Type.Optional(Type.Array(Type.String())),
  }),
  output: Type.Object({
    jsonFile: Type.String(),
    srtFile: Type.String(),
    vttFile: Type.String(),
    wordCount: Type.Integer(),
    digest: Type.String(),
  }),
})
