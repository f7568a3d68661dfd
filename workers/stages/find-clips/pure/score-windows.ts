/** PURE. Scores windows of whole sentences by prefix sums, and stores only the best few per start. */
import { SUB_SCORES, type SubScoreName } from '../../../../server/contract/clip-candidate.ts'
import type { PictureFacts } from '../../../../server/contract/source-facts.ts'
import { endAfter, startBefore, type Sentence } from './sentences.ts'
import { judgeSentence, sumOf, type Judged } from './judge-sentence.ts'
import { clampScore, medianOf, prefixSums, roundMs, sumBetween } from './numbers.ts'
import type { Aim } from './aims.ts'
import { addLikeness, type Likeness } from './exemplars.ts'
import type { NearStretch } from './meaning.ts'
import { pictureCuesOf, pictureEmotion, pictureHook, type PictureCues } from './picture-cues.ts'
import { cuesOf, soundEffect, type DetectedSound, type SoundCues } from './sound-cues.ts'
import { measureRequests, type Requests } from './requests.ts'
import type { Steering } from './steering.ts'
import { findStories, storyValue, type Stories, type StoryContext } from './stories.ts'
import { termWeights } from './text-tools.ts'
import { omitUndefined } from '../../../../server/contract/omit-undefined.ts'

export type SubScores = Readonly<Record<SubScoreName, number>>

export interface Window {
  /** Sentence indexes, both inclusive. */
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
  readonly scores: SubScores
  /** How much of what was requested it has, 0 to 1, relative to the best window; 0 if nothing was requested. */
  readonly relevance: number
  /** How much it is a story of its own, see storyValue. */
  readonly story: number
  /** Cosine with what was requested; 0 without a model. */
  readonly near: number
  /** That are played: without what is left out inside. */
  readonly seconds: number
  /** What it is worth by itself: the score that people see, before calibration. */
  readonly own: number
  /** The same with what was requested: windows are chosen by it. */
  readonly raw: number
}

type Place = Pick<Window, 'from' | 'to' | 'start' | 'end'>

export interface Bounds {
  readonly minLength: number
  readonly maxLength: number
  readonly minPause: number
}

/** What windows are scored from, computed once per transcript. */
export interface Analysis {
  readonly sentences: readonly Sentence[]
  readonly judged: readonly Judged[]
  readonly stories: Stories
  /** Whether value and emotion can be judged: by English words, or by a model that knows the language. */
  readonly isJudged: boolean
  /** Prefix sums, one longer than the sentences. */
  readonly sums: Readonly<
    Record<
      'value' | 'emotion' | 'fillers' | 'words' | 'speech' | 'logistics' | 'breaks' | 'link',
      Float64Array
    >
  >
  readonly link: Float64Array
  readonly requests: Requests
  readonly idf: ReadonlyMap<string, number>
  readonly cues?: SoundCues
  readonly seen?: PictureCues
}

const WEIGHTS: SubScores = { hook: 0.26, flow: 0.22, value: 0.18, emotion: 0.14, ending: 0.2 }
/** Added for the window in which the requested words are said most densely, without and with a model of meaning. */
const STEERED_DENSITY = 60
const STEERED_DENSITY_BESIDE = 8
/** With a model: for one that says all requested words. Some of them say little: they are also said where nobody means them. */
const STEERED_COVER = 90
/** With a model: for one of cosine, by which windows differ by some tenths. */
const STEERED_MEANING = 400
/** The raw score of a run of sentences whose story value is 0 and whose sub-scores are all 50, and what moves it. */
const PLAIN_RAW = 50
const STORY_RAW = 10
const SCORES_SHARE = 0.25
/** Per start the best window of every length class is candidates, because a long one may lose its place to another clip. */
const LENGTH_CLASS_SECONDS = 6
/** Seconds of silence inside a clip that separate two moments. */
const BREAK_SECONDS = 1.05

export function analyse(
  sentences: readonly Sentence[],
  requested: Steering,
  otherCues: {
    readonly sound?: DetectedSound
    readonly picture?: PictureFacts
    readonly meaning?: readonly NearStretch[]
    readonly likeness?: readonly Likeness[]
    readonly story?: StoryContext
    readonly aims?: readonly Aim[]
  } = {},
): Analysis {
  const { sound, picture } = otherCues
  const stories = findStories(
    sentences,
    otherCues.story ?? { language: 'und', events: sound?.events ?? [], vectors: null, maxLength: Infinity },
  )
  const { meaning, aims, story, likeness } = otherCues
  const judged = sentences.map((sentence, index) => {
    const like = likeness?.[index]
    return like === undefined
      ? judgeSentence(sentence, story?.language)
      : addLikeness(judgeSentence(sentence, story?.language), like, sentence.text)
  })
  const idf = termWeights(judged.map((sentence) => sentence.stems))
  const requests = measureRequests({
    sentences,
    judged,
    idf,
    requested,
    vectors: story?.vectors ?? null,
    ...omitUndefined({ meaning, aims }),
  })
  const link = Float64Array.from(judged, (_, index) => measureLink(judged, idf, index))
  // What is left out of a clip counts neither for nor against it.
  const sumUp = <Item>(items: readonly Item[], value: (item: Item) => number): Float64Array =>
    prefixSums(items.map((item, index) => (stories.gaps.isLeftOut(index) ? 0 : value(item))))
  const sums = {
    value: sumUp(judged, (item) => Math.max(-15, sumOf(item.value))),
    emotion: sumUp(judged, (item) => sumOf(item.emotion)),
    fillers: sumUp(judged, (item) => item.fillers),
    words: sumUp(judged, (item) => item.wordCount),
    speech: sumUp(sentences, (item) => item.end - item.start),
    logistics: sumUp(judged, (item) => (item.logistics ? 1 : 0)),
    breaks: sumUp(sentences, (item) => Math.max(0, Math.min(2, item.after / BREAK_SECONDS - 0.5) - 0.5)),
    link: sumUp([...link], (value) => value),
  }
  const cues = sound === undefined ? {} : { cues: cuesOf(sentences, sound) }
  const seen = picture === undefined ? {} : { seen: pictureCuesOf(sentences, picture) }
  const isJudged = likeness !== undefined || story === undefined || /^en\b/.test(story.language)
  return { isJudged, sentences, judged, stories, sums, link, requests, idf, ...cues, ...seen }
}

/** The windows inside the bounds between two sentences (inclusive), the best few per start, unsorted. */
export function scoreWindows(
  analysis: Analysis,
  bounds: Bounds,
  range: { readonly from: number; readonly to: number } = { from: 0, to: analysis.sentences.length - 1 },
): { windows: Window[]; considered: number } {
  const { sentences, stories } = analysis
  const candidates: Window[] = []
  let considered = 0
  const hooks = sentences.map((_, index) => hookScore(analysis, index))
  const endings = sentences.map((_, index) => endingScore(analysis, index))
  for (let from = range.from; from <= range.to; from += 1) {
    const first = sentences[from]
    if (first === undefined || first.before < bounds.minPause || stories.gaps.isLeftOut(from)) continue
    const start = startBefore(first)
    const best = new Map<number, Window>()
    for (let to = from; to <= range.to; to += 1) {
      if (stories.gaps.isLeftOut(to)) continue
      const last = sentences[to]
      const leftOut = stories.gaps.secondsBetween(from, to)
      if (last === undefined || last.end - start - leftOut > bounds.maxLength) break
      if (last.after < bounds.minPause) continue
      // The silence after the last word is shortened before the limit is exceeded.
      const end = Math.min(endAfter(last), start + leftOut + bounds.maxLength)
      if (end - start - leftOut < bounds.minLength) continue
      considered += 1
      const window = windowOver(analysis, { from, to, start, end }, hooks[from] ?? 0, endings[to] ?? 0)
      keepBest(best, withReaction(window, analysis, bounds))
    }
    candidates.push(...best.values())
  }
  return { windows: withRelevance(candidates, analysis), considered }
}

/** Extends a window so that laughter after the last line is not cut off, as far as the next word and the limit permit. */
function withReaction(window: Window, { cues, sentences, stories }: Analysis, bounds: Bounds): Window {
  const until = cues?.reactionEnds[window.to]
  const last = sentences[window.to]
  if (until === undefined || until === null || last === undefined) return window
  const leftOut = stories.gaps.secondsBetween(window.from, window.to)
  const latest = Math.min(
    last.end + Math.max(0, last.after - 0.15),
    window.start + leftOut + bounds.maxLength,
  )
  const end = Math.max(window.end, roundMs(Math.min(until, latest)))
  return { ...window, end, seconds: end - window.start - leftOut }
}

function keepBest(best: Map<number, Window>, window: Window): void {
  const lengthClass = Math.floor(window.seconds / LENGTH_CLASS_SECONDS)
  const before = best.get(lengthClass)
  // Requested windows may be plain otherwise; they must stay until relevance is added.
  const rank = (item: Window): number => item.raw + item.relevance * 4 + STEERED_MEANING * item.near
  if (before === undefined || rank(window) > rank(before)) best.set(lengthClass, window)
}

/** Seconds that a clip there plays. */
const playedSeconds = ({ stories }: Analysis, { from, to, start, end }: Place): number =>
  end - start - stories.gaps.secondsBetween(from, to)

/** Scores one window over given sentences with unchanged `start` and `end`. */
export function windowOver(analysis: Analysis, place: Place, hook: number, ending: number): Window {
  const { sums } = analysis
  const between = (sum: Float64Array): number => sumBetween(sum, place.from, place.to)
  const seconds = playedSeconds(analysis, place)
  const sound = analysis.cues === undefined ? SILENT : soundEffect(analysis.cues, place.from, place.to)
  const seen = analysis.seen === undefined ? 0 : pictureEmotion(analysis.seen, place.from, place.to)
  const spoken: SubScores = {
    hook,
    flow: clampScore(flowScore(analysis, place)),
    value: scoreRichness(between(sums.value), seconds, analysis.isJudged),
    emotion: scoreRichness(between(sums.emotion), seconds, analysis.isJudged),
    ending: clampScore(ending + scoreCallback(analysis, place.from, place.to)),
  }
  const scores: SubScores = {
    ...spoken,
    flow: clampScore(spoken.flow + sound.flow),
    emotion: clampScore(spoken.emotion + sound.emotion + seen),
    ending: clampScore(spoken.ending + sound.ending),
  }
  const story = storyValue(analysis.stories, place.from, place.to, seconds)
  const { steering } = analysis.requests
  // What is heard and seen is no part of the story's value yet, so it counts in full.
  const sensed = weighted(scores, steering) - weighted(spoken, steering)
  const raw = rawOf(spoken, story, steering) + sensed
  const relevance = analysis.requests.density(place.from, place.to)
  const near = analysis.requests.aim?.(place.from, place.to) ?? 0
  return { ...place, scores, relevance, story, near, seconds, own: raw, raw }
}

/** The raw score by the words: first whether it is a story, then how it is told. */
export function rawOf(scores: SubScores, story: number, steering: Steering): number {
  return PLAIN_RAW + STORY_RAW * story + SCORES_SHARE * (weighted(scores, steering) - 50)
}

const SILENT = { emotion: 0, ending: 0, flow: 0 } as const

/** The weighted mean of the sub-scores, with higher weights for those that were requested. */
export function weighted(scores: SubScores, steering: Steering): number {
  let total = 0
  let weight = 0
  for (const name of SUB_SCORES) {
    const share = WEIGHTS[name] * (1 + steering.lifts[name])
    total += share * scores[name]
    weight += share
  }
  return total / weight
}

/** Relevance relative to the best window (and rejection relative to the worst), and its part of the raw score. */
function withRelevance(windows: readonly Window[], analysis: Analysis): Window[] {
  const { steering, nearness, aim } = analysis.requests
  if (steering.terms.size === 0 && nearness === undefined)
    return windows.map((window) => ({ ...window, relevance: 0 }))
  const most = windows.reduce((max, window) => Math.max(max, window.relevance), 1e-9)
  const least = windows.reduce((min, window) => Math.min(min, window.relevance), -1e-9)
  const usual = aim === undefined ? 0 : medianOf(windows.map(({ near }) => near))
  return windows.map((window) => {
    const share = window.relevance >= 0 ? window.relevance / most : -(window.relevance / least)
    return steered(analysis, { ...window, near: window.near - usual, relevance: share })
  })
}

/** With the points for what was requested, by its relevance and its nearness. */
function steered({ requests }: Analysis, window: Window): Window {
  const { from, to, relevance, near } = window
  const points =
    requests.aim === undefined
      ? STEERED_DENSITY * relevance
      : STEERED_DENSITY_BESIDE * relevance +
        STEERED_COVER * requests.cover.share(from, to) ** 2 +
        STEERED_MEANING * near
  return { ...window, relevance: Math.max(0, relevance), raw: window.raw + points }
}

/** Score of sentence `index` as the first; a very short one is judged together with the next. */
export function hookScore({ judged, sentences, seen }: Analysis, index: number): number {
  const first = judged[index]
  const next = judged[index + 1]
  if (first === undefined) return 0
  const follow = first.wordCount <= 7 && next !== undefined ? 0.4 * Math.max(0, sumOf(next.hook)) : 0
  const fresh = Math.min(1.5, sentences[index]?.before ?? 0) * 6
  const turn = sentences[index]?.speaker !== sentences[index - 1]?.speaker ? 3 : 0
  // An answer without its question.
  const answer = judged[index - 1]?.question === true && (sentences[index]?.before ?? 0) < 1.2 ? -16 : 0
  const face = seen === undefined ? 0 : pictureHook(seen, index)
  return clampScore(40 + sumOf(first.hook) + follow + fresh + turn + answer + face)
}

/** Score of sentence `index` as the last, considering what follows it. */
export function endingScore({ judged, sentences, link }: Analysis, index: number): number {
  const last = judged[index]
  const next = judged[index + 1]
  const after = sentences[index]?.after ?? 0
  if (last === undefined) return 0
  const settled = Math.min(1.4, after) * 14
  const goesOn =
    next === undefined
      ? 0
      : (next.leaning ? -14 : 0) +
        (next.reaction && after < 0.5 ? -12 : 0) +
        (link[index + 1] ?? 0) * -14 * Math.max(0, 1.2 - after)
  const listGoesOn =
    next !== undefined &&
    /\b(rule|step|number|reason|lesson) (one|two|three|four|\d)|^(second|third|fourth|secondly|thirdly)\b/i.test(
      sentences[index + 1]?.text ?? '',
    )
      ? -16
      : 0
  return clampScore(44 + sumOf(last.ending) + settled + goesOn + listGoesOn)
}

function flowScore(analysis: Analysis, place: Place) {
  const { sums, sentences, judged, link } = analysis
  const between = (sum: Float64Array): number => sumBetween(sum, place.from, place.to)
  const count = place.to - place.from + 1
  const words = Math.max(1, between(sums.words))
  const breaks = (sums.breaks[place.to] ?? 0) - (sums.breaks[place.from] ?? 0)
  const density = between(sums.speech) / Math.max(0.5, playedSeconds(analysis, place))
  const first = sentences[place.from]
  const last = sentences[place.to]
  return clampScore(
    62 +
      14 * Math.min(1, between(sums.link) / count / 0.4) +
      8 * Math.min(1, (first?.before ?? 0) / 1.2) +
      8 * Math.min(1, (last?.after ?? 0) / 1.2) -
      (judged[place.from]?.leaning === true ? 22 : 0) -
      10 * (link[place.from] ?? 0) * Math.max(0, 1 - (first?.before ?? 0)) -
      13 * breaks -
      Math.min(45, (260 * between(sums.fillers)) / words) -
      26 * between(sums.logistics) -
      60 * Math.max(0, 0.62 - density),
  )
}

/** Points gathered in a window as a score: both how much there is and how densely it comes. */
function scoreRichness(points: number, seconds: number, isJudged: boolean): number {
  const much = 1 - Math.exp(-Math.max(0, points) / 45)
  const dense = 1 - Math.exp(-Math.max(0, points) / seconds / 1.1)
  // What cannot be judged counts neither for nor against, so that talks in several languages can be compared.
  const share = isJudged ? { least: 22, most: 1 } : { least: 50, most: 0.5 }
  return clampScore(share.least + share.most * (44 * much + 34 * dense) + Math.min(0, points))
}

/** The last line takes up a word of the first lines. */
function scoreCallback({ judged }: Analysis, from: number, to: number): number {
  if (to - from < 3) return 0
  const closing = judged[to]?.stems ?? []
  const opening = [
    ...(judged[from]?.stems ?? []),
    ...(judged[from + 1]?.stems ?? []),
    ...(judged[from + 2]?.stems ?? []),
  ]
  return closing.some((term) => opening.includes(term)) ? 8 : 0
}

export function lengthPenalty(seconds: number, { minLength, maxLength }: Omit<Bounds, 'minPause'>): number {
  const wanted = Math.min(Math.max(32, minLength * 1.15), maxLength * 0.8)
  const off = Math.log(seconds / wanted)
  return off < 0 ? 5 * -off : 3.5 * off
}

/** Likeness of a sentence to the four before it, 0 to 1. */
function measureLink(judged: readonly Judged[], idf: ReadonlyMap<string, number>, index: number): number {
  const here = judged[index]?.stems ?? []
  if (here.length === 0) return 0.25
  const before = new Set<string>()
  for (let back = Math.max(0, index - 4); back < index; back += 1)
    for (const term of judged[back]?.stems ?? []) before.add(term)
  let shared = 0
  let all = 0
  for (const term of here) {
    const weight = idf.get(term) ?? 1
    all += weight
    if (before.has(term)) shared += weight
  }
  return Math.min(1, (shared / all) * 1.5)
}

export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * The windows with the sentences before and after that belong to the same story, as far as the limits, `room` and the other
 * windows permit: a set-up is worth more than a sharp first line.
 */
export function widenToStories(
  analysis: Analysis,
  windows: readonly Window[],
  bounds: Bounds,
  room: (window: Window) => Span,
): Window[] {
  const done: Window[] = []
  for (const [place, window] of windows.entries()) {
    const others = [...done, ...windows.slice(place + 1)]
    const { start: earliest, end: latest } = room(window)
    const fits = (place: Place): boolean => {
      const { start, end } = place
      return (
        playedSeconds(analysis, place) <= bounds.maxLength &&
        start >= earliest &&
        end <= latest &&
        others.every((other) => end <= other.start || start >= other.end)
      )
    }
    const wide = widest(analysis, window, bounds, fits)
    done.push(wide === null ? window : rescored(analysis, window, wide, bounds))
  }
  return done
}

/** Sentences by which a window may grow at each end. */
const REACH = 10

/** The place around a window that is most worth as a story; null where that is the window itself. */
function widest(
  analysis: Analysis,
  window: Window,
  bounds: Bounds,
  fits: (place: Place) => boolean,
): Place | null {
  const { sentences, stories } = analysis
  let best: Place | null = null
  let most = storyValue(stories, window.from, window.to, window.seconds)
  for (let from = window.from; from >= Math.max(0, window.from - REACH); from -= 1) {
    const first = sentences[from]
    if (first === undefined || (from < window.from && first.before < bounds.minPause)) continue
    if (stories.gaps.isLeftOut(from)) continue
    const start = from === window.from ? window.start : startBefore(first)
    for (let to = window.to; to <= window.to + REACH; to += 1) {
      const last = sentences[to]
      if (last === undefined || (to > window.to && last.after < bounds.minPause)) continue
      if (stories.gaps.isLeftOut(to)) continue
      const end = to === window.to ? window.end : endAfter(last)
      const place = { from, to, start, end }
      if (!fits(place)) break
      const value = storyValue(stories, from, to, playedSeconds(analysis, place))
      if (value <= most) continue
      most = value
      best = place
    }
  }
  return best
}

/** The same choice at another place, with the relevance that it was chosen for. */
function rescored(analysis: Analysis, { relevance, near }: Window, place: Place, bounds: Bounds): Window {
  const over = windowOver(analysis, place, hookScore(analysis, place.from), endingScore(analysis, place.to))
  const window = withReaction(over, analysis, bounds)
  return steered(analysis, { ...window, relevance, near })
}

/** The best `count` windows that overlap neither each other nor `taken`; best first, ties by time. */
export function chooseBest(windows: readonly Window[], count: number, taken: readonly Span[]): Window[] {
  const order = [...windows].sort((a, b) => b.raw - a.raw || a.start - b.start || a.end - b.end)
  const chosen: Window[] = []
  for (const window of order) {
    if (chosen.length >= count) break
    const free = [...taken, ...chosen].every((span) => window.end <= span.start || window.start >= span.end)
    if (free) chosen.push(window)
  }
  return chosen
}
