/** PURE. Parses a language model's answer, however it is wrapped, and applies what is usable and true to the candidates. */
import { Value } from '@sinclair/typebox/value'
import type { ClipCandidate, TitleProposal } from '../../../../server/contract/clip-candidate.ts'
import { omitUndefined } from '../../../../server/contract/omit-undefined.ts'
import { shorten } from '../../find-clips/pure/text-tools.ts'
import { faultOf, type Spoken } from './check-text.ts'
import { Judgement, languageOfClip, type Rejected } from './question.ts'

const REASON_LENGTH = 160
/** Twice the requested length, which is still drawn, in a smaller size. */
const HEADLINE_LENGTH = 160
const KEYWORD_LENGTH = 40
const MAX_KEYWORDS = 6
/** Proposals of the model that are read, and that are kept with those of the transcript. */
const MAX_READ = 8
const MAX_TITLES = 6
/** A text that is longer than any limit is cut here, so that a fault can still name it. */
const MOST_READ = 400
/** Weight of the model's score; the rest is our own score. */
const MODEL_SHARE = 0.5

/** A text of the model that is not used. */
export interface Dropped {
  /** Number of the clip, from 1. */
  readonly clip: number
  readonly text: string
  /** A clause that follows the text: `names "Kurt", which is not said`. */
  readonly why: string
}

/** One judgement per usably judged clip; the first one if a clip has several. */
export function parseAnswer(text: string, clips: number): Map<number, Judgement> {
  const judgements = new Map<number, Judgement>()
  for (const item of itemsIn(text)) {
    // Small models write numbers as text.
    const converted: unknown = Value.Convert(Judgement, Value.Clone(item))
    if (!Value.Check(Judgement, converted) || converted.id > clips || judgements.has(converted.id)) continue
    if (titlesOf(converted).length > 0) judgements.set(converted.id, converted)
  }
  return judgements
}

/** The answer to the second question: titles by the number of their clip. */
export function parseTitles(text: string): Map<number, readonly string[]> {
  const titles = new Map<number, readonly string[]>()
  for (const item of itemsIn(text)) {
    if (!isObject(item)) continue
    const id = Number(item['id'])
    const proposed = Array.isArray(item['titles']) ? item['titles'] : [item['title']]
    const lines = proposed.filter((one) => typeof one === 'string').map(plain)
    if (Number.isInteger(id) && !titles.has(id))
      titles.set(id, lines.filter((line) => line !== '').slice(0, MAX_READ))
  }
  return titles
}

const titlesOf = ({ titles = [], title = '' }: Judgement): string[] =>
  [...new Set([...titles, title].map(plain))].filter((line) => line !== '').slice(0, MAX_READ)

/** Objects of the answer: from the whole as JSON, otherwise every innermost object that can be parsed by itself. */
function itemsIn(answer: string): unknown[] {
  const text = answer.replace(/<think>[\s\S]*?(<\/think>|$)/g, '')
  const whole = parsed(/\{[\s\S]*\}/.exec(text)?.[0] ?? '')
  if (isObject(whole) && Array.isArray(whole['clips'])) return whole['clips'] as unknown[]
  // A list without its name, a single object, or a truncated answer.
  return [...text.matchAll(/\{[^{}]*\}/g)].map(([item]) => parsed(item))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null // not JSON: it is dropped because its fields are missing
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What a judgement says of a clip once each of its texts was held against the transcript. */
export interface CheckedJudgement {
  readonly judgement: Judgement
  readonly titles: readonly string[]
  readonly hook: string | null
  readonly bio: string | null
  readonly headline: string | null
}

/** Keeps what is true to each clip. `order`: how headlines were to be written; `dropped`: the rest, with the reasons. */
export function checkJudgements({
  clips,
  judgements,
  order,
}: {
  readonly clips: readonly ClipCandidate[]
  readonly judgements: ReadonlyMap<number, Judgement>
  readonly order: string
}): { checked: Map<number, CheckedJudgement>; dropped: Dropped[] } {
  const dropped: Dropped[] = []
  const checked = new Map<number, CheckedJudgement>()
  for (const [id, judgement] of judgements) {
    const clip = clips[id - 1]
    if (clip === undefined) continue
    const spoken = spokenIn(clip)
    const keep = (kind: 'hook' | 'bio' | 'headline', text: string): string | null => {
      // What the order names may be in the headline.
      const known = kind === 'headline' ? { ...spoken, text: `${spoken.text} ${order}` } : spoken
      const why = text === '' ? null : faultOf(kind, text, known)
      if (why !== null) dropped.push({ clip: id, text, why })
      return text === '' || why !== null ? null : text
    }
    const titles = checkTitles(clip, id, titlesOf(judgement))
    dropped.push(...titles.dropped)
    checked.set(id, {
      judgement,
      titles: titles.kept,
      hook: keep('hook', plain(judgement.hook ?? '')),
      bio: keep('bio', plain(judgement.bio)),
      headline: keep('headline', shorten(plain(judgement.headline ?? ''), HEADLINE_LENGTH)),
    })
  }
  return { checked, dropped }
}

/** Adds the titles of the second answer to the clips that were asked about again. */
export function addTitles(
  checked: ReadonlyMap<number, CheckedJudgement>,
  rejected: readonly Rejected[],
  proposed: ReadonlyMap<number, readonly string[]>,
): { checked: Map<number, CheckedJudgement>; dropped: Dropped[] } {
  const dropped: Dropped[] = []
  const all = new Map(checked)
  for (const { id, clip } of rejected) {
    const one = all.get(id)
    const titles = checkTitles(clip, id, proposed.get(id) ?? [])
    dropped.push(...titles.dropped)
    if (one !== undefined) all.set(id, { ...one, titles: titles.kept })
  }
  return { checked: all, dropped }
}

/** The clips for which no title is left, with what was wrong. */
export function rejectedClips(
  clips: readonly ClipCandidate[],
  checked: ReadonlyMap<number, CheckedJudgement>,
  dropped: readonly Dropped[],
): Rejected[] {
  return [...checked].flatMap(([id, { titles }]) => {
    const clip = clips[id - 1]
    if (clip === undefined || titles.length > 0) return []
    const why = dropped
      .filter((one) => one.clip === id)
      .map(({ text, why }) => `"${shorten(text, 80)}": ${why}`)
    return [{ id, clip, why }]
  })
}

function checkTitles(
  clip: ClipCandidate,
  id: number,
  proposed: readonly string[],
): { kept: string[]; dropped: Dropped[] } {
  const faults = proposed.map((text) => ({ clip: id, text, why: faultOf('title', text, spokenIn(clip)) }))
  return {
    kept: faults.flatMap(({ text, why }) => (why === null ? [text] : [])),
    dropped: faults.flatMap(({ why, ...one }) => (why === null ? [] : [{ ...one, why }])),
  }
}

const spokenIn = (clip: ClipCandidate): Spoken => ({
  text: clip.text,
  people: clip.people,
  language: languageOfClip(clip),
})

/** Applies judgements to the candidates at the indexes `places`; best first. Times and texts do not change. */
export function applyAnswer(
  candidates: readonly ClipCandidate[],
  places: readonly number[],
  checked: ReadonlyMap<number, CheckedJudgement>,
  model: string,
): ClipCandidate[] {
  return candidates
    .map((candidate, place) => {
      const one = checked.get(places.indexOf(place) + 1)
      return one === undefined ? candidate : withJudgement(candidate, one, model)
    })
    .sort((a, b) => b.score - a.score || a.start - b.start)
}

function withJudgement(
  candidate: ClipCandidate,
  { judgement, titles, hook, bio, headline }: CheckedJudgement,
  model: string,
): ClipCandidate {
  const reason = shorten(plain(judgement.reason), REASON_LENGTH)
  const keywords = [
    ...new Set(
      judgement.keywords.map((word) => shorten(plain(word.replace(/^#/, '')), KEYWORD_LENGTH).toLowerCase()),
    ),
  ].filter((word) => word !== '')
  const score = candidate.score * (1 - MODEL_SHARE) + judgement.score * MODEL_SHARE
  return {
    ...candidate,
    ...withTitles(candidate, titles),
    ...omitUndefined({ bio: bio ?? undefined, hook: hook ?? undefined, headline: headline ?? undefined }),
    ...(keywords.length === 0 ? {} : { keywords: keywords.slice(0, MAX_KEYWORDS) }),
    score: Math.round(score * 10) / 10,
    ...(candidate.features === undefined
      ? {}
      : { features: { ...candidate.features, judge: Math.round((score - candidate.score) * 10) / 10 } }),
    whyPicked: reason === '' ? candidate.whyPicked : `${candidate.whyPicked} ${model}: ${reason}`,
  }
}

/** The model's titles before those of the transcript, which stay to choose from. */
function withTitles(candidate: ClipCandidate, titles: readonly string[]): Partial<ClipCandidate> {
  const [title] = titles
  if (title === undefined) return {}
  const own = candidate.titles ?? [{ text: candidate.title, from: 'line' as const }]
  const written = titles.map((text): TitleProposal => ({ text, from: 'model' }))
  // The best line and the topic of the transcript stay, however many the model wrote.
  const kept = [
    ...written.slice(0, MAX_TITLES - Math.min(2, own.length)),
    ...own.filter(({ text }) => !titles.includes(text)),
  ]
  return { title, titles: kept.slice(0, MAX_TITLES) }
}

/** One line without control characters, chat markup and surrounding quotes. */
function plain(text: string): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replaceAll(/[*_`]{2,}/g, '')
    .replace(/\s+/g, ' ')
    .trim()
  // Quotes around the whole are the model's own; those of a part of it are not.
  const whole = /^["“”'«„]([^"“”«»„]*)["“”'»]$/u.exec(line)?.[1] ?? line
  return whole.trim().slice(0, MOST_READ)
}
