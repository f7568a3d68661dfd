/** Examples of the domain API's schemas, by the names of names.ts. */
import { DEFAULT_SHAPE } from '../../contract/shapes/registry.ts'
import { PUBLIC_EXAMPLES } from '../public/examples.ts'

const clipId = '4c1f6c1e-8a57-4c35-9a53-2f0d3b9c7e11'
const runId = '0b9d5d0a-6f0e-4a60-8f86-5a3f7d1c2e90'
const workflowId = 'a3f1c0de-52c8-4a39-9a0c-6d8f8f1b7a01'
const postId = '5a0e6f6c-1d3d-4c0a-a1b5-0c9f6f1d2b33'
const operationId = 'e1d6f0a2-93bb-4c57-8c4d-7f3b1a9d2c60'
const createdAt = '2026-01-01T09:30:00.000Z'
const updatedAt = '2026-01-01T09:36:12.000Z'

export const DOMAIN_EXAMPLES: Readonly<Record<string, unknown>> = {
  ClipSummary: {
    id: clipId,
    title: 'Why we switched',
    status: 'rendered',
    statuses: ['rendered'],
    duration: 30,
    viralityScore: 70,
    aspectRatio: DEFAULT_SHAPE.ratio,
    tags: ['launch'],
    people: ['Ada'],
    keywords: ['switching'],
    workflowId,
    workflowRunId: runId,
    episodeId: 'source-1',
    thumbnailUrl: null,
    createdAt,
    updatedAt,
  },
  ClipPatch: { title: 'What made us switch', tags: ['launch'] },
  Word: PUBLIC_EXAMPLES['Word'],
  TranscriptPatch: { operations: [{ index: 0, to: 'Since' }] },
  Operation: {
    id: operationId,
    kind: 'render',
    state: 'succeeded',
    progress: 1,
    attempts: 1,
    createdAt,
    updatedAt,
    result: { clipId, renderUrl: 'https://cutroom.example/media/7f3a/clip.mp4' },
  },
  NewExport: { profile: 'broadcast-r128-25i' },
  Run: {
    id: runId,
    workflowId,
    workflowName: 'Talk to shorts',
    status: 'Completed',
    progress: 1,
    stage: '',
    warnings: [],
    error: null,
    source: 'https://example.com/talk.mp4',
    metadata: { order: '4711' },
    clipCount: 4,
    channel: 'current',
    pipelineVersion: '1.0.0',
    createdAt,
    updatedAt,
    startedAt: createdAt,
    finishedAt: updatedAt,
  },
  WorkflowRequest: { input: { url: 'https://example.com/talk.mp4', values: { orientation: 'vertical' } } },
  Confirmation: {
    id: 'b7a4e2c1-5a38-4b6e-a3f3-8c1d9e0f2a44',
    action: 'publish_post',
    state: 'pending',
    preview: {},
    expiresAt: updatedAt,
  },
  ConfirmationDecision: { decision: 'approve' },
  NewPost: { platform: 'youtube', clipId, text: 'Why we switched', visibility: 'public' },
  Post: {
    id: postId,
    platform: 'youtube',
    status: 'draft',
    account: null,
    destination: 'export',
    clipId,
    text: 'Why we switched',
    title: 'Why we switched',
    visibility: 'public',
    firstComment: null,
    coverSeconds: null,
    scheduledAt: null,
    approved: false,
    publishedAt: null,
    postUrl: null,
    nativeId: null,
    error: null,
    note: null,
    operationId: null,
    createdAt,
    updatedAt,
  },
  Error: {
    error: { code: 'NOT_FOUND', message: 'There is nothing at this address.' },
    requestId: 'c2a0b1d4-1a4f-4b53-8f0a-6f7d3e5b9a10',
  },
}
