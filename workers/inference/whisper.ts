/**
 * Whisper through transformers.js, local files only. A model stays loaded in its thread: loading takes seconds. Inference
 * runs cannot be broken off (the runtime crashes), so callers cancel between windows.
 */
import { basename, dirname, join } from 'node:path'
import { stat } from 'node:fs/promises'
import {
  env,
  LogLevel,
  pipeline,
  Tensor,
  type AutomaticSpeechRecognitionPipeline,
  type DataType,
} from '@huggingface/transformers'
import type { InstalledModel } from '../../models/installed.ts'
import { AppError } from '../../server/contract/errors.ts'
import type { DecodedWindow } from '../stages/speech/pure/decoded.ts'

export interface Whisper {
  /** Whether this export tells times of words (it hands out its cross attentions). */
  readonly tellsWordTimes: boolean
  readonly multilingual: boolean
  /** The likeliest language of 16 kHz mono samples, an ISO 639 code. */
  detectLanguage(samples: Float32Array): Promise<string>
  /** Words or segments of at most 30 s of 16 kHz mono samples. `language`: ISO 639 code, ignored by English-only models. */
  decode(
    samples: Float32Array,
    language: string,
  ): Promise<{ pieces: DecodedWindow['pieces']; words: boolean }>
}

let loaded: {
  readonly folder: string
  readonly whisper: Whisper
  readonly dispose: () => Promise<unknown>
} | null = null

/** Loads the model, or takes the one that is loaded. Throws MODEL_NOT_INSTALLED when no way of loading works. */
export async function loadWhisper(model: InstalledModel, warn: (message: string) => void): Promise<Whisper> {
  if (loaded?.folder === model.folder) return loaded.whisper
  await loaded?.dispose()
  loaded = null
  // Nothing but the installer ever downloads.
  env.allowRemoteModels = false
  env.allowLocalModels = true
  env.useFSCache = false
  env.logLevel = LogLevel.ERROR
  env.localModelPath = dirname(model.folder)
  const recogniser = await firstThatLoads(model, warn)
  const whisper = wrap(recogniser)
  loaded = { folder: model.folder, whisper, dispose: () => recogniser.dispose() }
  return whisper
}

type Optimisation = 'all' | 'basic'

/** Quantised decoders fail on some runtime builds: basic optimisation helps most of them, full precision all. */
async function firstThatLoads(
  model: InstalledModel,
  warn: (message: string) => void,
): Promise<AutomaticSpeechRecognitionPipeline> {
  const wanted = model.dtype as Record<string, DataType>
  const full = Object.fromEntries(Object.keys(wanted).map((part) => [part, 'fp32' as const]))
  const ways: { dtype: Record<string, DataType>; optimisation: Optimisation; note: string | null }[] = [
    { dtype: wanted, optimisation: 'all', note: null },
    { dtype: wanted, optimisation: 'basic', note: 'with basic graph optimisation only, which is slower' },
  ]
  if (await hasFullPrecision(model))
    ways.push({ dtype: full, optimisation: 'all', note: 'in full precision, which is slower' })
  let problem: unknown
  for (const way of ways) {
    try {
      const recogniser = await pipeline('automatic-speech-recognition', basename(model.folder), {
        dtype: way.dtype,
        device: 'cpu',
        local_files_only: true,
        session_options: { graphOptimizationLevel: way.optimisation, logSeverityLevel: 4 },
      })
      if (way.note !== null) warn(`The speech model ${model.name} loads only ${way.note}.`)
      return recogniser
    } catch (cause) {
      problem = cause
    }
  }
  throw new AppError('MODEL_NOT_INSTALLED', {
    message: `The speech model ${model.name} does not load; install it again with: cutroom models install ${model.name}`,
    details: { reason: problem instanceof Error ? problem.message.slice(0, 300) : 'unknown' },
    cause: problem,
  })
}

async function hasFullPrecision(model: InstalledModel): Promise<boolean> {
  const parts = Object.keys(model.dtype).map((part) => join(model.folder, 'onnx', `${part}.onnx`))
  const there = await Promise.all(
    parts.map((path) =>
      stat(path).then(
        () => true,
        () => false,
      ),
    ),
  )
  return parts.length > 0 && there.every(Boolean)
}

/** What we read of the library's model object; it types these loosely. */
interface ModelInside {
  readonly sessions: Readonly<Record<string, { readonly outputNames?: readonly string[] }>>
  readonly generation_config: {
    readonly alignment_heads?: unknown
    readonly is_multilingual?: boolean
    readonly lang_to_id?: Readonly<Record<string, number>>
    readonly decoder_start_token_id?: number
  } | null
  (inputs: Readonly<Record<string, unknown>>): Promise<{ readonly logits: Tensor }>
}

/** Tokens a second of speech can need, and the library's own end of a window. */
const TOKENS_PER_SECOND = 14
const MOST_TOKENS = 420
const RATE = 16_000

function wrap(recogniser: AutomaticSpeechRecognitionPipeline): Whisper {
  const inside = recogniser.model as unknown as ModelInside
  const settings = inside.generation_config
  const tellsWordTimes =
    settings?.alignment_heads !== undefined &&
    Object.values(inside.sessions).some(
      (session) => session.outputNames?.some((name) => name.startsWith('cross_attentions')) === true,
    )
  const multilingual = settings?.is_multilingual === true
  return {
    tellsWordTimes,
    multilingual,
    detectLanguage: (samples) => detectLanguage(recogniser, inside, samples),
    decode: async (samples, language) => {
      const result = await recogniser(samples, {
        return_timestamps: tellsWordTimes ? 'word' : true,
        // Without an end the library can decode for ever.
        max_new_tokens: Math.min(MOST_TOKENS, 24 + Math.ceil((samples.length / RATE) * TOKENS_PER_SECOND)),
        ...(multilingual ? { language, task: 'transcribe' } : {}),
      })
      return { pieces: piecesOf(result), words: tellsWordTimes }
    },
  }
}

function piecesOf(result: unknown): DecodedWindow['pieces'] {
  const whole = (Array.isArray(result) ? result[0] : result) as {
    text?: string
    chunks?: { text: string; timestamp: [unknown, unknown] }[]
  }
  const seconds = (value: unknown): number | null =>
    typeof value === 'number' && Number.isFinite(value) ? value : null
  const chunks = whole.chunks ?? []
  if (chunks.length === 0 && (whole.text ?? '').trim() !== '')
    return [{ text: whole.text ?? '', from: 0, to: null }]
  return chunks.map((chunk) => ({
    text: chunk.text,
    from: seconds(chunk.timestamp[0]),
    to: seconds(chunk.timestamp[1]),
  }))
}

/** One step of the decoder after its start token: the likeliest of the language tokens. */
async function detectLanguage(
  recogniser: AutomaticSpeechRecognitionPipeline,
  inside: ModelInside,
  samples: Float32Array,
): Promise<string> {
  const languages = Object.entries(inside.generation_config?.lang_to_id ?? {})
  const start = inside.generation_config?.decoder_start_token_id
  if (languages.length === 0 || start === undefined) return 'en'
  const { input_features } = (await recogniser.processor(samples)) as { input_features: Tensor }
  const { logits } = await inside({
    input_features,
    decoder_input_ids: new Tensor('int64', BigInt64Array.of(BigInt(start)), [1, 1]),
  })
  const values = logits.data as Float32Array
  const best = languages.reduce((a, b) => ((values[b[1]] ?? -Infinity) > (values[a[1]] ?? -Infinity) ? b : a))
  return best[0].replace(/[<|>]/g, '')
}
