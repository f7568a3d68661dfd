/** Groups pieces by how they sound: the two most similar groups are joined until different voices explain the rest. PURE. */
import type { Chain, Piece } from './chains.ts'
import { FREE_NUMBERS, joined, spreadOf, type VoiceSum } from './voiceprint.ts'

/** A piece and its sound. */
export interface SoundingPiece extends Piece {
  readonly sound: VoiceSum
}

/**
 * How far apart two groups may be: the parameters of a second voice must pay for themselves (Bayes' criterion) this many times.
 * Measured on four synthetic voices, some also at another pitch, and on a real one: the halves of half a minute of one voice are 0.1
 * to 0.5 apart, where this allows 0.6 to 1; two voices are 1.3 to 3.3 apart, and under white noise at 12 dB 0.3 to 1.2.
 */
const WORTH = 1.1
/** Groups as close as this are joined, however much there is of both, because nobody sounds the same for an hour. */
const NEAR = 0.4
/** Weight of the segmentation (one voice, or two in one window), in the unit of the distance. */
const VOTE_WEIGHT = 0.1
/** Pieces further apart than this many seconds were not in one window. */
const WINDOW = 10
/** Shorter pieces, in seconds and frames, say too little about their sound to begin with. */
const MIN_SECONDS = 0.5
const MIN_FRAMES = 12
/** Minimum speech of a person, in seconds and as a share of all speech. */
const MIN_PERSON = 1.5
const MIN_SHARE = 0.003
/** Maximum number of people that are told apart: those who speak most. */
const MAX_PEOPLE = 60
/** Number of pieces that are compared with each other; longer recordings are joined in blocks, and then the blocks. */
const BLOCK = 300

/** Pieces of one person by their indexes; not empty. */
export interface Group {
  readonly pieces: readonly number[]
  readonly sound: VoiceSum
}

interface Compared extends Group {
  readonly spread: number
}

/**
 * People in order of appearance; `count`: their number, 0: as many as are found. Not every piece is in a group: very short ones, and
 * voices that speak only for a moment, are left out. Without pieces there are no groups. Yields the share that is done about every
 * tenth of a second.
 */
export function* groupPieces(
  pieces: readonly SoundingPiece[],
  chains: readonly Chain[],
  usual: VoiceSum,
  count: number,
): Generator<number, Group[]> {
  const votes = countVotes(pieces, chains)
  const single = pieces.flatMap(({ start, end, sound }, at) =>
    end - start >= MIN_SECONDS && sound.count >= MIN_FRAMES ? [buildGroup([at], sound, usual)] : [],
  )
  const blocks: Compared[] = []
  for (let from = 0; from < single.length; from += BLOCK) {
    yield from / single.length
    const block = single.slice(from, from + BLOCK)
    blocks.push(...(single.length <= BLOCK ? block : joinNearest(block, votes, usual, 0, Math.max(1, count))))
  }
  const seconds = ({ pieces: own }: Group): number =>
    own.reduce((sum, at) => sum + (pieces[at]?.end ?? 0) - (pieces[at]?.start ?? 0), 0)
  const all = single.reduce((sum, group) => sum + seconds(group), 0)
  const least = Math.max(MIN_PERSON, MIN_SHARE * all)
  const groups = joinNearest(blocks, votes, usual, count, 1)
  const longEnough = groups.filter((group) => seconds(group) >= least)
  const people = (count > 0 || longEnough.length === 0 ? groups : longEnough)
    .toSorted((a, b) => seconds(b) - seconds(a))
    .slice(0, MAX_PEOPLE)
  return people.toSorted((a, b) => Math.min(...a.pieces) - Math.min(...b.pieces))
}

/** Joins groups that sound alike once their content is known better; like `groupPieces`, but by sound alone. */
export function groupVoices(sounds: readonly VoiceSum[], usual: VoiceSum): number[][] {
  const groups = sounds.map((sound, at) => buildGroup([at], sound, usual))
  return joinNearest(groups, new Map(), usual, 0, 1).map(({ pieces }) => [...pieces])
}

const buildGroup = (pieces: readonly number[], sound: VoiceSum, usual: VoiceSum): Compared => ({
  pieces,
  sound,
  spread: spreadOf(sound, usual),
})

/** Votes for one voice (negative: for two), in frames of the shorter piece, by first and second piece. */
type Votes = ReadonlyMap<number, ReadonlyMap<number, number>>

function countVotes(pieces: readonly SoundingPiece[], chains: readonly Chain[]): Votes {
  const windows = chains.map(({ parts }) => new Set(parts.map(({ window }) => window)))
  const votes = new Map<number, Map<number, number>>()
  pieces.forEach((piece, at) => {
    const own = new Map<number, number>()
    for (let other = at + 1; other < pieces.length; other += 1) {
      const next = pieces[other]
      if (next === undefined || next.start - piece.start > WINDOW) break
      const frames = Math.min(piece.sound.count, next.sound.count)
      if (piece.chain === next.chain) own.set(other, frames)
      else if (shareOne(windows[piece.chain], windows[next.chain])) own.set(other, -frames)
    }
    votes.set(at, own)
  })
  return votes
}

const shareOne = (a: ReadonlySet<number> = new Set(), b: ReadonlySet<number> = new Set()): boolean =>
  [...a].some((window) => b.has(window))

/** Evidence for one voice per frame; negative: for two. */
function measureLikeness(a: Compared, b: Compared, votes: Votes, usual: VoiceSum): number {
  const frames = a.sound.count + b.sound.count
  const apart = (spreadOf(joined(a.sound, b.sound), usual) - a.spread - b.spread) / 2 / frames
  const limit = Math.max(NEAR, (WORTH * FREE_NUMBERS * Math.log(frames)) / 2 / frames)
  let sum = 0
  for (const first of a.pieces)
    for (const second of b.pieces)
      sum += votes.get(Math.min(first, second))?.get(Math.max(first, second)) ?? 0
  return limit - apart + (VOTE_WEIGHT * sum) / frames
}

/** `count`: how many groups stay, if there are that many; 0: as many as sound different. Never fewer than `least`. */
function joinNearest(
  groups: readonly Compared[],
  votes: Votes,
  usual: VoiceSum,
  count: number,
  least: number,
): Compared[] {
  const open = [...groups]
  // Similarity of each group to all before it, in the order of `open`.
  const rows = open.map((group, at) =>
    open.slice(0, at).map((other) => measureLikeness(other, group, votes, usual)),
  )
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
    const both = buildGroup([...a.pieces, ...b.pieces], joined(a.sound, b.sound), usual)
    rows.push(open.map((other) => measureLikeness(other, both, votes, usual)))
    open.push(both)
  }
  return open
}
