/** PURE. Ranges that were given: used unchanged, clamped to the video, and described like other clips. */
import type { ClipCandidate } from '../../../../server/contract/clip-candidate.ts'
import { type Span, endingScore, hookScore, windowOver, type Window } from './score-windows.ts'
import { describeWindow, type DescriptionFacts } from './describe.ts'
import { roundMs } from './numbers.ts'

/** Ranges inside the video, with warnings about what was cut or dropped. The order is preserved; exact repeats are removed. */
export function clampPinned(pinned: readonly Span[], durationSeconds: number, warnings: string[]): Span[] {
  const clamped: Span[] = []
  for (const range of pinned) {
    const start = Math.max(0, range.start)
    const end = Math.min(durationSeconds, range.end)
    const name = `The pinned range ${range.start} to ${range.end} s`
    if (!(end - start > 0.05)) {
      warnings.push(
        `${name} was dropped: nothing of it lies inside the video (${durationSeconds.toFixed(1)} s).`,
      )
      continue
    }
    if (end < range.end || start > range.start)
      warnings.push(`${name} was cut to ${start} to ${roundMs(end)} s, the video's own length.`)
    if (!clamped.some((other) => other.start === start && other.end === end))
      clamped.push({ start, end: roundMs(end) })
  }
  return clamped
}

/** A candidate over exactly this range. */
export function givenRange(range: Span, origin: 'pinned' | 'whole', facts: DescriptionFacts): ClipCandidate {
  const { sentences } = facts.analysis
  const overlaps = sentences.flatMap((sentence, index) =>
    sentence.end > range.start && sentence.start < range.end ? [index] : [],
  )
  const from = overlaps[0]
  const to = overlaps.at(-1)
  const why =
    origin === 'pinned'
      ? 'Pinned by whoever started the run.'
      : 'The whole video: the workflow finds no clips.'
  if (from === undefined || to === undefined) return silent(range, origin, why)
  const window: Window = {
    ...windowOver(
      facts.analysis,
      { from, to, ...range },
      hookScore(facts.analysis, from),
      endingScore(facts.analysis, to),
    ),
    ...range,
  }
  const described = describeWindow(window, origin, facts)
  const first = sentences[from]
  const last = sentences[to]
  const startsClean =
    first !== undefined && range.start <= first.start && range.start >= first.start - first.before
  const endsClean = last !== undefined && range.end >= last.end && range.end <= last.end + last.after
  return {
    ...described,
    whyPicked: why,
    startBoundary: {
      sentenceEdge: startsClean,
      pauseSeconds: startsClean ? described.startBoundary.pauseSeconds : 0,
    },
    endBoundary: {
      sentenceEdge: endsClean,
      pauseSeconds: endsClean ? described.endBoundary.pauseSeconds : 0,
    },
  }
}

function silent(range: Span, origin: 'pinned' | 'whole', whyPicked: string): ClipCandidate {
  const silence = { sentenceEdge: true, pauseSeconds: roundMs(range.end - range.start) }
  return {
    ...range,
    origin,
    title: origin === 'whole' ? 'Whole Video' : 'Pinned Clip',
    bio: '',
    keywords: [],
    people: [],
    score: 1,
    scoreReasons: [],
    whyPicked,
    startBoundary: silence,
    endBoundary: silence,
    text: '',
  }
}
