/**
 * From a Composition's time map to what ffmpeg reads: source windows (one input seek each) and, per span, whole frames
 * and samples inside its window. PURE.
 */
import { sourceFrames, type Composition, type TimeSpan } from '../../../server/contract/composition.ts'
import {
  frameToTicks,
  rationalToNumber,
  TICKS_PER_SECOND,
  type Rational,
  type Ticks,
} from '../../../server/contract/time.ts'
import { LOOSE_LEAD_SECONDS, SOUND_LEAD_SECONDS } from './loose-seek.ts'

export const SAMPLE_RATE = 48_000

/** Spans further apart in the source than this are read by a second seek instead of decoding what lies between. */
const FAR_APART = 8 * TICKS_PER_SECOND
const LOOSE_LEAD = LOOSE_LEAD_SECONDS * TICKS_PER_SECOND
/** Seconds read on past the end, for timestamps a little late and for crossfades. */
const TAIL = 0.5
const MICROSECONDS = 1_000_000

/** One opening of the source. */
export interface SourceWindow {
  /** Where reading starts: ffmpeg keeps whole microseconds, so the grid below is counted from exactly this. */
  readonly seekMicroseconds: number
  readonly lengthSeconds: number
  readonly spans: readonly PlannedSpan[]
}

/** One span in its window's own grid: frames at the output rate, samples at 48 kHz, both counted from the seek. */
export interface PlannedSpan {
  readonly startFrame: number
  readonly frames: number
  readonly playbackRate: number
  readonly sourceFrame: number
  readonly sourceFrames: number
  readonly sourceSample: number
  /** Played samples; the sum over all spans is exactly the clip's length. */
  readonly samples: number
}

export interface TimePlan {
  readonly windows: readonly SourceWindow[]
  readonly totalSamples: number
  /** Samples until the tail, in which nothing of the source is heard. */
  readonly playedSamples: number
  /** Whether every span plays at natural speed. */
  readonly natural: boolean
}

export function planTime(composition: Composition): TimePlan {
  const rate = composition.output.frameRate
  const spans = joinSpans(composition.timeMap)
  const { seeksLoosely, pictureStart = 0, pictureEnd = Infinity } = composition.source
  // In whole frames. Timestamps that are a little early are then not lost by the seek, either.
  const leadFrames = Math.ceil(SOUND_LEAD_SECONDS * rationalToNumber(rate))
  const lead = seeksLoosely === true ? LOOSE_LEAD : frameToTicks(leadFrames, rate)
  const groups: TimeSpan[][] = []
  for (const span of spans) {
    const last = groups.at(-1)
    const before = last?.at(-1)
    const near =
      before !== undefined &&
      span.sourceStart >= before.sourceEnd &&
      span.sourceStart - before.sourceEnd <= FAR_APART
    if (last !== undefined && near) last.push(span)
    else groups.push([span])
  }
  return {
    windows: groups.map((group) => planWindow(group, rate, { lead, pictureStart, pictureEnd })),
    totalSamples: sampleAt(composition.durationFrames, rate),
    playedSamples: sampleAt(sourceFrames(composition), rate),
    natural: spans.every((span) => span.playbackRate === 1),
  }
}

/** Output sample at which an output frame starts. */
export function sampleAt(frame: number, rate: Rational): number {
  return Math.round((frame * SAMPLE_RATE * rate.denominator) / rate.numerator)
}

/** Spans that go on where the one before ended are one span: there is nothing to cut between them. */
function joinSpans(spans: readonly TimeSpan[]): TimeSpan[] {
  const joined: TimeSpan[] = []
  for (const span of spans) {
    if (span.endFrame <= span.startFrame) continue
    const last = joined.at(-1)
    if (last?.sourceEnd === span.sourceStart && last.playbackRate === span.playbackRate) {
      joined[joined.length - 1] = { ...last, endFrame: span.endFrame, sourceEnd: span.sourceEnd }
    } else joined.push(span)
  }
  return joined
}

function planWindow(
  spans: readonly TimeSpan[],
  rate: Rational,
  { lead, pictureStart, pictureEnd }: Readonly<Record<'lead' | 'pictureStart' | 'pictureEnd', Ticks>>,
): SourceWindow {
  const from = Math.min(spans[0]?.sourceStart ?? 0, pictureEnd) - lead
  // Before the first picture there is no key frame to seek to: it is read from the very start.
  const seekMicroseconds = from <= pictureStart ? 0 : Math.floor((from / TICKS_PER_SECOND) * MICROSECONDS)
  const end = Math.max(...spans.map((span) => span.sourceEnd)) / TICKS_PER_SECOND
  let free = 0
  const planned = spans.map((span): PlannedSpan => {
    const frames = span.endFrame - span.startFrame
    const fromSeek = span.sourceStart / TICKS_PER_SECOND - seekMicroseconds / MICROSECONDS
    // Rounding must not let two spans claim the same frame: it would be shown once, and one frame be missing.
    const sourceFrame = Math.max(free, Math.round((fromSeek * rate.numerator) / rate.denominator))
    const sourceFrames = Math.max(1, Math.ceil(frames * span.playbackRate - 1e-6))
    free = sourceFrame + sourceFrames
    return {
      startFrame: span.startFrame,
      frames,
      playbackRate: span.playbackRate,
      sourceFrame,
      sourceFrames,
      sourceSample: Math.round(fromSeek * SAMPLE_RATE),
      samples: sampleAt(span.endFrame, rate) - sampleAt(span.startFrame, rate),
    }
  })
  return { seekMicroseconds, lengthSeconds: end - seekMicroseconds / MICROSECONDS + TAIL, spans: planned }
}
