/** PURE. Ranges that somebody else chose: kept as given, clamped to the video, described like any other clip. */
import type { ClipCandidate } from '../../../../server/contract/clip-candidate.ts'
import type { Span } from './choose.ts'
import { describeWindow, type Telling } from './describe.ts'
import { endingScore, hookScore, windowOver, type Window } from './score-windows.ts'

/** Ranges inside the video; what was cut or dropped is said. Order kept, exact repeats once. */
export function clampPinned(pinned: readonly Span[], durationSeconds: number, warnings: string[]): Span[] {
  const kept: Span[] = []
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
      warnings.push(`${name} was cut to ${start} to ${round(end)} s, the video's own length.`)
    if (!kept.some((other) => other.start === start && other.end === end))
      kept.push({ start, end: round(end) })
  }
  return kept
}

/** A candidate over exactly this range. */
export function givenRange(range: Span, origin: 'pinned' | 'whole', telling: Telling): ClipCandidate {
  const { sentences } = telling.analysis
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
      telling.analysis,
      { from, to, ...range },
      hookScore(telling.analysis, from),
      endingScore(telling.analysis, to),
    ),
    ...range,
  }
  const told = describeWindow(window, origin, telling)
  const first = sentences[from]
  const last = sentences[to]
  const startsClean =
    first !== undefined && range.start <= first.start && range.start >= first.start - first.before
  const endsClean = last !== undefined && range.end >= last.end && range.end <= last.end + last.after
  return {
    ...told,
    whyPicked: why,
    startBoundary: {
      sentenceEdge: startsClean,
      pauseSeconds: startsClean ? told.startBoundary.pauseSeconds : 0,
    },
    endBoundary: { sentenceEdge: endsClean, pauseSeconds: endsClean ? told.endBoundary.pauseSeconds : 0 },
  }
}

function silent(range: Span, origin: 'pinned' | 'whole', whyPicked: string): ClipCandidate {
  const quiet = { sentenceEdge: true, pauseSeconds: round(range.end - range.start) }
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
    startBoundary: quiet,
    endBoundary: quiet,
    text: '',
  }
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000
}
