import { Type } from '@sinclair/typebox'
import { Rect } from '../../../server/contract/composition.ts'
import { Ticks } from '../../../server/contract/time.ts'
import { declareStage } from '../declare.ts'

/** A still of the clip: the sharpest well-lit of a few frames, cropped as the clip is. */
export const thumbnail = declareStage({
  name: 'thumbnail',
  version: 1,
  lane: 'cpu',
  label: 'Taking a thumbnail',
  inputs: ['source'],
  tools: ['ffmpeg'],
  models: [],
  reuse: 'content',
  weight: 1,
  params: Type.Object({
    start: Ticks,
    end: Ticks,
    crop: Rect,
    width: Type.Integer(),
    height: Type.Integer(),
    hdr: Type.Boolean(),
  }),
  output: Type.Object({ file: Type.String(), at: Ticks, width: Type.Integer(), height: Type.Integer() }),
})
