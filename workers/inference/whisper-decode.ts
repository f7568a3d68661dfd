/**
 * Decodes several windows of sound at once. The library's own pipeline takes one window at a time, and its `generate`
 * neither ends nor times the rows of a batch correctly: see docs/decisions/0018.
 */
import '../../models/no-telemetry.ts'
import {
  cat,
  type LogitsProcessor,
  LogitsProcessorList,
  Tensor,
  type AutomaticSpeechRecognitionPipeline,
} from '@huggingface/transformers'
import { type DecodedWindow, wordsOfPieces } from '../stages/speech/pure/decoded.ts'
import { insideOf, type Attended, type Chunk } from './whisper-inside.ts'

export interface DecodeRequest {
  /** Each at most 30 s of 16 kHz mono sound. */
  readonly windows: readonly Float32Array[]
  /** Prompt tokens that precede the text of each window. */
  readonly start: readonly number[]
  readonly hasWordTimes: boolean
}

/** The most tokens that a second of speech can need, and the decoder's own limit. */
const TOKENS_PER_SECOND = 14
const DECODER_PLACES = 444
const RATE = 16_000
const WINDOW_SECONDS = 30
/** Encoder frames per second, by which words are timed. The pipeline assumes twice as many and times words too late. */
const ENCODED_A_SECOND = 50

/** Words or segments of each window, the same as if each one had been decoded alone. */
export async function decodeWindows(
  recogniser: AutomaticSpeechRecognitionPipeline,
  { windows, start, hasWordTimes }: DecodeRequest,
): Promise<DecodedWindow['pieces'][]> {
  const { model } = insideOf(recogniser)
  const features: Tensor[] = []
  for (const samples of windows) {
    const { input_features } = (await recogniser.processor(samples)) as { input_features: Tensor }
    features.push(input_features)
  }
  // Without a limit the library can decode forever.
  const most = windows.map((samples) =>
    Math.min(DECODER_PLACES - start.length, 24 + Math.ceil((samples.length / RATE) * TOKENS_PER_SECOND)),
  )
  const setting = model.generation_config?.eos_token_id
  const end = typeof setting === 'object' ? setting[0] : setting
  const given = await model.generate({
    inputs: cat(features, 0),
    decoder_input_ids: windows.map(() => [...start]),
    logits_processor: processorsFor(start.length, end, most),
    return_timestamps: true,
    max_new_tokens: Math.max(...most),
    ...(hasWordTimes ? { output_attentions: true, return_dict_in_generate: true } : {}),
  })
  const attended = 'sequences' in given ? given : null
  const sequences = (attended?.sequences ?? (given as Tensor)).tolist() as unknown[][]
  const pieces = windows.map((samples, row) => {
    const tokens = upToEnd((sequences[row] ?? []).slice(start.length), end, most[row] ?? 0)
    const times = attended === null ? null : timesOf(recogniser, attended, { row, tokens, start, samples })
    return piecesOf(recogniser, { start, tokens, times, samples, hasWordTimes })
  })
  await attended?.past_key_values?.dispose()
  return pieces
}

/**
 * The score processors of `generate`, its own additions included. For one prompt per row it takes the number of rows for the
 * length of the prompt, and it rejects one prompt for all rows, so the position where the text begins is corrected here.
 */
function processorsFor(begin: number, end: number | undefined, most: readonly number[]): LogitsProcessorList {
  const processors = new LogitsProcessorList()
  const add = processors.push.bind(processors)
  processors.push = (processor) => {
    if ('begin_index' in processor) processor.begin_index = begin
    add(processor)
  }
  if (end !== undefined) add(endsOnce(end, begin, most) as unknown as LogitsProcessor)
  return processors
}

/**
 * Forces a row that has ended, or has reached its token limit, to end again: the library stops only when all rows end in
 * the same step, and otherwise continues in rows that have already ended. Processors are called as functions.
 */
function endsOnce(end: number, begin: number, most: readonly number[]) {
  return (rows: bigint[][], logits: Tensor): Tensor => {
    rows.forEach((tokens, row) => {
      const own = tokens.slice(begin)
      if (!own.includes(BigInt(end)) && own.length < (most[row] ?? Infinity)) return
      // This is a view: writing to it changes the scores of this row.
      const view = (logits as unknown as Record<number, { data: Float32Array }>)[row]
      view?.data.fill(-Infinity)
      if (view !== undefined) view.data[end] = 0
    })
    return logits
  }
}

/** The tokens of a row up to its end token, without those that were generated while other rows continued. */
function upToEnd(tokens: readonly unknown[], end: number | undefined, most: number): bigint[] {
  const own = tokens.slice(0, most).map((token) => BigInt(token as bigint | number))
  const at = end === undefined ? -1 : own.indexOf(BigInt(end))
  return at === -1 ? own : own.slice(0, at + 1)
}

interface Row {
  readonly row: number
  readonly tokens: readonly bigint[]
  readonly start: readonly number[]
  readonly samples: Float32Array
}

/**
 * Start time of each token of one row, in seconds. The library can time only one row at a time, and gives each token the time
 * of the step after it: a token's sound is where the step attended that chose it (openai/whisper, timing.py), and that is
 * the step before it was put in.
 */
function timesOf(
  recogniser: AutomaticSpeechRecognitionPipeline,
  attended: Attended,
  { row, tokens, start, samples }: Row,
): number[] {
  const { model } = insideOf(recogniser)
  const all = [...start.map(BigInt), ...tokens]
  const alone: Attended = {
    sequences: new Tensor('int64', BigInt64Array.from(all), [1, all.length]),
    cross_attentions: attended.cross_attentions
      .slice(0, tokens.length)
      .map((layers) => layers.map((layer) => layer.slice([row, row + 1], null, null, null))),
  }
  const frames = Math.floor((samples.length / RATE) * ENCODED_A_SECOND)
  const heads = model.generation_config?.alignment_heads
  const before = start.length - 1
  const times = model._extract_token_timestamps(alone, heads, frames, 1 / ENCODED_A_SECOND, before)
  const seconds = (times.tolist() as number[][])[0] ?? []
  return seconds.slice(before, before + tokens.length).map((at) => Math.round(at * 100) / 100)
}

/** Languages written without spaces that the library would still split at spaces. */
const SPLIT_AS_CHINESE: ReadonlySet<string> = new Set(['<|yue|>', '<|km|>'])

/** The language token of the prompt, from which the library knows how words are separated. */
function languageToken(recogniser: AutomaticSpeechRecognitionPipeline, start: readonly number[]): bigint[] {
  const languages = insideOf(recogniser).model.generation_config?.lang_to_id ?? {}
  const [name, token] = Object.entries(languages).find(([, id]) => start.includes(id)) ?? []
  if (name === undefined || token === undefined) return []
  return [BigInt(SPLIT_AS_CHINESE.has(name) ? (languages['<|zh|>'] ?? token) : token)]
}

/** Exported for its test, because no model for a language without spaces is installed there. */
export function piecesOf(
  recogniser: AutomaticSpeechRecognitionPipeline,
  row: {
    readonly start: readonly number[]
    readonly tokens: readonly bigint[]
    readonly times: readonly number[] | null
    readonly samples: Float32Array
    readonly hasWordTimes: boolean
  },
): DecodedWindow['pieces'] {
  const { model, tokenizer } = insideOf(recogniser)
  const language = languageToken(recogniser, row.start)
  const [text, { chunks }] = tokenizer._decode_asr(
    [
      {
        stride: [row.samples.length / RATE, 0, 0],
        is_last: true,
        tokens: [...language, ...row.tokens],
        // The language token has no time of its own.
        ...(row.times === null ? {} : { token_timestamps: [...language.map(() => 0), ...row.times] }),
      },
    ],
    {
      time_precision: WINDOW_SECONDS / model.config.max_source_positions,
      return_timestamps: row.hasWordTimes ? 'word' : true,
      force_full_sequences: false,
    },
  )
  const pieces = presented(text, chunks ?? [])
  return row.hasWordTimes ? wordsOfPieces(pieces) : pieces
}

function presented(text: string, chunks: readonly Chunk[]): DecodedWindow['pieces'] {
  const seconds = (value: unknown) => (typeof value === 'number' && Number.isFinite(value) ? value : null)
  if (chunks.length === 0 && text.trim() !== '') return [{ text, from: 0, to: null }]
  return chunks.map((chunk) => ({
    text: chunk.text,
    from: seconds(chunk.timestamp[0]),
    to: seconds(chunk.timestamp[1]),
  }))
}
