import { Type } from '@sinclair/typebox'
import { ThumbnailPlan } from '../../../server/contract/thumbnail.ts'
import { Ticks } from '../../../server/contract/time.ts'
import { declareStage } from '../declare.ts'

/** A still of the clip as it is rendered, without captions: of a few frames the sharpest, well lit, with a face. */
export const thumbnail = declareStage({
  name: 'thumbnail',
  version: 4,
  lane: 'cpu',
  label: 'Taking a thumbnail',
  inputs: ['source'],
  tools: ['ffmpeg'],
  models: [],
  reuse: 'content',
  weight: 1,
  params: ThumbnailPlan,
  output: Type.Object({
    file: Type.String(),
    /** Of the clip. */
    frame: Type.Integer(),
    /** Where it is in the source. */
    at: Ticks,
    width: Type.Integer(),
    height: Type.Integer(),
    /** What is not in it as it was designed, in sentences; absent: nothing. */
    warnings: Type.Optional(Type.Array(Type.String())),
  }),
})
