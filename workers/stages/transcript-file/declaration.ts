import { Type } from '@sinclair/typebox'
import { declareStage } from '../declare.ts'

/**
 * The clip's own words, padding included, as files to download: JSON, SRT, WebVTT. They belong to the extended cut: their
 * times count from its start, and words that nodes cut out of the clip are there, as not visible.
 */
export const transcriptFile = declareStage({
  name: 'transcript-file',
  version: 2,
  lane: 'cpu',
  label: 'Writing the transcript',
  inputs: ['transcript'],
  tools: [],
  models: [],
  reuse: 'content',
  weight: 1,
  params: Type.Object({
    /** Seconds in the source: the extended range that is kept and the visible cut inside it. */
    extendedStart: Type.Number(),
    extendedEnd: Type.Number(),
    start: Type.Number(),
    end: Type.Number(),
    /** Stretches of the source that are cut out of it. */
    cuts: Type.Optional(Type.Array(Type.Object({ start: Type.Number(), end: Type.Number() }))),
  }),
  output: Type.Object({
    jsonFile: Type.String(),
    srtFile: Type.String(),
    vttFile: Type.String(),
    wordCount: Type.Integer(),
    digest: Type.String(),
  }),
})
