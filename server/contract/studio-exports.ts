/** GET /studio/clips/{clipId}/exports: what a clip can be exported as, and the files that were made of it. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject, nullable } from './config-fields.ts'

/** What kind of file it is, in the order in which people are shown them. */
export const PROFILE_GROUPS = ['video', 'timeline', 'captions', 'sound', 'preview', 'words'] as const
export type ProfileGroup = (typeof PROFILE_GROUPS)[number]

/** A delivery profile, or a format of timelines and words. */
const ExportProfile = Type.Object({
  /** Of the profile, or of the format. */
  name: Type.String(),
  label: Type.String(),
  description: Type.String(),
  /** Of the file, without a dot. */
  extension: Type.String(),
  group: choice(PROFILE_GROUPS),
  /** Of GET /studio/clips/{clipId}/export/{format}, which has the words at once; null: the file has to be made. */
  format: nullable(Type.String()),
  /** The same, of the files of words that belong beside it. */
  sidecars: Type.Array(Type.String()),
})
export type ExportProfile = Static<typeof ExportProfile>

/** One file that was asked for. */
const ClipExport = Type.Object({
  operationId: Type.String(),
  /** Name of the profile, and how people know it. */
  profile: Type.String(),
  label: Type.String(),
  sidecars: Type.Array(Type.String()),
  state: choice(['waiting', 'going', 'finished', 'failed']),
  /** 0 to 1. */
  progress: Type.Number(),
  stopping: Type.Boolean(),
  /** Null until it is finished. */
  url: nullable(Type.String()),
  bytes: Type.Integer(),
  /** What it lacks, a sentence each. */
  warnings: Type.Array(Type.String()),
  /** Why it failed; null: it did not. */
  problem: nullable(Type.String()),
  /** The clip was edited since. */
  old: Type.Boolean(),
  /** When the file is removed, ISO 8601; null until it is finished. */
  removedAt: nullable(Type.String()),
})
export type ClipExport = Static<typeof ClipExport>

export const StudioExports = Type.Object({
  profiles: Type.Array(ExportProfile),
  /** The profile that the clip asks for; null: none. */
  chosen: nullable(Type.String()),
  /** The newest first. */
  exports: Type.Array(ClipExport),
})
export type StudioExports = Static<typeof StudioExports>

export const ExportRequest = closedObject({ profile: Type.String({ minLength: 1, maxLength: 60 }) })
