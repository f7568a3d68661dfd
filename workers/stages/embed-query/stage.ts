/** Turns a query into a vector by the model that the passages were read with. Throws MODEL_NOT_INSTALLED. */
import { findTextModel } from '../../inference/find-model.ts'
import { loadTextEmbedder } from '../../inference/text-embedder.ts'
import { stageError, type StageHandler } from '../context.ts'

export const runEmbedQuery: StageHandler<'embed-query'> = async (context, { text }) => {
  const model = await findTextModel(context.modelFolders)
  if (model === null) throw stageError('MODEL_NOT_INSTALLED', 'No model of meaning is installed.')
  const embedder = await loadTextEmbedder(model, context)
  const vectors = await embedder.embed([text], context.signal)
  return { vector: [...(vectors[0] ?? [])] }
}
