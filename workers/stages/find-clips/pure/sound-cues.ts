/** PURE. What the sound adds to the words: laughter, applause, cheering, a lively voice, music over speech. */
import type { ClipFeatures, SubScoreName } from '../../../../server/contract/clip-candidate.ts'
import type { SoundEvent, SoundEventKind } from '../../../../server/contract/source-facts.ts'
import type { Point } from './judge-sentence.ts'
import { medianOf, prefixSums, sumBetween } from './numbers.ts'
import type { Sentence } from './sentences.ts'
import { PITCH_HOP_SECONDS } from './voice-pitch.ts'

/** The sound of a source as measured by earlier stages. */
export interface DetectedSound {
  /** Level in dBFS every `envelopeHopSeconds`, from the source's time 0. */
  readonly envelope: Float32Array
  readonly envelopeHopSeconds: number
  readonly speechLevelDb: number
  readonly noiseLevelDb: number
  /** Hz every PITCH_HOP_SECONDS, 0 without a voice. */
  readonly pitches: Float32Array
  /** Empty if there are no events or they were not detected. */
  readonly events: readonly SoundEvent[]
}

type Sums = Readonly<
  Record<'laughter' | 'applause' | 'cheering' | 'music' | 'seconds' | 'raised' | 'lively', Float64Array>
>

/** Sound during and after each sentence. */
export interface SoundCues {
  /** Prefix sums over the sentences (one longer than they are), in seconds or in seconds weighted 0 to 1. */
  readonly sums: Sums
  /** For a clip that ends with this sentence: seconds of each reaction to its last words. */
  readonly reactions: readonly Readonly<Record<Reaction, number>>[]
  /** For a clip that ends with this sentence: until when people react, so that it is not cut off. Seconds. */
  readonly reactionEnds: readonly (number | null)[]
}

type Reaction = Exclude<SoundEventKind, 'music'>
const REACTIONS: readonly Reaction[] = ['laughter', 'applause', 'cheering']

/** Maximum points that sound adds to or takes from a sub-score. */
export const SOUND_LIMITS = { emotion: 40, ending: 30, flow: -16 } as const

/** A reaction belongs to words if it begins while they are spoken or at most this many seconds later. */
const REACTION_DELAY = 1.5
/** Seconds before the last word's end, because people laugh before a line is over. */
const REACTION_LEAD = 0.7
/** Seconds of a reaction after the last word that stay in the clip. */
const REACTION_TAIL = 2
const INSIDE: Readonly<Record<Reaction, { readonly emotion: number; readonly per: number }>> = {
  laughter: { emotion: 26, per: 2 },
  applause: { emotion: 18, per: 3 },
  cheering: { emotion: 18, per: 3 },
}
const AT_END: Readonly<Record<Reaction, number>> = { laughter: 22, applause: 20, cheering: 20 }
/** Decibels above the usual level and semitones above the usual range that give all points. */
const RAISED_DB = 6
const LIVELY_SEMITONES = 6
const MOVEMENT_POINTS = 14

export function cuesOf(sentences: readonly Sentence[], sound: DetectedSound): SoundCues {
  const seconds = sentences.map((sentence) => sentence.end - sentence.start)
  const levels = sentences.map((sentence) => measureLevel(sound, sentence))
  const ranges = sentences.map((sentence) => measurePitchRange(sound, sentence))
  const share = (values: readonly (number | null)[], full: number): number[] => {
    const usual = medianOf(values)
    return values.map((value, index) =>
      value === null ? 0 : Math.min(1, Math.max(0, (value - usual) / full)) * (seconds[index] ?? 0),
    )
  }
  const events: EventsByKind = {
    laughter: mergeEvents(sound.events, 'laughter'),
    applause: mergeEvents(sound.events, 'applause'),
    cheering: mergeEvents(sound.events, 'cheering'),
    music: mergeEvents(sound.events, 'music'),
  }
  const during = (kind: SoundEventKind, to: (sentence: Sentence) => number): number[] =>
    sentences.map((sentence) => sumOverlap(events[kind], sentence.start, to(sentence)))
  const withGap = (sentence: Sentence): number => sentence.end + Math.min(sentence.after, 3)
  const reactions = sentences.map((sentence) => measureReactions(events, sentence))
  return {
    sums: {
      laughter: prefixSums(during('laughter', withGap)),
      applause: prefixSums(during('applause', withGap)),
      cheering: prefixSums(during('cheering', withGap)),
      music: prefixSums(during('music', (sentence) => sentence.end)),
      seconds: prefixSums(seconds),
      raised: prefixSums(share(levels, RAISED_DB)),
      lively: prefixSums(share(ranges, LIVELY_SEMITONES)),
    },
    reactions,
    reactionEnds: sentences.map((sentence) => findReactionEnd(events, sentence)),
  }
}

/** Points that sound adds to the sub-scores of a window of sentences (both inclusive), within SOUND_LIMITS. */
export function soundEffect(cues: SoundCues, from: number, to: number) {
  const total = (name: keyof typeof SOUND_LIMITS): number =>
    pointsIn(cues, from, to, name).reduce((sum, point) => sum + point.points, 0)
  return {
    emotion: Math.min(SOUND_LIMITS.emotion, total('emotion')),
    ending: Math.min(SOUND_LIMITS.ending, total('ending')),
    flow: Math.max(SOUND_LIMITS.flow, total('flow')),
  }
}

const FEATURES = ['laughter', 'applause', 'cheering', 'music', 'raised', 'lively'] as const

/** The same as numbers: the shares of laughter, a raised voice and so on. */
export function soundFeatures({ sums }: SoundCues, from: number, to: number): ClipFeatures {
  const between = (sum: Float64Array): number => sumBetween(sum, from, to)
  const spoken = Math.max(1e-3, between(sums.seconds))
  const share = (name: keyof Sums): number => between(sums[name]) / spoken
  return Object.fromEntries(FEATURES.map((name) => [name, share(name)]))
}

/** The points of one sub-score with reasons for people. */
export function pointsIn(cues: SoundCues, from: number, to: number, name: SubScoreName): Point[] {
  const between = (sum: Float64Array): number => sumBetween(sum, from, to)
  const points: Point[] = []
  const add = (value: number, reason: string): void => {
    if (Math.abs(value) >= 0.5) points.push({ points: value, reason })
  }
  const { sums } = cues
  const spoken = Math.max(1e-3, between(sums.seconds))
  if (name === 'emotion') {
    for (const kind of REACTIONS) {
      const events = between(sums[kind])
      add(INSIDE[kind].emotion * (1 - Math.exp(-events / INSIDE[kind].per)), REASONS[kind].inside)
    }
    const raised = between(sums.raised) / spoken
    const lively = between(sums.lively) / spoken
    add(MOVEMENT_POINTS * Math.min(1, raised * 1.5), 'Is said louder than most of it')
    add(MOVEMENT_POINTS * Math.min(1, lively * 1.5), 'The voice rises and falls more than elsewhere')
  }
  if (name === 'ending') {
    const reactions = cues.reactions[to]
    if (reactions !== undefined)
      for (const kind of REACTIONS)
        add(AT_END[kind] * Math.min(1, reactions[kind] / 0.6), REASONS[kind].atEnd)
  }
  if (name === 'flow') {
    const share = Math.min(1, between(sums.music) / spoken)
    add(SOUND_LIMITS.flow * share, `Music plays over ${Math.round(share * 100)} % of what is said`)
  }
  return points
}

const REASONS: Readonly<Record<Reaction, { readonly inside: string; readonly atEnd: string }>> = {
  laughter: { inside: 'People laugh in it', atEnd: 'People laugh at the end' },
  applause: { inside: 'People applaud in it', atEnd: 'People applaud at the end' },
  cheering: { inside: 'People cheer in it', atEnd: 'People cheer at the end' },
}

/** Events of a kind that belong to the last words of a sentence. */
function listReactions(events: EventsByKind, kind: Reaction, { end }: Sentence): Stretch[] {
  return events[kind].filter(
    (event) => event.start <= end + REACTION_DELAY && event.end > end - REACTION_LEAD,
  )
}

function measureReactions(events: EventsByKind, sentence: Sentence): Record<Reaction, number> {
  const from = sentence.end - REACTION_LEAD
  const to = sentence.end + Math.min(sentence.after, REACTION_TAIL)
  const of = (kind: Reaction): number => sumOverlap(listReactions(events, kind, sentence), from, to)
  return { laughter: of('laughter'), applause: of('applause'), cheering: of('cheering') }
}

function findReactionEnd(events: EventsByKind, sentence: Sentence): number | null {
  const ends = REACTIONS.flatMap((kind) => listReactions(events, kind, sentence))
    .map(({ end }) => Math.min(end, sentence.end + REACTION_TAIL))
    .filter((end) => end > sentence.end)
  return ends.length === 0 ? null : Math.max(...ends)
}

interface Stretch {
  readonly start: number
  readonly end: number
}

type EventsByKind = Readonly<Record<SoundEventKind, readonly Stretch[]>>

/** Events of one kind in order, merged so that no second counts twice. */
function mergeEvents(events: readonly SoundEvent[], kind: SoundEventKind): Stretch[] {
  const out: { start: number; end: number }[] = []
  for (const event of events.filter((one) => one.kind === kind).toSorted((a, b) => a.start - b.start)) {
    const last = out.at(-1)
    if (last !== undefined && event.start <= last.end) last.end = Math.max(last.end, event.end)
    else out.push({ start: event.start, end: event.end })
  }
  return out
}

function sumOverlap(events: readonly Stretch[], start: number, end: number): number {
  return events.reduce(
    (sum, event) => sum + Math.max(0, Math.min(event.end, end) - Math.max(event.start, start)),
    0,
  )
}

/** Mean level of what is not silent, dBFS; null if nothing was measured. */
function measureLevel(sound: DetectedSound, { start, end }: Stretch): number | null {
  const silence = (sound.speechLevelDb + sound.noiseLevelDb) / 2
  let sum = 0
  let count = 0
  const last = Math.min(sound.envelope.length, Math.round(end / sound.envelopeHopSeconds))
  for (let hop = Math.max(0, Math.round(start / sound.envelopeHopSeconds)); hop < last; hop += 1) {
    const level = sound.envelope[hop] ?? -100
    if (level < silence) continue
    sum += level
    count += 1
  }
  return count === 0 ? null : sum / count
}

/** Semitones between the lower and upper tenth of the pitch; null if there is too little voice. */
function measurePitchRange(sound: DetectedSound, { start, end }: Stretch): number | null {
  const from = Math.round(start / PITCH_HOP_SECONDS)
  const to = Math.round(end / PITCH_HOP_SECONDS)
  const voiced = sound.pitches.subarray(Math.max(0, from), Math.max(0, to)).filter((hertz) => hertz > 0)
  if (voiced.length < 6) return null
  const sorted = voiced.toSorted()
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 1
  return 12 * Math.log2(at(0.9) / at(0.1))
}
