import { Type } from '@sinclair/typebox'
import { ThumbnailPlan } from '../../../server/contract/thumbnail.ts'
import { Ticks } from '../../../server/contract/time.ts'
import { declareStage } from '../declare.ts'

/** A still of the clip as rendered, without captions: the sharpest of a few frames, well lit, with a face. */
export const thumbnail = declareStage({
  name: 'thumbnail',
  version: 4,
  lane: 'cpu',
  label: 'Taking a thumbnail',
  inputs: ['source'],
  tools: ['ffmpeg'],
  reuse: 'content',
  weight: 1,
  params: ThumbnailPlan,
  output: Type.Object({
    file: Type.String(),
    frame: Type.Integer(),
    at: Ticks,
    width: Type.Integer(),
    height: Type.Integer(),
    /** Sentences about parts of the design that are missing; absent: none. */
    warnings: Type.Optional(Type.Array(Type.String())),
  }),
})
