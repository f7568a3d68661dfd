/** Writes the passages of a transcript and their vectors. Without a model that works there are no vectors, and a warning. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../server/contract/errors.ts'
import { packVectors, type Passage } from '../../../server/contract/passages.ts'
import { findTextModel } from '../../inference/find-model.ts'
import { loadTextEmbedder } from '../../inference/text-embedder.ts'
import type { StageContext, StageHandler } from '../context.ts'
import { readTranscript } from '../read-results.ts'
import { splitPassages } from './pure/split-passages.ts'

const PASSAGES_FILE = 'passages.json'
const VECTORS_FILE = 'vectors.bin'

export const runPassages: StageHandler<'passages'> = async (context) => {
  const { words } = await readTranscript(context)
  const passages = splitPassages(words)
  await writeFile(join(context.folder, PASSAGES_FILE), JSON.stringify(passages))
  const vectors = await embedPassages(context, passages)
  const made = { passagesFile: PASSAGES_FILE, count: passages.length }
  const size = vectors?.[0]?.length
  if (vectors === null || size === undefined) return made
  await writeFile(join(context.folder, VECTORS_FILE), packVectors(vectors))
  return { ...made, vectorsFile: VECTORS_FILE, size }
}

/** Null where no model is installed, or it does not work, which gives a warning. */
async function embedPassages(
  context: StageContext,
  passages: readonly Passage[],
): Promise<Float32Array[] | null> {
  const model = await findTextModel(context.modelFolders)
  if (model === null) return null
  try {
    const embedder = await loadTextEmbedder(model, context)
    const texts = passages.map(({ text }) => text)
    return await embedder.embed(texts, context.signal, (count) => context.progress(count / texts.length))
  } catch (error) {
    if (error instanceof AppError && error.code === 'CANCELLED') throw error
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    context.warn(
      `The model ${model.name} does not work here (${reason.slice(0, 200)}). Check it with: cutroom models verify ${model.name}`,
    )
    return null
  }
}
