import { Type } from '@sinclair/typebox'
import { declareStage } from '../declare.ts'

/** Splits a transcript into passages and, where a model of meaning is installed, turns each into a vector. */
export const passages = declareStage({
  name: 'passages',
  version: 1,
  lane: 'cpu',
  label: 'Preparing the transcript for search',
  inputs: ['transcript'],
  models: ['text-embedding'],
  reuse: 'content',
  weight: 1,
  params: Type.Object({}),
  output: Type.Object({
    /** JSON, Passage[] of server/contract/passages.ts. */
    passagesFile: Type.String(),
    count: Type.Integer(),
    /** Packed as in server/contract/passages.ts; absent: no model, or it does not work here. */
    vectorsFile: Type.Optional(Type.String()),
    /** Numbers in a vector. */
    size: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
})
