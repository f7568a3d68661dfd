import { Type } from '@sinclair/typebox'
import { Provider } from '../../../server/contract/inference.ts'
import { declareStage } from '../declare.ts'

/**
 * A quick look at the whole picture: keyframes of a long source, four pictures a second of a short one. Cuts, movement and
 * (with a model for faces) who is seen: facts for choosing clips.
 */
export const lookOver = declareStage({
  name: 'look-over',
  version: 2,
  lane: 'cpu',
  label: 'Looking over the picture',
  inputs: ['source'],
  tools: ['ffmpeg'],
  models: ['faces'],
  reuse: 'content',
  weight: 5,
  params: Type.Object({
    streamIndex: Type.Integer(),
    durationSeconds: Type.Number(),
    /** Display pixels of the source. */
    width: Type.Integer(),
    height: Type.Integer(),
  }),
  output: Type.Object({
    /** PictureFacts as JSON. */
    pictureFile: Type.String(),
    pictures: Type.Integer(),
    cuts: Type.Integer(),
    /** What looked for faces, and what it ran on; absent: nobody did. */
    model: Type.Optional(Type.String()),
    provider: Type.Optional(Provider),
  }),
})
