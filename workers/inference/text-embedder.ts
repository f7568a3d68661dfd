/**
 * Sentences as vectors, from a sentence-transformers model through transformers.js and local files only. The model stays
 * loaded in its thread. A running inference cannot be interrupted, so callers cancel between batches.
 */
import '../../models/no-telemetry.ts'
import { basename } from 'node:path'
import { pipeline, type DataType, type FeatureExtractionPipeline } from '@huggingface/transformers'
import type { InstalledModel } from '../../models/installed.ts'
import type { Provider } from '../../server/contract/inference.ts'
import { throwIfCancelled } from './cancel.ts'
import { useLocalModels } from './find-model.ts'
import { openOnFirstProvider, type Inference } from './providers.ts'
import { sessionOptions } from './session.ts'

let loaded: {
  readonly key: string
  readonly embedder: ReturnType<typeof wrap>
  dispose(): Promise<unknown>
} | null = null

/** Loads the model, or returns the loaded one. Throws the runtime's error when it does not load. */
export async function loadTextEmbedder(model: InstalledModel, preference: Inference) {
  const key = `${preference.inference ?? 'auto'} ${model.folder}`
  if (loaded?.key === key) return loaded.embedder
  await loaded?.dispose()
  loaded = null
  useLocalModels(model.folder)
  const { made, provider } = await openOnFirstProvider(preference, (on) =>
    pipeline('feature-extraction', basename(model.folder), {
      dtype: (model.dtype['model'] ?? 'fp32') as DataType,
      device: on,
      local_files_only: true,
      session_options: sessionOptions(on),
    }),
  )
  const embedder = wrap(made, provider, findConventions(model))
  loaded = { key, embedder, dispose: () => made.dispose() }
  return embedder
}

/** Texts of similar length share a batch, because a short text costs as much as the longest one beside it. */
const BATCH = 16

/** Model families were trained with different prefixes for texts; the family is recognised by its name. */
function findConventions({ name }: InstalledModel) {
  const family = name.toLowerCase()
  const e5 = /(^|[^a-z0-9])e5([^a-z0-9]|$)/.test(family)
  const cls = /(^|[^a-z0-9])(bge|gte|arctic)([^a-z0-9]|$)/.test(family)
  return { pooling: cls ? ('cls' as const) : ('mean' as const), prefix: e5 ? 'query: ' : '' }
}

function wrap(
  extract: FeatureExtractionPipeline,
  provider: Provider,
  { pooling, prefix }: ReturnType<typeof findConventions>,
) {
  return {
    provider,
    /** One vector of length 1 per text, in the same order. `onDone`: number of texts done. */
    embed: async (texts: readonly string[], signal: AbortSignal, onDone?: (count: number) => void) => {
      const vectors = new Array<Float32Array>(texts.length)
      const order = texts.map((_, index) => index)
      order.sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0))
      for (let at = 0; at < order.length; at += BATCH) {
        throwIfCancelled(signal)
        const places = order.slice(at, at + BATCH)
        const batch = places.map((place) => prefix + (texts[place] ?? ''))
        const tensor = await extract(batch, { pooling, normalize: true })
        const size = tensor.dims.at(-1) ?? 0
        const data = Float32Array.from(tensor.data as Float32Array)
        places.forEach((place, row) => (vectors[place] = data.slice(row * size, (row + 1) * size)))
        onDone?.(at + places.length)
      }
      return vectors
    },
  }
}
