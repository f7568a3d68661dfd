/** PURE. Describes a chosen window as a candidate: sub-scores with their reasons, why it was picked, its texts. */
import {
  SUB_SCORES,
  type ClipCandidate,
  type ScoreReason,
  type SubScoreName,
  calibrate,
  type ClipFeatures,
} from '../../../../server/contract/clip-candidate.ts'
import { omitUndefined } from '../../../../server/contract/omit-undefined.ts'
import { joinWords } from '../../../../server/contract/join-words.ts'
import { bioOf } from './bio.ts'
import { proposeTitles } from './headline.ts'
import { topicWords } from './title-terms.ts'
import { isEnglish } from './languages.ts'
import type { Judged, Point } from './judge-sentence.ts'
import { peopleNamedIn } from './names.ts'
import { seenPoints, pictureFeatures, type PictureCues } from './picture-cues.ts'
import type { Analysis, Window } from './score-windows.ts'
import { pointsIn, soundFeatures, type SoundCues } from './sound-cues.ts'
import { describeLongStory, LIKELY } from './long-stories.ts'
import { completenessOf } from './stories.ts'
import { shorten, keywordsOf } from './text-tools.ts'
import { roundMs } from './numbers.ts'

export interface DescriptionFacts {
  readonly analysis: Analysis
  readonly people: readonly string[]
  readonly speakers: readonly string[]
  readonly language: string
  /** What the reason for completeness says where a language model marked the story; see shorten-stories. */
  readonly marked?: (first: string, last: string) => string
}

const MOST_KEYWORDS = 6

export function describeWindow(
  window: Window,
  origin: ClipCandidate['origin'],
  facts: DescriptionFacts,
): ClipCandidate {
  const { analysis } = facts
  const sentences = playedOf(analysis.sentences, window, analysis)
  const judged = playedOf(analysis.judged, window, analysis)
  const leftOut = analysis.stories.gaps.between(window.from, window.to)
  const text = joinWords(sentences.map((sentence) => sentence.text))
  const first = sentences[0]
  const last = sentences.at(-1)
  const speaking = facts.speakers.filter((_, index) =>
    sentences.some((sentence) => sentence.speaker === index),
  )
  const people = peopleNamedIn(text, facts.people, speaking)
  const { ends, goesOn } = analysis.stories.odds
  const textFacts = {
    sentences,
    judged,
    idf: analysis.idf,
    inside: sentences.map((_, at) => (ends[window.from + at] ?? 0) + (goesOn[window.from + at] ?? 0)),
    language: facts.language,
  }
  const titles = proposeTitles(textFacts)
  const scoreReasons = SUB_SCORES.map((name) => reasonFor(name, window, analysis))
  return {
    start: window.start,
    end: window.end,
    ...(leftOut.length === 0 ? {} : { leftOut }),
    origin,
    title: titles[0]?.text ?? '',
    titles,
    bio: bioOf(textFacts),
    keywords: isEnglish(facts.language)
      ? keywordsOf(sentences, { idf: analysis.idf, names: facts.people }, MOST_KEYWORDS)
      : topicWords(textFacts, MOST_KEYWORDS),
    people,
    score: calibrate(window.own),
    ...omitUndefined({ relevance: relevanceOf(window, analysis) }),
    scoreReasons: [completenessReason(window, facts), ...scoreReasons],
    whyPicked: whyPicked(scoreReasons, window, analysis),
    startBoundary: { sentenceEdge: first?.edgeStart ?? false, pauseSeconds: roundMs(first?.before ?? 0) },
    endBoundary: { sentenceEdge: last?.edgeEnd ?? false, pauseSeconds: roundMs(last?.after ?? 0) },
    text,
    features: featuresOf(window, analysis),
  }
}

/** Those of a window's sentences (or of what is known of each) that are not left out. */
const playedOf = <Item>(items: readonly Item[], { from, to }: Window, { stories }: Analysis): Item[] =>
  items.slice(from, to + 1).filter((_, place) => !stories.gaps.isLeftOut(from + place))

/** Cosines (see createAimMeter) at which a window is not relevant at all, and wholly; measured with minilm-english on written talks. */
const IRRELEVANT_COSINE = 0.22
const WHOLLY_RELEVANT = 0.42
/** A clip that is less relevant than that does not have what was requested; by words alone one of four may be said anywhere. */
const LEAST_RELEVANCE = 10
const LEAST_BY_WORDS = 33

/**
 * 0 to 100: how much of what was requested the clip is about, by meaning where there is a model, and by the share of the
 * requested words that it says. Undefined where nothing was requested.
 */
function relevanceOf({ from, to, relevance }: Window, { requests }: Analysis): number | undefined {
  const { steering, cover, fit } = requests
  const share = cover.share(from, to)
  if (fit === undefined)
    return [...steering.terms.values()].some((weight) => weight > 0) ? Math.round(100 * share) : undefined
  const near = (fit(from, to) - IRRELEVANT_COSINE) / (WHOLLY_RELEVANT - IRRELEVANT_COSINE)
  return Math.round(100 * Math.min(1, Math.max(0, near, share ** 2 * relevance)))
}

/** Whether a window has anything of what was requested. */
export const isRelevant = (window: Window, analysis: Analysis): boolean =>
  (relevanceOf(window, analysis) ?? 0) >=
  (analysis.requests.fit === undefined ? LEAST_BY_WORDS : LEAST_RELEVANCE)

type SubReason = ScoreReason & { readonly name: SubScoreName }

function reasonFor(name: SubScoreName, window: Window, analysis: Analysis): SubReason {
  const score = Math.round(window.scores[name])
  const { cues, seen } = analysis
  const soundPoints = cues === undefined ? [] : pointsIn(cues, window.from, window.to, name)
  const picturePoints = seen === undefined ? [] : seenPoints(seen, window.from, window.to, name)
  const points = [...pointsFor(name, window, analysis), ...soundPoints, ...picturePoints]
  const pick = (wanted: readonly Point[]): Point | undefined =>
    wanted.reduce<Point | undefined>(
      (best, point) => (best === undefined || Math.abs(point.points) > Math.abs(best.points) ? point : best),
      undefined,
    )
  const good = pick(points.filter((point) => point.points > 0))
  const bad = pick(points.filter((point) => point.points < 0))
  const chosen = score >= 50 ? (good ?? bad) : (bad ?? good)
  const plain = !analysis.isJudged && (name === 'value' || name === 'emotion') ? UNJUDGED : PLAIN[name]
  return { name, score, reason: formatSentence(chosen?.reason ?? plain) }
}

const UNJUDGED =
  'Not judged: its words are known in English only, and no model that knows this language is installed'

const PLAIN: Readonly<Record<SubScoreName, string>> = {
  hook: 'Opens plainly, without a question, a figure or a promise',
  flow: 'Keeps to one thread without long breaks',
  value: 'Names no figure, rule or reason',
  emotion: 'Stays matter-of-fact',
  ending: 'Ends on a whole sentence',
}

function pointsFor(name: SubScoreName, window: Window, analysis: Analysis): readonly Point[] {
  const { judged, sentences } = analysis
  const inside = playedOf(judged, window, analysis)
  if (name === 'hook') {
    const first = judged[window.from]
    const next =
      (first?.wordCount ?? 9) <= 7 && window.to > window.from ? (judged[window.from + 1]?.hook ?? []) : []
    return [
      ...(first?.hook ?? []),
      ...next.filter((point) => point.points > 0).map((point) => ({ ...point, points: point.points * 0.4 })),
    ]
  }
  if (name === 'ending') {
    const after = sentences[window.to]?.after ?? 0
    const pause =
      after > 0.8 ? [{ points: 8, reason: `Ends where the speakers pause for ${after.toFixed(1)} s` }] : []
    const next = judged[window.to + 1]
    const goesOn =
      next?.leaning === true
        ? [
            {
              points: -12,
              reason: `The thought goes on after it: "${shorten(sentences[window.to + 1]?.text ?? '', 60)}"`,
            },
          ]
        : []
    return [...(judged[window.to]?.ending ?? []), ...pause, ...goesOn]
  }
  if (name === 'flow') return flowPoints(window, analysis, inside)
  return inside.flatMap((item) => (name === 'value' ? item.value : item.emotion))
}

/** From here on something is needed, or left open; below the other, nothing is. */
const PLAINLY = 0.5
const HARDLY = 0.2

function completenessReason({ from, to, start, end }: Window, facts: DescriptionFacts): ScoreReason {
  const { stories, sentences } = facts.analysis
  const needs = stories.needsBefore[from] ?? 0
  const open = stories.leavesOpen[to] ?? 0
  const first = `"${shorten(sentences[from]?.text ?? '', 60)}"`
  const last = `"${shorten(sentences[to]?.text ?? '', 60)}"`
  const isStory = stories.odds.holds(from, to) >= PLAINLY
  const reasons: readonly (readonly [boolean, string])[] = [
    [needs >= PLAINLY, `Leans on what was said before it: ${first}`],
    [open >= PLAINLY, `May leave something open: ${last}`],
    [isStory && needs < HARDLY && open < HARDLY, `Is a whole thought, from ${first} to ${last}`],
    [needs < HARDLY && open >= HARDLY, `Begins where a thought begins: ${first}`],
    [open < HARDLY && needs >= HARDLY, `Ends where a thought ends: ${last}`],
    [true, 'Begins and ends with whole sentences'],
  ]
  const reason = formatSentence(reasons.find(([holds]) => holds)?.[1] ?? '')
  const score = Math.round(completenessOf(stories, from, to))
  if (facts.marked !== undefined) return { name: 'completeness', score, reason: facts.marked(first, last) }
  const leftOut = Math.round(stories.gaps.secondsBetween(from, to))
  const shortened = leftOut === 0 ? '' : ` ${leftOut} s in the middle that do not belong to it are left out.`
  const whole = isStory && needs < HARDLY && open < HARDLY
  const longer = whole ? null : stories.longer(from, to)
  const story =
    longer === null || longer.probability < LIKELY
      ? null
      : describeLongStory(
          { start: sentences[longer.from]?.start ?? start, end: sentences[longer.to]?.end ?? end },
          { start, end },
          stories.maxLength,
        )
  return {
    name: 'completeness',
    score,
    reason: `${reason}${shortened}${story === null ? '' : ` ${story}`}`,
  }
}

function flowPoints(window: Window, analysis: Analysis, inside: readonly Judged[]): Point[] {
  const sentences = playedOf(analysis.sentences, window, analysis)
  const points: Point[] = []
  const fillers = inside.reduce((sum, item) => sum + item.fillers, 0)
  const words = inside.reduce((sum, item) => sum + item.wordCount, 0)
  const housekeeping = sentences.find((_, index) => inside[index]?.logistics === true)
  const longest = Math.max(0, ...sentences.slice(0, -1).map((sentence) => sentence.after))
  if (housekeeping !== undefined)
    points.push({ points: -26, reason: `Holds housekeeping: "${shorten(housekeeping.text, 60)}"` })
  if (inside[0]?.leaning === true) points.push({ points: -22, reason: 'Leans on what was said before it' })
  if (fillers / Math.max(1, words) > 0.02)
    points.push({ points: -10, reason: `Holds ${fillers} fillers or repeats in ${words} words` })
  if (longest > 1.4) points.push({ points: -12, reason: `Breaks off for ${longest.toFixed(1)} s inside` })
  points.push({
    points: 9,
    reason:
      fillers === 0
        ? `Keeps to one thread: ${inside.length} whole sentences without a filler`
        : `Keeps to one thread over ${inside.length} whole sentences`,
  })
  return points
}

/** The two strongest reasons in one sentence, beginning with what was requested. */
function whyPicked(reasons: readonly SubReason[], window: Window, analysis: Analysis): string {
  const { from, to } = window
  const requested = analysis.requests.cover
    .words(from, to)
    .slice(0, 3)
    .map((word) => `"${word}"`)
  const best = [...reasons].sort((a, b) => b.score - a.score)
  const strong = best
    .filter(
      (reason) =>
        reason.score >= 55 && ![PLAIN[reason.name], UNJUDGED].map(formatSentence).includes(reason.reason),
    )
    .slice(0, 2)
  const named = strong.length > 0 ? strong : best.slice(0, 1)
  const parts = named.map((reason) => reason.reason.replace(/\.$/, ''))
  const preference = requested.length > 0 ? null : nearestPreference(window, analysis)
  if (requested.length > 0 && window.relevance > 0)
    parts.unshift(`Speaks of ${requested.join(', ')} as asked`)
  if (preference !== null && window.relevance > 0)
    parts.unshift(`Comes close to "${shorten(preference, 60)}" as asked, in other words`)
  return formatSentence(
    parts
      .map((part, index) => (index === 0 ? part : part.charAt(0).toLowerCase() + part.slice(1)))
      .join('; '),
  )
}

/** The preference to which the window's meaning comes nearest. */
function nearestPreference(window: Window, { requests }: Analysis): string | null {
  const inside = (requests.nearness ?? []).slice(window.from, window.to + 1)
  return inside.reduce<(typeof inside)[number]>(
    (best, one) => (one.preference !== null && one.near > best.near ? one : best),
    { near: 0, preference: null },
  ).preference
}

function formatSentence(reason: string): string {
  return /[.!?]$/.test(reason) ? reason : `${reason}.`
}

/** `cues` and `seen` are absent where sound or picture were not analysed. */
export function featuresOf(
  window: Window,
  { cues, seen }: { readonly cues?: SoundCues; readonly seen?: PictureCues },
): ClipFeatures {
  const { scores, story, seconds, relevance, from, to } = window
  const features = {
    story,
    ...scores,
    length: Math.log(Math.max(0.1, seconds)),
    relevance,
    ...(cues === undefined ? {} : soundFeatures(cues, from, to)),
    ...(seen === undefined ? {} : pictureFeatures(seen, from, to)),
  }
  return Object.fromEntries(
    Object.entries(features).map(([name, value]) => [name, Math.round(value * 1e4) / 1e4]),
  )
}
