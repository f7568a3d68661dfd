/** A worker that mixes a clip's sound, so that the page stays responsive. */
import type { Composition } from '../../../server/contract/composition.ts'
import {
  cleaningSteps,
  mixClip,
  SAMPLE_RATE,
  type Clean,
} from '../../../workers/stages/render/pure/mix/mix.ts'
import type { Stereo } from '../../../workers/stages/render/pure/mix/stereo.ts'
import { wavOf } from './wav.ts'

export type SoundQuestion =
  | { readonly id: number; readonly kind: 'file'; readonly key: string; readonly sound: Stereo | null }
  | {
      readonly id: number
      readonly kind: 'mix'
      readonly composition: Composition
      /** The file with the source's own sound; null: it has none. */
      readonly own: { readonly key: string; readonly startSeconds: number } | null
    }

export interface SoundAnswer {
  readonly id: number
  /** A WAV file of the mix; null for a file that was taken, and where mixing failed, or another mix was asked for since. */
  readonly wav: ArrayBuffer | null
}

/** How much of the sound is cleaned for a mix that is not finished, 0 to 1. */
export interface SoundProgress {
  readonly id: number
  readonly cleaned: number
}

const files = new Map<string, Stereo>()

type Mix = Extract<SoundQuestion, { kind: 'mix' }>

/** The mix that was asked for last; others are given up. */
let wanted = 0

/** The sound that was cleaned last, because most edits that follow leave it as it is; longer ones would take too much memory. */
let kept: { readonly part: string; readonly clean: Stereo } | null = null
const KEPT_SAMPLES = 300 * SAMPLE_RATE

/** What the cleaned sound depends on. */
function cleanedPart({ composition, own }: Mix): string {
  const { output, timeMap, transitions, audio } = composition
  return JSON.stringify([own, output.frameRate, timeMap, transitions, audio.crossfadeMs, audio.cleaning])
}

/** Cleans in steps, so that a question that comes meanwhile is heard. */
function cleanFor(question: Mix): Clean {
  const { id } = question
  const part = cleanedPart(question)
  return async (sound, cleaning) => {
    if (kept?.part === part) return kept.clean
    const steps = cleaningSteps(sound, cleaning)
    for (;;) {
      const { done, value } = steps.next()
      if (done === true) {
        kept = sound.left.length > KEPT_SAMPLES ? null : { part, clean: value }
        return value
      }
      const progress: SoundProgress = { id, cleaned: value }
      self.postMessage(progress)
      await new Promise((heard) => setTimeout(heard))
      if (id !== wanted) throw new Error('another mix was asked for')
    }
  }
}

async function answer(question: SoundQuestion): Promise<ArrayBuffer | null> {
  if (question.kind === 'file') {
    if (question.sound === null) files.delete(question.key)
    else files.set(question.key, question.sound)
    return null
  }
  const { id, composition, own } = question
  wanted = id
  const given = {
    own: own === null ? null : (files.get(own.key) ?? null),
    ownStart: own?.startSeconds ?? 0,
    tracks: files,
  }
  const { sound } = await mixClip(composition, given, cleanFor(question))
  return wavOf(sound)
}

self.addEventListener('message', ({ data }: MessageEvent<SoundQuestion>) => {
  const reply = (wav: ArrayBuffer | null): void => {
    const given: SoundAnswer = { id: data.id, wav }
    self.postMessage(given, { transfer: wav === null ? [] : [wav] })
  }
  answer(data).then(reply, () => reply(null))
})
