/** The sound of a clip as filter chains: sample-exact cuts with crossfades, exact length, edge fades, gain. PURE. */
import type { Composition } from '../../../server/contract/composition.ts'
import { decimal } from './expressions.ts'
import { maskedSound, type TrackPiece } from './render-masks.ts'
import { SAMPLE_RATE, type PlannedSpan, type TimePlan } from './render-time.ts'

/** What the measuring pass decided. */
export interface AudioGain {
  readonly gainDb: number
  /** Highest true peak, dB, held by a limiter at four times the sample rate; null: the peaks are low enough. */
  readonly ceilingDb: number | null
}

const STEREO = `aformat=sample_fmts=fltp:sample_rates=${SAMPLE_RATE}:channel_layouts=stereo`

/** AAC takes blocks of this size; cuts leave pieces of any size, which ffmpeg does not always put back together. */
const BLOCKS = 'asetnsamples=n=1024:p=0'

/**
 * Chains that end in `[label]`. Input `index` of the command is window `index` of the plan. Without `tones`, what they
 * stand in for is silent: they have their level already, so they are not measured.
 */
export function audioChains(
  composition: Composition,
  plan: TimePlan,
  gain: AudioGain | null,
  label: string,
  tones = true,
): string[] {
  if (!composition.source.hasAudio || (composition.audio.masks ?? []).length === 0)
    return plainChains(composition, plan, gain, label)
  const total = plan.totalSamples
  const masked = maskedSound(composition, total, 'unmasked')
  const tracks = [masked.sound, tones ? masked.tones : []].filter((pieces) => pieces.length > 0)
  const join =
    tracks.length === 2
      ? '[k0][k1]amerge=inputs=2,pan=stereo|c0=c0+c2|c1=c1+c3,asetpts=N/SR/TB'
      : tracks.length === 1
        ? '[k0]anull'
        : silence(total)
  return [
    ...plainChains(composition, plan, gain, 'unmasked'),
    ...masked.chains,
    ...tracks.flatMap((pieces, track) => trackChains(pieces, total, `k${track}`)),
    `${join},${STEREO},${BLOCKS}[${label}]`,
  ]
}

function plainChains(
  composition: Composition,
  plan: TimePlan,
  gain: AudioGain | null,
  label: string,
): string[] {
  const finish = finishing(composition, plan, gain)
  if (!composition.source.hasAudio) {
    // Platforms refuse files without a sound track.
    return [`${silence(plan.totalSamples)},${STEREO},${BLOCKS}[${label}]`]
  }
  const chains: string[] = []
  const half = Math.round((composition.audio.crossfadeMs / 2000) * SAMPLE_RATE)
  const spans = plan.windows.flatMap((window) => window.spans)
  // A piece holds a span's sound with what it reaches past its cuts.
  const pieces: TrackPiece[] = []
  let at = 0
  plan.windows.forEach((window, index) => {
    const taps = window.spans.map((_, number) => `[a${index}x${number}]`)
    const head = `[${index}:${composition.source.audioStream}]aresample=${SAMPLE_RATE}:async=1:first_pts=0,${STEREO}`
    chains.push(`${head}${taps.length > 1 ? `,asplit=${taps.length}` : ''}${taps.join('')}`)
    window.spans.forEach((span, number) => {
      // Each piece reaches half a crossfade past its cuts, so that fading them into each other keeps every cut in place.
      const lead = span === spans[0] ? 0 : half
      const tail = span === spans.at(-1) ? 0 : half
      const length = span.samples + lead + tail
      const chain = `${taps[number] ?? ''}${spanChain(span, lead, length)}`
      pieces.push({ chain, start: at - lead, length, fadeIn: 2 * lead, fadeOut: 2 * tail })
      at += span.samples
    })
  })
  const [only] = pieces
  if (pieces.length === 1 && only !== undefined) return [...chains, `${only.chain},${finish}[${label}]`]
  // ffmpeg's acrossfade loses samples when its second input comes early, which a split makes it do. So the pieces lie
  // on two tracks in turn, faded in and out where they overlap, and the tracks are added.
  const tracks = [0, 1].flatMap((parity) =>
    trackChains(
      pieces.filter((_, number) => number % 2 === parity),
      plan.totalSamples,
      `t${parity}`,
    ),
  )
  const sum = `[t0][t1]amerge=inputs=2,pan=stereo|c0=c0+c2|c1=c1+c3,asetpts=N/SR/TB,${finish}[${label}]`
  return [...chains, ...tracks, sum]
}

function silence(samples: number): string {
  return `anullsrc=r=${SAMPLE_RATE}:cl=stereo,atrim=end_sample=${samples}`
}

/** A span's sound, exactly `length` samples of it. */
function spanChain(span: PlannedSpan, lead: number, length: number): string {
  const rate = span.playbackRate
  const from = Math.max(0, span.sourceSample - Math.round(lead * rate))
  const to = span.sourceSample + Math.round((length - lead) * rate)
  const tempo = rate === 1 ? '' : `,${tempoChain(rate)}`
  return `atrim=start_sample=${from}:end_sample=${to},asetpts=N/SR/TB${tempo},${exactly(length)}`
}

function exactly(samples: number): string {
  return `apad,atrim=end_sample=${samples},asetpts=N/SR/TB`
}

/** Every second piece, each in its place, silence between them. */
function trackChains(pieces: readonly TrackPiece[], totalSamples: number, track: string): string[] {
  const chains: string[] = []
  const parts: string[] = []
  const first = pieces[0]?.start ?? totalSamples
  if (first > 0) {
    chains.push(`${silence(first)},${STEREO}[${track}s]`)
    parts.push(`[${track}s]`)
  }
  pieces.forEach((piece, number) => {
    const fades = [
      ...(piece.fadeIn > 0 ? [`afade=t=in:ss=0:ns=${piece.fadeIn}`] : []),
      ...(piece.fadeOut > 0 ? [`afade=t=out:ss=${piece.length - piece.fadeOut}:ns=${piece.fadeOut}`] : []),
    ]
    const slot = (pieces[number + 1]?.start ?? totalSamples) - piece.start
    const part = `[${track}x${number}]`
    chains.push([piece.chain, ...fades, `${exactly(slot)}${part}`].join(','))
    parts.push(part)
  })
  const join = parts.length > 1 ? `concat=n=${parts.length}:v=0:a=1` : 'anull'
  return [...chains, `${parts.join('')}${join}[${track}]`]
}

/** One `atempo` does 0.5 to 2; more than that takes two. */
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

function finishing(composition: Composition, plan: TimePlan, gain: AudioGain | null): string {
  // The sound ends where the source does; a tail after it is silent.
  const { totalSamples, playedSamples } = plan
  const edge = Math.min(
    Math.round((composition.audio.edgeFadeMs / 1000) * SAMPLE_RATE),
    Math.floor(playedSamples / 2),
  )
  const fades =
    edge > 0 ? [`afade=t=in:ss=0:ns=${edge}`, `afade=t=out:ss=${playedSamples - edge}:ns=${edge}`] : []
  return [`apad`, `atrim=end_sample=${totalSamples}`, ...fades, ...gainFilters(gain), STEREO, BLOCKS].join(
    ',',
  )
}

function gainFilters(gain: AudioGain | null): string[] {
  if (gain === null) return []
  const volume = `volume=${decimal(gain.gainDb, 2)}dB:precision=float`
  if (gain.ceilingDb === null) return [volume]
  const limit = decimal(10 ** (gain.ceilingDb / 20), 5)
  return [
    volume,
    `aresample=${SAMPLE_RATE * 4}`,
    `alimiter=level=disabled:limit=${limit}:attack=4:release=60`,
    `aresample=${SAMPLE_RATE}`,
  ]
}
