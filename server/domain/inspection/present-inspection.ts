/** PURE: what an inspection prints. Times in seconds, places in pixels of the upright source. */
import { omitUndefined } from '../../contract/omit-undefined.ts'
import type { ClipCandidate } from '../../contract/clip-candidate.ts'
import type { ClipFaces, FaceBoxes, RangeSpeakers } from '../../contract/clip-measurements.ts'
import type { Rect } from '../../contract/composition.ts'
import type { ResolvedNode } from '../../contract/run.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import { rationalToNumber, ticksToSeconds, type Stretch } from '../../contract/time.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { compileComposition, newClipDocument, shownParts } from '../../nodes/index.ts'

/** Samples of framing and of who speaks, per second. */
const SAMPLES_PER_SECOND = 5
/** Framing is planned for stretches about as long as a clip, because a clip is what it is made for. */
const LONGEST_STRETCH_SECONDS = 90

const round = (value: number): number => Math.round(value * 1000) / 1000

const sampleTimes = (start: number, end: number): number[] =>
  Array.from({ length: Math.max(0, Math.ceil((end - start) * SAMPLES_PER_SECOND)) }, (_, index) =>
    round(start + index / SAMPLES_PER_SECOND),
  )

type Size = Pick<NonNullable<SourceFacts['video']>, 'width' | 'height'>

/** Face tracks in pixels. `frameRate`: pictures per second that were looked at. */
export function presentFaces(tracks: FaceBoxes['tracks'], size: Size) {
  const gaps = tracks.flatMap(({ boxes }) =>
    boxes.slice(1).map(({ time }, index) => time - (boxes[index]?.time ?? time)),
  )
  const gap = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0
  return {
    frameRate: gap > 0 ? round(1 / gap) : 0,
    tracks: tracks.map(({ id, boxes }) => ({
      id,
      boxes: boxes.map((box) => ({
        time: round(box.time),
        x: round(box.x * size.width),
        y: round(box.y * size.height),
        width: round(box.width * size.width),
        height: round(box.height * size.height),
        score: round(box.score),
      })),
    })),
  }
}

/**
 * Which face speaks, sampled over the whole source; `track` is null where nobody who is visible does. Without `found`, by the
 * motion of mouths: where several faces are taken for the speaker, the confidence is shared between them.
 */
export function presentSpeaking({ start, end, tracks }: ClipFaces, found: RangeSpeakers | null = null) {
  if (found !== null) return found.samples
  return sampleTimes(start, end).map((time) => {
    const speaking = tracks.filter((track) =>
      track.speaking.some((stretch) => stretch.start <= time && time < stretch.end),
    )
    const [first] = speaking
    return first === undefined
      ? { time, track: null, confidence: 0 }
      : { time, track: first.id, confidence: round(1 / speaking.length) }
  })
}

/** Stretches of time with what else is known of them; none where there is no result. */
export const presentStretches = (found: unknown): Stretch[] =>
  ((found ?? []) as Stretch[]).map((stretch) => ({
    ...stretch,
    start: round(stretch.start),
    end: round(stretch.end),
  }))

/** Turns with the names of those who are known by their voices. */
export const presentTurns = (found: unknown, names: ReadonlyMap<number, string>) =>
  presentStretches(found).map((turn) => {
    const name = names.get((turn as Stretch & { speaker: number }).speaker)
    return name === undefined ? turn : { ...turn, name }
  })

/** From the first frame to the last, without gaps. */
export function presentShots(starts: readonly number[], durationSeconds: number): Stretch[] {
  const edges = [0, ...starts.filter((start) => start > 0 && start < durationSeconds), durationSeconds]
  return edges.slice(1).map((end, index) => ({ start: round(edges[index] ?? 0), end: round(end) }))
}

export interface FramingRequest {
  readonly facts: SourceFacts
  readonly faces: ClipFaces | null
  readonly nodes: readonly ResolvedNode[]
  readonly digest: string
}

/** The parts of the source that are on screen, as the compiled layout of clips over the whole source shows them. */
export function presentFraming(request: FramingRequest) {
  const { facts, faces } = request
  const durationSeconds = ticksToSeconds(facts.duration)
  const stretches = cutIntoStretches(faces?.shotStarts ?? [], durationSeconds)
  const samples = stretches.flatMap((stretch) => sampleStretch(request, stretch))
  const { width, height } = facts.video ?? { width: 0, height: 0 }
  return { width, height, samples }
}

/** Stretches that end where a shot does, if one ends in their second half. */
function cutIntoStretches(shotStarts: readonly number[], durationSeconds: number): Stretch[] {
  const stretches: Stretch[] = []
  for (let start = 0; start < durationSeconds;) {
    const latest = start + LONGEST_STRETCH_SECONDS
    const from = start + LONGEST_STRETCH_SECONDS / 2
    const cut = shotStarts.findLast((time) => time > from && time <= latest)
    const end = latest >= durationSeconds ? durationSeconds : (cut ?? latest)
    stretches.push({ start, end })
    start = end
  }
  return stretches
}

function sampleStretch({ facts, faces, nodes, digest }: FramingRequest, stretch: Stretch) {
  const document = newClipDocument({
    candidate: wholeStretch(stretch),
    facts,
    nodes: nodes.filter(({ type }) => type === 'convert_to_vertical'),
    sourceDigest: digest,
    originalUrl: '',
    sourceInputId: '',
    taskId: '',
    clipHash: '',
    extended: stretch,
    speakers: [],
    ...(faces === null ? {} : { faces }),
  })
  const { composition } = compileComposition({ document, words: [], facts })
  const framesPerSecond = rationalToNumber(composition.output.frameRate)
  return sampleTimes(stretch.start, stretch.end).map((time) => {
    const frame = Math.min(
      composition.durationFrames - 1,
      Math.floor((time - stretch.start) * framesPerSecond + 1e-6),
    )
    const span = composition.layout.find(
      ({ startFrame, endFrame }) => startFrame <= frame && frame < endFrame,
    )
    const panes = span === undefined ? [] : shownParts(span, frame)
    return { time, panes: panes.map(roundRect) }
  })
}

function wholeStretch({ start, end }: Stretch): ClipCandidate {
  const boundary = { sentenceEdge: false, pauseSeconds: 0 }
  return {
    start,
    end,
    origin: 'whole',
    title: '',
    bio: '',
    keywords: [],
    people: [],
    score: 0,
    scoreReasons: [],
    whyPicked: '',
    startBoundary: boundary,
    endBoundary: boundary,
    text: '',
  }
}

const roundRect = ({ x, y, width, height }: Rect): Rect => ({
  x: round(x),
  y: round(y),
  width: round(width),
  height: round(height),
})

/** Words with the index of their speaker, null where it is not known. */
export const presentWords = (words: readonly TranscriptWord[]) =>
  words.map(({ word, start, end, speaker }) => ({
    text: word,
    start: round(start),
    end: round(end),
    speaker: speaker ?? null,
  }))

export const presentClips = (candidates: readonly ClipCandidate[]) =>
  candidates.map(({ start, end, leftOut, title, score, relevance = 0, whyPicked, scoreReasons, text }) => ({
    start,
    end,
    ...omitUndefined({ leftOut }),
    title,
    score,
    relevance,
    reasons: [whyPicked, ...scoreReasons.map(({ reason }) => reason)].filter((reason) => reason !== ''),
    text,
  }))
