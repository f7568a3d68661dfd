import { Type } from '@sinclair/typebox'
import { declareStage } from '../declare.ts'

/** Downloads a model from its published address, if the configuration allows downloads. */
export const installModel = declareStage({
  name: 'install-model',
  version: 1,
  lane: 'network',
  label: 'Installing a model',
  inputs: [],
  reuse: 'run',
  weight: 10,
  params: Type.Object({ model: Type.String(), targetFolder: Type.String() }),
  output: Type.Object({ model: Type.String(), bytes: Type.Integer() }),
})
