/** Cuts of speech in the browser, by the rules of the workflow's nodes: fillers, curse words, pauses. PURE. */
import type { ClipSound } from '../../contract/clip-measurements.ts'
import type { Rational, Stretch } from '../../contract/time.ts'
import { curseFinder } from '../speech/find-curses.ts'
import { findFillers } from '../speech/find-fillers.ts'
import { frameGrid } from '../speech/frame-grid.ts'
import { canBeCut } from '../speech/place-cut.ts'
import { planCuts } from '../speech/plan-cuts.ts'
import { endsSentence } from '../speech/spoken-text.ts'
import { remove, restore, stretchOf } from './cut.ts'
import { cutOf, isKept, keptOf, type ClipCut } from '../../contract/time-map/cut.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

interface Word {
  readonly word: string
  readonly start: number
  readonly end: number
  readonly speaker?: number | undefined
  readonly isDeleted: boolean
}

/** What is known of the speech. */
export interface SpokenClip {
  readonly words: readonly Word[]
  /** Primary tag; empty: unknown. */
  readonly language: string
  readonly sound: ClipSound | null
  readonly frameRate: Rational
}

const plain = (words: readonly Word[]) =>
  words.map(({ word, start, end, speaker }) => ({
    word,
    start,
    end,
    ...omitUndefined({ speaker }),
  }))

/** Positions of filler words, as the node `filler_words` finds them. */
export const fillersOf = ({ words, language }: Pick<SpokenClip, 'words' | 'language'>): ReadonlySet<number> =>
  findFillers(plain(words), language)

/** Positions of curse words, as the node `remove_curse_words` finds them. */
export const cursesOf = (
  { words, language }: Pick<SpokenClip, 'words' | 'language'>,
  options: { readonly more?: readonly string[]; readonly includeMild?: boolean } = {},
): ReadonlySet<number> =>
  new Set(
    curseFinder({ language, more: options.more ?? [], includeMild: options.includeMild === true }).find(
      plain(words),
    ),
  )

/** Fillers without a word where `plays` holds: those that may be cut at once, and those to look at first. */
export function unwrittenFillersIn(
  sound: Pick<ClipSound, 'fillers'> | null,
  plays: (seconds: number) => boolean,
): Record<'sure' | 'likely', readonly Stretch[]> {
  const played = (sound?.fillers ?? []).filter((filler) => plays(middle(filler)))
  return { sure: played.filter(({ sure }) => sure), likely: played.filter(({ sure }) => !sure) }
}

const middle = ({ start, end }: Stretch): number => (start + end) / 2

/**
 * Cuts the words at these positions out of what is played, placed as the nodes place them: between frames, in the quiet
 * around a word, never into one that stays. Words that are already out stay out; `must`: whatever it costs. `sounds` are cut
 * as words are, and counted in the result.
 */
export function cutWordsOut(
  cut: ClipCut,
  positions: ReadonlySet<number>,
  clip: SpokenClip,
  { must = false, sounds = [] }: { readonly must?: boolean; readonly sounds?: readonly Stretch[] } = {},
): { readonly cut: ClipCut; readonly dropped: ReadonlySet<number>; readonly sounds: number } {
  const kept = keptOf(cut).map(({ start, end, rate }) => ({ start, end, playbackRate: rate }))
  // Words must be in order of time, and those that nobody hears say nothing.
  const heard = clip.words
    .map((word, position) => ({ word, position }))
    .filter(({ word }) => word.word.trim() !== '')
    .toSorted((a, b) => a.word.start - b.word.start || a.word.end - b.word.end)
  const drop = new Map(
    heard.flatMap(({ word, position }, place) =>
      positions.has(position) && isKept(cut, middle(word)) ? [[place, must] as const] : [],
    ),
  )
  const unchanged = { cut, dropped: new Set<number>(), sounds: 0 }
  if (drop.size === 0 && sounds.length === 0) return unchanged
  const plan = planCuts({
    words: plain(heard.map(({ word }) => word)),
    kept,
    drop,
    sounds,
    sound: clip.sound,
    shortenPauses: false,
    grid: frameGrid(clip.frameRate),
  })
  const next = cutOf(plan.ranges.map(({ start, end, playbackRate }) => ({ start, end, rate: playbackRate })))
  const gone = new Set([...plan.dropped].flatMap((place) => heard[place]?.position ?? []))
  return next === null ? unchanged : { cut: next, dropped: gone, sounds: plan.sounds }
}

/** What is left of a pause that is shortened, seconds; a little more after a sentence. */
const PAUSE_LEFT = 0.3
const SENTENCE_PAUSE_LEFT = 0.4

/** Shortens pauses longer than `over` seconds; where levels were measured, only quiet ones: laughter and music stay. */
export function shortenPauses(
  cut: ClipCut,
  over: number,
  { words, sound, frameRate }: SpokenClip,
): { readonly cut: ClipCut; readonly shortened: number; readonly seconds: number } {
  const grid = frameGrid(frameRate)
  let next = cut
  let shortened = 0
  let seconds = 0
  for (const kept of keptOf(cut)) {
    const inside = words
      .filter((word) => middle(word) >= kept.start && middle(word) < kept.end)
      .toSorted((a, b) => a.start - b.start)
    let end = inside[0]?.end ?? kept.end
    for (const [index, word] of inside.entries()) {
      const before = inside[index - 1]
      const pause = { start: end, end: word.start }
      end = Math.max(end, word.end)
      if (before === undefined || pause.end - pause.start <= over) continue
      const left = Math.min(over, endsSentence(before.word) ? SENTENCE_PAUSE_LEFT : PAUSE_LEFT)
      const from = grid.timeOf(grid.after(pause.start + left / 2))
      const to = grid.timeOf(grid.before(pause.end - left / 2))
      if (to - from < grid.frameSeconds || !canBeCut({ start: from, end: to }, sound)) continue
      ;[next, shortened, seconds] = [remove(next, from, to), shortened + 1, seconds + (to - from)]
    }
  }
  return { cut: next, shortened, seconds }
}

/** Around a word that becomes the first or the last one again, seconds. */
const EDGE = 0.1

/** Puts words back with the halves of the pauses around them; beyond the clip's ends no more than the words need. */
export function wordsBack(
  cut: ClipCut,
  words: readonly Stretch[],
  span: { readonly first: number; readonly last: number },
): ClipCut {
  const { start, end } = stretchOf(words, span.first, span.last)
  const head = words[span.first]?.start ?? start
  const tail = words[span.last]?.end ?? end
  const from = start < cut.startTimestamp ? Math.max(start, Math.min(head - EDGE, cut.startTimestamp)) : start
  const to = end > cut.endTimestamp ? Math.min(end, Math.max(tail + EDGE, cut.endTimestamp)) : end
  return restore(cut, from, to)
}
