/** PURE. Parses a language model's answer, however it is wrapped, and applies what is usable to the candidates. */
import { Value } from '@sinclair/typebox/value'
import type { ClipCandidate } from '../../../../server/contract/clip-candidate.ts'
import { TITLE_LENGTH } from '../../find-clips/pure/headline.ts'
import { shorten } from '../../find-clips/pure/text-tools.ts'
import { Judgement } from './question.ts'

const BIO_LENGTH = 220
const REASON_LENGTH = 160
/** Twice the requested length, which is still drawn, in a smaller size. */
const HEADLINE_LENGTH = 160
const KEYWORD_LENGTH = 40
const MAX_KEYWORDS = 6
/** Weight of the model's score; the rest is our own score. */
const MODEL_SHARE = 0.5

/** One judgement per usably judged clip; the first one if a clip has several. */
export function parseAnswer(text: string, clips: number): Map<number, Judgement> {
  const judgements = new Map<number, Judgement>()
  for (const item of itemsIn(text.replace(/<think>[\s\S]*?(<\/think>|$)/g, ''))) {
    // Small models write numbers as text.
    const converted: unknown = Value.Convert(Judgement, Value.Clone(item))
    if (!Value.Check(Judgement, converted) || converted.id > clips || judgements.has(converted.id)) continue
    if (plain(converted.title, TITLE_LENGTH) !== '') judgements.set(converted.id, converted)
  }
  return judgements
}

/** Objects of the answer: from the whole as JSON, otherwise every innermost object that can be parsed by itself. */
function itemsIn(text: string): unknown[] {
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

/** Applies judgements to the candidates at the indexes `asked`; best first. Times and texts do not change. */
export function applyAnswer(
  candidates: readonly ClipCandidate[],
  asked: readonly number[],
  judgements: ReadonlyMap<number, Judgement>,
  model: string,
): ClipCandidate[] {
  return candidates
    .map((candidate, place) => {
      const judgement = judgements.get(asked.indexOf(place) + 1)
      return judgement === undefined ? candidate : withJudgement(candidate, judgement, model)
    })
    .sort((a, b) => b.score - a.score || a.start - b.start)
}

function withJudgement(candidate: ClipCandidate, judgement: Judgement, model: string): ClipCandidate {
  const bio = plain(judgement.bio, BIO_LENGTH)
  const reason = plain(judgement.reason, REASON_LENGTH)
  const headline = plain(judgement.headline ?? '', HEADLINE_LENGTH)
  const keywords = [
    ...new Set(judgement.keywords.map((word) => plain(word.replace(/^#/, ''), KEYWORD_LENGTH).toLowerCase())),
  ].filter((word) => word !== '')
  const score = candidate.score * (1 - MODEL_SHARE) + judgement.score * MODEL_SHARE
  return {
    ...candidate,
    title: plain(judgement.title, TITLE_LENGTH),
    ...(headline === '' ? {} : { headline }),
    ...(bio === '' ? {} : { bio }),
    ...(keywords.length === 0 ? {} : { keywords: keywords.slice(0, MAX_KEYWORDS) }),
    score: Math.round(score * 10) / 10,
    ...(candidate.features === undefined
      ? {}
      : { features: { ...candidate.features, judge: Math.round((score - candidate.score) * 10) / 10 } }),
    whyPicked: reason === '' ? candidate.whyPicked : `${candidate.whyPicked} ${model}: ${reason}`,
  }
}

/** One line without control characters, chat markup and surrounding quotes. */
function plain(text: string, length: number): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replaceAll(/[*_`]{2,}/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^["“”'«]+|["“”'»]+$/g, '')
  return shorten(line.trim(), length)
}
