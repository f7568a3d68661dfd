import { Type } from '@sinclair/typebox'
import { Ticks } from '../../../server/contract/time.ts'
import { declareStage } from '../declare.ts'

/** The clip with padding as a file for browsers: streams are copied if browsers can play them, and encoded otherwise. */
export const cut = declareStage({
  name: 'cut',
  version: 5,
  lane: 'cpu',
  label: 'Cutting the clip',
  inputs: ['source', 'probe'],
  tools: ['ffmpeg', 'ffprobe'],
  reuse: 'content',
  weight: 2,
  params: Type.Object({
    start: Ticks,
    end: Ticks,
    /** For the editor: smaller, and encoded for fast seeking. */
    scrub: Type.Optional(Type.Literal(true)),
  }),
  output: Type.Object({
    file: Type.String(),
    bytes: Type.Integer(),
    /** Source time of the file's first frame, at or before the requested start. */
    sourceStart: Ticks,
    duration: Ticks,
    copied: Type.Boolean(),
  }),
})
