/**
 * The sounds beside the source's: each cut to the sample, looped, levelled and faded, laid in its place, lowered while
 * the source is heard, and added to it. PURE.
 */
import type { Composition, SoundTrack } from '../../../server/contract/composition.ts'
import { TICKS_PER_SECOND } from '../../../server/contract/time.ts'
import { decimal } from './expressions.ts'
import { inputFile, inputGuard, seconds } from './input.ts'
import {
  exactly,
  fade,
  laneChains,
  silence,
  STEREO,
  sumChain,
  USUAL_SPEECH,
  type TrackPiece,
} from './render-lanes.ts'
import { SAMPLE_RATE, sampleAt, type TimePlan } from './render-time.ts'

/** A track without a measured level, or far too quiet, is not lifted more than this: it would be noise. */
const MOST_GAIN_DB = 30
/** End and start of a looped file go into each other over this time. */
const SEAM_SECONDS = 0.04
/** Decoders know the end of a file only nearly. */
const SPARE_SECONDS = 1

/** The track is lowered before a word and not after it has begun. */
const LOOKAHEAD_SECONDS = 0.25
/**
 * The source opens a gate, and the gate lowers the track: so the depth is the same for a whisper and a shout. The source
 * is at its final loudness, where words are far over the gate and the noise of a room is under it.
 */
const GATE = 'compand=attacks=0.005:decays=0.15:points=-90/-90|-42/-90|-36/-12|0/-12:volume=-90'
const GATED_DB = -12
const THRESHOLD_DB = -36
const RATIO = 20
/** Milliseconds. A release of a second bridges the gaps between words and lets go in pauses. */
const MOVES = 'attack=60:release=1000:knee=1:detection=rms'

/** A track in samples of the output. */
interface PlannedTrack {
  readonly track: SoundTrack
  readonly start: number
  readonly length: number
  /** Of the file. */
  readonly from: number
  readonly fileSamples: number
  /** Whether it is heard longer than the file goes on. */
  readonly looped: boolean
}

/** The tracks of a composition, those that are heard at all, inside its length. `input`: place in the composition's list. */
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

/** What opens the tracks' files, after every other input and in the order of `composition.audio.tracks`. */
export function trackInputs(composition: Composition, files: readonly string[]): string[] {
  const planned = new Map(planTracks(composition).map((plan) => [plan.input, plan]))
  return files.flatMap((file, input) => {
    const plan = planned.get(input)
    const samples = plan === undefined ? 0 : plan.looped ? plan.fileSamples : plan.from + plan.length
    const limit = ['-t', seconds(samples / SAMPLE_RATE + SPARE_SECONDS)]
    return [...inputGuard(), '-vn', '-sn', '-dn', ...limit, '-i', inputFile(file)]
  })
}

/** Whether the clip's own sound lowers a track. */
export function ducks(composition: Composition): boolean {
  return composition.source.hasAudio && planTracks(composition).some(({ track }) => track.duckDb > 0)
}

export interface MixLabels {
  /** The clip's own sound, as it is heard. */
  readonly sound: string
  /** The same before words were masked: a track does not come up under a beep. Null: nothing is lowered. */
  readonly key: string | null
  readonly mixed: string
  /** Input of the command that holds the first track. */
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
    const laid = apart(heads).map((pieces, number) => {
      const label = `g${group}l${number}`
      chains.push(...laneChains(pieces, total, label))
      return label
    })
    return { depth, label: sumAll(chains, laid, `g${group}`) }
  })
  const lowered = lanes.filter(({ depth }) => depth > 0)
  if (labels.key !== null && lowered.length > 0) {
    const taps = lowered.map((_, index) => `[key${index}]`)
    const fan = lowered.length > 1 ? `,asplit=${lowered.length}` : ''
    chains.push(`[${labels.key}]${early(total)},${GATE}${fan}${taps.join('')}`)
  }
  const heard = lanes.map(({ depth, label }) => {
    if (depth === 0) return label
    const ducked = `${label}d`
    chains.push(
      `[${label}][key${lowered.findIndex((lane) => lane.label === label)}]${duckFilter(depth)}[${ducked}]`,
    )
    return ducked
  })
  const all = sumAll(chains, [labels.sound, ...heard], 'm')
  return [...chains, `[${all}]anull[${labels.mixed}]`]
}

/** The compressor's mix of lowered and untouched sound bounds how deep it goes: exactly `depth` dB under an open gate. */
function duckFilter(depth: number): string {
  const compressed = 10 ** (-((GATED_DB - THRESHOLD_DB) * (1 - 1 / RATIO)) / 20)
  const mix = Math.min(1, (1 - 10 ** (-depth / 20)) / (1 - compressed))
  const threshold = decimal(10 ** (THRESHOLD_DB / 20))
  return `sidechaincompress=threshold=${threshold}:ratio=${RATIO}:${MOVES}:mix=${decimal(mix)}`
}

function early(total: number): string {
  const lead = Math.min(Math.round(LOOKAHEAD_SECONDS * SAMPLE_RATE), total - 1)
  return `atrim=start_sample=${lead},asetpts=N/SR/TB,${exactly(total)}`
}

/** Pieces in lanes, so that none meets another in its own. */
function apart(pieces: readonly TrackPiece[]): TrackPiece[][] {
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

/** Adds labels two by two; nothing is made quieter for being added. Returns the label of the sum. */
function sumAll(chains: string[], labels: readonly string[], name: string): string {
  return labels.reduce((sum, label, index) => {
    const next = `${name}s${index}`
    chains.push(`${sumChain(sum, label)}[${next}]`)
    return next
  })
}

function trackPiece(
  composition: Composition,
  entry: PlannedTrack,
  input: number,
): { readonly chains: readonly string[]; readonly piece: TrackPiece } {
  const { track, from, length } = entry
  const head = `[${input}:${track.asset.audioStream}]aresample=${SAMPLE_RATE}:async=1:first_pts=0,${STEREO}`
  const looped = entry.looped ? loopChains(head, entry, `i${input}`) : { chains: [], last: head }
  const cut = `atrim=start_sample=${from}:end_sample=${from + length},asetpts=N/SR/TB,${exactly(length)}`
  const chain = [looped.last, cut, volume(composition, track), ...fades(track, length)].join(',')
  return { chains: looped.chains, piece: { chain, start: entry.start, length, fadeIn: 0, fadeOut: 0 } }
}

/**
 * The file over and over: its last moment fades into its first, and from there it goes round. The first run through its
 * first moment is apart, because `aloop` mixes up samples unless it loops from the start of what it is given.
 */
function loopChains(
  head: string,
  { fileSamples }: PlannedTrack,
  name: string,
): { chains: string[]; last: string } {
  const seam = Math.min(Math.round(SEAM_SECONDS * SAMPLE_RATE), Math.floor(fileSamples / 4))
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

function volume(composition: Composition, { asset, levelDb }: SoundTrack): string {
  const speech = composition.audio.integratedLufs ?? USUAL_SPEECH
  const gain = Math.min(MOST_GAIN_DB, speech + levelDb - (asset.integratedLufs ?? speech))
  return `volume=${decimal(gain, 2)}dB:precision=float`
}

/** Both fades fit into the track. */
function fades({ fadeInMs, fadeOutMs }: SoundTrack, length: number): string[] {
  const samples = (milliseconds: number): number => Math.round((milliseconds / 1000) * SAMPLE_RATE)
  const wanted = samples(fadeInMs) + samples(fadeOutMs)
  const share = wanted > length ? length / wanted : 1
  const [fadeIn, fadeOut] = [fadeInMs, fadeOutMs].map((wish) => Math.floor(samples(wish) * share))
  return [
    ...(fadeIn === undefined || fadeIn < 1 ? [] : [fade('in', 0, fadeIn)]),
    ...(fadeOut === undefined || fadeOut < 1 ? [] : [fade('out', length - fadeOut, fadeOut)]),
  ]
}
