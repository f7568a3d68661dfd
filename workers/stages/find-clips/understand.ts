/** What is said, held against what is asked for by its meaning, where a model for that is installed and works. */
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

/** Null where nothing is asked for, or no model tells: words then count by themselves. A model that fails is named. */
export async function understand(
  context: StageContext,
  said: {
    readonly words: readonly TranscriptWord[]
    readonly settings: FindClipsSettings
    readonly durationSeconds: number
  },
): Promise<Understood | null> {
  const wishes = listPreferences(said.settings)
  const words = said.words.filter((word) => word.isDeleted !== true)
  if (wishes.length === 0 || words.length === 0) return null
  const model = await findTextModel(context.modelFolders)
  if (model === null) return null
  const sentences = splitSentences(words, said.durationSeconds)
  try {
    const embedder = await loadTextEmbedder(model, context)
    const texts = [...wishes, ...sentences].map(({ text }) => text)
    const vectors = await embedder.embed(texts, context.signal, (count) =>
      context.progress((0.9 * count) / texts.length, 'Comparing what is said with what is asked for'),
    )
    const asked = vectors.slice(0, wishes.length)
    const spoken = vectors.slice(wishes.length)
    return {
      meaning: nearStretches(sentences, spoken, wishes, asked),
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
