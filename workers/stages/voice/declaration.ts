import { Type } from '@sinclair/typebox'
import { declareStage } from '../declare.ts'

/** Where somebody speaks, by the voice activity model, or by level where it is not installed. */
export const voice = declareStage({
  name: 'voice',
  version: 1,
  lane: 'cpu',
  label: 'Looking for voices',
  inputs: ['audio'],
  models: ['voice-activity'],
  reuse: 'content',
  resumes: true,
  weight: 1,
  params: Type.Object({}),
  output: Type.Object({
    /** A JSON list of `{ start, end }`, in seconds, in order. */
    voiceFile: Type.String(),
    stretches: Type.Integer(),
  }),
})
