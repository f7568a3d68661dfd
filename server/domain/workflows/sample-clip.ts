/** The clip that workflows are shown on where a company has none yet: twenty seconds of the bundled sample. PURE. */
import { horizontal } from '../../contract/shapes/horizontal.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import type { FaceTrack } from '../../contract/clip-measurements.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import { secondsToTicks } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'

const RANGE = { start: 37.1, end: 57.8 }
const SECONDS = 244.833333
/** From here on the guest is seen, before it the host. */
const GUEST_SHOT = 41.533

/** Somebody who sits still and speaks; left, top, width, height in shares of the picture. */
const person = (
  id: number,
  [x, y, width, height]: readonly [number, number, number, number],
  range: { start: number; end: number },
): FaceTrack => ({
  id,
  points: [
    [range.start, x, y, width, height],
    [range.end, x, y, width, height],
  ],
  speaking: [range],
})

/** As the probe stage finds them. */
export const SAMPLE_FACTS: SourceFacts = {
  container: 'mov,mp4,m4a,3gp,3g2,mj2',
  duration: secondsToTicks(SECONDS),
  bytes: 11_731_376,
  video: {
    streamIndex: 0,
    codec: 'h264',
    pixelFormat: 'yuv420p',
    codedWidth: 1280,
    codedHeight: 720,
    width: 1280,
    height: 720,
    rotation: 0,
    sampleAspectRatio: { numerator: 1, denominator: 1 },
    frameRate: { numerator: 30, denominator: 1 },
    variableFrameRate: false,
    interlaced: false,
    colourPrimaries: 'bt709',
    colourTransfer: 'bt709',
    colourSpace: 'bt709',
    colourRange: 'tv',
    hdr: false,
    bitsPerSample: 8,
    startTime: 0,
  },
  audio: {
    streamIndex: 1,
    codec: 'aac',
    sampleRate: 48_000,
    channels: 1,
    layout: 'mono',
    language: 'eng',
    startTime: 0,
  },
  audioStreams: 1,
  captions: [],
  chapters: [],
  warnings: [],
}

/** Its words, as resources/sample/words.json has them: text, start, end, speaker. */
const SPOKEN: readonly (readonly [string, number, number, number])[] = [
  ['So,', 37.266, 37.612, 0],
  ['take', 37.81, 38.105, 0],
  ['me', 38.105, 38.259, 0],
  ['back', 38.259, 38.535, 0],
  ['three', 38.535, 38.883, 0],
  ['years.', 38.883, 39.486, 0],
  ['What', 39.836, 40.024, 0],
  ['did', 40.024, 40.231, 0],
  ['the', 40.231, 40.305, 0],
  ['shop', 40.305, 40.73, 0],
  ['look', 40.73, 40.924, 0],
  ['like?', 40.924, 41.255, 0],
  ['Honestly?', 41.755, 42.399, 1],
  ['It', 42.504, 42.678, 1],
  ['looked', 42.678, 42.927, 1],
  ['finished.', 42.927, 43.47, 1],
  ['We', 43.97, 44.17, 1],
  ['had', 44.17, 44.443, 1],
  ['two', 44.443, 44.663, 1],
  ['mechanics,', 44.663, 45.353, 1],
  ['one', 45.441, 45.69, 1],
  ['heater,', 45.69, 46.111, 1],
  ['and', 46.285, 46.525, 1],
  ['the', 46.525, 46.654, 1],
  ['the', 46.654, 46.784, 1],
  ['rent', 46.784, 47.099, 1],
  ['had', 47.099, 47.346, 1],
  ['just', 47.346, 47.704, 1],
  ['doubled.', 47.704, 48.195, 1],
  ['You', 48.595, 48.809, 1],
  ['know,', 48.809, 49.159, 1],
  ['people', 49.217, 49.666, 1],
  ['bought', 49.666, 49.899, 1],
  ['a', 49.899, 49.971, 1],
  ['new', 49.971, 50.152, 1],
  ['bike', 50.152, 50.567, 1],
  ['online,', 50.567, 51.238, 1],
  ['and', 51.377, 51.581, 1],
  ['they', 51.581, 51.754, 1],
  ['threw', 51.754, 52.033, 1],
  ['the', 52.033, 52.185, 1],
  ['old', 52.185, 52.591, 1],
  ['one', 52.591, 52.811, 1],
  ['out.', 52.811, 53.164, 1],
  ['I', 53.564, 53.687, 1],
  ['had', 53.687, 53.954, 1],
  ['a', 53.954, 54.011, 1],
  ['sign', 54.011, 54.431, 1],
  ['in', 54.431, 54.602, 1],
  ['the', 54.602, 54.658, 1],
  ['window,', 54.658, 55.015, 1],
  ['and', 55.189, 55.464, 1],
  ['the', 55.464, 55.553, 1],
  ['sign', 55.553, 55.946, 1],
  ['said,', 55.946, 56.357, 1],
  ['closing', 56.429, 57.056, 1],
  ['in', 57.056, 57.23, 1],
  ['March.', 57.23, 57.616, 1],
]

export const SAMPLE_WORDS: readonly TranscriptWord[] = SPOKEN.map(([word, start, end, speaker]) => ({
  word,
  start,
  end,
  speaker,
}))

export const SAMPLE_DOCUMENT: ClipDocument = {
  title: 'The week before the shop was to close',
  bio: '',
  keywords: ['rent', 'closing'],
  people: [],
  speakers: ['Maya', 'Ruben'],
  duration: RANGE.end - RANGE.start,
  startTimestamp: RANGE.start,
  endTimestamp: RANGE.end,
  segments: [],
  timestampBoundary: RANGE,
  extended: { ...RANGE, fileStart: 0 },
  aspectRatio: horizontal.ratio,
  fps: 30,
  videoHeight: 720,
  videoResolution: '1280x720',
  viralityScore: 0,
  scoreReasons: [],
  whyPicked: '',
  boundaries: {
    start: { sentenceEdge: true, pauseSeconds: 0.4 },
    end: { sentenceEdge: true, pauseSeconds: 0.4 },
  },
  nodes: [],
  language: 'en',
  faces: {
    ...RANGE,
    shotStarts: [GUEST_SHOT],
    tracks: [
      person(0, [0.44, 0.16, 0.11, 0.32], { start: RANGE.start, end: GUEST_SHOT }),
      person(1, [0.445, 0.14, 0.12, 0.36], { start: GUEST_SHOT, end: RANGE.end }),
    ],
    screens: [],
  },
  originalUrl: '',
  sourceId: 'sample',
  sourceInputId: 'sample',
  taskId: 'sample',
  clipHash: 'sample',
  media: {},
}
