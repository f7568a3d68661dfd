import { Type } from '@sinclair/typebox'
import { Provider } from '../../../server/contract/inference.ts'
import { declareStage } from '../declare.ts'

/** Detects laughter, applause, cheering and music as facts for choosing clips. Fails with MODEL_NOT_INSTALLED. */
export const soundEvents = declareStage({
  name: 'sound-events',
  version: 1,
  lane: 'cpu',
  label: 'Detecting laughter and applause',
  inputs: ['audio'],
  models: ['sound-events'],
  reuse: 'content',
  resumes: true,
  weight: 3,
  params: Type.Object({}),
  output: Type.Object({
    /** A JSON list of SoundEvent. */
    eventsFile: Type.String(),
    events: Type.Integer(),
    model: Type.String(),
    /** What the model ran on; absent: it was not needed, or the result is from an earlier version. */
    provider: Type.Optional(Provider),
  }),
})
