import { Type } from '@sinclair/typebox'
import { Provider } from '../../../server/contract/inference.ts'
import { declareStage } from '../declare.ts'

/** Words of the sound from a local speech model. Fails with MODEL_NOT_INSTALLED when there is none. */
export const speech = declareStage({
  name: 'speech',
  version: 3,
  lane: 'gpu',
  label: 'Transcribing the speech',
  inputs: ['audio'],
  models: ['speech', 'voice-activity'],
  reuse: 'content',
  resumes: true,
  weight: 40,
  params: Type.Object({
    /** Empty: the model detects it. */
    language: Type.String(),
    keywords: Type.Array(Type.String()),
    /** Name of a model in models/manifest.json; empty: the best one that is installed. */
    model: Type.String(),
  }),
  output: Type.Object({
    transcriptFile: Type.String(),
    wordCount: Type.Integer(),
    language: Type.String(),
    model: Type.String(),
    /** What the model ran on; absent: the result is from an earlier version. */
    provider: Type.Optional(Provider),
  }),
})
