/** What the clip editor works on. Routes under /studio/; not part of either public contract. */
import { ReadyAt } from './promises.ts'
import { Type, type Static } from '@sinclair/typebox'
import { ClipSegment } from './clip.ts'
import { TitleProposal } from './clip-candidate.ts'
import { PublicWord } from './clip-transcript.ts'
import { ClipFaces, ClipSound } from './clip-measurements.ts'
import { ManualOverrides, ManualOverridesChange } from './manual-overrides.ts'
import { BrollInsert } from './clip-broll.ts'
import { Composition } from './composition.ts'
import { ResolvedNode } from './run.ts'
import { nullable } from './config-fields.ts'
import { StillBeingMade } from './studio-footage.ts'
import { ThumbnailSizeName } from './thumbnail.ts'

/** A clip as it would be rendered now, and where the files that it shows are. */
export const StudioComposition = Type.Object({
  composition: Composition,
  /** Played length, seconds. */
  duration: Type.Number(),
  /** Identifies the file that it renders to: a file with the same key shows exactly this. */
  renderKey: Type.String(),
  warnings: Type.Array(Type.String()),
  /** Addresses of pictures, videos and fonts by the SHA-256 of their file. */
  files: Type.Record(Type.String(), Type.String()),
})
export type StudioComposition = Static<typeof StudioComposition>

/** What was rendered of a clip, and what is being rendered. */
export const StudioRenders = Type.Object({
  /** The render that waits or goes on; null: none. */
  open: nullable(
    Type.Object({
      operationId: Type.String(),
      /** 0 to 1; it never goes back. */
      progress: Type.Number(),
      waits: Type.Boolean(),
      readyAt: Type.Optional(ReadyAt),
      stopping: Type.Boolean(),
    }),
  ),
  /** Finished files that are still there, the newest first. */
  files: Type.Array(Type.Object({ renderKey: Type.String(), url: Type.String() })),
  /** Why the last render failed; null: it did not. */
  problem: nullable(Type.String()),
})
export type StudioRenders = Static<typeof StudioRenders>

/** The clip's own source, as far as the browser needs it. */
export const StudioClipSource = Type.Object({
  /** The extended cut: what is around the clip, in a form that every browser plays. Null: it is being cut. */
  url: nullable(Type.String()),
  /** Source second of its first picture. */
  startSeconds: Type.Number(),
  /** Source seconds that it covers: so far a clip may be widened without a new cut. */
  range: Type.Object({ start: Type.Number(), end: Type.Number() }),
  /** Length of the whole source, seconds. */
  durationSeconds: Type.Number(),
  peaksUrl: nullable(Type.String()),
})
export type StudioClipSource = Static<typeof StudioClipSource>

export const StudioWord = Type.Object({
  ...PublicWord.properties,
  /** Confidence of the speech model, 0 to 1; absent: not reported. */
  confidence: Type.Optional(Type.Number()),
})
export type StudioWord = Static<typeof StudioWord>

export const StudioEditor = Type.Object({
  id: Type.String(),
  title: Type.String(),
  /** Titles to choose from, best first; none for clips that were made before there were any. */
  titles: Type.Array(TitleProposal),
  /** The revision, for If-Match of PATCH /clips/{clipId}. */
  etag: Type.String(),
  startTimestamp: Type.Number(),
  endTimestamp: Type.Number(),
  aspectRatio: Type.String(),
  segments: Type.Array(ClipSegment),
  subtitleConfig: Type.Record(Type.String(), Type.Unknown()),
  titleConfig: Type.Record(Type.String(), Type.Unknown()),
  watermarkConfig: Type.Record(Type.String(), Type.Unknown()),
  backgroundMusicOption: Type.Record(Type.String(), Type.Unknown()),
  endCardOption: Type.Record(Type.String(), Type.Unknown()),
  motionConfig: Type.Record(Type.String(), Type.Unknown()),
  deliveryConfig: Type.Record(Type.String(), Type.Unknown()),
  soundConfig: Type.Record(Type.String(), Type.Unknown()),
  /** Manual overrides, part by part. */
  overrides: ManualOverrides,
  /** The nodes of its run, which apply where there is no manual override. */
  nodes: Type.Array(ResolvedNode),
  /** B-roll as it was chosen when the clip was made. */
  broll: Type.Array(BrollInsert),
  /** Shots, and faces in them; null: not measured. */
  faces: nullable(ClipFaces),
  renderedUrl: nullable(Type.String()),
  /** Name of the person who edited it last; null: another program, or nobody. */
  editedBy: nullable(Type.String()),
  words: Type.Array(StudioWord),
  /** Language of the words, primary tag; empty: unknown. */
  language: Type.String(),
  /** Names that the run gave to the speakers, in the order of their numbers. */
  speakers: Type.Array(Type.String()),
  /** Whether the company has voices named, so that they are recognised in later videos. */
  recognisesVoices: Type.Boolean(),
  /** Levels by which cuts of speech are placed; null: not measured. */
  sound: nullable(ClipSound),
  /** The revision of the words, for If-Match of PATCH /clips/{clipId}/transcript; empty: there are none. */
  wordsEtag: Type.String(),
  source: StudioClipSource,
  preview: StudioComposition,
})
export type StudioEditor = Static<typeof StudioEditor>

/** Edits that are not saved: answered with what the clip would be. */
export const StudioDraft = Type.Object({
  /** Public fields; configs replace what is saved. */
  updates: Type.Record(Type.String(), Type.Unknown()),
  overrides: Type.Optional(ManualOverridesChange),
})
export type StudioDraft = Static<typeof StudioDraft>

/** Edits that are saved, made on the version with this ETag. */
export const StudioSave = Type.Object({ etag: Type.String(), ...StudioDraft.properties })
export type StudioSave = Static<typeof StudioSave>

export const StudioSaved = Type.Object({ etag: Type.String(), warnings: Type.Array(Type.String()) })
export type StudioSaved = Static<typeof StudioSaved>

/** Edits that are not saved, and the size in which the thumbnail is wanted. */
export const StudioThumbnailDraft = Type.Object({ ...StudioDraft.properties, size: ThumbnailSizeName })
export type StudioThumbnailDraft = Static<typeof StudioThumbnailDraft>

export const StudioThumbnail = Type.Object({
  ...StudioComposition.properties,
  /** Of the composition: the one that the thumbnail shows. */
  frame: Type.Integer(),
  /** Seconds of the source at which a good thumbnail may be found, in order of time. */
  moments: Type.Array(Type.Number()),
})
export type StudioThumbnail = Static<typeof StudioThumbnail>

/** A file of the thumbnail as it is saved. */
export const StudioThumbnailFile = Type.Union([
  Type.Object({ state: Type.Literal('ready'), url: Type.String(), warnings: Type.Array(Type.String()) }),
  ...StillBeingMade,
])
export type StudioThumbnailFile = Static<typeof StudioThumbnailFile>
