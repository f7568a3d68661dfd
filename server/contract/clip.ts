/**
 * The stored clip document: the public fields of GET /clip that are stored here, plus what rendering needs. Media is
 * referenced by media id; addresses are built when a document is presented. Times are seconds in the source.
 */
import { Type, type Static } from '@sinclair/typebox'
import { ClipBroll, PickedVideo } from './clip-broll.ts'
import { BoundaryRecord, ScoreReason, TitleProposal } from './clip-candidate.ts'
import { ClipFaces, ClipLogos, ClipSound } from './clip-measurements.ts'
import { ManualOverrides } from './manual-overrides.ts'
import { Metadata } from './metadata.ts'
import { ResolvedNode } from './run.ts'

const ConfigObject = Type.Record(Type.String(), Type.Unknown())

export const ClipSegment = Type.Object({
  /** Clip-relative seconds, 0 is the clip's start. */
  startSeconds: Type.Number({ minimum: 0 }),
  endSeconds: Type.Number({ minimum: 0 }),
  playbackRate: Type.Optional(Type.Number({ minimum: 0.25, maximum: 4 })),
})
export type ClipSegment = Static<typeof ClipSegment>

/** A stretch of the source and the speed at which it is played; without one at that of the segments. */
export const SourceRange = Type.Object({
  start: Type.Number(),
  end: Type.Number(),
  playbackRate: Type.Optional(Type.Number({ minimum: 0.25, maximum: 4 })),
})

export const ClipMedia = Type.Object({
  /** Media ids (server/db media table). */
  source: Type.Optional(Type.String()),
  extended: Type.Optional(Type.String()),
  thumbnail: Type.Optional(Type.String()),
  transcript: Type.Optional(Type.String()),
  transcriptSrt: Type.Optional(Type.String()),
  transcriptVtt: Type.Optional(Type.String()),
  peaks: Type.Optional(Type.String()),
})
export type ClipMedia = Static<typeof ClipMedia>

const EarlierRender = Type.Object({
  /** Render key of the composition that the file shows. */
  renderKey: Type.String(),
  /** Media id. */
  media: Type.String(),
})

/** Position of the clip's source within an event that was recorded in chunks. */
export const ClipChunk = Type.Object({
  /** From 0, in the order of the event. */
  index: Type.Integer({ minimum: 0 }),
  /** Where the chunk begins, seconds from the beginning of the recording. */
  offsetSeconds: Type.Number(),
  /** Of the whole event: `live_` and more. */
  episodeId: Type.String(),
})
export type ClipChunk = Static<typeof ClipChunk>

export const ClipDocument = Type.Object({
  title: Type.String(),
  /** Titles to choose from, as the clip was made, best first; absent in clips of before. */
  titles: Type.Optional(Type.Array(TitleProposal)),
  /** The first line of a post, written by a language model. */
  hook: Type.Optional(Type.String()),
  bio: Type.String(),
  keywords: Type.Array(Type.String()),
  people: Type.Array(Type.String()),
  /** Labels for finding the clip. */
  tags: Type.Optional(Type.Array(Type.String())),
  /** Names and values of a client's own. */
  metadata: Type.Optional(Metadata),
  speakers: Type.Array(Type.String()),
  /** Seconds of the finished clip: what is played, and the end card after it. */
  duration: Type.Number(),
  startTimestamp: Type.Number(),
  endTimestamp: Type.Number(),
  segments: Type.Array(ClipSegment),
  /** What callers of the API kept of what was played, in source seconds, sorted; over segments and nodes. */
  trim: Type.Optional(Type.Array(SourceRange)),
  /** What is played, in order, on frames, as the composition has it; absent in clips that were stored before it was. */
  played: Type.Optional(Type.Array(SourceRange)),
  /** Of clips without `played`: ranges that nodes cut out of the segments, in source seconds, sorted. */
  cuts: Type.Optional(Type.Array(Type.Object({ start: Type.Number(), end: Type.Number() }))),
  /** Extraction boundary: the cut as the run found it. */
  timestampBoundary: Type.Object({ start: Type.Number(), end: Type.Number() }),
  /** Range that the extended cut and the transcript cover. */
  extended: Type.Object({
    start: Type.Number(),
    end: Type.Number(),
    /** Source second of the extended file's first frame. */
    fileStart: Type.Number(),
    /** The range was widened, and the file does not cover it yet: the next render cuts it again. */
    uncut: Type.Optional(Type.Boolean()),
  }),
  /** The ratio of one of the shapes, or for a clip in its source's shape another. */
  aspectRatio: Type.String(),
  fps: Type.Number(),
  videoHeight: Type.Integer(),
  /** BCP 47 tag of the words, where it is known. */
  language: Type.Optional(Type.String()),
  /** Levels of the extended range; present when a node of the run needs them. */
  sound: Type.Optional(ClipSound),
  faces: Type.Optional(ClipFaces),
  logos: Type.Optional(ClipLogos),
  /** Chosen when the clip is made, where the run has the node for it. */
  broll: Type.Optional(ClipBroll),
  /** Picked from the library when the clip is made, where a node left the choice to us. */
  secondVideos: Type.Optional(Type.Array(PickedVideo)),
  /** Output size, `1080x1920`. */
  videoResolution: Type.String(),
  viralityScore: Type.Number(),
  /** 0 to 100: how much of what was requested it is about; absent where nothing was. */
  relevance: Type.Optional(Type.Integer({ minimum: 0, maximum: 100 })),
  scoreReasons: Type.Array(ScoreReason),
  whyPicked: Type.String(),
  boundaries: Type.Object({ start: BoundaryRecord, end: BoundaryRecord }),
  subtitleConfig: Type.Optional(ConfigObject),
  subtitleId: Type.Optional(Type.String()),
  subtitleY: Type.Optional(Type.Number()),
  titleConfig: Type.Optional(ConfigObject),
  watermarkConfig: Type.Optional(ConfigObject),
  backgroundMusicOption: Type.Optional(ConfigObject),
  endCardOption: Type.Optional(ConfigObject),
  motionConfig: Type.Optional(ConfigObject),
  deliveryConfig: Type.Optional(ConfigObject),
  soundConfig: Type.Optional(ConfigObject),
  /** Set in the studio, over what its nodes decide. */
  overrides: Type.Optional(ManualOverrides),
  /** The run's merged nodes: everything not editable on the clip is read from here. */
  nodes: Type.Array(ResolvedNode),
  originalUrl: Type.String(),
  sourceId: Type.String({ description: 'Digest of the kept source' }),
  /** There for clips of a livestream: their source is a chunk of it. */
  chunk: Type.Optional(ClipChunk),
  sourceInputId: Type.String(),
  taskId: Type.String(),
  clipHash: Type.String(),
  media: ClipMedia,
  /** Finished files of what the clip was before edits, the newest first: an edit that is undone finds its file again. */
  earlierRenders: Type.Optional(Type.Array(EarlierRender)),
  /** Spellings that were corrected in the words, in the order of the corrections: texts of posts follow them. */
  corrections: Type.Optional(Type.Array(Type.Object({ from: Type.String(), to: Type.String() }))),
  /** Name of the person who edited it last; absent: not a person, or never edited. */
  editedBy: Type.Optional(Type.String()),
})
export type ClipDocument = Static<typeof ClipDocument>
