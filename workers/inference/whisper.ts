/**
 * Whisper through transformers.js and local files only. A model stays loaded in its thread, because loading takes
 * seconds. A running inference cannot be interrupted (the runtime crashes), so callers cancel between windows.
 */
import '../../models/no-telemetry.ts'
import { basename, join } from 'node:path'
import { stat } from 'node:fs/promises'
import { freemem } from 'node:os'
import {
  pipeline,
  Tensor,
  type AutomaticSpeechRecognitionPipeline,
  type DataType,
} from '@huggingface/transformers'
import type { InstalledModel } from '../../models/installed.ts'
import type { Provider } from '../../server/contract/inference.ts'
import { AppError } from '../../server/contract/errors.ts'
import type { DecodedWindow } from '../stages/speech/pure/decoded.ts'
import { promptOf, type Prompt } from '../stages/speech/pure/prompt.ts'
import { windowsTogether } from '../stages/speech/pure/plan-windows.ts'
import { useLocalModels } from './find-model.ts'
import { openOnFirstProvider, type Inference, type ProviderSource } from './providers.ts'
import { sessionOptions } from './session.ts'
import { decodeWindows } from './whisper-decode.ts'
import { insideOf, type ModelInside } from './whisper-inside.ts'

export interface Whisper {
  /** Whether this export has word times, which it has if it returns its cross attentions. */
  readonly hasWordTimes: boolean
  readonly multilingual: boolean
  /** The execution provider that the model runs on. */
  readonly provider: Provider
  /** A prompt with as many of the keywords as fit before a window, in the model's tokens. */
  prompt(keywords: readonly string[]): Prompt
  /** The most likely language of 16 kHz mono samples, as an ISO 639 code. */
  detectLanguage(samples: Float32Array): Promise<string>
  /** How many windows are decoded at once for the best speed. */
  readonly together: number
  /**
   * Words or segments of each window (at most 30 s of 16 kHz mono samples), the same as if it were decoded alone.
   * `language`: ISO 639 code, ignored by English-only models. `prompt`: text that the model sees before the window.
   */
  decode(
    windows: readonly Float32Array[],
    language: string,
    prompt?: Prompt,
  ): Promise<{ pieces: DecodedWindow['pieces']; words: boolean }[]>
}

let loaded: {
  readonly key: string
  readonly whisper: Whisper
  readonly dispose: () => Promise<unknown>
} | null = null

/** Loads the model, or returns the loaded one. Throws MODEL_NOT_INSTALLED when it loads in no configuration. */
export async function loadWhisper(
  model: InstalledModel,
  preference: Inference,
  source?: ProviderSource,
): Promise<Whisper> {
  const key = `${preference.inference ?? 'auto'} ${model.folder}`
  if (loaded?.key === key) return loaded.whisper
  await loaded?.dispose()
  loaded = null
  useLocalModels(model.folder)
  const { made: recogniser, provider } = await openOnFirstProvider(
    preference,
    (on) => loadFirstWorking(model, on, (message) => preference.warn(message)),
    source,
  )
  const whisper = wrap(recogniser, provider)
  loaded = { key, whisper, dispose: () => recogniser.dispose() }
  return whisper
}

type Optimisation = 'all' | 'basic'

/** Quantised decoders fail on some runtime builds: basic optimisation helps for most, full precision for all. */
async function loadFirstWorking(model: InstalledModel, provider: Provider, warn: (message: string) => void) {
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
        device: provider,
        local_files_only: true,
        session_options: { ...sessionOptions(provider), graphOptimizationLevel: way.optimisation },
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

function wrap(recogniser: AutomaticSpeechRecognitionPipeline, provider: Provider): Whisper {
  const { model: inside, tokenizer } = insideOf(recogniser)
  const settings = inside.generation_config
  const hasWordTimes =
    settings?.alignment_heads !== undefined &&
    Object.values(inside.sessions).some(
      (session) => session.outputNames?.some((name) => name.startsWith('cross_attentions')) === true,
    )
  const multilingual = settings?.is_multilingual === true
  const encode = (text: string): number[] => tokenizer.encode(text, { add_special_tokens: false })
  return {
    hasWordTimes,
    multilingual,
    provider,
    prompt: (keywords) => promptOf(keywords, encode),
    detectLanguage: (samples) => detectLanguage(recogniser, inside, samples),
    together: windowsTogether(provider, {
      freeBytes: freemem(),
      bytesEach: bytesOfWindow(inside, hasWordTimes),
    }),
    decode: async (windows, language, prompt) => {
      const before =
        prompt === undefined || prompt.tokens.length === 0 ? [] : [...encode(PREVIOUS), ...prompt.tokens]
      const start = [...before, ...startTokens(settings, multilingual ? language : null)]
      const decoded = await decodeWindows(recogniser, { windows, start, hasWordTimes })
      return decoded.map((pieces) => ({ pieces, words: hasWordTimes }))
    },
  }
}

/** Tokens of a window that is full of speech. */
const DEFAULT_TOKENS = 200

/** Memory that a window needs beside the model: mostly the attentions of each token, held twice while they are joined. */
function bytesOfWindow({ config }: ModelInside, hasWordTimes: boolean): number {
  const {
    decoder_layers: layers = 6,
    decoder_attention_heads: heads = 8,
    max_source_positions: places,
  } = config
  const attention = hasWordTimes ? 2 * layers * heads * DEFAULT_TOKENS * places : 0
  const known = 2 * layers * heads * 64 * (places + DEFAULT_TOKENS)
  return 4 * (attention + known)
}

/** Marks text that precedes the window. */
const PREVIOUS = '<|startofprev|>'

/** The tokens that precede the text of a window. Throws STAGE_FAILED for a language that the model does not know. */
function startTokens(settings: ModelInside['generation_config'], language: string | null): number[] {
  const start = settings?.decoder_start_token_id
  if (start === undefined)
    throw new AppError('STAGE_FAILED', { message: 'The speech model has no start token.' })
  if (language === null) return [start]
  const spoken = settings?.lang_to_id?.[`<|${language}|>`]
  const task = settings?.task_to_id?.['transcribe']
  if (spoken === undefined || task === undefined) {
    throw new AppError('STAGE_FAILED', {
      message: `The speech model does not know the language “${language}”.`,
    })
  }
  return [start, spoken, task]
}

/** Runs one decoder step after the start token and takes the most likely language token. */
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
