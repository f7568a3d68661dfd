import { Type } from '@sinclair/typebox'
import { BrollCandidate } from '../../../server/contract/clip-broll.ts'
import { declareStage } from '../declare.ts'

/** How a service outside is asked: by the user's own key, at its address, with this patience. */
export const ServiceAccess = Type.Object({
  /** Where its API answers; no slash at the end. */
  address: Type.String(),
  /** What it wants to know who asks by: never part of a content key, an error or the log. */
  keys: Type.Record(Type.String(), Type.String()),
  /** As for ingest: whether private and loopback addresses are allowed. */
  addresses: Type.Union([Type.Literal('any'), Type.Literal('public'), Type.Literal('loopback')]),
  idleTimeoutSeconds: Type.Number(),
})

/** Asks one service for pictures or videos that clips could show. What comes is only named; the chosen are fetched later. */
export const searchBroll = declareStage({
  name: 'search-broll',
  version: 1,
  lane: 'network',
  label: 'Looking for b-roll',
  inputs: [],
  tools: [],
  models: [],
  reuse: 'run',
  weight: 1,
  params: Type.Object({
    provider: Type.Union([Type.Literal('google_images'), Type.Literal('youtube'), Type.Literal('getty')]),
    /** Each becomes a tag of what it finds. */
    queries: Type.Array(Type.String()),
    /** Results for each query, at most 10. */
    perQuery: Type.Integer({ minimum: 1, maximum: 10 }),
    access: ServiceAccess,
  }),
  output: Type.Object({ candidates: Type.Array(BrollCandidate) }),
})
