import { Type } from '@sinclair/typebox'
import { ClipLogos } from '../../../server/contract/clip-measurements.ts'
import { declareStage } from '../declare.ts'

/** Finds logos, which stay in place over a changing picture, in some dozens of small pictures of the whole source. */
export const findLogo = declareStage({
  name: 'find-logo',
  version: 2,
  lane: 'cpu',
  label: 'Looking for a logo',
  inputs: ['source'],
  tools: ['ffmpeg'],
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
    /** Number of pictures that were analysed. */
    pictures: Type.Integer(),
  }),
})
