import { Type } from '@sinclair/typebox'
import { ClipLogos } from '../../../server/contract/clip-logos.ts'
import { declareStage } from '../declare.ts'

/** Where a logo stands still over a picture that changes, judged on some dozens of small pictures of the whole source. */
export const findLogo = declareStage({
  name: 'find-logo',
  version: 2,
  lane: 'cpu',
  label: 'Looking for a logo',
  inputs: ['source'],
  tools: ['ffmpeg'],
  models: [],
  reuse: 'content',
  weight: 3,
  params: Type.Object({
    streamIndex: Type.Integer(),
    durationSeconds: Type.Number(),
    /** Display pixels of the source. */
    width: Type.Integer(),
    height: Type.Integer(),
  }),
  output: Type.Object({
    logos: ClipLogos,
    /** Pictures that were looked at. */
    pictures: Type.Integer(),
  }),
})
