/** Examples of the public API's schemas, by the names of names.ts: the answers to one run of one workflow. */
import { DEFAULT_SHAPE } from '../../contract/shapes/registry.ts'

const clipId = '4c1f6c1e-8a57-4c35-9a53-2f0d3b9c7e11'
const runId = '0b9d5d0a-6f0e-4a60-8f86-5a3f7d1c2e90'
const workflowId = 'a3f1c0de-52c8-4a39-9a0c-6d8f8f1b7a01'
const companyId = 'acme'
const moment = '2026-01-01T09:30:00.000Z'

const runClip = {
  id: clipId,
  title: 'Why we switched',
  bio: 'A short answer to a long question.',
  keywords: ['switching'],
  people: ['Ada'],
  duration: 30,
  startTimestamp: 10,
  endTimestamp: 40,
  segments: [],
  timestampBoundary: { start: 10, end: 40 },
  metadata: {},
  aspectRatio: DEFAULT_SHAPE.ratio,
  renderedUrl: 'https://cutroom.example/media/7f3a/clip.mp4',
  fps: 30,
  videoHeight: 1920,
  videoResolution: '1080x1920',
  viralityScore: 70,
}

const word = {
  index: 0,
  word: 'Because',
  start: 10.2,
  end: 10.6,
  speaker: 0,
  isDeleted: false,
  visible: true,
}

const workflow = { id: workflowId, name: 'Talk to shorts', description: 'Upright clips with captions' }
const counters = { views: 1200, likes: 80, comments: 5, shares: 9 }
const post = {
  id: '5a0e6f6c-1d3d-4c0a-a1b5-0c9f6f1d2b33',
  platform: 'youtube',
  text: 'Why we switched',
  postUrl: 'https://youtube.com/shorts/abc',
  nativeId: 'abc',
  clipId,
  status: 'success',
  mediaUrl: null,
  thumbnailUrl: null,
  createdAt: moment,
}

export const PUBLIC_EXAMPLES: Readonly<Record<string, unknown>> = {
  TriggerRequest: {
    companyId,
    workflowId,
    url: 'https://example.com/talk.mp4',
    orientation: 'vertical',
    minLengthTarget: 20,
    maxLengthTarget: 60,
    keywords: ['switching'],
    metadata: { order: '4711' },
  },
  TriggerAnswer: {
    triggerId: runId,
    status: 'pending',
    message: 'The run is queued; poll its results by triggerId.',
  },
  Run: {
    status: 'Completed',
    clips: [runClip],
    progress: 1,
    stage: '',
    warnings: [],
    startedAt: moment,
    finishedAt: '2026-01-01T09:36:12.000Z',
    metadata: { order: '4711' },
  },
  RunClip: runClip,
  Upload: {
    id: '0197a3c2-7c1e-7d7b-9f5e-3a1b2c3d4e5f',
    url: 'https://clips.example/uploads/0197a3c2-7c1e-7d7b-9f5e-3a1b2c3d4e5f',
    title: 'talk.mp4',
    bytes: 734003200,
    offset: 104857600,
    complete: false,
    expiresAt: '2026-01-02T09:30:00.000Z',
  },
  Clip: {
    ...runClip,
    companyId,
    workflowId,
    runId,
    runMetadata: { order: '4711' },
    playedRanges: [{ start: 10, end: 40, playbackRate: 1 }],
    taskId: 'task-1',
    sourceId: 'source-1',
    sourceInputId: 'input-1',
    clipHash: 'hash-1',
    createdAt: moment,
    updatedAt: moment,
    originalUrl: 'https://example.com/talk.mp4',
    speakers: ['Ada'],
    scoreReasons: [{ name: 'hook', score: 80, reason: 'It opens with a question.' }],
    whyPicked: 'A question and its answer.',
    boundaries: {
      start: { sentenceEdge: true, pauseSeconds: 0.4 },
      end: { sentenceEdge: true, pauseSeconds: 0.6 },
    },
  },
  ClipUpdate: {
    companyId,
    clipId,
    updates: { title: 'What made us switch', subtitleConfig: { fontSize: 64 } },
  },
  ClipUpdateAnswer: {
    clipId,
    status: 'success',
    updatedFields: ['title'],
    updates: { title: 'What made us switch' },
  },
  RenderRequest: { companyId, clipId },
  RenderAnswer: { status: 'finished', renderUrl: 'https://cutroom.example/media/7f3a/clip.mp4' },
  Word: word,
  Transcript: { clipId, source: 'speech', wordCount: 1, words: [word] },
  TranscriptPatch: { companyId, clipId, operations: [{ index: 0, to: 'Since' }] },
  Workflow: {
    ...workflow,
    nodes: [{ id: 'clips', type: 'find-clips', config: {} }],
    edges: [],
  },
  WorkflowSummary: workflow,
  Post: post,
  PostsAnswer: { posts: [{ ...post, analytics: counters }], cursor: null },
  PostAnalyticsAnswer: { post, analytics: { ...counters, platformMetrics: {} } },
  Event: {
    id: '9f2e7f0c-3a5b-4a0e-9a52-1d6d2f0b8c77',
    type: 'run.completed',
    companyId,
    subjectId: runId,
    createdAt: moment,
    data: { runId, workflowId, status: 'Completed' },
  },
  RunsAnswer: {
    runs: [
      {
        triggerId: runId,
        workflowId,
        url: 'https://example.com/talk.mp4',
        status: 'Completed',
        progress: 1,
        stage: '',
        createdAt: moment,
        startedAt: moment,
        finishedAt: '2026-01-01T09:36:12.000Z',
        metadata: { order: '4711' },
      },
    ],
    cursor: null,
  },
  RunCancelAnswer: { triggerId: runId, status: 'success', message: 'The run is being stopped.' },
  NewWebhook: { companyId, url: 'https://example.com/cutroom', events: ['run.*'] },
  Error: {
    error: 'No such clip for this company.',
    status: 'error',
    code: 'CLIP_NOT_FOUND',
    requestId: 'c2a0b1d4-1a4f-4b53-8f0a-6f7d3e5b9a10',
  },
}
