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
/** What the segmentation adds to the similarity of pieces of one chain, and takes from two voices of one window; at most twice that. */
const VOTE = 0.05
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
 * split for the sake of a number: measured on meetings and mixes, that made more wrong than right. `sameVoice`: the similarity of long speech of
 * one voice, below which there are two; each model has its own. Pieces without a voice and voices that speak only for a moment are in no
 * group. Yields the share that is done now and then.
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
  let groups: Group[] = []
  for (let from = 0; from < single.length; from += BLOCK) {
    yield from / single.length
    const block = single.slice(from, from + BLOCK)
    groups.push(...(single.length <= BLOCK ? block : joinNearest(block, votes, sameVoice, 0)))
  }
  groups = joinNearest(groups, votes, sameVoice, count)
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

/** Seconds of the shorter piece for one voice (negative: for two), by first and second piece. */
type Votes = ReadonlyMap<number, ReadonlyMap<number, number>>

function countVotes(pieces: readonly VoicedPiece[], chains: readonly Chain[]): Votes {
  const windows = chains.map(({ parts }) => new Set(parts.map(({ window }) => window)))
  const votes = new Map<number, Map<number, number>>()
  pieces.forEach((piece, at) => {
    const own = new Map<number, number>()
    for (let other = at + 1; other < pieces.length; other += 1) {
      const next = pieces[other]
      if (next === undefined || next.start - piece.start > WINDOW) break
      const seconds = Math.min(piece.end - piece.start, next.end - next.start)
      if (piece.chain === next.chain) own.set(other, seconds)
      else if (shareOne(windows[piece.chain], windows[next.chain])) own.set(other, -seconds)
    }
    votes.set(at, own)
  })
  return votes
}

const shareOne = (a: ReadonlySet<number> = new Set(), b: ReadonlySet<number> = new Set()): boolean =>
  [...a].some((window) => b.has(window))

function sumVotes(a: Group, b: Group, votes: Votes): number {
  let sum = 0
  for (const first of a.pieces)
    for (const second of b.pieces)
      sum += votes.get(Math.min(first, second))?.get(Math.max(first, second)) ?? 0
  return sum
}

/** How much more alike two groups are than two voices would be; negative: they are two. */
function compareGroups(a: Group, b: Group, vote: number, sameVoice: number): number {
  const lost = Math.sqrt((1 + LOST_SECONDS / a.seconds) * (1 + LOST_SECONDS / b.seconds))
  const voted = (VOTE * vote) / Math.min(a.seconds, b.seconds)
  return likenessOf(a.voice, b.voice) - sameVoice / lost + Math.max(-2 * VOTE, Math.min(2 * VOTE, voted))
}

const joinGroups = (a: Group, b: Group): Group => ({
  pieces: [...a.pieces, ...b.pieces],
  voice: a.voice.map((value, at) => value + (b.voice[at] ?? 0)),
  seconds: a.seconds + b.seconds,
})

/** Joins the two most alike until those left are two voices, and with a `count` until there are no more people than that. */
function joinNearest(groups: readonly Group[], votes: Votes, sameVoice: number, count: number): Group[] {
  const open = [...groups]
  // Votes and likeness of each group with all before it, in the order of `open`. Votes of joined groups add up.
  const voted = open.map((group, at) => open.slice(0, at).map((other) => sumVotes(other, group, votes)))
  const alike = open.map((group, at) =>
    open.slice(0, at).map((other, place) => compareGroups(other, group, voted[at]?.[place] ?? 0, sameVoice)),
  )
  const people = (): number => open.filter(isPerson).length
  while (open.length > 1) {
    const { first, second, best } = findNearest(alike)
    const a = open[first]
    const b = open[second]
    if (a === undefined || b === undefined || (best < 0 && (count === 0 || people() <= count))) break
    const both = joinGroups(a, b)
    const row = open.map((_, at) => at).filter((at) => at !== first && at !== second)
    const sums = row.map((at) => readPair(voted, at, first) + readPair(voted, at, second))
    for (const gone of [second, first]) {
      open.splice(gone, 1)
      for (const rows of [voted, alike]) {
        rows.splice(gone, 1)
        for (const rest of rows.slice(gone)) rest.splice(gone, 1)
      }
    }
    alike.push(open.map((other, at) => compareGroups(other, both, sums[at] ?? 0, sameVoice)))
    voted.push(sums)
    open.push(both)
  }
  return open
}

const readPair = (rows: readonly (readonly number[])[], a: number, b: number): number =>
  rows[Math.max(a, b)]?.[Math.min(a, b)] ?? 0

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
