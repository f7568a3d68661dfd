/** The sound of a clip as filter chains: sample-exact cuts with crossfades, exact length, fades and gain. PURE. */
import type { Composition, AudioMask } from '../../../server/contract/composition.ts'
import { firstTwoChannels } from './audio.ts'
import { decimal } from './colour.ts'
import {
  exactly,
  fade,
  laneChains,
  silence,
  STEREO,
  sumChain,
  type TrackPiece,
  DEFAULT_SPEECH,
} from './render-lanes.ts'
import { ducks, trackMix } from './render-music.ts'
import { splitSound, type SampleRange } from './split-sound.ts'
import { SAMPLE_RATE, type PlannedSpan, type TimePlan } from './render-time.ts'
import { TICKS_PER_SECOND } from '../../../server/contract/time.ts'

/** Result of the measuring pass. */
export interface AudioGain {
  /** Gain of the clip's own sound. */
  readonly gainDb: number
  /** Highest true peak in dB, held by a limiter at four times the sample rate; null: the peaks are low enough. */
  readonly ceilingDb: number | null
  /** Gain of the mix once tracks are added; absent without tracks. */
  readonly mixDb?: number
}

/** AAC takes blocks of this size. Cuts leave blocks of any size, which ffmpeg does not always regroup correctly. */
const BLOCKS = 'asetnsamples=n=1024:p=0'

export interface SoundParts {
  /** False leaves the tones out (silence in their place): their level is fixed, so they are not measured. */
  readonly tones: boolean
  /** The command's input with the first of `audio.tracks`; null leaves the tracks out. */
  readonly firstTrack: number | null
  /** The command's input with the clip's own sound, cut and cleaned; absent: it is cut from the source. */
  readonly cleaned?: number | undefined
}

/** Chains that end in `[label]`. Input `index` of the command is window `index` of the plan. */
export function audioChains(
  composition: Composition,
  plan: TimePlan,
  gain: AudioGain | null,
  label: string,
  parts: SoundParts,
): string[] {
  const { firstTrack, tones, cleaned } = parts
  if (firstTrack === null || !hasTracks(composition))
    return maskedChains(composition, plan, limitedGain(gain, plan), { label, key: null, tones, cleaned })
  // Peaks are limited once, after everything has been added.
  const own = gain === null ? [] : [volumeFilter(gain.gainDb)]
  const key = ducks(composition) ? 'key' : null
  const finish = gain === null ? [] : limitedGain({ ...gain, gainDb: gain.mixDb ?? 0 }, plan)
  return [
    ...maskedChains(composition, plan, own, { label: 'own', key, tones, cleaned }),
    ...trackMix(composition, plan, { sound: 'own', key, mixed: 'mixed', firstInput: firstTrack }),
    `[mixed]${[...finish, STEREO, BLOCKS].join(',')}[${label}]`,
  ]
}

/**
 * Chains that end in `[speech]`, `[music]` and `[mix]`: the clip's own sound with its tones, the tracks as they are lowered
 * under it, and what the render has. Before the limiter of the mix, speech and music add up to it.
 */
export function stemChains(
  composition: Composition,
  plan: TimePlan,
  gain: AudioGain | null,
  { firstTrack, cleaned }: Pick<SoundParts, 'firstTrack' | 'cleaned'>,
): string[] {
  const tracked = firstTrack !== null && hasTracks(composition)
  const own = gain === null ? [] : [volumeFilter(gain.gainDb)]
  const key = tracked && ducks(composition) ? 'key' : null
  const last = gain === null ? [] : [volumeFilter(tracked ? (gain.mixDb ?? 0) : 0)]
  const finish = gain === null ? [] : limitedGain({ ...gain, gainDb: 0 }, plan)
  const added = [
    '[own]asplit[spoken][unheard0]',
    '[unheard0]volume=0[unheard]',
    ...(firstTrack === null || !tracked
      ? ['[unheard]anull[tracks]']
      : trackMix(composition, plan, { sound: 'unheard', key, mixed: 'tracks', firstInput: firstTrack })),
  ]
  const stem = (from: string, name: string): string =>
    `[${from}]${[...last, STEREO, BLOCKS].join(',')},asplit[${name}][${name}m]`
  return [
    ...maskedChains(composition, plan, own, { label: 'own', key, tones: true, cleaned }),
    ...added,
    stem('spoken', 'speech'),
    stem('tracks', 'music'),
    `${sumChain('speechm', 'musicm')},${[...finish, STEREO, BLOCKS].join(',')}[mix]`,
  ]
}

/** Whether the clip has sound besides that of the source. */
export function hasTracks(composition: Composition): boolean {
  return (composition.audio.tracks ?? []).length > 0
}

/** The clip's own sound with its masks; `key` is the label of the same sound before the masks. */
function maskedChains(
  composition: Composition,
  plan: TimePlan,
  gain: readonly string[],
  {
    label,
    key,
    tones,
    cleaned,
  }: Pick<SoundParts, 'tones' | 'cleaned'> & { readonly label: string; readonly key: string | null },
): string[] {
  const masks = composition.source.hasAudio && (composition.audio.masks ?? []).length > 0
  const plain = key !== null || masks ? 'whole' : label
  const chains = plainChains(composition, plan, finishing(composition, plan, gain), { label: plain, cleaned })
  if (key !== null) chains.push(`[whole]asplit[${masks ? 'unmasked' : label}][${key}]`)
  if (!masks) return chains
  const total = plan.totalSamples
  const masked = maskedSound(composition, total, key === null ? 'whole' : 'unmasked')
  const lanes = [masked.sound, tones ? masked.tones : []].filter((pieces) => pieces.length > 0)
  const join = lanes.length === 2 ? sumChain('k0', 'k1') : lanes.length === 1 ? '[k0]anull' : silence(total)
  return [
    ...chains,
    ...masked.chains,
    ...lanes.flatMap((pieces, lane) => laneChains(pieces, total, `k${lane}`)),
    `${join},${STEREO},${BLOCKS}[${label}]`,
  ]
}

/** The clip's own sound as it is cut, before anything is done to it: chains that end in `[label]`, as long as the source is played. */
export function cutChains(composition: Composition, plan: TimePlan, label: string): string[] {
  const finish = ['apad', `atrim=end_sample=${plan.playedSamples - plan.headSamples}`, STEREO, BLOCKS].join(
    ',',
  )
  return plainChains(composition, plan, finish, { label, cleaned: undefined })
}

function plainChains(
  composition: Composition,
  plan: TimePlan,
  finish: string,
  { label, cleaned }: { readonly label: string; readonly cleaned: number | undefined },
) {
  if (!composition.source.hasAudio) {
    // Platforms refuse files without a sound track.
    return [`${silence(plan.totalSamples)},${STEREO},${BLOCKS}[${label}]`]
  }
  if (cleaned !== undefined) return [`[${cleaned}:0]${finish}[${label}]`]
  const chains: string[] = []
  const pieces: TrackPiece[] = []
  const planned = planPieces(composition, plan)
  plan.windows.forEach((window, index) => {
    const part = `atrim=start=0:end=${decimal(window.lengthSeconds)}`
    const head = `[${index}:${composition.source.audioStream}]${firstTwoChannels(composition.source)}${part},aresample=${SAMPLE_RATE}:async=1:first_pts=0,${STEREO}`
    const own = planned.filter((piece) => piece.window === index)
    const split = splitSound(head, own.map(samplesRead), `a${index}`)
    chains.push(...split.chains)
    own.forEach((piece, number) => {
      const { start, length, fadeIn, fadeOut } = piece
      pieces.push({ chain: `${split.parts[number] ?? ''}${atTempo(piece)}`, start, length, fadeIn, fadeOut })
    })
  })
  const [only] = pieces
  if (pieces.length === 1 && only !== undefined) return [...chains, `${only.chain},${finish}[${label}]`]
  // ffmpeg's acrossfade loses samples when its second input arrives early, which happens after a split. Therefore the pieces
  // alternate between two tracks, are faded where they overlap, and the tracks are added.
  const tracks = [0, 1].flatMap((parity) =>
    laneChains(
      pieces.filter((_, number) => number % 2 === parity),
      plan.totalSamples,
      `t${parity}`,
    ),
  )
  const sum = `${sumChain('t0', 't1')},${finish}[${label}]`
  return [...chains, ...tracks, sum]
}

/** A piece of the clip's own sound: that of a span plus what it extends beyond its cuts. Positions in samples at 48 kHz. */
export interface SoundPiece {
  /** Index of the window that it is read from. */
  readonly window: number
  readonly span: PlannedSpan
  /** Where it is played, and for how long. */
  readonly start: number
  readonly length: number
  /** Of that, before its cut. */
  readonly lead: number
  readonly fadeIn: number
  readonly fadeOut: number
}

/** Each piece extends half a crossfade beyond its cuts, so that crossfading leaves every cut in its place. */
export function planPieces(
  { audio, transitions = [] }: Pick<Composition, 'audio' | 'transitions'>,
  plan: TimePlan,
): SoundPiece[] {
  /** Half of the crossfade at the cut on this frame. */
  const halfAt = (frame: number): number => {
    const longer = transitions.find(({ cutFrame }) => cutFrame === frame)?.soundMs ?? 0
    return Math.round((Math.max(audio.crossfadeMs, longer) / 2000) * SAMPLE_RATE)
  }
  const spans = plan.windows.flatMap((window) => window.spans)
  let at = 0
  return plan.windows.flatMap((window, index) =>
    window.spans.map((span) => {
      const lead = span === spans[0] ? 0 : halfAt(span.startFrame)
      const tail = span === spans.at(-1) ? 0 : halfAt(span.startFrame + span.frames)
      const start = at - lead
      at += span.samples
      const length = span.samples + lead + tail
      return { window: index, span, start, length, lead, fadeIn: 2 * lead, fadeOut: 2 * tail }
    }),
  )
}

/** The samples of its window that a piece plays, before their tempo is changed. */
export function samplesRead({ span, lead, length }: SoundPiece): SampleRange {
  const from = Math.max(0, span.sourceSample - Math.round(lead * span.playbackRate))
  return { from, to: span.sourceSample + Math.round((length - lead) * span.playbackRate) }
}

/** Changes the tempo of a piece, which leaves its length to be put right; at natural speed it has its length already. */
function atTempo({ span, length }: SoundPiece): string {
  return span.playbackRate === 1 ? '' : `,${tempoChain(span.playbackRate)},${exactly(length)}`
}

/** A tempo filter. One `atempo` supports 0.5 to 2, so other rates take several. */
export function tempoChain(rate: number): string {
  const steps: number[] = []
  let rest = rate
  while (rest > 2) {
    steps.push(2)
    rest /= 2
  }
  while (rest < 0.5) {
    steps.push(0.5)
    rest /= 0.5
  }
  return [...steps, rest].map((step) => `atempo=${decimal(step)}`).join(',')
}

/** Samples over which the sound fades in at its start and out at its end. */
export function edgeFade(
  { audio }: Pick<Composition, 'audio'>,
  { headSamples, playedSamples }: TimePlan,
): number {
  const most = Math.floor((playedSamples - headSamples) / 2)
  return Math.min(Math.round((audio.edgeFadeMs / 1000) * SAMPLE_RATE), most)
}

function finishing(composition: Composition, plan: TimePlan, gain: readonly string[]): string {
  // The sound begins and ends where the source does; a head before it and a tail after it are silent.
  const { totalSamples, headSamples, playedSamples } = plan
  const edge = edgeFade(composition, plan)
  const fades = edge > 0 ? [fade('in', headSamples, edge), fade('out', playedSamples - edge, edge)] : []
  const late = headSamples === 0 ? [] : [`adelay=${headSamples}S|${headSamples}S`]
  return [...late, `apad`, `atrim=end_sample=${totalSamples}`, ...fades, ...gain, STEREO, BLOCKS].join(',')
}

function volumeFilter(decibels: number): string {
  return `volume=${decimal(decibels, 2)}dB:precision=float`
}

/** How the limiter works, in milliseconds; by `attackMs` it looks ahead, which is also its delay. */
export const LIMITER = { attackMs: 4, releaseMs: 60 } as const
const OVERSAMPLED = SAMPLE_RATE * 4

function limitedGain(gain: AudioGain | null, plan: TimePlan): string[] {
  if (gain === null) return []
  if (gain.ceilingDb === null) return [volumeFilter(gain.gainDb)]
  const limit = decimal(10 ** (gain.ceilingDb / 20), 5)
  const late = (LIMITER.attackMs / 1000) * OVERSAMPLED
  return [
    volumeFilter(gain.gainDb),
    // Adds silence that pushes the last delayed samples out of the limiter.
    `apad=pad_len=${late / 4}`,
    `aresample=${OVERSAMPLED}`,
    `alimiter=level=disabled:limit=${limit}:attack=${LIMITER.attackMs}:release=${LIMITER.releaseMs}`,
    `atrim=start_sample=${late}`,
    'asetpts=N/SR/TB',
    `aresample=${SAMPLE_RATE}`,
    exactly(plan.totalSamples),
  ]
}

interface MaskedSound {
  readonly chains: readonly string[]
  readonly sound: readonly TrackPiece[]
  readonly tones: readonly TrackPiece[]
}

export const TONE_HERTZ = 1000
/** The tone is this much quieter than the speech around it, because a tone sounds louder than a voice of its level. */
const TONE_BELOW_SPEECH = 5
/** A tone with this level per channel (dBFS RMS) measures 3 LU more in stereo. */
const STEREO_GAIN = 3
/** Peak of ffmpeg's `sine`. */
export const SINE_PEAK = 1 / 8
const SINE_RMS_DB = 20 * Math.log10(SINE_PEAK / Math.SQRT2)
const FADE_SECONDS = 0.006

/** In samples. */
export interface MaskedRange {
  readonly from: number
  readonly to: number
  /** Inside the masked range, so that the sound beside it is not affected. */
  readonly fade: number
  readonly kind: AudioMask['kind']
}

export function maskedRanges(masks: readonly AudioMask[], totalSamples: number): MaskedRange[] {
  const sample = (ticks: number): number =>
    Math.min(totalSamples, Math.max(0, Math.round((ticks / TICKS_PER_SECOND) * SAMPLE_RATE)))
  return masks.flatMap(({ start, end, kind }) => {
    const from = sample(start)
    const to = sample(end)
    const fade = Math.min(Math.round(FADE_SECONDS * SAMPLE_RATE), Math.floor((to - from) / 2))
    return to > from ? [{ from, to, fade, kind }] : []
  })
}

/** What ffmpeg's `sine` is amplified by for a tone over a word. */
export const toneGainDb = ({ audio }: Pick<Composition, 'audio'>): number =>
  (audio.integratedLufs ?? DEFAULT_SPEECH) - TONE_BELOW_SPEECH - STEREO_GAIN - SINE_RMS_DB

/** The rest of the sound in `[input]`, and the tones, as pieces for two tracks that are added. */
function maskedSound(composition: Composition, totalSamples: number, input: string): MaskedSound {
  const { masks = [] } = composition.audio
  const holes = maskedRanges(masks, totalSamples)
  const parts = [...holes, null].flatMap((hole, index) => {
    const before = holes[index - 1]
    const start = before === undefined ? 0 : before.to - before.fade
    const end = hole === null ? totalSamples : hole.from + (hole.from === 0 ? 0 : hole.fade)
    return end > start ? [{ start, end, fadeIn: before?.fade ?? 0, fadeOut: hole?.fade ?? 0 }] : []
  })
  const taps = parts.map((_, index) => `[${input}x${index}]`)
  const fan = `[${input}]${parts.length > 1 ? `asplit=${parts.length}` : 'anull'}${taps.join('')}`
  const sound = parts.map(({ start, end, fadeIn, fadeOut }, index): TrackPiece => {
    const chain = `${taps[index] ?? ''}atrim=start_sample=${start}:end_sample=${end},asetpts=N/SR/TB`
    return { chain, start, length: end - start, fadeIn, fadeOut }
  })
  const tone = `sine=frequency=${TONE_HERTZ}:sample_rate=${SAMPLE_RATE},${volumeFilter(toneGainDb(composition))}`
  const tones = holes
    .filter(({ kind }) => kind === 'beep')
    .map(({ from, to, fade }): TrackPiece => {
      const chain = `${tone},pan=stereo|c0=c0|c1=c0,atrim=end_sample=${to - from},asetpts=N/SR/TB`
      return { chain, start: from, length: to - from, fadeIn: fade, fadeOut: fade }
    })
  return { chains: parts.length === 0 ? [`[${input}]anullsink`] : [fan], sound, tones }
}
