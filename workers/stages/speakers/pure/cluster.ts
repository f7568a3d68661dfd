/**
 * Groups pieces by their voices: agglomerative clustering (centroid linkage, cosine) that stops where two groups are no longer alike
 * for the speech there is of them. PURE.
 */
import type { Chain, Piece } from './chains.ts'

/** A piece and its voice; null: it is too short to say anything about the voice. */
export interface VoicedPiece extends Piece {
  /** Of length one. */
  readonly voice: Float32Array | null
}

/**
 * How much of the similarity of short speech is lost: a voice that is measured on d seconds is `1 / sqrt(1 + LOST_SECONDS / d)` as like
 * itself. Measured with the d-vector model on ten readers: 0.72 between pieces of 1 s, 0.85 of 3.2 s, 0.90 of 6 s.
 */
const LOST_SECONDS = 0.5
/**
 * What the segmentation adds to the similarity of pieces of one chain, at most twice that, and what it takes from those of two voices
 * of one window, at most twice that too. On mixes of known voices two chains of a window were two voices in 93 to 97 % of the
 * pairs, but one chain was one voice in 60 % only.
 */
const SAME_CHAIN = 0.04
const OTHER_CHAIN = 0.1
/** Because that vote holds voices apart, they may be this much less alike than the least for one voice. */
const HEADROOM = 0.03
/** Pieces further apart than this many seconds were not in one window. */
const WINDOW = 10
/** Minimum speech of a person, seconds. */
const MIN_PERSON = 1.5
/** Maximum number of people that are told apart: those who speak most. */
const MAX_PEOPLE = 60
/** Number of pieces that are compared with each other; longer recordings are joined in blocks, and then the blocks. */
const BLOCK = 400

/** Pieces of one person by their indexes; not empty. */
export interface Group {
  readonly pieces: readonly number[]
  /** Sum of the voices, each weighed by its seconds. */
  readonly voice: Float32Array
  readonly seconds: number
}

/**
 * People in order of appearance; `count`: their greatest number, 0: as many as sound different. What sounds like one voice is never
 * split for the sake of a number: measured on meetings and mixes, that made more wrong than right. `sameVoice`: the similarity of
 * long speech of one voice, below which there are two; each model has its own. Pieces without a voice and voices that speak only for
 * a moment are in no group. Yields the share that is done now and then.
 */
export function* groupPieces(
  pieces: readonly VoicedPiece[],
  chains: readonly Chain[],
  sameVoice: number,
  count: number,
): Generator<number, Group[]> {
  const single = pieces.flatMap(({ voice, start, end }, at): Group[] =>
    voice === null
      ? []
      : [{ pieces: [at], voice: voice.map((value) => value * (end - start)), seconds: end - start }],
  )
  const votes = countVotes(pieces, chains)
  const alike = sameVoice - HEADROOM
  const blocks: Group[] = []
  for (let from = 0; from < single.length; from += BLOCK) {
    yield from / single.length
    const block = single.slice(from, from + BLOCK)
    blocks.push(...(single.length <= BLOCK ? block : joinNearest(block, votes, alike, 0)))
  }
  const groups = joinNearest(blocks, votes, alike, count)
  const people = groups.filter(isPerson)
  return (people.length === 0 ? groups : people)
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, count > 0 ? count : MAX_PEOPLE)
    .toSorted((a, b) => Math.min(...a.pieces) - Math.min(...b.pieces))
}

const isPerson = ({ seconds }: Group): boolean => seconds >= MIN_PERSON

/** Cosine of the angle between two voices. */
export function likenessOf(a: Float32Array, b: Float32Array): number {
  let common = 0
  let one = 0
  let other = 0
  for (let at = 0; at < a.length; at += 1) {
    const x = a[at] ?? 0
    const y = b[at] ?? 0
    common += x * y
    one += x * x
    other += y * y
  }
  return common / Math.max(1e-12, Math.sqrt(one * other))
}

/** Seconds of the shorter pieces that the segmentation takes for one voice, and for two. */
interface Vote {
  readonly one: number
  readonly two: number
}
const NO_VOTE: Vote = { one: 0, two: 0 }

/** By piece and other piece; each pair is there in both orders. */
type Votes = ReadonlyMap<number, ReadonlyMap<number, Vote>>

function countVotes(pieces: readonly VoicedPiece[], chains: readonly Chain[]): Votes {
  const windows = chains.map(({ parts }) => new Set(parts.map(({ window }) => window)))
  const votes = new Map(pieces.map((_, at) => [at, new Map<number, Vote>()] as const))
  pieces.forEach((piece, at) => {
    for (let other = at + 1; other < pieces.length; other += 1) {
      const next = pieces[other]
      if (next === undefined || next.start - piece.start > WINDOW) break
      const seconds = Math.min(piece.end - piece.start, next.end - next.start)
      const isOne = piece.chain === next.chain
      if (!isOne && !shareOne(windows[piece.chain], windows[next.chain])) continue
      const vote = isOne ? { one: seconds, two: 0 } : { one: 0, two: seconds }
      votes.get(at)?.set(other, vote)
      votes.get(other)?.set(at, vote)
    }
  })
  return votes
}

const shareOne = (a: ReadonlySet<number> = new Set(), b: ReadonlySet<number> = new Set()): boolean =>
  [...a].some((window) => b.has(window))

const addVotes = (a: Vote, b: Vote): Vote => ({ one: a.one + b.one, two: a.two + b.two })

function sumVotes(a: Group, b: Group, votes: Votes): Vote {
  let sum = NO_VOTE
  for (const first of a.pieces)
    for (const second of b.pieces) {
      const vote = votes.get(first)?.get(second)
      if (vote !== undefined) sum = addVotes(sum, vote)
    }
  return sum
}

/** What the votes say of two groups, of which the shorter one has so many seconds. */
const weighVotes = ({ one, two }: Vote, seconds: number): number =>
  SAME_CHAIN * Math.min(2, one / seconds) - OTHER_CHAIN * Math.min(2, two / seconds)

/** The similarity above which two voices are one: less than that of long speech where there is little. */
export const neededLikeness = (
  a: { readonly seconds: number },
  b: { readonly seconds: number },
  alike: number,
): number => alike / Math.sqrt((1 + LOST_SECONDS / a.seconds) * (1 + LOST_SECONDS / b.seconds))

/** How much more alike two groups are than two voices would be; negative: they are two. */
function compareGroups(a: Group, b: Group, vote: Vote, alike: number): number {
  return (
    likenessOf(a.voice, b.voice) -
    neededLikeness(a, b, alike) +
    weighVotes(vote, Math.min(a.seconds, b.seconds))
  )
}

const joinGroups = (a: Group, b: Group): Group => ({
  pieces: [...a.pieces, ...b.pieces],
  voice: a.voice.map((value, at) => value + (b.voice[at] ?? 0)),
  seconds: a.seconds + b.seconds,
})

/** Joins the two most alike until those left are two voices, and with a `count` until there are no more people than that. */
function joinNearest(groups: readonly Group[], votes: Votes, alike: number, count: number): Group[] {
  const open = [...groups]
  // Votes and likeness of each group with all before it, in the order of `open`. Votes of joined groups add up.
  const voted = open.map((group, at) => open.slice(0, at).map((other) => sumVotes(other, group, votes)))
  const nearness = open.map((group, at) =>
    open
      .slice(0, at)
      .map((other, place) => compareGroups(other, group, voted[at]?.[place] ?? NO_VOTE, alike)),
  )
  const people = (): number => open.filter(isPerson).length
  while (open.length > 1) {
    const { first, second, best } = findNearest(nearness)
    const a = open[first]
    const b = open[second]
    if (a === undefined || b === undefined || (best < 0 && (count === 0 || people() <= count))) break
    const both = joinGroups(a, b)
    const row = open.map((_, at) => at).filter((at) => at !== first && at !== second)
    const sums = row.map((at) =>
      addVotes(readPair(voted, at, first) ?? NO_VOTE, readPair(voted, at, second) ?? NO_VOTE),
    )
    for (const gone of [second, first]) {
      open.splice(gone, 1)
      dropPlace(voted, gone)
      dropPlace(nearness, gone)
    }
    nearness.push(open.map((other, at) => compareGroups(other, both, sums[at] ?? NO_VOTE, alike)))
    voted.push(sums)
    open.push(both)
  }
  return open
}

const readPair = <Value>(rows: readonly (readonly Value[])[], a: number, b: number): Value | undefined =>
  rows[Math.max(a, b)]?.[Math.min(a, b)]

function dropPlace<Value>(rows: Value[][], place: number): void {
  rows.splice(place, 1)
  for (const rest of rows.slice(place)) rest.splice(place, 1)
}

function findNearest(rows: readonly (readonly number[])[]) {
  let first = 0
  let second = 0
  let best = -Infinity
  rows.forEach((row, at) => {
    row.forEach((value, other) => {
      if (value <= best) return
      first = other
      second = at
      best = value
    })
  })
  return { first, second, best }
}
