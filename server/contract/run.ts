/** Runs: what is frozen when one starts, and what polling answers. */
import { Type, type Static } from '@sinclair/typebox'
import { choice } from './config-fields.ts'
import { Metadata } from './metadata.ts'

export const RUN_STATUSES = ['Pending', 'Processing', 'Learning', 'Completed', 'Error'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]
export const RunStatus = choice(RUN_STATUSES)

/** What keeps a run from going on. It goes on by itself when that is there again. */
export const WAITS_FOR = ['disk', 'model', 'source', 'network', 'queue', 'store'] as const
export type WaitsFor = (typeof WAITS_FOR)[number]
export const WaitsFor = choice(WAITS_FOR)

export const CHANNELS = ['current', 'stable'] as const
export type Channel = (typeof CHANNELS)[number]

/** The installed pipeline. Major releases in `STABLE_MAJORS` are offered on the stable channel. */
export const PIPELINE_VERSION = '1.0.0'
export const STABLE_MAJORS: readonly number[] = [1]

export const RunSource = Type.Union([
  Type.Object({
    kind: Type.Literal('url'),
    /** Without user and password. */
    url: Type.String(),
    /** `user:password` of the address, sealed. */
    access: Type.Optional(Type.String()),
  }),
  Type.Object({
    kind: Type.Literal('file'),
    path: Type.String(),
    displayName: Type.String(),
    /** Path of a caption file that belongs to it, in place of those that lie beside it. */
    captions: Type.Optional(Type.String()),
    /** Name of that file where its path does not have it (an upload): it says the format and the language. */
    captionsName: Type.Optional(Type.String()),
  }),
])
export type RunSource = Static<typeof RunSource>

/** Whether an address is a stream by what is written: a playlist, or a scheme that only streams have. */
export const isStreamAddress = (address: string): boolean =>
  /^(rtmps?|srt):/i.test(address) || /^https?:[^?#]*\.m3u8?([?#]|$)/i.test(address)

/** A node of the run, after merging template < flat fields < structured overrides; `enabled` resolved. */
export const ResolvedNode = Type.Object({
  id: Type.String(),
  type: Type.String(),
  enabled: Type.Boolean(),
  config: Type.Record(Type.String(), Type.Unknown()),
})
export type ResolvedNode = Static<typeof ResolvedNode>

/** Everything a run needs, frozen when it is triggered; later edits of the workflow do not touch it. */
export const RunSnapshot = Type.Object({
  workflowId: Type.String(),
  workflowName: Type.String(),
  /** In topological order. */
  nodes: Type.Array(ResolvedNode),
  source: RunSource,
  /** The url as the caller gave it, without user and password. */
  originalUrl: Type.String(),
  keywords: Type.Array(Type.String()),
  /** Spoken language, BCP 47, where a person named it; absent: detected. */
  language: Type.Optional(Type.String()),
  channel: choice(['current', 'stable']),
  pipelineVersion: Type.String(),
  /** The client's own; absent: none. */
  metadata: Type.Optional(Metadata),
  /** The run ends when its clips are found; absent: when each of them is rendered. */
  endsAt: Type.Optional(Type.Literal('found')),
})
export type RunSnapshot = Static<typeof RunSnapshot>
