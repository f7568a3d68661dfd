import { Type } from '@sinclair/typebox'
import { BrollCandidate } from '../../../server/contract/clip-broll.ts'
import { Addresses, declareStage } from '../declare.ts'

/** How to call an external service: the user's own keys, its address, and a time limit. */
export const ServiceAccess = Type.Object({
  /** Base address of its API, without a slash at the end. */
  address: Type.String(),
  /** Credentials by name: never part of a content key, an error or the log. */
  keys: Type.Record(Type.String(), Type.String()),
  addresses: Addresses,
  idleTimeoutSeconds: Type.Number(),
})

/** Searches one service for pictures or videos for clips. Results are only listed; the chosen ones are fetched later. */
export const searchBroll = declareStage({
  name: 'search-broll',
  version: 1,
  lane: 'network',
  label: 'Looking for b-roll',
  inputs: [],
  reuse: 'run',
  weight: 1,
  params: Type.Object({
    provider: Type.Union([Type.Literal('google_images'), Type.Literal('youtube'), Type.Literal('getty')]),
    /** Each query becomes a tag of its results. */
    queries: Type.Array(Type.String()),
    /** Results per query, at most 10. */
    perQuery: Type.Integer({ minimum: 1, maximum: 10 }),
    access: ServiceAccess,
  }),
  output: Type.Object({ candidates: Type.Array(BrollCandidate) }),
})
