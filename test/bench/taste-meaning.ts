/** What is said held against what is asked for by an installed model, for the bench of prompts; null where there is none. */
import type { FindClipsSettings } from '../../server/contract/clip-candidate.ts'
import { chooseModel } from '../../models/installed.ts'
import { loadTextEmbedder } from '../../workers/inference/text-embedder.ts'
import {
  nearStretches,
  framingLimitsOf,
  type NearStretch,
} from '../../workers/stages/find-clips/pure/meaning.ts'
import { splitSentences } from '../../workers/stages/find-clips/pure/sentences.ts'
import type { Talk } from '../support/topics.ts'
import { modelFolders } from './media.ts'

export interface Understanding {
  readonly model: string
  /** Empty where nothing is asked for. */
  of(talk: Talk, settings: FindClipsSettings): Promise<NearStretch[]>
}

/** `name`: the model to take; left out: the one that a run would take. */
export async function understanding(name = ''): Promise<Understanding | null> {
  const model = await chooseModel(modelFolders(), 'text-embedding', name)
  if (model === null) return null
  const embedder = await loadTextEmbedder(model, { warn: () => undefined })
  const known = new Map<string, Float32Array>()
  const embed = async (texts: readonly string[]): Promise<Float32Array[]> => {
    const missing = [...new Set(texts)].filter((text) => !known.has(text))
    const vectors = await embedder.embed(missing, new AbortController().signal)
    missing.forEach((text, at) => known.set(text, vectors[at] ?? new Float32Array()))
    return texts.map((text) => known.get(text) ?? new Float32Array())
  }
  return {
    model: model.name,
    of: async (talk, settings) => {
      const wishes = framingLimitsOf(settings)
      if (wishes.length === 0) return []
      const sentences = splitSentences(talk.words, talk.durationSeconds)
      const spoken = await embed(sentences.map(({ text }) => text))
      return nearStretches(sentences, spoken, wishes, await embed(wishes.map(({ text }) => text)))
    },
  }
}
