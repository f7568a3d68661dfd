import { Type } from '@sinclair/typebox'
import { Provider } from '../../../server/contract/inference.ts'
import { declareStage } from '../declare.ts'

/**
 * Who says which word: the transcript again, its words with speakers. What the words came with stays: where captions name
 * speakers there is nothing to hear. Fails with MODEL_NOT_INSTALLED where there is no model for speakers.
 */
export const speakers = declareStage({
  name: 'speakers',
  version: 2,
  lane: 'cpu',
  label: 'Telling the speakers apart',
  inputs: ['transcript', 'audio'],
  tools: [],
  models: ['speakers'],
  reuse: 'content',
  weight: 4,
  params: Type.Object({
    /** How many there are; 0: as many as are heard. */
    count: Type.Integer({ minimum: 0 }),
  }),
  output: Type.Object({
    transcriptFile: Type.String(),
    wordCount: Type.Integer(),
    language: Type.String(),
    /** A JSON list of `{ start, end, speaker }`, seconds, in order of start. */
    turnsFile: Type.String(),
    speakers: Type.Integer(),
    model: Type.String(),
    /** What the model ran on; absent: it was not needed, or an earlier version did it. */
    provider: Type.Optional(Provider),
  }),
})
