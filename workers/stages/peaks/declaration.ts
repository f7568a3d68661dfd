import { Type } from '@sinclair/typebox'
import { declareStage } from '../declare.ts'

/** Waveform peaks of the whole source in audiowaveform's `.dat` format (version 2, 8 bit), for the timeline. */
export const peaks = declareStage({
  name: 'peaks',
  version: 1,
  lane: 'cpu',
  label: 'Drawing the waveform',
  inputs: ['audio'],
  reuse: 'content',
  weight: 1,
  params: Type.Object({ samplesPerPeak: Type.Integer() }),
  output: Type.Object({ file: Type.String(), length: Type.Integer() }),
})
