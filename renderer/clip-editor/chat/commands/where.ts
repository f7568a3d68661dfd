/** Where in the clip: how it is said, and which stretch of the source that is. PURE. */
import { stretchOf } from '../../../../server/nodes/editing/cut.ts'
import type { ClipEdit } from '../../../../server/nodes/editing/clip-edit.ts'
import { findPhrase, nearestPhrase, type WordSpan } from '../../../../server/nodes/editing/phrases.ts'
import type { CommandContext } from '../../../../server/nodes/commands/context.ts'
import { given, rule, type Read, type Rule } from './declare.ts'

/** As the commands' arguments have it. */
export interface Where {
  readonly phrase?: string
  readonly from?: number
  readonly to?: number
}

const TO = '(?:to|until|till|through|and|-|–)'
const SUFFIXES: readonly (readonly [source: string, read: (found: Read) => Where | null])[] = [
  ['(?: here| now| right here| at this point| at the playhead)?', () => ({})],
  [
    ` (?:(?:from|between|at) )?{from:TIME} ?${TO} ?{to:TIME}`,
    (found) => span(found.time('from'), found.time('to')),
  ],
  [
    ' (?:at|from|after|starting at) {at:TIME},? for {for:LENGTH}',
    (found) => lasting(found.time('at'), found.time('for')),
  ],
  [
    ' for {for:LENGTH} (?:at|from|starting at) {at:TIME}',
    (found) => lasting(found.time('at'), found.time('for')),
  ],
  [
    ' (?:(?:in|for|during|over|on|of|at) )?(?:the )?(?:first|opening) {for:LENGTH}',
    (found) => lasting(0, found.time('for')),
  ],
  [
    ' (?:(?:in|for|during|over|on|of|at) )?(?:the )?(?:last|final|closing) {for:LENGTH}',
    (found) => {
      const length = found.time('for')
      return length === null ? null : span(Math.max(0, found.length - length), found.length)
    },
  ],
  [' (?:at|from|after|starting at) {at:TIME}', (found) => given<Where>({ from: found.time('at') })],
  [' {says} {phrase:PHRASE}', (found) => phraseOf(found)],
]

const span = (from: number | null, to: number | null): Where | null =>
  from === null || to === null || to <= from ? null : { from, to }
const lasting = (from: number | null, length: number | null): Where | null =>
  from === null || length === null ? null : span(from, from + length)
const phraseOf = (found: Read): Where | null => {
  const phrase = found.text('phrase')
  return phrase === null ? null : { phrase }
}

/** One rule for each way to say where, after what `source` says. Not said: `read` gets an empty place. */
export const rulesWithWhere = <Arguments>(
  source: string,
  read: (where: Where, found: Read) => Arguments | null,
): Rule<Arguments>[] =>
  SUFFIXES.map(([suffix, place]) =>
    rule(source + suffix, (found) => {
      const where = place(found)
      return where === null ? null : read(where, found)
    }),
  )

/** Source seconds. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

export type Found<T> = T | { readonly why: string }
export const isMissing = (found: object): found is { readonly why: string } => 'why' in found

/** Words as they are quoted in answers. */
export function quoted(context: CommandContext, { first, last }: WordSpan): string {
  const text = context.words
    .slice(first, last + 1)
    .map(({ word }) => word)
    .join(' ')
  return `“${text.length > 80 ? `${text.slice(0, 77)}…` : text}”`
}

const ALIKE = 0.72

/** Everywhere that the words are said: to the letter, else where something very like them is. */
export function spansOf(context: CommandContext, phrase: string): Found<{ readonly spans: WordSpan[] }> {
  const spans = findPhrase(context.words, phrase)
  if (spans.length > 0) return { spans }
  const nearest = nearestPhrase(context.words, phrase)
  if (nearest !== null && nearest.likeness >= ALIKE) return { spans: [nearest.span] }
  const hint = nearest === null ? '' : ` Did you mean ${quoted(context, nearest.span)}?`
  return { why: `“${phrase}” is not said in this clip.${hint}` }
}

/** Whether every word of it is heard in the clip as this edit has it. */
export const isHeard = (edit: ClipEdit, context: CommandContext, { first, last }: WordSpan): boolean =>
  Array.from({ length: last - first + 1 }, (_, offset) => first + offset).every((at) =>
    context.heard(edit.cut, at),
  )

/** The stretch of the source that is meant; null where none was named. */
export function stretchAt(edit: ClipEdit, context: CommandContext, where: Where): Found<Stretch> | null {
  const { phrase, from, to } = where
  if (phrase !== undefined) {
    const found = spansOf(context, phrase)
    if (isMissing(found)) return found
    const chosen = found.spans.find((one) => isHeard(edit, context, one)) ?? found.spans[0]
    const first = context.words[chosen?.first ?? 0]
    const last = context.words[chosen?.last ?? 0]
    return { start: first?.start ?? 0, end: last?.end ?? 0 }
  }
  if (from === undefined && to === undefined) return null
  const start = from ?? 0
  const end = Math.min(to ?? context.length, context.length)
  if (end <= start)
    return { why: `The clip is ${clock(context.length)} long; that stretch lies outside of it.` }
  return { start: context.sourceAt(start), end: context.sourceAt(end) }
}

/**
 * The stretch that something new is put on: what was named; where only a beginning was, or nothing at all, `usual` seconds
 * from there or from the playhead. Never shorter than `least`: a word may be over before anybody has seen it.
 */
export function stretchFor(
  edit: ClipEdit,
  context: CommandContext,
  where: Where,
  { usual, least }: { readonly usual: number; readonly least: number },
): Found<Stretch> {
  const { from, to } = where
  const named = stretchAt(
    edit,
    context,
    from !== undefined && to === undefined ? { from, to: from + usual } : where,
  )
  if (named !== null && isMissing(named)) return named
  return longEnough(named ?? { start: context.playhead, end: context.playhead + usual }, edit, least)
}

function longEnough({ start, end }: Stretch, { cut }: ClipEdit, least: number): Stretch {
  const missing = Math.max(0, least - (end - start))
  const from = Math.max(0, Math.min(start - missing / 2, cut.endTimestamp - least))
  return { start: toMilliseconds(from), end: toMilliseconds(Math.max(end + missing / 2, from + least)) }
}

const toMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000

/** The stretch that is cut when these words go. */
export const cutOfSpan = (context: CommandContext, { first, last }: WordSpan): Stretch =>
  stretchOf(context.words, first, last)

/** `0:07`, `1:02.5`. */
export function clock(seconds: number): string {
  const rounded = Math.round(seconds * 10) / 10
  const rest = (rounded % 60).toFixed(rounded % 1 === 0 ? 0 : 1)
  return `${Math.floor(rounded / 60)}:${rest.padStart(rest.includes('.') ? 4 : 2, '0')}`
}
