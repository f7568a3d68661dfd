/** The sound of a clip as filter chains: sample-exact cuts with crossfades, exact length, edge fades, gain. PURE. */
import type { Composition } from '../../../server/contract/composition.ts'
import { decimal } from './expressions.ts'
import { SAMPLE_RATE, type PlannedSpan, type TimePlan } from './render-time.ts'

/** What the measuring pass decided. */
export interface AudioGain {
  readonly gainDb: number
  /** Highest true peak, dB, held by a limiter at four times the sample rate; null: the peaks are low enough. */
  readonly ceilingDb: number | null
}

const STEREO = `aformat=sample_fmts=fltp:sample_rates=${SAMPLE_RATE}:channel_layouts=stereo`

/** Chains that end in `[label]`. Input `index` of the command is window `index` of the plan. */
export function audioChains(
  composition: Composition,
  plan: TimePlan,
  gain: AudioGain | null,
  label: string,
): string[] {
  const finish = finishing(composition, plan.totalSamples, gain)
  if (!composition.source.hasAudio) {
    // Platforms refuse files without a sound track.
    return [`anullsrc=r=${SAMPLE_RATE}:cl=stereo,atrim=end_sample=${plan.totalSamples},${STEREO}[${label}]`]
  }
  const half = Math.round((composition.audio.crossfadeMs / 2000) * SAMPLE_RATE)
  const spans = plan.windows.flatMap((window) => window.spans)
  const chains: string[] = []
  const pieces: string[] = []
  plan.windows.forEach((window, index) => {
    const taps = window.spans.map((_, at) => `a${index}x${at}`)
    const head = `[${index}:${composition.source.audioStream}]aresample=${SAMPLE_RATE}:async=1:first_pts=0,${STEREO}`
    const fan = taps.length > 1 ? `,asplit=${taps.length}` : ''
    chains.push(`${head}${fan}${taps.map((tap) => `[${tap}]`).join('')}`)
    window.spans.forEach((span, at) => {
      const [first, last] = [span === spans[0], span === spans.at(-1)]
      const piece = `p${index}x${at}`
      chains.push(`[${taps[at]}]${spanChain(span, first ? 0 : half, last ? 0 : half)}[${piece}]`)
      pieces.push(piece)
    })
  })
  chains.push(...joinPieces(pieces, half, finish, label))
  return chains
}

/** Each piece reaches half a crossfade past its cuts, so that fading them into each other keeps every cut in place. */
function spanChain(span: PlannedSpan, leadOut: number, tailOut: number): string {
  const rate = span.playbackRate
  const wanted = span.samples + leadOut + tailOut
  const from = Math.max(0, span.sourceSample - Math.round(leadOut * rate))
  const to = span.sourceSample + Math.round((span.samples + tailOut) * rate)
  const cut = `atrim=start_sample=${from}:end_sample=${to},asetpts=N/SR/TB`
  const tempo = rate === 1 ? '' : `,${tempoChain(rate)}`
  return `${cut}${tempo},apad,atrim=end_sample=${wanted},asetpts=N/SR/TB`
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

function joinPieces(pieces: readonly string[], half: number, finish: string, label: string): string[] {
  const [first, ...rest] = pieces
  if (first === undefined) return []
  if (rest.length === 0) return [`[${first}]${finish}[${label}]`]
  if (half === 0) {
    const inputs = pieces.map((piece) => `[${piece}]`).join('')
    return [`${inputs}concat=n=${pieces.length}:v=0:a=1,${finish}[${label}]`]
  }
  const chains: string[] = []
  let joined = first
  rest.forEach((piece, index) => {
    const last = index === rest.length - 1
    const out = last ? label : `j${index}`
    const tail = last ? `,asetpts=N/SR/TB,${finish}` : ''
    chains.push(`[${joined}][${piece}]acrossfade=ns=${2 * half}:c1=tri:c2=tri${tail}[${out}]`)
    joined = out
  })
  return chains
}

function finishing(composition: Composition, totalSamples: number, gain: AudioGain | null): string {
  const edge = Math.min(
    Math.round((composition.audio.edgeFadeMs / 1000) * SAMPLE_RATE),
    Math.floor(totalSamples / 2),
  )
  const fades =
    edge > 0 ? [`afade=t=in:ss=0:ns=${edge}`, `afade=t=out:ss=${totalSamples - edge}:ns=${edge}`] : []
  return [`apad`, `atrim=end_sample=${totalSamples}`, ...fades, ...gainFilters(gain), STEREO].join(',')
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
