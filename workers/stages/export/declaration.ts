import { Type } from '@sinclair/typebox'
import { Composition } from '../../../server/contract/composition.ts'
import { Delivery } from '../../../server/contract/profiles/profile.ts'
import { StoredRemark } from '../../../server/contract/render-warnings.ts'
import { declareStage } from '../declare.ts'

/** The file of a delivery profile, from the source by the same pass as the render. It is made to be taken away. */
export const exportClip = declareStage({
  name: 'export',
  version: 1,
  lane: 'cpu',
  label: 'Making the file',
  inputs: ['source'],
  tools: ['ffmpeg', 'ffprobe'],
  reuse: 'run',
  weight: 20,
  params: Type.Object({
    /** At the size, the frame rate and the loudness of the profile. */
    composition: Composition,
    delivery: Delivery,
    /** The encoder that was tried and works here, as ffmpeg names it; empty: none is needed. */
    encoder: Type.String(),
  }),
  output: Type.Object({
    file: Type.String(),
    bytes: Type.Integer(),
    width: Type.Integer(),
    height: Type.Integer(),
    /** Of the file; 0: it has no picture. */
    frames: Type.Integer(),
    durationSeconds: Type.Number(),
    encoder: Type.String(),
    /** What the loudness should be; null: there is no sound, or none that can be measured. */
    integratedLufs: Type.Union([Type.Number(), Type.Null()]),
    warnings: Type.Optional(Type.Array(StoredRemark)),
  }),
})
