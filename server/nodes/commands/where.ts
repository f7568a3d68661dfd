/** Where in the clip a command acts: spoken words, times, and the stretch of the source that they are. PURE. */
import type { ClipEdit } from '../editing/clip-edit.ts'
import { stretchOf } from '../editing/cut.ts'
import { findPhrase, nearestPhrase, type WordSpan } from '../editing/phrases.ts'
import type { CommandContext } from './context.ts'
import { refuse } from './declare.ts'
import type { Stretch } from '../../contract/time.ts'

/** As the parameters of commands have it: words, or seconds as the player counts them. */
export interface Where {
  readonly phrase?: string
  readonly from?: number
  readonly to?: number
}

/** `0:07`, `1:02.5`. */
export function clock(seconds: number): string {
  const rounded = Math.round(seconds * 10) / 10
  const rest = (rounded % 60).toFixed(rounded % 1 === 0 ? 0 : 1)
  return `${Math.floor(rounded / 60)}:${rest.padStart(rest.includes('.') ? 4 : 2, '0')}`
}

export function quoted({ words }: CommandContext, { first, last }: WordSpan): string {
  const spoken = words.slice(first, last + 1).map(({ word }) => word)
  const text = spoken.join(' ')
  return `“${text.length > 80 ? `${text.slice(0, 77)}…` : text}”`
}

const ALIKE = 0.72

/** Every place where the words are spoken: exact matches, or else very similar ones. At least one place. */
export function spansOf(context: CommandContext, phrase: string): readonly [WordSpan, ...WordSpan[]] {
  const [first, ...more] = findPhrase(context.words, phrase)
  if (first !== undefined) return [first, ...more]
  const nearest = nearestPhrase(context.words, phrase)
  if (nearest !== null && nearest.likeness >= ALIKE) return [nearest.span]
  const hint = nearest === null ? '' : ` Did you mean ${quoted(context, nearest.span)}?`
  return refuse(`“${phrase}” is not said in this clip.${hint}`)
}

/** Whether every word of it is played in the clip as this edit has it. */
export const isPlayed = ({ cut }: ClipEdit, { words, heard }: CommandContext, { first, last }: WordSpan) =>
  words.every((_, at) => at < first || at > last || heard(cut, at))

export const playedWords = ({ cut }: ClipEdit, context: CommandContext): number[] =>
  [...context.words.keys()].filter((at) => context.heard(cut, at))

/** The stretch that is meant; null where none was named. */
export function stretchAt(edit: ClipEdit, context: CommandContext, where: Where): Stretch | null {
  const { phrase, from, to } = where
  if (phrase !== undefined) {
    const spans = spansOf(context, phrase)
    const { first, last } = spans.find((one) => isPlayed(edit, context, one)) ?? spans[0]
    return { start: context.words[first]?.start ?? 0, end: context.words[last]?.end ?? 0 }
  }
  if (from === undefined && to === undefined) return null
  const start = from ?? 0
  const end = Math.min(to ?? context.length, context.length)
  if (end <= start) refuse(`The clip is ${clock(context.length)} long; that stretch lies outside of it.`)
  return { start: context.sourceAt(start), end: context.sourceAt(end) }
}

const toMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000

/**
 * The stretch that something new is put on: what was named; where only a beginning was, or nothing at all, `usual` seconds
 * from there or from the playhead. Never shorter than `least`: a word may be over before anybody has seen it.
 */
export function stretchFor(
  edit: ClipEdit,
  context: CommandContext,
  where: Where,
  { usual, least }: { readonly usual: number; readonly least: number },
): Stretch {
  const { from, to } = where
  const named = from !== undefined && to === undefined ? { from, to: from + usual } : where
  const { playhead } = context
  const { start, end } = stretchAt(edit, context, named) ?? { start: playhead, end: playhead + usual }
  const missing = Math.max(0, least - (end - start))
  const first = Math.max(0, Math.min(start - missing / 2, edit.cut.endTimestamp - least))
  return { start: toMilliseconds(first), end: toMilliseconds(Math.max(end + missing / 2, first + least)) }
}

/** The items of a list outside a range; all of them when there is no range. */
export const beside = <T extends Stretch>(list: readonly T[], stretch: Stretch | null): T[] =>
  list.filter(({ start, end }) => stretch !== null && (end <= stretch.start || start >= stretch.end))

/** The stretch that is cut when these words go. */
export const cutOfSpan = (context: CommandContext, { first, last }: WordSpan): Stretch =>
  stretchOf(context.words, first, last)
