/**
 * The sound of a clip as samples, for the preview: what ffmpeg's filters (workers/media/arguments/render-audio.ts and
 * render-music.ts) make in the export, from the same places, gains and fades.
 */
import type { Composition, SoundCleaning } from '../../../../../server/contract/composition.ts'
import {
  edgeFade,
  hasTracks,
  maskedRanges,
  planPieces,
  SINE_PEAK,
  samplesRead,
  toneGainDb,
  TONE_HERTZ,
  type AudioGain,
  type SoundPiece,
} from '../../../../media/arguments/render-audio.ts'
import {
  ducks,
  LEVEL_SAMPLES,
  planTracks,
  seamOf,
  trackFades,
  trackGainAt,
  type PlannedTrack,
} from '../../../../media/arguments/render-music.ts'
import { planTime, SAMPLE_RATE, type TimePlan } from '../../../../media/arguments/render-time.ts'
import { cleaningSteps, cleanSound } from '../clean/clean-sound.ts'
import { planGain } from '../gain.ts'
import { duckCurve, speechOf, type DuckCurve } from './duck.ts'
import { limitPeaks } from './limit.ts'
import { measureLoudness } from './loudness.ts'
import type { Stereo } from './stereo.ts'
import { stretch } from './stretch.ts'

export { cleaningSteps, SAMPLE_RATE }

export interface MixedFiles {
  /** The source's own sound; null: it has none. */
  readonly own: Stereo | null
  /** Second of the source at which `own` begins. */
  readonly ownStart: number
  /** Sounds of `audio.tracks` by digest. */
  readonly tracks: ReadonlyMap<string, Stereo>
}

export interface Mix {
  readonly sound: Stereo
  /** Null: the loudness is left alone, or the sound is silent. */
  readonly gain: AudioGain | null
}

const SIDES = ['left', 'right'] as const

/** 10 to the power of a twentieth: a gain in dB as a factor. */
const factorOf = (decibels: number): number => 10 ** (decibels / 20)

const silence = (samples: number): Stereo => ({
  left: new Float32Array(samples),
  right: new Float32Array(samples),
})

/** How the clip's own sound is cleaned: at once, or in steps by whoever has other work as well. */
export type Clean = (sound: Stereo, cleaning: SoundCleaning) => Stereo | Promise<Stereo>

/** Mixes the clip. A track whose file is missing is silent. A minute takes about a second, and what cleaning takes. */
export async function mixClip(
  composition: Composition,
  files: MixedFiles,
  clean: Clean = cleanSound,
): Promise<Mix> {
  const plan = planTime(composition)
  const cut = await cutSound(composition, plan, files, clean)
  const tracks = layTracks(composition, plan, files)
  const { gain } = await planGain(composition, (tried, withTracks) =>
    measureLoudness(
      finish(composition, { cut, tracks: withTracks ? tracks : [], gain: tried, tones: withTracks }),
    ),
  )
  return { sound: finish(composition, { cut, tracks, gain, tones: true }), gain }
}

/** A track's samples on the whole length of the clip, before it is lowered. */
interface LaidTrack {
  readonly start: number
  readonly depth: number
  readonly sound: Stereo
}

interface Finished {
  readonly cut: Stereo
  readonly tracks: readonly LaidTrack[]
  readonly gain: AudioGain | null
  readonly tones: boolean
}

/** Gains, masks, tracks and limiter, in the export's order. */
function finish(composition: Composition, { cut, tracks, gain, tones }: Finished): Stereo {
  const mixes = tracks.length > 0 && hasTracks(composition)
  const own = amplified(cut, factorOf(gain?.gainDb ?? 0))
  if (!mixes) {
    if (gain?.ceilingDb != null) limitPeaks(own, factorOf(gain.ceilingDb))
    maskWords(composition, own, tones)
    return own
  }
  const speech = ducks(composition) ? speechOf(own) : null
  maskWords(composition, own, tones)
  const curves = new Map<number, DuckCurve>()
  for (const { start, depth, sound } of tracks) {
    if (speech !== null && depth > 0 && !curves.has(depth))
      curves.set(depth, duckCurve(composition, speech, depth))
    addTrack(own, sound, start, speech === null ? undefined : curves.get(depth))
  }
  const mixed = amplified(own, factorOf(gain === null ? 0 : (gain.mixDb ?? 0)))
  if (gain?.ceilingDb != null) limitPeaks(mixed, factorOf(gain.ceilingDb))
  return mixed
}

function amplified({ left, right }: Stereo, factor: number): Stereo {
  return { left: left.map((value) => value * factor), right: right.map((value) => value * factor) }
}

/** Half a cosine, as `fade` of render-lanes.ts: 0 at the start, 1 at the end. */
const rising = (share: number): number => (1 - Math.cos(Math.PI * share)) / 2

/** The source's own sound, cut, crossfaded and cleaned, with its fades at both ends. */
async function cutSound(
  composition: Composition,
  plan: TimePlan,
  files: MixedFiles,
  cleanOwn: Clean,
): Promise<Stereo> {
  const { totalSamples, headSamples, playedSamples } = plan
  const cut = silence(totalSamples)
  if (files.own === null || !composition.source.hasAudio) return cut
  const joined = joinedSound(composition, plan, { ...files, own: files.own })
  const { cleaning } = composition.audio
  const clean = cleaning === undefined ? joined : await cleanOwn(joined, cleaning)
  const edge = edgeFade(composition, plan)
  for (const side of SIDES) {
    const samples = cut[side]
    samples.set(clean[side], headSamples)
    for (let at = 0; at < edge; at++) {
      const start = headSamples + at
      samples[start] = (samples[start] ?? 0) * rising(at / edge)
      const end = playedSamples - edge + at
      samples[end] = (samples[end] ?? 0) * rising(1 - at / edge)
    }
  }
  return cut
}

/** The source's own sound as it is cut and crossfaded, as long as the source is played. */
function joinedSound(
  composition: Composition,
  plan: TimePlan,
  { own, ownStart }: MixedFiles & { readonly own: Stereo },
): Stereo {
  const cut = silence(plan.playedSamples - plan.headSamples)
  for (const piece of planPieces(composition, plan)) {
    const window = plan.windows[piece.window]
    const seek = (window?.seekMicroseconds ?? 0) / 1_000_000
    const origin = Math.round((seek - ownStart) * SAMPLE_RATE)
    const read = samplesRead(piece)
    const taken = sliceOf(own, origin + read.from, read.to - read.from)
    const sound = piece.span.playbackRate === 1 ? taken : stretch(taken, piece.span.playbackRate)
    addPiece(cut, sound, piece)
  }
  return cut
}

/** These samples of a sound; silence before and after it. */
function sliceOf(sound: Stereo, from: number, length: number): Stereo {
  const slice = silence(Math.max(0, length))
  for (const side of SIDES) {
    const part = sound[side].subarray(Math.max(0, from), Math.max(0, from + length))
    slice[side].set(part, Math.max(0, -from))
  }
  return slice
}

function addPiece(target: Stereo, sound: Stereo, { start, length, fadeIn, fadeOut }: SoundPiece): void {
  for (const side of SIDES) {
    const from = sound[side]
    const to = target[side]
    for (let at = Math.max(0, -start); at < Math.min(length, from.length, to.length - start); at++) {
      const left = length - at
      const gain = (at < fadeIn ? rising(at / fadeIn) : 1) * (left <= fadeOut ? rising(left / fadeOut) : 1)
      to[start + at] = (to[start + at] ?? 0) + (from[at] ?? 0) * gain
    }
  }
}

/** Silences masked words, in place, and adds tones over those that are bleeped. */
function maskWords({ audio, source }: Composition, sound: Stereo, tones: boolean): void {
  if (!source.hasAudio) return
  const peak = SINE_PEAK * factorOf(toneGainDb({ audio }))
  for (const { from, to, fade, kind } of maskedRanges(audio.masks ?? [], sound.left.length)) {
    for (let at = from; at < to; at++) {
      const edge = Math.min(at - from, to - at)
      // At the very start there is nothing to fade out.
      const inside = at - from < to - at && from === 0 ? 0 : edge < fade ? rising(1 - edge / fade) : 0
      const level = edge < fade ? rising(edge / fade) : 1
      const tone = tones && kind === 'beep' ? peak * level * Math.sin(angle(at - from)) : 0
      for (const side of SIDES) sound[side][at] = (sound[side][at] ?? 0) * inside + tone
    }
  }
}

const angle = (sample: number): number => (2 * Math.PI * TONE_HERTZ * sample) / SAMPLE_RATE

function layTracks(composition: Composition, plan: TimePlan, { tracks }: MixedFiles): LaidTrack[] {
  return planTracks(composition).flatMap((entry) => {
    const file = tracks.get(entry.track.asset.digest)
    if (file === undefined) return []
    const length = Math.min(entry.length, plan.totalSamples - entry.start)
    const gains = Array.from({ length: Math.ceil(length / LEVEL_SAMPLES) }, (_, block) =>
      factorOf(trackGainAt(composition, entry.track, block * LEVEL_SAMPLES)),
    )
    const { fadeIn, fadeOut } = trackFades(entry.track, entry.length)
    const sound = silence(length)
    for (const side of SIDES) {
      const read = readerOf(file[side], entry)
      for (let at = 0; at < length; at++) {
        const left = entry.length - at
        const faded = (at < fadeIn ? rising(at / fadeIn) : 1) * (left <= fadeOut ? rising(left / fadeOut) : 1)
        const gain = gains[Math.floor(at / LEVEL_SAMPLES)] ?? 0
        sound[side][at] = read(entry.from + at) * gain * faded
      }
    }
    return [{ start: entry.start, depth: entry.track.duckDb, sound }]
  })
}

/** Reads a file at any sample; looped, its end is crossfaded into its beginning. */
function readerOf(samples: Float32Array, { looped, fileSamples }: PlannedTrack): (at: number) => number {
  if (!looped) return (at) => samples[at] ?? 0
  const seam = seamOf(fileSamples)
  const body = fileSamples - seam
  return (at) => {
    if (at < seam) return samples[at] ?? 0
    const place = seam + ((at - seam) % body)
    if (place < body) return samples[place] ?? 0
    const share = ((place - body) / seam) * (Math.PI / 2)
    return (samples[place] ?? 0) * Math.cos(share) + (samples[place - body] ?? 0) * Math.sin(share)
  }
}

function addTrack(target: Stereo, sound: Stereo, start: number, curve: DuckCurve | undefined): void {
  for (let at = 0; at < sound.left.length; at++) {
    const gain = curve === undefined ? 1 : curve(start + at)
    target.left[start + at] = (target.left[start + at] ?? 0) + (sound.left[at] ?? 0) * gain
    target.right[start + at] = (target.right[start + at] ?? 0) + (sound.right[at] ?? 0) * gain
  }
}
