import { Type } from '@sinclair/typebox'
import { HDR_COLOURS } from '../../../server/contract/colour-matrix.ts'
import { SEEKING } from '../../../server/contract/source-facts.ts'
import { declareStage } from '../declare.ts'

/** Small pictures of the source at equal distances in one JPEG, for the timeline; keyframes where they are far apart. */
export const filmstrip = declareStage({
  name: 'filmstrip',
  version: 3,
  lane: 'cpu',
  label: 'Drawing the filmstrip',
  inputs: ['source'],
  tools: ['ffmpeg'],
  reuse: 'content',
  weight: 1,
  params: Type.Object({
    /** Time of the first picture, seconds from the source's time 0. */
    start: Type.Number({ minimum: 0 }),
    spacingSeconds: Type.Number({ exclusiveMinimum: 0 }),
    count: Type.Integer({ minimum: 1, maximum: 60 }),
    /** Size of each picture in pixels; even numbers. */
    width: Type.Integer({ minimum: 2 }),
    height: Type.Integer({ minimum: 2 }),
    videoStream: Type.Integer({ minimum: 0 }),
    hdr: Type.Boolean(),
    ...HDR_COLOURS,
    ...SEEKING,
  }),
  output: Type.Object({ file: Type.String(), bytes: Type.Integer() }),
})
