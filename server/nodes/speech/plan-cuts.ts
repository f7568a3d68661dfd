/**
 * Turns words to remove into played ranges. Cuts are placed in every range by itself, so that the editor's own segments
 * and these cuts combine. A word that cannot be cut without damaging a word that stays is not cut.
 */
import type { TranscriptWord } from '../../contract/transcript.ts'
import type { PlayedRange } from '../../contract/time-map/spans.ts'
import { canBeCut, placePauseCuts, placeWordCut, type CutRules, type Zone } from './place-cut.ts'
import { endsSentence } from './spoken-text.ts'
import type { Stretch } from '../../contract/time.ts'

export interface CutRequest extends CutRules {
  /** In order of time. */
  readonly words: readonly TranscriptWord[]
  readonly kept: readonly PlayedRange[]
  /** Words that are to go; `true`: at any price. */
  readonly drop: ReadonlyMap<number, boolean>
  /** Sounds between the words that are to go as a word would; source seconds. */
  readonly sounds?: readonly Stretch[]
}

export interface CutPlan {
  /** What is played after all, in order. */
  readonly ranges: PlayedRange[]
  /** Indices of removed words. */
  readonly dropped: ReadonlySet<number>
  /** How many of the sounds were removed, and how many pauses were shortened. */
  readonly sounds: number
  readonly pauses: number
}

/** Minimum duration between two cuts. Seconds. */
export const MIN_PIECE = 0.3
/** A word that overlaps this much with a word that stays cannot be cut. */
const MAX_OVERLAP = 0.3
/** Words to go that are this near to each other go in one cut, whatever sounds between them. */
const ONE_CUT = 0.3

type Weight = 'pause' | 'words' | 'must'
const WEIGHTS: readonly Weight[] = ['pause', 'words', 'must']

interface Cut extends Stretch {
  readonly words: readonly number[]
  readonly weight: Weight
}

/** Places the cuts. Cuts nothing when no speech would be left. */
export function planCuts(request: CutRequest): CutPlan {
  const { sounds = [] } = request
  if (sounds.length === 0) return { ...planWordCuts(request), sounds: 0 }
  // A sound takes part as a word without letters; `place` is its word's place in the request, or null.
  const all = [
    ...request.words.map((word, place) => ({ word, place })),
    ...sounds.map((sound) => ({ word: { word: '', ...sound }, place: null })),
  ].sort((a, b) => a.word.start - b.word.start || a.word.end - b.word.end)
  const drop = new Map(
    all.flatMap(({ place }, index) => {
      const must = place === null ? false : request.drop.get(place)
      return must === undefined ? [] : [[index, must] as const]
    }),
  )
  const plan = planWordCuts({ ...request, words: all.map(({ word }) => word), drop })
  const places = [...plan.dropped].map((index) => all[index]?.place ?? null)
  return {
    ...plan,
    dropped: new Set(places.filter((place) => place !== null)),
    sounds: places.filter((place) => place === null).length,
  }
}

function planWordCuts(request: CutRequest): Omit<CutPlan, 'sounds'> {
  const drop = possibleDrops(request)
  const { kept } = request
  const planned = kept.map((range, at) => {
    // Where ranges touch, as they do when only the speed changes, there is no cut either.
    const before = kept[at - 1]
    const after = kept[at + 1]
    const edges = {
      opens: before === undefined || before.end >= range.start,
      closes: after === undefined || after.start <= range.end,
    }
    return { range, cuts: settle(cutsOf(range, request, drop), { ...range, ...edges }, request) }
  })
  const dropped = new Set(planned.flatMap(({ cuts }) => cuts.flatMap((cut) => cut.words)))
  const ranges = planned.flatMap(({ range, cuts }) => less(range, cuts))
  const isAnythingSpoken = request.words.some(
    (word, index) => word.word !== '' && !dropped.has(index) && isSpoken(word, ranges),
  )
  if (!isAnythingSpoken) return { ranges: [...kept], dropped: new Set(), pauses: 0 }
  const pauses = planned.reduce(
    (sum, { cuts }) => sum + cuts.filter(({ weight }) => weight === 'pause').length,
    0,
  )
  return { ranges, dropped, pauses }
}

function isSpoken(word: TranscriptWord, ranges: readonly PlayedRange[]): boolean {
  const middle = (word.start + word.end) / 2
  return ranges.some((range) => range.start <= middle && middle < range.end)
}

/** Excludes words that overlap speech that stays, repeatedly until no more are found. */
function possibleDrops({ words, drop }: CutRequest): ReadonlyMap<number, boolean> {
  const left = new Map(drop)
  for (let before = -1; before !== left.size;) {
    before = left.size
    for (const index of left.keys()) if (isTalkedOver(index, words, left)) left.delete(index)
  }
  return left
}

/** Whether a word that stays is spoken within this one, or during too much of it. */
function isTalkedOver(index: number, words: readonly TranscriptWord[], drop: ReadonlyMap<number, boolean>) {
  const word = words[index]
  if (word === undefined) return true
  let seconds = 0
  for (const [at, other] of words.entries()) {
    if (drop.has(at) || other.end < word.start || other.start > word.end) continue
    if (other.start > word.start && other.end < word.end) return true
    seconds += Math.max(0, Math.min(word.end, other.end) - Math.max(word.start, other.start))
  }
  return seconds > MAX_OVERLAP * (word.end - word.start)
}

interface PlacedCuts {
  readonly cuts: readonly Cut[]
  readonly zones: readonly Zone[]
}

function cutsOf(range: PlayedRange, request: CutRequest, drop: ReadonlyMap<number, boolean>): PlacedCuts {
  const { words } = request
  const inside = words
    .map((word, index) => ({ word, index }))
    .filter(({ word }) => word.end > range.start && word.start < range.end)
  // A word that a segment boundary splits belongs to the range with its middle; otherwise it stays.
  const isGoing = ({ word, index }: Going): boolean => drop.has(index) && isSpoken(word, [range])
  const zones = zonesOf(
    range,
    inside.filter((one) => !isGoing(one)).map(({ word }) => word),
  )
  const going = inside.filter(isGoing)
  const cuts = zones.flatMap((zone): Cut[] => {
    const here = going.filter(({ word }) => word.end > zone.start && word.start < zone.end)
    if (here.length > 0) return wordCuts(here, zone, request, drop)
    if (!request.shortenPauses) return []
    return placePauseCuts(zone, request).map((cut) => ({ ...cut, words: [], weight: 'pause' as const }))
  })
  return { cuts, zones }
}

/** The zones of a range: parts in which no word that stays is spoken. Word times may overlap. */
function zonesOf(range: PlayedRange, staying: readonly TranscriptWord[]): Zone[] {
  const zones: Zone[] = []
  let from = range.start
  let last: TranscriptWord | undefined
  for (const word of staying) {
    if (word.start > from) {
      const afterSentence = last !== undefined && endsSentence(last.word)
      zones.push({ start: from, end: word.start, opens: last === undefined, closes: false, afterSentence })
    }
    if (word.end >= from) [from, last] = [word.end, word]
  }
  if (from < range.end) {
    const afterSentence = last !== undefined && endsSentence(last.word)
    zones.push({ start: from, end: range.end, opens: last === undefined, closes: true, afterSentence })
  }
  return zones
}

interface Going {
  readonly word: TranscriptWord
  readonly index: number
}

/** Neighbouring words go in one cut, unless something that is no word sounds between them. */
function wordCuts(going: readonly Going[], zone: Zone, rules: CutRules, drop: ReadonlyMap<number, boolean>) {
  const groups: Going[][] = []
  let end = -Infinity
  for (const one of going) {
    const gap = { start: end, end: one.word.start }
    const joined = gap.end - gap.start <= ONE_CUT || (groups.length > 0 && canBeCut(gap, rules.sound))
    if (joined) groups.at(-1)?.push(one)
    else groups.push([one])
    end = Math.max(end, one.word.end)
  }
  return groups.flatMap((group, number): Cut[] => {
    const before = groups[number - 1]
    const after = groups[number + 1]
    const part: Zone = {
      start: before === undefined ? zone.start : Math.max(...before.map(({ word }) => word.end)),
      end: after === undefined ? zone.end : Math.min(...after.map(({ word }) => word.start)),
      opens: zone.opens && before === undefined,
      closes: zone.closes && after === undefined,
      afterSentence: zone.afterSentence && before === undefined,
    }
    const spoken = {
      start: Math.min(...group.map(({ word }) => word.start)),
      end: Math.max(...group.map(({ word }) => word.end)),
    }
    const cut = placeWordCut(spoken, part, rules)
    if (cut === null) return []
    const must = group.some(({ index }) => drop.get(index) === true)
    return [{ ...cut, words: group.map(({ index }) => index), weight: must ? 'must' : 'words' }]
  })
}

/** No very short pieces between cuts: one without speech is cut too, otherwise a cut is dropped. */
function settle(
  { cuts, zones }: PlacedCuts,
  range: PlayedRange & { readonly opens: boolean; readonly closes: boolean },
  rules: CutRules,
): Cut[] {
  const settled = [...cuts].sort((a, b) => a.start - b.start)
  for (let at = 0; at <= settled.length && settled.length > 0;) {
    const left = settled[at - 1]
    const right = settled[at]
    const piece = { start: left?.end ?? range.start, end: right?.start ?? range.end }
    const length = piece.end - piece.start
    if (length <= 1e-6 || length >= MIN_PIECE - 1e-9) {
      at += 1
      continue
    }
    const wordless = zones.some((zone) => zone.start <= piece.start + 1e-6 && piece.end <= zone.end + 1e-6)
    if (wordless && canBeCut(piece, rules.sound)) {
      if (left !== undefined && right !== undefined) settled.splice(at - 1, 2, joined(left, right))
      else if (left !== undefined) settled[at - 1] = { ...left, end: range.end }
      else if (right !== undefined) settled[at] = { ...right, start: range.start }
      at = Math.max(0, at - 1)
      continue
    }
    const outer = (left === undefined && range.opens) || (right === undefined && range.closes)
    const given = outer ? undefined : weaker(left, right)
    if (given === undefined || given.weight === 'must') at += 1
    else {
      settled.splice(settled.indexOf(given), 1)
      at = Math.max(0, at - 1)
    }
  }
  return settled
}

function joined(left: Cut, right: Cut): Cut {
  const weight = WEIGHTS[Math.max(WEIGHTS.indexOf(left.weight), WEIGHTS.indexOf(right.weight))] ?? 'words'
  return { start: left.start, end: right.end, words: [...left.words, ...right.words], weight }
}

/** The cut that is given up sooner: a pause before words, then the shorter one. */
function weaker(left: Cut | undefined, right: Cut | undefined): Cut | undefined {
  if (left === undefined || right === undefined) return left ?? right
  const order = WEIGHTS.indexOf(left.weight) - WEIGHTS.indexOf(right.weight)
  return (order === 0 ? left.end - left.start - (right.end - right.start) : order) <= 0 ? left : right
}

function less(range: PlayedRange, cuts: readonly Cut[]): PlayedRange[] {
  const pieces: PlayedRange[] = []
  let from = range.start
  for (const cut of cuts) {
    if (cut.start > from) pieces.push({ ...range, start: from, end: cut.start })
    from = Math.max(from, cut.end)
  }
  if (range.end > from) pieces.push({ ...range, start: from })
  return pieces
}
