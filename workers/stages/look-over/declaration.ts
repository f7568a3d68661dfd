import { Type } from '@sinclair/typebox'
import { SEEKING } from '../../../server/contract/source-facts.ts'
import { Provider } from '../../../server/contract/inference.ts'
import { declareStage } from '../declare.ts'

/** Cuts, movement and faces of the whole picture, from keyframes of a long source or four pictures per second. */
export const lookOver = declareStage({
  name: 'look-over',
  version: 3,
  lane: 'cpu',
  label: 'Looking over the picture',
  inputs: ['source'],
  tools: ['ffmpeg'],
  models: ['faces'],
  reuse: 'content',
  resumes: true,
  weight: 5,
  params: Type.Object({
    streamIndex: Type.Integer(),
    durationSeconds: Type.Number(),
    /** Display pixels of the source. */
    width: Type.Integer(),
    height: Type.Integer(),
    ...SEEKING,
  }),
  output: Type.Object({
    /** PictureFacts as JSON. */
    pictureFile: Type.String(),
    pictures: Type.Integer(),
    cuts: Type.Integer(),
    /** The face model and what it ran on; absent: faces were not detected. */
    model: Type.Optional(Type.String()),
    provider: Type.Optional(Provider),
  }),
})
