/** Values for tests of nodes: source facts, candidates, words, documents. */
import { newClipDocument } from '../../server/nodes/index.ts'
import type { ClipDocument } from '../../server/contract/clip.ts'
import type { ResolvedNode } from '../../server/contract/run.ts'
import type { SourceFacts } from '../../server/contract/source-facts.ts'
import { secondsToTicks, type Rational } from '../../server/contract/time.ts'
import type { TranscriptWord } from '../../server/contract/transcript.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'

export function factsOf(
  over: {
    width?: number
    height?: number
    frameRate?: Rational
    seconds?: number
    colourSpace?: string
    video?: null
    audio?: null
  } = {},
): SourceFacts {
  const rate = over.frameRate ?? { numerator: 30, denominator: 1 }
  const width = over.width ?? 1920
  const height = over.height ?? 1080
  return {
    container: 'mp4',
    duration: secondsToTicks(over.seconds ?? 600),
    bytes: 1_000_000,
    video:
      over.video === null
        ? null
        : {
            streamIndex: 0,
            codec: 'h264',
            pixelFormat: 'yuv420p',
            codedWidth: width,
            codedHeight: height,
            width,
            height,
            rotation: 0,
            sampleAspectRatio: { numerator: 1, denominator: 1 },
            frameRate: rate,
            variableFrameRate: false,
            interlaced: false,
            colourPrimaries: 'bt709',
            colourTransfer: 'bt709',
            colourSpace: over.colourSpace ?? 'bt709',
            colourRange: 'tv',
            hdr: false,
            bitsPerSample: 8,
            startTime: 0,
          },
    audio:
      over.audio === null
        ? null
        : {
            streamIndex: 1,
            codec: 'aac',
            sampleRate: 48000,
            channels: 2,
            layout: 'stereo',
            language: 'eng',
            startTime: 0,
          },
    audioStreams: over.audio === null ? 0 : 1,
    captions: [],
    chapters: [],
    warnings: [],
  }
}

/** Words one after the other from `start`, `each` seconds long, `gap` seconds apart. */
export function spoken(text: string, start = 0, each = 0.25, gap = 0.05): TranscriptWord[] {
  return text.split(' ').map((word, index) => {
    const from = start + index * (each + gap)
    return { word, start: from, end: from + each }
  })
}

export function node(type: string, config: Record<string, unknown> = {}, enabled = true): ResolvedNode {
  return { id: type, type, enabled, config }
}

export function documentOf(
  nodes: ResolvedNode[],
  over: Partial<ClipDocument> = {},
  facts: SourceFacts = factsOf(),
  headline?: string,
): ClipDocument {
  const boundary = { sentenceEdge: true, pauseSeconds: 0.4 }
  const document = newClipDocument({
    candidate: {
      start: over.startTimestamp ?? 10,
      end: over.endTimestamp ?? 40,
      origin: 'found',
      title: 'A title that says it',
      ...omitUndefined({ headline }),
      bio: 'About it.',
      keywords: ['bike shop', 'Repair'],
      people: [],
      score: 81,
      scoreReasons: [{ name: 'hook', score: 80, reason: 'It opens with a question.' }],
      whyPicked: 'It opens with a question.',
      startBoundary: boundary,
      endBoundary: boundary,
      text: '',
    },
    facts,
    nodes,
    sourceDigest: 'd'.repeat(64),
    originalUrl: 'https://example.test/talk.mp4',
    sourceInputId: 'input',
    taskId: 'task',
    clipHash: over.clipHash ?? 'hash',
    extended: { start: 5, end: 45 },
    speakers: [],
  })
  return { ...document, ...over }
}
