/**
 * Who speaks when. The segmentation model is good at when somebody speaks, when two do at once, and mostly at when another one begins.
 * Whether a voice is the one of a minute ago is decided better by its sound. Therefore its chains are cut into pieces, pieces that
 * sound alike become people, and each frame is assigned to the person whom it sounds like. PURE.
 */
import { chainVoices } from './chains.ts'
import { groupPieces, groupVoices } from './cluster.ts'
import { forEachLoudFrame, labelFrames, soundsOf, type Frames } from './label.ts'
import { momentsOf, piecesOf, type Moment } from './pieces.ts'
import type { SegmentedWindow } from './segments.ts'
import { turnsOf, type Turn } from './turns.ts'
import { addFrame, CEPSTRA, joined, noVoice, voiceOf, type VoiceSum } from './voiceprint.ts'

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
export function* whoSpeaksWhen(
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
  if (groups.length === 0) return turnsOf(alone(moments))
  const frames = framesOf(moments, rows, rowSeconds)
  let sounds: readonly VoiceSum[] = groups.map(({ sound }) => sound)
  let labels = labelFrames(frames, voicesOf(sounds, usual))
  for (let pass = 1; pass < PASSES; pass += 1) {
    yield 1
    const found = soundsOf(pieces, frames, rowSeconds, labels, sounds.length)
    sounds = sounds.map((before, at) =>
      (found[at]?.count ?? 0) < MIN_FRAMES ? before : (found[at] ?? before),
    )
    // With more frames than their pieces had, two people may turn out to be one.
    if (count === 0) sounds = groupVoices(sounds, usual).map((same) => sumOf(same.map((at) => sounds[at])))
    labels = labelFrames(frames, voicesOf(sounds, usual))
  }
  return inOrder(turnsOf(assignTurns(moments, labels, rowSeconds)))
}

const sumOf = (sounds: readonly (VoiceSum | undefined)[]): VoiceSum =>
  sounds.reduce<VoiceSum>((sum, sound) => (sound === undefined ? sum : joined(sum, sound)), noVoice())

const voicesOf = (sounds: readonly VoiceSum[], usual: VoiceSum) =>
  sounds.map((sound) => voiceOf(sound, usual))

/** There is too little speech to tell people apart: one person. */
const alone = (moments: readonly Moment[]): Turn[] =>
  moments.flatMap(({ start, end, chains }) => (chains.length === 0 ? [] : [{ start, end, speaker: 0 }]))

/** Frames next to an edge count as edges too, because two windows may place it a frame apart. */
const EDGE = 2

function framesOf(moments: readonly Moment[], rows: Float32Array, rowSeconds: number): Frames {
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
  const owners = ownersOf(moments, labels, rowSeconds)
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
function ownersOf(
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

function inOrder(turns: readonly Turn[]): Turn[] {
  const names = new Map<number, number>()
  return turns.map((turn) => {
    const speaker = names.get(turn.speaker) ?? names.size
    names.set(turn.speaker, speaker)
    return { ...turn, speaker }
  })
}
