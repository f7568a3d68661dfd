/** A worker that mixes a clip's sound, so that the page stays responsive. */
import type { Composition } from '../../../server/contract/composition.ts'
import { mixClip } from '../../../workers/stages/render/pure/mix/mix.ts'
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
  /** A WAV file of the mix; null for a file that was taken, and where mixing failed. */
  readonly wav: ArrayBuffer | null
}

const files = new Map<string, Stereo>()

async function answer(question: SoundQuestion): Promise<ArrayBuffer | null> {
  if (question.kind === 'file') {
    if (question.sound === null) files.delete(question.key)
    else files.set(question.key, question.sound)
    return null
  }
  const { composition, own } = question
  const { sound } = await mixClip(composition, {
    own: own === null ? null : (files.get(own.key) ?? null),
    ownStart: own?.startSeconds ?? 0,
    tracks: files,
  })
  return wavOf(sound)
}

self.addEventListener('message', ({ data }: MessageEvent<SoundQuestion>) => {
  const reply = (wav: ArrayBuffer | null): void => {
    const given: SoundAnswer = { id: data.id, wav }
    self.postMessage(given, { transfer: wav === null ? [] : [wav] })
  }
  answer(data).then(reply, () => reply(null))
})
