/**
 * Which pieces are one person's: those that sound alike. The two groups that a single voice explains best are joined, again
 * and again, until what is left is better explained by different voices. PURE.
 */
import type { Chain } from './chains.ts'
import type { Piece } from './pieces.ts'
import { FREE_NUMBERS, joined, spreadOf, type VoiceSum } from './voiceprint.ts'

/** A piece with how it sounds. */
export interface SoundingPiece extends Piece {
  readonly sound: VoiceSum
}

/**
 * How far apart two groups may be: a second voice's numbers must pay for themselves (Bayes' criterion) so many times over.
 * Measured on four synthetic voices, some of them also at another pitch, and on a real one: a voice's two halves of half a
 * minute are 0.1 to 0.5 apart, where this allows 0.6 to 1; two voices 1.3 to 3.3, under white noise at 12 dB 0.3 to 1.2.
 */
const WORTH = 1.1
/** As near as this groups are one, however much is heard of both: nobody sounds the same for an hour. */
const NEAR = 0.4
/** What the segmentation says, as if so much more or less were apart: one voice, or two in one window. */
const SAID = 0.1
/** Pieces further apart than this were not heard in one window, seconds. */
const WINDOW = 10
/** Shorter pieces say too little about how they sound to begin with, seconds; frames. */
const MIN_SECONDS = 0.5
const MIN_FRAMES = 12
/** Nobody is a person of their own who is heard for less, seconds; and for less than this share of all speech. */
const MIN_PERSON = 1.5
const MIN_SHARE = 0.003
/** People that are told apart, at most: those who speak most. */
const MAX_PEOPLE = 60
/** Pieces that are compared each with each; longer recordings are joined block by block, and then the blocks. */
const BLOCK = 300

/** Pieces of one person, by their places in the list; not empty. */
export interface Group {
  readonly pieces: readonly number[]
  readonly sound: VoiceSum
}

interface Compared extends Group {
  readonly spread: number
}

/**
 * People in order of appearance; `count`: how many there are, 0: as many as are heard. Not every piece is in a group: very
 * short ones, and voices that are heard for a moment only, are left out. No pieces, no groups. Yields the share that is done
 * now and then, about each tenth of a second.
 */
export function* groupPieces(
  pieces: readonly SoundingPiece[],
  chains: readonly Chain[],
  usual: VoiceSum,
  count: number,
): Generator<number, Group[]> {
  const said = saidOf(pieces, chains)
  const single = pieces.flatMap(({ start, end, sound }, at) =>
    end - start >= MIN_SECONDS && sound.count >= MIN_FRAMES ? [groupOf([at], sound, usual)] : [],
  )
  const blocks: Compared[] = []
  for (let from = 0; from < single.length; from += BLOCK) {
    yield from / single.length
    const block = single.slice(from, from + BLOCK)
    blocks.push(...(single.length <= BLOCK ? block : joinNearest(block, said, usual, 0, Math.max(1, count))))
  }
  const seconds = ({ pieces: own }: Group): number =>
    own.reduce((sum, at) => sum + (pieces[at]?.end ?? 0) - (pieces[at]?.start ?? 0), 0)
  const all = single.reduce((sum, group) => sum + seconds(group), 0)
  const least = Math.max(MIN_PERSON, MIN_SHARE * all)
  const groups = joinNearest(blocks, said, usual, count, 1)
  const heard = groups.filter((group) => seconds(group) >= least)
  const kept = (count > 0 || heard.length === 0 ? groups : heard)
    .toSorted((a, b) => seconds(b) - seconds(a))
    .slice(0, MAX_PEOPLE)
  return kept.toSorted((a, b) => Math.min(...a.pieces) - Math.min(...b.pieces))
}

/** Groups that sound alike once it is known better what belongs to them: as `groupPieces`, by sound alone. */
export function groupVoices(sounds: readonly VoiceSum[], usual: VoiceSum): number[][] {
  const groups = sounds.map((sound, at) => groupOf([at], sound, usual))
  return joinNearest(groups, new Map(), usual, 0, 1).map(({ pieces }) => [...pieces])
}

const groupOf = (pieces: readonly number[], sound: VoiceSum, usual: VoiceSum): Compared => ({
  pieces,
  sound,
  spread: spreadOf(sound, usual),
})

/** What speaks for one voice, frames of the shorter piece; less than nothing: for two. By first and second piece. */
type Said = ReadonlyMap<number, ReadonlyMap<number, number>>

function saidOf(pieces: readonly SoundingPiece[], chains: readonly Chain[]): Said {
  const windows = chains.map(({ parts }) => new Set(parts.map(({ window }) => window)))
  const said = new Map<number, Map<number, number>>()
  pieces.forEach((piece, at) => {
    const own = new Map<number, number>()
    for (let other = at + 1; other < pieces.length; other += 1) {
      const next = pieces[other]
      if (next === undefined || next.start - piece.start > WINDOW) break
      const frames = Math.min(piece.sound.count, next.sound.count)
      if (piece.chain === next.chain) own.set(other, frames)
      else if (shareOne(windows[piece.chain], windows[next.chain])) own.set(other, -frames)
    }
    said.set(at, own)
  })
  return said
}

const shareOne = (a: ReadonlySet<number> = new Set(), b: ReadonlySet<number> = new Set()): boolean =>
  [...a].some((window) => b.has(window))

/** How much speaks for one voice, for each frame; less than nothing: for two. */
function alike(a: Compared, b: Compared, said: Said, usual: VoiceSum): number {
  const frames = a.sound.count + b.sound.count
  const apart = (spreadOf(joined(a.sound, b.sound), usual) - a.spread - b.spread) / 2 / frames
  const limit = Math.max(NEAR, (WORTH * FREE_NUMBERS * Math.log(frames)) / 2 / frames)
  let votes = 0
  for (const first of a.pieces)
    for (const second of b.pieces)
      votes += said.get(Math.min(first, second))?.get(Math.max(first, second)) ?? 0
  return limit - apart + (SAID * votes) / frames
}

/** `count`: how many are left, if there are as many; 0: as many as sound different. Never fewer than `least`. */
function joinNearest(
  groups: readonly Compared[],
  said: Said,
  usual: VoiceSum,
  count: number,
  least: number,
): Compared[] {
  const open = [...groups]
  // Likeness of each to all before it, in the order of `open`.
  const rows = open.map((group, at) => open.slice(0, at).map((other) => alike(other, group, said, usual)))
  while (open.length > Math.max(least, count)) {
    let first = 0
    let second = 0
    let best = -Infinity
    rows.forEach((row, at) => {
      row.forEach((value, other) => {
        if (value > best) {
          first = other
          second = at
          best = value
        }
      })
    })
    const a = open[first]
    const b = open[second]
    if (a === undefined || b === undefined || (count === 0 && best < 0)) break
    for (const gone of [second, first]) {
      open.splice(gone, 1)
      rows.splice(gone, 1)
      for (const row of rows.slice(gone)) row.splice(gone, 1)
    }
    const both = groupOf([...a.pieces, ...b.pieces], joined(a.sound, b.sound), usual)
    rows.push(open.map((other) => alike(other, both, said, usual)))
    open.push(both)
  }
  return open
}
