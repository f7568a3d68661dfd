/**
 * Who speaks when. The segmentation model is good at when somebody speaks, when two do at once, and mostly at when another one begins.
 * Whether a voice is the one of a minute ago is decided by the voice itself. Therefore its chains are cut into pieces, pieces with
 * like voices become people, and where two talk at once both chains have the people that they have alone. PURE.
 */
import type { Chain, Moment } from './chains.ts'
import { groupPieces, likenessOf, type Group, type VoicedPiece } from './cluster.ts'
import { turnsOf, type Turn } from './turns.ts'

/** What the person of the same chain nearby adds to the likeness of a piece that is in no group. */
const SAME_CHAIN = 0.15
/** Where two talk at once, the second one is somebody who speaks alone within this many seconds. */
const AROUND = 15

interface DetectedVoices {
  readonly chains: readonly Chain[]
  readonly moments: readonly Moment[]
  /** In order. */
  readonly pieces: readonly VoicedPiece[]
}

/**
 * Turns of people, who are numbered from 0 in order of appearance. `sameVoice`: see `groupPieces`. `count`: greatest number of people; 0: as
 * many as are found. Yields the finished share of the comparison now and then.
 */
export function* assignSpeakers(
  { chains, moments, pieces }: DetectedVoices,
  sameVoice: number,
  count: number,
): Generator<number, Turn[]> {
  const people = yield* groupPieces(pieces, chains, sameVoice, count)
  if (people.length === 0)
    return turnsOf(moments.filter(isSpoken).map(({ start, end }) => ({ start, end, speaker: 0 })))
  const speakers = assignPieces(pieces, people)
  const spans = pieces.map(({ start, end }, at): Turn => ({ start, end, speaker: speakers[at] ?? 0 }))
  for (const moment of moments.filter(isShared))
    for (const speaker of findBoth(moment, pieces, speakers))
      spans.push({ start: moment.start, end: moment.end, speaker })
  return numberSpeakers(turnsOf(spans))
}

/** Turns by the segmentation alone: a voice has a number for as long as overlapping windows follow it, and then another one. */
export function assignChains(moments: readonly Moment[]): Turn[] {
  const spans = moments.flatMap(({ start, end, chains }) =>
    chains.map((speaker): Turn => ({ start, end, speaker })),
  )
  return numberSpeakers(turnsOf(spans))
}

const isSpoken = ({ chains }: Moment): boolean => chains.length > 0
const isShared = ({ chains }: Moment): boolean => chains.length > 1

/** The person of each piece: that of its group, else the most alike one, for which the chain counts, else the nearest one. */
function assignPieces(pieces: readonly VoicedPiece[], people: readonly Group[]): number[] {
  const owners = new Map(people.flatMap(({ pieces: own }, person) => own.map((at) => [at, person] as const)))
  const grouped = pieces.flatMap((piece, at) => {
    const person = owners.get(at)
    return person === undefined ? [] : [{ piece, person }]
  })
  return pieces.map((piece, at) => {
    const owner = owners.get(at)
    if (owner !== undefined) return owner
    const middle = (piece.start + piece.end) / 2
    const follows = nearest(
      grouped.filter((one) => one.piece.chain === piece.chain),
      middle,
    )
    const { voice } = piece
    if (voice === null) return follows ?? nearest(grouped, middle) ?? 0
    const fits = people.map(
      (person, number) => likenessOf(person.voice, voice) + (number === follows ? SAME_CHAIN : 0),
    )
    return fits.indexOf(Math.max(...fits))
  })
}

interface Assigned {
  readonly piece: VoicedPiece
  readonly person: number
}

/** The person of the piece that is nearest to a moment. */
function nearest(pieces: readonly Assigned[], seconds: number, within = Infinity): number | undefined {
  let best: number | undefined
  let least = within
  for (const { piece, person } of pieces) {
    const away = Math.max(piece.start - seconds, seconds - piece.end, 0)
    if (away > least) continue
    least = away
    best = person
  }
  return best
}

/** The two who talk at once: of each chain the person that it is alone; the second one is another, if anybody is near. */
function findBoth(moment: Moment, pieces: readonly VoicedPiece[], speakers: readonly number[]): Set<number> {
  const middle = (moment.start + moment.end) / 2
  const near = pieces.flatMap((piece, at): Assigned[] =>
    piece.end > middle - AROUND && piece.start < middle + AROUND
      ? [{ piece, person: speakers[at] ?? 0 }]
      : [],
  )
  const found = new Set<number>()
  for (const chain of moment.chains) {
    const own = nearest(
      near.filter(({ piece }) => piece.chain === chain),
      middle,
    )
    if (own !== undefined) found.add(own)
  }
  for (let at = found.size; at < moment.chains.length; at += 1) {
    const other = nearest(
      near.filter(({ person }) => !found.has(person)),
      middle,
    )
    if (other !== undefined) found.add(other)
  }
  return found
}

function numberSpeakers(turns: readonly Turn[]): Turn[] {
  const names = new Map<number, number>()
  return turns.map((turn) => {
    const speaker = names.get(turn.speaker) ?? names.size
    names.set(turn.speaker, speaker)
    return { ...turn, speaker }
  })
}
