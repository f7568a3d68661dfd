import { Type } from '@sinclair/typebox'
import { Provider } from '../../../server/contract/inference.ts'
import { declareStage } from '../declare.ts'
import { PeoplePicture } from '../faces/declaration.ts'

/**
 * Finds which of the faces that were found speaks when, by sound and lips together, joined with the voices where they are
 * known. Fails with MODEL_NOT_INSTALLED.
 */
export const activeSpeaker = declareStage({
  name: 'active-speaker',
  version: 2,
  lane: 'cpu',
  label: 'Looking for who speaks',
  inputs: ['source', 'audio', 'faces', 'voice', 'speakers'],
  tools: ['ffmpeg'],
  models: ['active-speaker'],
  reuse: 'content',
  resumes: true,
  weight: 10,
  params: PeoplePicture,
  output: Type.Object({
    /** A JSON list of RangeSpeakers, one per range of the faces, in the same order. */
    file: Type.String(),
    /** Seconds of single faces that were looked at. */
    faceSeconds: Type.Number(),
    model: Type.String(),
    provider: Provider,
  }),
})
