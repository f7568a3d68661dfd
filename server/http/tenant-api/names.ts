/** Names of the domain API's schemas in its OpenAPI document, and so of the classes of generated clients. */
import type { TSchema } from '@sinclair/typebox'
import { BoundaryRecord, ScoreReason } from '../../contract/clip-candidate.ts'
import { PublicWord, TranscriptOperation } from '../../contract/clip-transcript.ts'
import { ClipSegment } from '../../contract/clip.ts'
import { BackgroundMusicOption, EndCardOption, WatermarkConfig } from '../../contract/media-configs.ts'
import { Platform } from '../../contract/post.ts'
import { PublicError } from '../../contract/public-clip.ts'
import { RunStatus } from '../../contract/run.ts'
import {
  AnalyticsSummary,
  AnalyticsTotals,
  PostAnalyticsDetail,
  PostAnalyticsItem,
} from '../../contract/tenant-api/analytics.ts'
import { CallbackAnswer, ReconcileAnswer, ReconcileRequest } from '../../contract/tenant-api/callbacks.ts'
import {
  ClipFacets,
  ClipPatch,
  ClipPatchMeta,
  ClipsMeta,
  ClipSummary,
  DomainClip,
  RenderedClip,
} from '../../contract/tenant-api/clip.ts'
import { DomainContext, DomainError, NextCursor } from '../../contract/tenant-api/envelope.ts'
import { DeliveryProfile, ExportedFile, ExportsMeta, NewExport } from '../../contract/tenant-api/export.ts'
import { DomainOperation, DomainRun } from '../../contract/tenant-api/operation.ts'
import { SearchMeta, SearchPassage, SearchResult, TextPart } from '../../contract/tenant-api/search.ts'
import {
  CalendarEntry,
  CalendarMeta,
  NewSocialPost,
  PostText,
  SocialAccountView,
  SocialPost,
  SocialPostChanges,
} from '../../contract/tenant-api/social.ts'
import {
  TranscriptPage,
  TranscriptPatchBody,
  TranscriptPatchMeta,
} from '../../contract/tenant-api/transcript.ts'
import {
  ArtefactFile,
  ArtefactManifest,
  BlobState,
  WorkerLeaseState,
  WorkerPublished,
  WorkerResult,
  WorkerTake,
  WorkerToken,
  WorkerWelcome,
} from '../../contract/tenant-api/worker.ts'
import {
  Confirmation,
  ConfirmationDecision,
  SocialConfirmationConsume,
  WorkflowDetail,
  WorkflowDispatch,
  WorkflowItem,
  WorkflowRequest,
} from '../../contract/tenant-api/workflow.ts'
import { RenderWarning } from '../../contract/render-warnings.ts'
import { SpeakerStyle, SubtitleConfig, TitleConfig } from '../../contract/text-configs.ts'
import { SegmentInput } from '../../contract/update-clip.ts'
import { NamedVoice, VoiceChange, VoiceRequest } from '../../contract/voices.ts'
import { WorkflowEdge, WorkflowNode } from '../../contract/workflow.ts'

export const DOMAIN_NAMES: Readonly<Record<string, TSchema>> = {
  Context: DomainContext,
  Clip: DomainClip,
  ClipSummary,
  ClipsMeta,
  ClipFacets,
  ClipSegment,
  ClipBoundary: BoundaryRecord,
  ScoreReason,
  ClipPatch,
  ClipPatchMeta,
  SegmentInput,
  SubtitleConfig,
  SpeakerStyle,
  TitleConfig,
  WatermarkConfig,
  BackgroundMusicOption,
  EndCardOption,
  RenderedClip,
  RenderWarning,
  NewExport,
  ExportedFile,
  ExportsMeta,
  DeliveryProfile,
  Word: PublicWord,
  Transcript: TranscriptPage,
  TranscriptOperation,
  TranscriptPatch: TranscriptPatchBody,
  TranscriptPatchMeta,
  Operation: DomainOperation,
  Run: DomainRun,
  RunStatus,
  Workflow: WorkflowDetail,
  WorkflowSummary: WorkflowItem,
  WorkflowNode,
  WorkflowEdge,
  WorkflowRequest,
  WorkflowDispatch,
  Confirmation,
  ConfirmationDecision,
  ConfirmationUse: SocialConfirmationConsume,
  Platform,
  SocialAccount: SocialAccountView,
  Post: SocialPost,
  NewPost: NewSocialPost,
  PostChanges: SocialPostChanges,
  PostText,
  CalendarEntry,
  CalendarMeta,
  PostAnalytics: PostAnalyticsItem,
  PostAnalyticsDetail,
  AnalyticsSummary,
  AnalyticsTotals,
  SearchResult,
  SearchPassage,
  SearchMeta,
  TextPart,
  Voice: NamedVoice,
  VoiceRequest,
  VoiceChange,
  PageMeta: NextCursor,
  CallbackAnswer,
  ReconcileRequest,
  ReconcileAnswer,
  WorkerWelcome,
  WorkerToken,
  WorkerTake,
  WorkerLeaseState,
  WorkerResult,
  WorkerPublished,
  ArtefactManifest,
  ArtefactFile,
  BlobState,
  Error: DomainError,
  ProtocolError: PublicError,
}
