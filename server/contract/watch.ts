/** Watched folders: folders of this machine whose videos are taken by themselves, and what became of each file. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject, nullable } from './config-fields.ts'
import { RunStatus } from './run.ts'

export const WATCH_STATES = ['active', 'paused'] as const
const WatchState = choice(WATCH_STATES)

/** Longer than the attribute caches of SMB and of NFS files that change, and than the usual hiccup of a copy. */
export const DEFAULT_SETTLE_SECONDS = 10
export const MAX_SETTLE_SECONDS = 3600

/** What the appliance sees now. As it was when it stopped, while none runs. */
export const WatchStatus = Type.Object({
  /** Null: not looked into yet. */
  scannedAt: nullable(Type.String()),
  /** Videos in the folder. */
  files: Type.Integer(),
  /** Of those, still growing or just written. */
  settling: Type.Integer(),
  /** Complete, and waiting for their turn. */
  waiting: Type.Integer(),
  /** The file that is copied into the home now; `progress` is 0 to 1. */
  taking: nullable(Type.Object({ path: Type.String(), progress: Type.Number() })),
  /** What keeps files from being taken: one sentence. */
  problem: nullable(Type.String()),
  /** What keeps clips from being written to the output folder: one sentence. */
  outputProblem: nullable(Type.String()),
})
export type WatchStatus = Static<typeof WatchStatus>

/** `duplicate`: the same content was taken under another name; `skipped`: it was there before the folder was watched. */
export const WATCHED_FILE_STATES = ['taken', 'duplicate', 'failed', 'skipped'] as const
export type WatchedFileState = (typeof WATCHED_FILE_STATES)[number]

export const WatchFolder = Type.Object({
  id: Type.String(),
  companyId: Type.String(),
  workflowId: Type.String(),
  /** Null: it was deleted since. */
  workflowName: nullable(Type.String()),
  folder: Type.String(),
  /** Where finished clips are written to; null: they stay in the studio. */
  output: nullable(Type.String()),
  settleSeconds: Type.Integer(),
  state: WatchState,
  status: WatchStatus,
  counts: Type.Object({
    taken: Type.Integer(),
    duplicate: Type.Integer(),
    failed: Type.Integer(),
    skipped: Type.Integer(),
    /** Clips in the output folder. */
    clips: Type.Integer(),
  }),
  createdAt: Type.String(),
})
export type WatchFolder = Static<typeof WatchFolder>

export const WatchedFile = Type.Object({
  id: Type.String(),
  /** Below the folder, with forward slashes. */
  path: Type.String(),
  bytes: Type.Integer(),
  state: choice(WATCHED_FILE_STATES),
  /** Why it failed, or its run did: one sentence. */
  problem: nullable(Type.String()),
  run: nullable(Type.Object({ id: Type.String(), status: RunStatus, progress: Type.Number() })),
  /** Clips of it that are in the output folder. */
  clips: Type.Integer(),
  changedAt: Type.String(),
})
export type WatchedFile = Static<typeof WatchedFile>

export const WatchFolders = Type.Object({
  folders: Type.Array(WatchFolder),
  /** Folders that the studio may name, with what is in them. */
  roots: Type.Array(Type.String()),
})
export type WatchFolders = Static<typeof WatchFolders>

const Path = Type.String({ minLength: 1, maxLength: 4096 })

export const WatchFolderRequest = closedObject({
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  workflowId: Type.String({ minLength: 1 }),
  folder: Path,
  output: Type.Optional(Path),
  settleSeconds: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_SETTLE_SECONDS })),
  /** Only what comes from now on is taken. */
  skipExisting: Type.Optional(Type.Boolean()),
})
export type WatchFolderRequest = Static<typeof WatchFolderRequest>

export const WatchFolderChange = closedObject({ state: WatchState })
