/** Names of the public API's schemas in its OpenAPI document, and so of the classes of generated clients. */
import type { TSchema } from '@sinclair/typebox'
import { BoundaryRecord, ScoreReason } from '../../contract/clip-candidate.ts'
import {
  ClipTranscriptResponse,
  PatchTranscriptBody,
  PatchTranscriptResponse,
  PublicWord,
  TranscriptOperation,
} from '../../contract/clip-transcript.ts'
import { ClipSegment } from '../../contract/clip.ts'
import { ApplianceEvent, NewWebhookBody, Webhook } from '../../contract/events.ts'
import { Metadata } from '../../contract/metadata.ts'
import { BackgroundMusicOption, EndCardOption, WatermarkConfig } from '../../contract/media-configs.ts'
import {
  AnalyticsRollup,
  ListedPost,
  Platform,
  Post,
  PostAnalyticsResponse,
  PostsResponse,
} from '../../contract/post.ts'
import {
  BasicClip,
  ClipResponse,
  DeleteClipResponse,
  PublicClip,
  PublicError,
  RenderBody,
  RenderResponse,
} from '../../contract/public-clip.ts'
import { RenderWarning } from '../../contract/render-warnings.ts'
import { CancelRunResponse, ListedRun, RunsResponse } from '../../contract/run-list.ts'
import { RunStatus } from '../../contract/run.ts'
import { SpeakerStyle, SubtitleConfig, TitleConfig } from '../../contract/text-configs.ts'
import { TriggerBody, TriggerResponse } from '../../contract/trigger.ts'
import { UploadState } from '../../contract/upload.ts'
import { SegmentInput, UpdateClipBody, UpdateClipResponse } from '../../contract/update-clip.ts'
import {
  WorkflowDocument,
  WorkflowEdge,
  WorkflowNode,
  WorkflowResults,
  WorkflowSummary,
} from '../../contract/workflow.ts'
import { CreatedWebhook } from './webhooks.ts'

export const PUBLIC_NAMES: Readonly<Record<string, TSchema>> = {
  TriggerRequest: TriggerBody,
  TriggerAnswer: TriggerResponse,
  Run: WorkflowResults,
  RunStatus,
  ListedRun,
  RunsAnswer: RunsResponse,
  RunCancelAnswer: CancelRunResponse,
  RunClip: BasicClip,
  Upload: UploadState,
  Metadata,
  Clip: PublicClip,
  ClipAnswer: ClipResponse,
  ClipDeleteAnswer: DeleteClipResponse,
  ClipSegment,
  ClipBoundary: BoundaryRecord,
  ScoreReason,
  ClipUpdate: UpdateClipBody,
  ClipUpdateAnswer: UpdateClipResponse,
  SegmentInput,
  SubtitleConfig,
  SpeakerStyle,
  TitleConfig,
  WatermarkConfig,
  BackgroundMusicOption,
  EndCardOption,
  RenderRequest: RenderBody,
  RenderAnswer: RenderResponse,
  RenderWarning,
  Word: PublicWord,
  Transcript: ClipTranscriptResponse,
  TranscriptOperation,
  TranscriptPatch: PatchTranscriptBody,
  TranscriptPatchAnswer: PatchTranscriptResponse,
  Workflow: WorkflowDocument,
  WorkflowSummary,
  WorkflowNode,
  WorkflowEdge,
  Platform,
  Post,
  ListedPost,
  PostsAnswer: PostsResponse,
  PostAnalyticsAnswer: PostAnalyticsResponse,
  AnalyticsRollup,
  Event: ApplianceEvent,
  Webhook,
  NewWebhook: NewWebhookBody,
  WebhookAnswer: CreatedWebhook,
  Error: PublicError,
}
