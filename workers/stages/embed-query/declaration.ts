import { Type } from '@sinclair/typebox'
import { declareStage } from '../declare.ts'

/** The vector of what somebody searches for. Nothing of it is stored. */
export const embedQuery = declareStage({
  name: 'embed-query',
  version: 1,
  lane: 'cpu',
  label: 'Reading the search',
  inputs: [],
  models: ['text-embedding'],
  reuse: 'never',
  weight: 0,
  params: Type.Object({ text: Type.String() }),
  /** Of length 1. */
  output: Type.Object({ vector: Type.Array(Type.Number()) }),
})
