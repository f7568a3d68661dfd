/** Compares what is speech with what was requested by meaning, if a model for that is installed and works. */
import type { FindClipsSettings } from '../../../server/contract/clip-candidate.ts'
import { AppError } from '../../../server/contract/errors.ts'
import type { Provider } from '../../../server/contract/inference.ts'
import type { TranscriptWord } from '../../../server/contract/transcript.ts'
import { findTextModel } from '../../inference/find-model.ts'
import { loadTextEmbedder } from '../../inference/text-embedder.ts'
import type { StageContext } from '../context.ts'
import { nearStretches, listPreferences, type NearStretch } from './pure/meaning.ts'
import { splitSentences } from './pure/sentences.ts'

export interface Understood {
  readonly meaning: readonly NearStretch[]
  readonly model: string
  readonly provider: Provider
}

/** Null where nothing was requested or no model is available; words then count alone. A failing model is named in a warning. */
export async function compareMeaning(
  context: StageContext,
  speech: {
    readonly words: readonly TranscriptWord[]
    readonly settings: FindClipsSettings
    readonly durationSeconds: number
  },
): Promise<Understood | null> {
  const preferences = listPreferences(speech.settings)
  const words = speech.words.filter((word) => word.isDeleted !== true)
  if (preferences.length === 0 || words.length === 0) return null
  const model = await findTextModel(context.modelFolders)
  if (model === null) return null
  const sentences = splitSentences(words, speech.durationSeconds)
  try {
    const embedder = await loadTextEmbedder(model, context)
    const texts = [...preferences, ...sentences].map(({ text }) => text)
    const vectors = await embedder.embed(texts, context.signal, (count) =>
      context.progress((0.9 * count) / texts.length, 'Comparing the speech with the prompt'),
    )
    const requested = vectors.slice(0, preferences.length)
    const spoken = vectors.slice(preferences.length)
    return {
      meaning: nearStretches(sentences, spoken, preferences, requested),
      model: model.name,
      provider: embedder.provider,
    }
  } catch (error) {
    if (error instanceof AppError && error.code === 'CANCELLED') throw error
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    context.warn(
      `The prompt was followed by its words alone: the model ${model.name}, which tells what sentences mean, does not work here (${(reason ?? '').slice(0, 200)}). Check it with: cutroom models verify ${model.name}`,
    )
    return null
  }
}
