/** Ranges of a clip whose sound is masked, by silence or by a tone. PURE. */
import type { AudioMask, Composition } from '../../../server/contract/composition.ts'
import { TICKS_PER_SECOND } from '../../../server/contract/time.ts'
import { decimal } from './expressions.ts'
import { DEFAULT_SPEECH, type TrackPiece } from './render-lanes.ts'
import { SAMPLE_RATE } from './render-time.ts'

export interface MaskedSound {
  readonly chains: readonly string[]
  readonly sound: readonly TrackPiece[]
  readonly tones: readonly TrackPiece[]
}

const TONE_HERTZ = 1000
/** The tone is this much quieter than the speech around it, because a tone sounds louder than a voice of its level. */
const TONE_BELOW_SPEECH = 5
/** A tone with this level per channel (dBFS RMS) measures 3 LU more in stereo. */
const STEREO_GAIN = 3
/** RMS of ffmpeg's `sine`, whose peak is 1/8. */
const SINE_RMS_DB = 20 * Math.log10(1 / 8 / Math.SQRT2)
const FADE_SECONDS = 0.006

interface MaskedRange {
  readonly from: number
  readonly to: number
  /** Inside the masked range, so that the sound beside it is not affected. */
  readonly fade: number
  readonly kind: AudioMask['kind']
}

function maskedRanges(masks: readonly AudioMask[], totalSamples: number): MaskedRange[] {
  const sample = (ticks: number): number =>
    Math.min(totalSamples, Math.max(0, Math.round((ticks / TICKS_PER_SECOND) * SAMPLE_RATE)))
  return masks.flatMap(({ start, end, kind }) => {
    const from = sample(start)
    const to = sample(end)
    const fade = Math.min(Math.round(FADE_SECONDS * SAMPLE_RATE), Math.floor((to - from) / 2))
    return to > from ? [{ from, to, fade, kind }] : []
  })
}

/** The rest of the sound in `[input]`, and the tones, as pieces for two tracks that are added. */
export function maskedSound(composition: Composition, totalSamples: number, input: string): MaskedSound {
  const { masks = [], integratedLufs } = composition.audio
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
  const level = (integratedLufs ?? DEFAULT_SPEECH) - TONE_BELOW_SPEECH - STEREO_GAIN - SINE_RMS_DB
  const tone = `sine=frequency=${TONE_HERTZ}:sample_rate=${SAMPLE_RATE},volume=${decimal(level, 2)}dB:precision=float`
  const tones = holes
    .filter(({ kind }) => kind === 'beep')
    .map(({ from, to, fade }): TrackPiece => {
      const chain = `${tone},pan=stereo|c0=c0|c1=c0,atrim=end_sample=${to - from},asetpts=N/SR/TB`
      return { chain, start: from, length: to - from, fadeIn: fade, fadeOut: fade }
    })
  return { chains: parts.length === 0 ? [`[${input}]anullsink`] : [fan], sound, tones }
}
