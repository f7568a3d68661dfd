/** When work will be done, and how promises of that were kept. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, nullable } from './config-fields.ts'

export const ReadyAt = Type.String({
  description:
    'When it will be done, by what such work took on this machine before; it is seen anew while it goes on. Absent: nobody can tell yet, or it does not go on',
})

export const PromiseSummary = Type.Object({
  kind: choice(['run', 'render']),
  /** Of the last 100 that ended well: how many had been promised a time. */
  made: Type.Integer(),
  /** Done by the promised time. */
  kept: Type.Integer(),
  /** Nine in ten were late by no more than this share of the time that was promised; null: none has ended. */
  lateness: nullable(Type.Number()),
})
export type PromiseSummary = Static<typeof PromiseSummary>
