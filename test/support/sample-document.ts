/** A clip document for tests: 10 to 40 s of a source, extracted from 5 to 45 s. */
import type { ClipDocument } from '../../server/contract/clip.ts'

export function sampleDocument(changes: Partial<ClipDocument> = {}): ClipDocument {
  return {
    title: 'Why we switched',
    bio: 'A short answer.',
    keywords: ['switch'],
    people: ['Ada'],
    speakers: ['Ada'],
    duration: 30,
    startTimestamp: 10,
    endTimestamp: 40,
    segments: [],
    timestampBoundary: { start: 10, end: 40 },
    extended: { start: 5, end: 45, fileStart: 5 },
    aspectRatio: '9:16',
    fps: 30,
    videoHeight: 1920,
    videoResolution: '1080x1920',
    viralityScore: 70,
    scoreReasons: [{ name: 'hook', score: 80, reason: 'It opens with a question.' }],
    whyPicked: 'A question and its answer.',
    boundaries: {
      start: { sentenceEdge: true, pauseSeconds: 0.4 },
      end: { sentenceEdge: true, pauseSeconds: 0.6 },
    },
    nodes: [],
    originalUrl: 'https://example.com/talk.mp4',
    sourceId: 'a'.repeat(64),
    sourceInputId: 'input-1',
    taskId: 'task-1',
    clipHash: 'hash-1',
    media: {},
    ...changes,
  }
}
