/** PURE. Reads what a language model answered, however it wrapped it, and applies what is of use to the candidates. */
import { Value } from '@sinclair/typebox/value'
import type { ClipCandidate } from '../../../../server/contract/clip-candidate.ts'
import { TITLE_LENGTH } from '../../find-clips/pure/headline.ts'
import { shorten } from '../../find-clips/pure/text-tools.ts'
import { Judgement } from './question.ts'

const BIO_LENGTH = 220
const REASON_LENGTH = 160
/** Twice what is asked for: a line that long is still drawn, in a smaller size. */
const HEADLINE_LENGTH = 160
const KEYWORD_LENGTH = 40
const MAX_KEYWORDS = 6
/** The model's part of a score; the rest is the scorer's own. */
const MODEL_SHARE = 0.5

/** One judgement for each clip that was judged in a way that can be used; the first one where a clip has several. */
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

/** Objects of the answer: out of the whole as JSON, else every object without another in it that can be read alone. */
function itemsIn(text: string): unknown[] {
  const whole = parsed(/\{[\s\S]*\}/.exec(text)?.[0] ?? '')
  if (isObject(whole) && Array.isArray(whole['clips'])) return whole['clips'] as unknown[]
  // A list without its name, one object alone, or an answer that was cut off.
  return [...text.matchAll(/\{[^{}]*\}/g)].map(([item]) => parsed(item))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null // not JSON: told from an answer of use by what is missing
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The candidates with what the model said of those at `asked` (their places), best first. Times and texts stay. */
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

/** One line without control characters, markup of chat and quotes around it. */
function plain(text: string, length: number): string {
  const line = text
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replaceAll(/[*_`]{2,}/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^["“”'«]+|["“”'»]+$/g, '')
  return shorten(line.trim(), length)
}
