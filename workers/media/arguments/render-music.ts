/**
 * Sound tracks besides the source's sound: each is cut to the sample, looped, levelled and faded, placed, lowered while the
 * source has speech (ducking), and added. PURE.
 */
import type { Composition, SoundTrack } from '../../../server/contract/composition.ts'
import { easing } from '../../../server/contract/keyframes/easings.ts'
import { valuesOn, type KeyframePoint } from '../../../server/contract/keyframes/keyframes.ts'
import { rationalToNumber, TICKS_PER_SECOND, type Rational } from '../../../server/contract/time.ts'
import { decimal, piecewise, type Piece } from './colour.ts'
import { inputGuard, seconds } from './input.ts'
import {
  exactly,
  fade,
  laneChains,
  silence,
  STEREO,
  sumChain,
  DEFAULT_SPEECH,
  type TrackPiece,
} from './render-lanes.ts'
import { SAMPLE_RATE, sampleAt, type TimePlan } from './render-time.ts'

/** Maximum gain for a track that has no measured level or is far too quiet: more would only amplify noise. */
const MAX_GAIN_DB = 30
/** End and start of a looped file are crossfaded over this time. */
const SEAM_SECONDS = 0.04
/** Decoders know the length of a file only approximately. */
const SPARE_SECONDS = 1

/** How a track is lowered while the source has speech. Times in seconds. */
export const DUCKING = {
  /** The track is lowered before a word begins, not after. */
  lookahead: 0.25,
  /** The source counts as speech above its own loudness minus this many dB; room noise is below. */
  thresholdDb: 24,
  /** Values per second of the curve by which a track is lowered. */
  curveRate: 1000,
  /** The level falls before a word, is held between words, and rises in pauses. */
  down: 0.2,
  stays: 0.35,
  up: 0.6,
  smoothed: 0.02,
} as const

/** A track in output samples. */
export interface PlannedTrack {
  readonly track: SoundTrack
  readonly start: number
  readonly length: number
  /** First sample of the file that is used. */
  readonly from: number
  readonly fileSamples: number
  /** Whether it plays longer than the file lasts. */
  readonly looped: boolean
}

/** The audible tracks of a composition within its length. `input`: index in the composition's list. */
export function planTracks(composition: Composition): (PlannedTrack & { readonly input: number })[] {
  const rate = composition.output.frameRate
  return (composition.audio.tracks ?? []).flatMap((track, input) => {
    const start = sampleAt(Math.max(0, track.startFrame), rate)
    const end = sampleAt(Math.min(composition.durationFrames, track.endFrame), rate)
    const skipped = sampleAt(Math.max(0, -track.startFrame), rate)
    const fileSamples = Math.floor((track.asset.duration / TICKS_PER_SECOND) * SAMPLE_RATE)
    const wanted = Math.round((track.sourceStart / TICKS_PER_SECOND) * SAMPLE_RATE) + skipped
    if (end <= start || fileSamples < 1) return []
    const from = track.loop ? wanted % fileSamples : wanted
    const length = end - start
    return [
      { track, input, start, length, from, fileSamples, looped: track.loop && from + length > fileSamples },
    ]
  })
}

/** The inputs for the tracks' files, after all other inputs and in the order of `composition.audio.tracks`. */
export function trackInputs(composition: Composition, files: readonly string[]): string[] {
  const planned = new Map(planTracks(composition).map((plan) => [plan.input, plan]))
  return files.flatMap((file, input) => {
    const plan = planned.get(input)
    const samples = plan === undefined ? 0 : plan.looped ? plan.fileSamples : plan.from + plan.length
    const limit = ['-t', seconds(samples / SAMPLE_RATE + SPARE_SECONDS)]
    return [...inputGuard(), '-vn', '-sn', '-dn', ...limit, '-i', `file:${file}`]
  })
}

/** Whether the clip's own sound lowers a track. */
export function ducks(composition: Composition): boolean {
  return composition.source.hasAudio && planTracks(composition).some(({ track }) => track.duckDb > 0)
}

export interface MixLabels {
  /** The clip's own sound as it is played. */
  readonly sound: string
  /** The same before words were masked, so that a track does not rise under a beep. Null: no track is lowered. */
  readonly key: string | null
  readonly mixed: string
  /** The command's input with the first track. */
  readonly firstInput: number
}

/** Chains that add the tracks to `[sound]`. */
export function trackMix(composition: Composition, plan: TimePlan, labels: MixLabels): string[] {
  const total = plan.totalSamples
  const planned = planTracks(composition)
  const chains: string[] = []
  const depths = [...new Set(planned.map(({ track }) => (labels.key === null ? 0 : track.duckDb)))]
  const lanes = depths.map((depth, group) => {
    const own = planned.filter(({ track }) => labels.key === null || track.duckDb === depth)
    const heads = own.map((entry) => {
      const piece = trackPiece(composition, entry, labels.firstInput + entry.input)
      chains.push(...piece.chains)
      return piece.piece
    })
    const laid = separateOverlaps(heads).map((pieces, number) => {
      const label = `g${group}l${number}`
      chains.push(...laneChains(pieces, total, label))
      return label
    })
    return { depth, label: sumAll(chains, laid, `g${group}`) }
  })
  const lowered = lanes.filter(({ depth }) => depth > 0)
  if (labels.key !== null && lowered.length > 0)
    chains.push(...powerChains(labels.key, total, lowered.map((_, index) => `key${index}`))) // prettier-ignore
  const mixed = lanes.map(({ depth, label }) => {
    if (depth === 0) return label
    const key = `key${lowered.findIndex((lane) => lane.label === label)}`
    const curve = `${label}c`
    const ducked = `${label}d`
    chains.push(
      `[${key}]${curveFilter(composition, depth)},aresample=${SAMPLE_RATE},pan=stereo|c0=c0|c1=c0,${STEREO},${exactly(total)}[${curve}]`,
      `[${label}][${curve}]amultiply[${ducked}]`,
    )
    return ducked
  })
  const all = sumAll(chains, [labels.sound, ...mixed], 'm')
  return [...chains, `[${all}]anull[${labels.mixed}]`]
}

/** The power of the source's sound, slightly ahead of it, at the rate of the curve. */
function powerChains(key: string, total: number, labels: readonly string[]): string[] {
  const lead = Math.min(Math.round(DUCKING.lookahead * SAMPLE_RATE), total - 1)
  const ahead = `atrim=start_sample=${lead},asetpts=N/SR/TB,${exactly(total)}`
  const fan = labels.length > 1 ? `,asplit=${labels.length}` : ''
  return [
    `[${key}]${ahead},pan=mono|c0=0.5*c0+0.5*c1,asplit[${key}l][${key}r]`,
    `[${key}l][${key}r]amultiply,aresample=${DUCKING.curveRate}${fan}${labels.map((label) => `[${label}]`).join('')}`,
  ]
}

/** Mean square above which the source counts as speech. */
export const speechPower = ({ audio }: Pick<Composition, 'audio'>): number =>
  10 ** (((audio.integratedLufs ?? DEFAULT_SPEECH) - DUCKING.thresholdDb) / 10)

/**
 * Computes the curve from the power, value by value. Register 0 is the smoothed power, 1 the remaining time for which speech is
 * assumed, 2 how far the track is lowered (0 to 1). It follows an S-shape in dB and is exactly `depth` deep whatever the
 * source's level; a compressor's depth depends on the level of its key, and it drops within a millisecond, which is audible.
 */
function curveFilter(composition: Composition, depth: number): string {
  const threshold = decimal(speechPower(composition), 9)
  const step = (secondsLong: number): string => decimal(1 / (secondsLong * DUCKING.curveRate))
  const curve = [
    `st(0,ld(0)+${step(DUCKING.smoothed)}*(val(0)-ld(0)))`,
    `st(1,if(gt(ld(0),${threshold}),${DUCKING.stays * DUCKING.curveRate},max(0,ld(1)-1)))`,
    `st(2,if(gt(ld(1),0),min(1,ld(2)+${step(DUCKING.down)}),max(0,ld(2)-${step(DUCKING.up)})))`,
    `pow(10,-${decimal(depth / 20)}*ld(2)*ld(2)*(3-2*ld(2)))`,
  ]
  return `aeval=${curve.join(';').replace(/[,;]/gu, '\\$&')}`
}

/** Distributes pieces to lanes so that no two overlap on one lane. */
function separateOverlaps(pieces: readonly TrackPiece[]): TrackPiece[][] {
  const lanes: TrackPiece[][] = []
  for (const piece of [...pieces].sort((a, b) => a.start - b.start)) {
    const free = lanes.find((lane) => {
      const last = lane.at(-1)
      return last === undefined || last.start + last.length <= piece.start
    })
    if (free === undefined) lanes.push([piece])
    else free.push(piece)
  }
  return lanes
}

/** Adds labels in pairs without making anything quieter. Returns the label of the sum. */
function sumAll(chains: string[], labels: readonly string[], name: string): string {
  return labels.reduce((sum, label, index) => {
    const next = `${name}s${index}`
    chains.push(`${sumChain(sum, label)}[${next}]`)
    return next
  })
}

function trackPiece(composition: Composition, entry: PlannedTrack, input: number) {
  const { track, from, length } = entry
  const head = `[${input}:${track.asset.audioStream}]aresample=${SAMPLE_RATE}:async=1:first_pts=0,${STEREO}`
  const looped = entry.looped ? loopChains(head, entry, `i${input}`) : { chains: [], last: head }
  const cut = `atrim=start_sample=${from}:end_sample=${from + length},asetpts=N/SR/TB,${exactly(length)}`
  const chain = [looped.last, cut, volume(composition, track), ...fades(track, length)].join(',')
  return { chains: looped.chains, piece: { chain, start: entry.start, length, fadeIn: 0, fadeOut: 0 } }
}

/** Samples over which the end of a looped file is crossfaded into its beginning. */
export const seamOf = (fileSamples: number): number =>
  Math.min(Math.round(SEAM_SECONDS * SAMPLE_RATE), Math.floor(fileSamples / 4))

/**
 * Loops the file: its end is crossfaded into its beginning. The first run through the beginning is a piece of its own, because
 * `aloop` mixes up samples unless it loops from the start of its input.
 */
function loopChains(head: string, { fileSamples }: PlannedTrack, name: string) {
  const seam = seamOf(fileSamples)
  const body = fileSamples - seam
  const round = `aloop=loop=-1:size=${body}:start=0,asetpts=N/SR/TB`
  if (seam < 1) return { chains: [`${head},${exactly(fileSamples)}[${name}o]`], last: `[${name}o]${round}` }
  const chains = [
    `${head},${exactly(fileSamples)},asplit=3[${name}a][${name}b][${name}c]`,
    `[${name}a]afade=t=out:ss=${body}:ns=${seam}:curve=qsin[${name}t]`,
    `${silence(body)},${STEREO}[${name}z]`,
    `[${name}b]atrim=end_sample=${seam},asetpts=N/SR/TB,afade=t=in:ss=0:ns=${seam}:curve=qsin[${name}f]`,
    `[${name}z][${name}f]concat=n=2:v=0:a=1[${name}h]`,
    `${sumChain(`${name}t`, `${name}h`)},atrim=start_sample=${seam},asetpts=N/SR/TB,${round}[${name}r]`,
    `[${name}c]atrim=end_sample=${seam},asetpts=N/SR/TB[${name}i]`,
  ]
  return { chains, last: `[${name}i][${name}r]concat=n=2:v=0:a=1,asetpts=N/SR/TB` }
}

/** What a track's file is amplified by, dB. */
function trackGainDb(composition: Pick<Composition, 'audio'>, track: SoundTrack): number {
  return Math.min(MAX_GAIN_DB, uncappedGainDb(composition, track))
}

function uncappedGainDb({ audio }: Pick<Composition, 'audio'>, { asset, levelDb }: SoundTrack): number {
  const speech = audio.integratedLufs ?? DEFAULT_SPEECH
  return speech + levelDb - (asset.integratedLufs ?? speech)
}

/** Samples over which a track of this length fades; both are shortened so that they fit into it. */
export function trackFades({ fadeInMs, fadeOutMs }: SoundTrack, length: number) {
  const samples = (milliseconds: number): number => Math.round((milliseconds / 1000) * SAMPLE_RATE)
  const wanted = samples(fadeInMs) + samples(fadeOutMs)
  const share = wanted > length ? length / wanted : 1
  return {
    fadeIn: Math.floor(samples(fadeInMs) * share),
    fadeOut: Math.floor(samples(fadeOutMs) * share),
  }
}

/** Samples for which a level that moves is held. */
export const LEVEL_SAMPLES = 480

/** What a track's file is amplified by so many samples after its first one that is heard, dB; its level may move. */
export function trackGainAt(composition: Composition, track: SoundTrack, sample: number): number {
  const held = Math.floor(sample / LEVEL_SAMPLES) * LEVEL_SAMPLES
  const perSecond = rationalToNumber(composition.output.frameRate)
  const frame = Math.max(0, track.startFrame) + (held / SAMPLE_RATE) * perSecond
  return trackGainDb(composition, valuesOn(track, frame))
}

function volume(composition: Composition, track: SoundTrack): string {
  const points = track.keyframes?.find(({ property }) => property === 'levelDb')?.points
  if (points === undefined) return `volume=${decimal(trackGainDb(composition, track), 2)}dB:precision=float`
  const still: SoundTrack = { ...track, levelDb: 0 }
  const base = decimal(uncappedGainDb(composition, still), 3)
  const level = writtenValue(points, Math.max(0, track.startFrame), composition.output.frameRate)
  const gain = `pow(10\\,min(${MAX_GAIN_DB}\\,${base}+(${level}))/20)`
  return `asetnsamples=n=${LEVEL_SAMPLES}:p=0,volume=${gain}:eval=frame:precision=float`
}

/** The value on the frames from `first` on, as an expression of the seconds `t` since it. */
function writtenValue(points: readonly KeyframePoint[], first: number, rate: Rational): string {
  const second = (frame: number): number => (frame - first) / rationalToNumber(rate)
  const pieces = points.map((point, index): Piece => {
    const next = points[index + 1]
    const from = Number(second(point.frame).toFixed(6))
    const start = decimal(point.value, 3)
    if (next === undefined) return { from, value: start }
    const share = `((t-${decimal(from)})/${decimal(second(next.frame) - second(point.frame))})`
    const way = easing(point.easing).written(share)
    return { from, value: `${start}+(${decimal(next.value - point.value, 3)})*${way}` }
  })
  return piecewise('t', [{ from: -1, value: decimal(points[0]?.value ?? 0, 3) }, ...pieces])
}

function fades(track: SoundTrack, length: number): string[] {
  const { fadeIn, fadeOut } = trackFades(track, length)
  return [
    ...(fadeIn < 1 ? [] : [fade('in', 0, fadeIn)]),
    ...(fadeOut < 1 ? [] : [fade('out', length - fadeOut, fadeOut)]),
  ]
}
