/**
 * Who speaks when. The segmentation model is good at when somebody speaks, when two do at once, and mostly at when another one begins.
 * Whether a voice is the one of a minute ago is decided better by its sound. Therefore its chains are cut into pieces, pieces that
 * sound alike become people, and each frame is assigned to the person whom it sounds like. PURE.
 */
import { chainVoices, momentsOf, piecesOf, type Moment, type SegmentedWindow, type Piece } from './chains.ts'
import { groupPieces, groupVoices } from './cluster.ts'
import { turnsOf, type Turn } from './turns.ts'
import {
  addFrame,
  CEPSTRA,
  joined,
  noVoice,
  voiceOf,
  type VoiceSum,
  fitOf,
  type Voice,
} from './voiceprint.ts'

/** Number of passes in which frames are assigned to people and their sound is measured again from these frames. */
const PASSES = 2
/** Fewer frames than this do not change how a person sounds. */
const MIN_FRAMES = 20
/** A chain belongs to the person whom it sounds like within this many seconds on each side. */
const AROUND = 8

/**
 * Turns of people, who are numbered from 0 in order of appearance. `rows`: cepstra of the whole sound, one row per `rowSeconds`.
 * `count`: number of people; 0: as many as are found. Takes some seconds for an hour, and yields the finished share of the comparison
 * now and then.
 */
export function* assignSpeakers(
  windows: readonly SegmentedWindow[],
  rows: Float32Array,
  rowSeconds: number,
  count: number,
): Generator<number, Turn[]> {
  const chains = chainVoices(windows)
  const moments = momentsOf(windows, chains)
  const usual = noVoice()
  const pieces = piecesOf(moments).map((piece) => {
    const sound = noVoice()
    forEachLoudFrame(piece, rows, rowSeconds, (row) => {
      addFrame(sound, rows, row)
      addFrame(usual, rows, row)
    })
    return { ...piece, sound }
  })
  const groups = yield* groupPieces(pieces, chains, usual, count)
  if (groups.length === 0) return turnsOf(assignAlone(moments))
  const frames = buildFrames(moments, rows, rowSeconds)
  let sounds: readonly VoiceSum[] = groups.map(({ sound }) => sound)
  let labels = labelFrames(frames, buildVoices(sounds, usual))
  for (let pass = 1; pass < PASSES; pass += 1) {
    yield 1
    const found = measureSounds(pieces, frames, rowSeconds, labels, sounds.length)
    sounds = sounds.map((before, at) =>
      (found[at]?.count ?? 0) < MIN_FRAMES ? before : (found[at] ?? before),
    )
    // With more frames than their pieces had, two people may turn out to be one.
    if (count === 0)
      sounds = groupVoices(sounds, usual).map((same) => sumSounds(same.map((at) => sounds[at])))
    labels = labelFrames(frames, buildVoices(sounds, usual))
  }
  return numberSpeakers(turnsOf(assignTurns(moments, labels, rowSeconds)))
}

const sumSounds = (sounds: readonly (VoiceSum | undefined)[]): VoiceSum =>
  sounds.reduce<VoiceSum>((sum, sound) => (sound === undefined ? sum : joined(sum, sound)), noVoice())

const buildVoices = (sounds: readonly VoiceSum[], usual: VoiceSum) =>
  sounds.map((sound) => voiceOf(sound, usual))

/** There is too little speech to tell people apart: one person. */
const assignAlone = (moments: readonly Moment[]): Turn[] =>
  moments.flatMap(({ start, end, chains }) => (chains.length === 0 ? [] : [{ start, end, speaker: 0 }]))

/** Frames next to an edge count as edges too, because two windows may place it a frame apart. */
const EDGE = 2

function buildFrames(moments: readonly Moment[], rows: Float32Array, rowSeconds: number): Frames {
  const count = Math.floor(rows.length / CEPSTRA)
  const speech = new Uint8Array(count)
  const edges = new Uint8Array(count)
  for (const { start, end, chains } of moments) {
    const first = Math.round(start / rowSeconds)
    const last = Math.round(end / rowSeconds)
    if (chains.length > 0) speech.fill(1, first, last)
    else edges.fill(1, first, last)
    edges.fill(1, Math.max(0, first - EDGE), first + EDGE + 1)
  }
  return { rows, speech, edges }
}

/** Who speaks when: by the labels, and where two talk at once by the people of both chains. */
function assignTurns(moments: readonly Moment[], labels: Uint8Array, rowSeconds: number): Turn[] {
  const found: Turn[] = []
  const owners = findOwners(moments, labels, rowSeconds)
  moments.forEach(({ start, end, chains }, at) => {
    if (chains.length === 0) return
    const both = chains.length > 1 ? new Set(chains.flatMap((chain) => owners(chain, at) ?? [])) : new Set()
    if (both.size > 1) {
      for (const speaker of both as Set<number>) found.push({ start, end, speaker })
      return
    }
    for (let from = start; from < end;) {
      const row = Math.min(labels.length - 1, Math.floor(from / rowSeconds + 0.5))
      let next = row + 1
      while (next < labels.length && labels[next] === labels[row] && next * rowSeconds < end) next += 1
      const to = next >= labels.length ? end : Math.min(end, next * rowSeconds)
      found.push({ start: from, end: Math.max(to, from + rowSeconds / 2), speaker: labels[row] ?? 0 })
      from = Math.max(to, from + rowSeconds / 2)
    }
  })
  return found
}

/** The person of a chain where it speaks alone around a moment; null: it does not. */
function findOwners(
  moments: readonly Moment[],
  labels: Uint8Array,
  rowSeconds: number,
): (chain: number, at: number) => number | null {
  return (chain, at) => {
    const { start: from = 0, end: to = 0 } = moments[at] ?? {}
    const frames = new Map<number, number>()
    const count = (moment: Moment): void => {
      if (moment.chains.length !== 1 || moment.chains[0] !== chain) return
      for (let row = Math.ceil(moment.start / rowSeconds); row < moment.end / rowSeconds; row += 1)
        frames.set(labels[row] ?? 0, (frames.get(labels[row] ?? 0) ?? 0) + 1)
    }
    for (let other = at - 1; other >= 0 && from - (moments[other]?.end ?? 0) < AROUND; other -= 1)
      count(moments[other] ?? NOTHING)
    for (let other = at + 1; other < moments.length && (moments[other]?.start ?? 0) - to < AROUND; other += 1)
      count(moments[other] ?? NOTHING)
    return [...frames].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? null
  }
}

const NOTHING: Moment = { start: 0, end: 0, chains: [] }

function numberSpeakers(turns: readonly Turn[]): Turn[] {
  const names = new Map<number, number>()
  return turns.map((turn) => {
    const speaker = names.get(turn.speaker) ?? names.size
    names.set(turn.speaker, speaker)
    return { ...turn, speaker }
  })
}

/** Frames of cepstra with the result of the segmentation. */
interface Frames {
  /** Rows of `CEPSTRA`. */
  readonly rows: Float32Array
  readonly speech: Uint8Array
  /** Whether another voice may have begun: a pause, or another voice according to the segmentation. */
  readonly edges: Uint8Array
}

/** Weight of a frame, because frames overlap and depend on each other. */
const FRAME_COUNTS = 0.25
/** Maximum evidence of one frame against a voice, because there are noises. */
const MAX_SAID = 12
/** Cost of a change of voices at an edge, and elsewhere. */
const CHANGE_AT_EDGE = 2
const CHANGE = 6

/** For each frame the index of its voice in the list, including where nobody speaks. `voices` must not be empty. */
function labelFrames({ rows, speech, edges }: Frames, voices: readonly Voice[]): Uint8Array {
  const count = voices.length
  const frames = speech.length
  const cameFrom = new Uint8Array(frames * count)
  let scores = new Float64Array(count)
  let next = new Float64Array(count)
  const fits = new Float64Array(count)
  for (let frame = 0; frame < frames; frame += 1) {
    const best = findGreatest(scores)
    const changed = (scores[best] ?? 0) - (edges[frame] === 1 ? CHANGE_AT_EDGE : CHANGE)
    if (speech[frame] === 1) voices.forEach((voice, at) => (fits[at] = fitOf(voice, rows, frame)))
    else fits.fill(0)
    const least = (fits[findGreatest(fits)] ?? 0) - MAX_SAID
    for (let voice = 0; voice < count; voice += 1) {
      const stays = scores[voice] ?? 0
      cameFrom[frame * count + voice] = stays >= changed ? voice : best
      next[voice] = Math.max(stays, changed) + FRAME_COUNTS * Math.max(least, fits[voice] ?? 0)
    }
    const spare = scores
    scores = next
    next = spare
  }
  const labels = new Uint8Array(frames)
  let voice = findGreatest(scores)
  for (let frame = frames - 1; frame >= 0; frame -= 1) {
    labels[frame] = voice
    voice = cameFrom[frame * count + voice] ?? 0
  }
  return labels
}

function findGreatest(values: Float64Array): number {
  let best = 0
  values.forEach((value, at) => {
    if (value > (values[best] ?? 0)) best = at
  })
  return best
}

/** Frames that are this much softer than the loud ones of their piece say little about the voice and much about the room; in levels. */
const SOFTER = 140

/** Calls back for each frame of a piece that is loud enough to identify a voice. */
function forEachLoudFrame(
  piece: Piece,
  rows: Float32Array,
  rowSeconds: number,
  take: (row: number) => void,
): void {
  const first = Math.ceil(piece.start / rowSeconds)
  const last = Math.min(rows.length / CEPSTRA, Math.floor(piece.end / rowSeconds) - 1)
  const levels: number[] = []
  for (let row = first; row < last; row += 1) levels.push(rows[row * CEPSTRA] ?? 0)
  const loud = levels.toSorted((a, b) => b - a)[Math.floor(levels.length / 10)] ?? 0
  levels.forEach((level, at) => {
    if (level > loud - SOFTER) take(first + at)
  })
}

/** The sound of each voice in the frames that are labelled with it. */
function measureSounds(
  pieces: readonly Piece[],
  { rows }: Frames,
  rowSeconds: number,
  labels: Uint8Array,
  count: number,
): VoiceSum[] {
  const sounds = Array.from({ length: count }, noVoice)
  for (const piece of pieces) {
    forEachLoudFrame(piece, rows, rowSeconds, (row) => {
      const sound = sounds[labels[row] ?? 0]
      if (sound !== undefined) addFrame(sound, rows, row)
    })
  }
  return sounds
}
