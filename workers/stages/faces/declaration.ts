import { Type } from '@sinclair/typebox'
import { HDR_COLOURS } from '../../../server/contract/colour-matrix.ts'
import { SEEKING } from '../../../server/contract/source-facts.ts'
import { Provider } from '../../../server/contract/inference.ts'
import { declareStage } from '../declare.ts'

/** The picture of the source, as the stages read it that look at people. */
export const PeoplePicture = Type.Object({
  streamIndex: Type.Integer(),
  /** Display pixels of the source. */
  width: Type.Integer(),
  height: Type.Integer(),
  hdr: Type.Boolean(),
  ...HDR_COLOURS,
  ...SEEKING,
})

/** Detects who is visible where, and who of them speaks, in the chosen ranges only. Fails with MODEL_NOT_INSTALLED. */
export const faces = declareStage({
  name: 'faces',
  version: 9,
  lane: 'cpu',
  label: 'Looking for faces',
  inputs: ['source', 'audio'],
  tools: ['ffmpeg'],
  models: ['faces'],
  reuse: 'content',
  resumes: true,
  weight: 8,
  params: Type.Object({
    /** Seconds in the source. */
    ranges: Type.Array(Type.Object({ start: Type.Number(), end: Type.Number() })),
    ...PeoplePicture.properties,
  }),
  output: Type.Object({
    /** A JSON list of ClipFaces, one per range, in the same order. */
    file: Type.String(),
    /** A JSON list of FaceBoxes, one per range, in the same order. Absent: the result is from an earlier version. */
    boxesFile: Type.Optional(Type.String()),
    pictures: Type.Integer(),
    tracks: Type.Integer(),
    model: Type.String(),
    /** What the model ran on; absent: it was not needed, or the result is from an earlier version. */
    provider: Type.Optional(Provider),
  }),
})
