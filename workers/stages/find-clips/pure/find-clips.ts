/** PURE. Chooses clips of whole sentences with edges in pauses; limits that cannot be met are relaxed with a warning. */
import {
  rawScore,
  type ClipCandidate,
  type FindClipsSettings,
  type FoundTopic,
} from '../../../../server/contract/clip-candidate.ts'
import type { PictureFacts } from '../../../../server/contract/source-facts.ts'
import type { TranscriptWord } from '../../../../server/contract/transcript.ts'
import {
  analyse,
  chooseBest,
  scoreWindows,
  widenToStories,
  type Analysis,
  type Span,
  type Window,
} from './score-windows.ts'
import { describeWindow, isRelevant, type DescriptionFacts } from './describe.ts'
import { findBySound } from './find-by-sound.ts'
import { peopleIn } from './names.ts'
import { clampPinned, givenRange } from './given-ranges.ts'
import { isPunctuated, splitPhrases, splitSentences } from './sentences.ts'
import type { Aim } from './aims.ts'
import type { Likeness } from './exemplars.ts'
import { languageOf } from './recognise-language.ts'
import type { NearStretch } from './meaning.ts'
import type { DetectedSound } from './sound-cues.ts'
import { steeringOf } from './steering.ts'
import { labelTopics } from './topic-labels.ts'
import { findTopicSpans } from './topic-spans.ts'
import { omitUndefined } from '../../../../server/contract/omit-undefined.ts'

export interface FindClipsInput {
  readonly words: readonly TranscriptWord[]
  readonly speakers: readonly string[]
  readonly language: string
  readonly settings: FindClipsSettings
  readonly durationSeconds: number
  readonly sound?: DetectedSound
  readonly picture?: PictureFacts
  /** Name of the source, for clips without words. */
  readonly name?: string
  /** The meaning of each sentence (splitSentences), as vectors of length 1; absent without a model. */
  readonly vectors?: readonly Float32Array[]
  /** How much each sentence is like exemplars of hooks, value and emotion; absent without a model that knows the language. */
  readonly likeness?: readonly Likeness[]
  /** How near the speech comes to what was requested, by meaning; absent without a model. */
  readonly meaning?: readonly NearStretch[]
  /** What was requested, as vectors; given together with `vectors`. */
  readonly aims?: readonly Aim[]
}

export interface FoundClips {
  readonly candidates: ClipCandidate[]
  readonly considered: number
  readonly summary: string
  readonly warnings: string[]
  /** Of the whole talk; absent where no words are known. */
  readonly topics?: FoundTopic[]
}

/** Desired silence at both edges of a clip, seconds. */
const WANTED_PAUSE = 0.16
/** Poor windows this far below the best one are left out, so that housekeeping does not become a clip. */
const POOR_RAW = 44
const FAR_BELOW = 12

/** Added where a match in other words might have been missed. */
const BY_WORDS =
  ' They were looked for by words alone; a model that also knows what is meant is installed with: cutroom models install multilingual-minilm'

const FOREIGN =
  'How relevant the clips are was measured by words alone: the model that knows what is meant was not made for this language. One that was is installed with: cutroom models install multilingual-minilm'

export function findClips(given: FindClipsInput): FoundClips {
  const { settings, durationSeconds } = given
  const warnings: string[] = []
  const words = given.words.filter((word) => word.isDeleted !== true)
  const sentences = splitSentences(words, durationSeconds)
  const input = { ...given, language: languageOf(given.language, sentences) }
  const facts = buildFacts(input, sentences)
  const pinned = clampPinned(settings.pinned, durationSeconds, warnings)
  if (settings.wholeSource) {
    const candidate = givenRange({ start: 0, end: durationSeconds }, 'whole', facts)
    return {
      candidates: [candidate],
      considered: 1,
      summary: 'The whole video is one clip: the workflow finds no clips.',
      warnings,
      topics: findTopics(input, facts),
    }
  }
  const asClips =
    settings.pinnedMode === 'ranges' ? pinned.map((range) => givenRange(range, 'pinned', facts)) : []
  if (settings.pinnedMode === 'ranges' && settings.pinnedOnly) {
    return {
      candidates: byScore(asClips),
      considered: asClips.length,
      summary: formatPinnedSummary(asClips.length),
      warnings,
      topics: findTopics(input, facts),
    }
  }
  const within = settings.pinnedMode === 'search_within' && settings.pinned.length > 0 ? pinned : null
  if (words.length === 0 && (input.sound !== undefined || input.picture !== undefined))
    return withoutWords(input, input.sound ?? null, { asClips, within, warnings })
  const found = discover(facts, words, input, within, asClips, warnings)
  const candidates = byRank([
    ...asClips.map((clip) => ({ clip, rank: rawScore(clip.score) })),
    ...found.windows.map((window) => ({
      clip: describeWindow(window, 'found', found.facts),
      rank: window.raw,
    })),
  ])
  return {
    candidates,
    considered: found.considered + asClips.length,
    summary:
      candidates.length > 0
        ? formatSummary(candidates.length, found.considered)
        : formatEmptySummary(input, facts.analysis, within),
    warnings,
    topics: findTopics(input, facts),
  }
}

function findTopics(
  { vectors, language }: FindClipsInput,
  { analysis, speakers }: DescriptionFacts,
): FoundTopic[] {
  const { sentences, idf } = analysis
  const known = vectors?.length === sentences.length ? vectors : null
  const spans = findTopicSpans(analysis, known)
  const runs = spans.map(({ from, to }) => sentences.slice(from, to))
  const labels = labelTopics({ sentences, idf, language, speakers }, runs)
  return runs.map((run, at) => ({
    start: run[0]?.start ?? 0,
    end: runs[at + 1]?.[0]?.start ?? run.at(-1)?.end ?? 0,
    label: labels[at] ?? '',
  }))
}

/** Chooses by sound alone; a warning says that requests in words cannot be followed. */
function withoutWords(
  input: FindClipsInput,
  sound: DetectedSound | null,
  { asClips, within, warnings }: { asClips: ClipCandidate[]; within: Span[] | null; warnings: string[] },
): FoundClips {
  const { settings, durationSeconds, name = '', picture } = input
  const seen = omitUndefined({ picture })
  const search = { sound, settings, durationSeconds, name, within, taken: asClips, ...seen }
  const { candidates: found, considered } = findBySound(search)
  if (found.length > 0 && steeringOf(settings).terms.size > 0)
    warnings.push(
      'What the prompt and the keywords ask for was not looked for: no words of the video are known.',
    )
  const candidates = byScore([...asClips, ...found])
  const { minLength, maxLength } = settings
  return {
    candidates,
    considered: considered + asClips.length,
    summary:
      candidates.length > 0
        ? `${candidates.length} ${candidates.length === 1 ? 'clip was' : 'clips were'} chosen by ${sound === null ? 'picture' : 'sound'} from ${considered} stretches ${sound === null ? 'between cuts' : 'between pauses'}.`
        : `No words of the video are known, and no stretch of its ${sound === null ? 'picture between two cuts' : 'sound between two pauses'} makes a clip of ${minLength} to ${maxLength} s.`,
    warnings,
  }
}

function buildFacts(input: FindClipsInput, sentences: Analysis['sentences']): DescriptionFacts {
  return {
    analysis: analyse(
      sentences,
      steeringOf(input.settings),
      omitUndefined({
        sound: input.sound,
        picture: input.picture,
        meaning: input.meaning,
        likeness: input.likeness?.length === sentences.length ? input.likeness : undefined,
        aims: input.aims,
        story: {
          language: input.language,
          events: input.sound?.events ?? [],
          maxLength: input.settings.maxLength,
          vectors: input.vectors?.length === sentences.length ? input.vectors : null,
        },
      }),
    ),
    people: peopleIn(sentences, input.speakers),
    speakers: input.speakers,
    language: input.language,
  }
}

/** A way to relax the rules; the first that gives a clip is used. */
interface Step {
  readonly facts: DescriptionFacts
  readonly minLength: number
  readonly maxLength: number
  readonly minPause: number
  readonly warning: string | null
}

function discover(
  facts: DescriptionFacts,
  words: readonly TranscriptWord[],
  input: FindClipsInput,
  within: readonly Span[] | null,
  taken: readonly Span[],
  warnings: string[],
): { windows: readonly Window[]; considered: number; facts: DescriptionFacts } {
  // Given ranges count towards the number of requested clips.
  const wanted = Math.max(0, input.settings.maxClips - taken.length)
  let considered = 0
  if (words.length === 0 || wanted === 0 || within?.length === 0) return { windows: [], considered, facts }
  const terms = facts.analysis.requests.steering.terms
  for (const step of listSteps(facts, words, input)) {
    const scored = searchIn(step, within)
    considered += scored.considered
    const best = dropPoor(chooseBest(scored.windows, wanted, taken))
    if (best.length === 0) continue
    const chosen = widenToStories(step.facts.analysis, best, step, (window) => roomFor(window, within, taken))
    if (step.warning !== null) warnings.push(step.warning)
    const requested = [...terms].filter(([, weight]) => weight > 0)
    const hasRequests = requested.length > 0 || input.meaning !== undefined
    if (hasRequests && !chosen.some((window) => isRelevant(window, step.facts.analysis)))
      warnings.push(
        `Nothing that is said matches the prompt or the keywords; the clips were chosen by their own strength.${input.meaning === undefined ? BY_WORDS : ''}`,
      )
    if (hasRequests && step.facts.analysis.requests.foreign) warnings.push(FOREIGN)
    return { windows: chosen, considered, facts: step.facts }
  }
  return { windows: [], considered, facts }
}

/** Where a window may be widened: inside its given range, and not into clips that were given. */
function roomFor(window: Window, within: readonly Span[] | null, taken: readonly Span[]): Span {
  const range = within?.find(({ start, end }) => window.start >= start && window.end <= end)
  const before = taken.filter(({ end }) => end <= window.start).map(({ end }) => end)
  const after = taken.filter(({ start }) => start >= window.end).map(({ start }) => start)
  return {
    start: Math.max(range?.start ?? -Infinity, ...before),
    end: Math.min(range?.end ?? Infinity, ...after),
  }
}

function* listSteps(facts: DescriptionFacts, words: readonly TranscriptWord[], input: FindClipsInput) {
  const { minLength, maxLength } = input.settings
  const base = { facts, minLength, maxLength, minPause: WANTED_PAUSE }
  yield {
    ...base,
    warning: isPunctuated(words)
      ? null
      : 'The words carry no punctuation; sentences were taken from the pauses.',
  }
  yield {
    ...base,
    minPause: 0,
    warning: 'The speakers hardly pause: some clips begin or end on a sentence edge without a pause.',
  }
  const phrases = buildFacts(input, splitPhrases(words, input.durationSeconds))
  yield {
    ...base,
    facts: phrases,
    minPause: 0,
    warning: `No run of whole sentences is ${minLength} to ${maxLength} s long: some clips begin or end inside a sentence, at a comma or a pause.`,
  }
  yield {
    ...base,
    minLength: 0,
    minPause: 0,
    warning: `No stretch of speech is as long as ${minLength} s: the clips are shorter than was asked for.`,
  }
  yield {
    ...base,
    facts: phrases,
    minLength: 0,
    minPause: 0,
    warning: `The clips are shorter than the ${minLength} s that was asked for, and begin or end inside a sentence.`,
  }
}

function searchIn(step: Step, within: readonly Span[] | null): { windows: Window[]; considered: number } {
  const { sentences } = step.facts.analysis
  if (within === null) return scoreWindows(step.facts.analysis, step)
  const all: { windows: Window[]; considered: number } = { windows: [], considered: 0 }
  for (const range of within) {
    const inside = sentences.flatMap((sentence, index) =>
      sentence.start >= range.start - 0.05 && sentence.end <= range.end + 0.05 ? [index] : [],
    )
    const from = inside[0]
    const to = inside.at(-1)
    if (from === undefined || to === undefined) continue
    const scored = scoreWindows(step.facts.analysis, step, { from, to })
    all.windows.push(...scored.windows.map((window) => inRange(window, range)))
    all.considered += scored.considered
  }
  return all
}

/** The silence before and after may exceed the range slightly, and is cut off there. */
function inRange(window: Window, range: Span): Window {
  return { ...window, start: Math.max(window.start, range.start), end: Math.min(window.end, range.end) }
}

function dropPoor(windows: readonly Window[]): readonly Window[] {
  const best = windows[0]?.raw ?? 0
  return windows.filter((window) => window.raw >= Math.min(POOR_RAW, best - FAR_BELOW))
}

/** By their worth together with what was requested. */
const byRank = (
  ranked: readonly { readonly clip: ClipCandidate; readonly rank: number }[],
): ClipCandidate[] =>
  ranked.toSorted((a, b) => b.rank - a.rank || a.clip.start - b.clip.start).map(({ clip }) => clip)

function byScore(candidates: readonly ClipCandidate[]): ClipCandidate[] {
  return [...candidates].sort((a, b) => b.score - a.score || a.start - b.start)
}

function formatSummary(count: number, considered: number): string {
  return `${count} ${count === 1 ? 'clip was' : 'clips were'} chosen from ${considered} stretches of whole sentences.`
}

function formatPinnedSummary(count: number): string {
  return count > 0
    ? `${count} pinned ${count === 1 ? 'range was' : 'ranges were'} taken as given.`
    : 'None of the pinned ranges lies inside the video.'
}

function formatEmptySummary(input: FindClipsInput, analysis: Analysis, within: readonly Span[] | null) {
  const { minLength, maxLength, maxClips } = input.settings
  if (input.words.length === 0)
    return 'No words were found in the video, so there is nothing to choose clips from.'
  if (maxClips < 1) return 'No clip was asked for.'
  if (within?.length === 0)
    return 'None of the pinned ranges lies inside the video, so there was nowhere to search.'
  const longest = analysis.sentences.reduce(
    (max, sentence) => Math.max(max, sentence.end - sentence.start),
    0,
  )
  const where = within === null ? '' : ' inside the pinned ranges'
  return `${analysis.sentences.length} sentences were found, the longest ${longest.toFixed(1)} s, but none of them${where} makes a clip of ${minLength} to ${maxLength} s.`
}
