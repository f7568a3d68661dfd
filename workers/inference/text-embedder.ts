/**
 * Sentences as vectors, by a sentence-transformers model through transformers.js, local files only. The model stays loaded
 * in its thread. Runs cannot be broken off, so callers cancel between batches.
 */
import '../../models/no-telemetry.ts'
import { basename } from 'node:path'
import { pipeline, type DataType, type FeatureExtractionPipeline } from '@huggingface/transformers'
import type { InstalledModel } from '../../models/installed.ts'
import type { Provider } from '../../server/contract/inference.ts'
import { throwIfCancelled } from './cancel.ts'
import { useLocalModels } from './local-models.ts'
import { openOnFirstProvider, type Inference } from './providers.ts'
import { sessionOptions } from './session.ts'

export interface TextEmbedder {
  readonly provider: Provider
  /** One vector of length 1 for each text, in their order. `onDone`: how many are done. */
  embed(
    texts: readonly string[],
    signal: AbortSignal,
    onDone?: (count: number) => void,
  ): Promise<Float32Array[]>
}

let loaded: { readonly key: string; readonly embedder: TextEmbedder; dispose(): Promise<unknown> } | null =
  null

/** Loads the model, or takes the one that is loaded. Throws what the runtime says when it does not load. */
export async function loadTextEmbedder(model: InstalledModel, wish: Inference): Promise<TextEmbedder> {
  const key = `${wish.inference ?? 'auto'} ${model.folder}`
  if (loaded?.key === key) return loaded.embedder
  await loaded?.dispose()
  loaded = null
  useLocalModels(model.folder)
  const { made, provider } = await openOnFirstProvider(wish, (on) =>
    pipeline('feature-extraction', basename(model.folder), {
      dtype: (model.dtype['model'] ?? 'fp32') as DataType,
      device: on,
      local_files_only: true,
      session_options: sessionOptions(on),
    }),
  )
  const embedder = wrap(made, provider, habitsOf(model))
  loaded = { key, embedder, dispose: () => made.dispose() }
  return embedder
}

/** Sentences of about a length are worked on together: a short one beside a long one costs as much as the long one. */
const BATCH = 16

interface Habits {
  readonly pooling: 'mean' | 'cls'
  /** Written before every text. */
  readonly prefix: string
}

/** Families of models were trained in their own ways; the name says which family it is. */
function habitsOf({ name }: InstalledModel): Habits {
  const family = name.toLowerCase()
  const e5 = /(^|[^a-z0-9])e5([^a-z0-9]|$)/.test(family)
  const cls = /(^|[^a-z0-9])(bge|gte|arctic)([^a-z0-9]|$)/.test(family)
  return { pooling: cls ? 'cls' : 'mean', prefix: e5 ? 'query: ' : '' }
}

function wrap(
  extract: FeatureExtractionPipeline,
  provider: Provider,
  { pooling, prefix }: Habits,
): TextEmbedder {
  return {
    provider,
    embed: async (texts, signal, onDone) => {
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
