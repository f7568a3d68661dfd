/** Lists of runs, and stopping one, for the public API. */
import { Type, type Static } from '@sinclair/typebox'
import { Metadata } from './metadata.ts'
import { ReadyAt } from './promises.ts'
import { RunStatus, WaitsFor } from './run.ts'

export const RunsQuery = Type.Object({
  companyId: Type.String({ minLength: 1 }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 25 })),
  cursor: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  metadata: Type.Optional({
    ...Metadata,
    description: 'Runs that have all of these, as metadata[name]=value for each',
  }),
})
export type RunsQuery = Static<typeof RunsQuery>

const Moment = Type.Union([Type.String(), Type.Null()])

export const ListedRun = Type.Object({
  triggerId: Type.String(),
  workflowId: Type.String(),
  url: Type.String({ description: 'The video, as it was given' }),
  status: RunStatus,
  progress: Type.Number({ description: '0 to 1' }),
  stage: Type.String(),
  error: Type.Optional(Type.String({ description: 'A sentence for a person, where the status is Error' })),
  code: Type.Optional(Type.String()),
  waitsFor: Type.Optional(WaitsFor),
  readyAt: Type.Optional(ReadyAt),
  createdAt: Type.String(),
  startedAt: Moment,
  finishedAt: Moment,
  metadata: Metadata,
})

/** Newest first. */
export const RunsResponse = Type.Object({
  runs: Type.Array(ListedRun),
  cursor: Type.Union([Type.String(), Type.Null()], {
    description: 'Of the next page; null: this is the last',
  }),
})
export type RunsResponse = Static<typeof RunsResponse>

export const CancelRunResponse = Type.Object({
  triggerId: Type.String(),
  status: Type.Literal('success'),
  message: Type.String(),
})
export type CancelRunResponse = Static<typeof CancelRunResponse>
