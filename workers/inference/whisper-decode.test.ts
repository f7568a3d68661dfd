/** Tokens to words, by the tokenizer of a real layout; nothing is decoded from sound here. */
import '../../models/no-telemetry.ts'
import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import {
  AutoTokenizer,
  Tensor,
  WhisperForConditionalGeneration,
  type AutomaticSpeechRecognitionPipeline,
} from '@huggingface/transformers'
import { describe, expect, it } from 'vitest'
import { useLocalModels } from './find-model.ts'
import { decodeWindows, piecesOf } from './whisper-decode.ts'

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'shared', 'models', 'asr', 'random-whisper')
if (!existsSync(FOLDER)) console.log('whisper tokenizer tests skipped: ../shared/models is not here')

interface Tokenizer {
  encode(text: string, options: { add_special_tokens: boolean }): number[]
}

/** Words of a text whose tokens are spoken a tenth of a second after one another, with a pause of ten seconds in between. */
async function wordsOf(text: string, language: string) {
  useLocalModels(FOLDER)
  const tokenizer = await AutoTokenizer.from_pretrained(basename(FOLDER), { local_files_only: true })
  const settings = JSON.parse(readFileSync(join(FOLDER, 'generation_config.json'), 'utf8')) as {
    lang_to_id: Record<string, number>
    no_timestamps_token_id: number
    decoder_start_token_id: number
    task_to_id: { transcribe: number }
  }
  // Cantonese came with later models than this layout's.
  const languages = { ...settings.lang_to_id, '<|yue|>': 51_900 } as Record<string, number>
  const recogniser = {
    tokenizer,
    model: {
      generation_config: { ...settings, lang_to_id: languages },
      config: { max_source_positions: 1500 },
    },
  } as unknown as AutomaticSpeechRecognitionPipeline
  const zero = settings.no_timestamps_token_id + 1
  const encoded = (tokenizer as unknown as Tokenizer).encode(text, { add_special_tokens: false })
  const tokens = [zero, ...encoded, zero + 1400].map(BigInt)
  const spoken = languages[`<|${language}|>`] ?? 0
  return piecesOf(recogniser, {
    start: [settings.decoder_start_token_id, spoken, settings.task_to_id.transcribe],
    tokens,
    times: tokens.map((_, at) => Math.round(at * 10) / 100 + (at > 6 ? 10 : 0)),
    samples: new Float32Array(28 * 16_000),
    hasWordTimes: true,
  })
}

describe.skipIf(!existsSync(FOLDER))('words of the model', () => {
  it.each([
    [
      'ja',
      '今日はとても大事な話をします。みなさん、よく聞いてください。OpenAIのラーメンです。',
      ['今日', 'とても', 'みなさん、', 'OpenAI', 'ラーメン'],
      15,
    ],
    ['zh', '今天我们来谈一个非常重要的话题，大家请认真听。', ['今天', '非常', '话题，'], 9],
    ['yue', '今天我们来谈一个非常重要的话题，大家请认真听。', ['今天', '非常', '话题，'], 9],
    ['th', 'วันนี้เราจะพูดถึงเรื่องที่สำคัญมากทุกคนโปรดฟังให้ดี', ['สำคัญ', 'ทุก'], 10],
    ['km', 'ថ្ងៃនេះយើងនឹងនិយាយអំពីរឿងសំខាន់', ['សំខាន់'], 5],
  ])('%s are words and not clauses', async (language, text, some, least) => {
    const pieces = await wordsOf(text, language)
    const words = pieces.map((piece) => piece.text)
    expect(words.join('')).toBe(text)
    expect(words).toEqual(expect.arrayContaining(some))
    expect(words.length).toBeGreaterThanOrEqual(least)
    for (const word of words) expect(word).not.toMatch(/^[\p{M}。、，]/u)
    let last = 0
    for (const { from, to } of pieces) {
      expect(from).not.toBeNull()
      expect(from ?? 0).toBeGreaterThanOrEqual(last)
      expect(to ?? 0).toBeGreaterThanOrEqual(from ?? 0)
      last = from ?? 0
    }
    // By the tokens' own times: nothing begins in the pause, as words by their share of a clause would.
    expect(pieces.filter(({ from }) => (from ?? 0) > 0.7 && (from ?? 0) < 10)).toEqual([])
    expect(last).toBeGreaterThan(10)
  })

  it('are as before where there are spaces', async () => {
    const pieces = await wordsOf(' Hello there, well-known friends. 대한민국 만세.', 'en')
    expect(pieces.map((piece) => piece.text)).toEqual([
      ' Hello',
      ' there,',
      ' well',
      '-known',
      ' friends.',
      ' 대한민국',
      ' 만세.',
    ])
    expect(pieces[0]?.from).toBe(0.1)
  })
})

/** Attention of one step: all on the frames of the token that it chooses. */
function attentionOf(frames: number, spans: readonly (readonly [number, number])[]): Tensor {
  const weights = new Float32Array(spans.length * frames).fill(1e-4)
  spans.forEach(([from, to], row) => weights.fill(1 / (to - from), row * frames + from, row * frames + to))
  return new Tensor('float32', weights, [1, 1, spans.length, frames])
}

it.skipIf(!existsSync(FOLDER))('times a token by the step that chose it', async () => {
  useLocalModels(FOLDER)
  const tokenizer = await AutoTokenizer.from_pretrained(basename(FOLDER), { local_files_only: true })
  const settings = JSON.parse(readFileSync(join(FOLDER, 'generation_config.json'), 'utf8')) as object
  const start = [50_258, 50_259, 50_359]
  const zero = 50_364
  const encoded = (tokenizer as unknown as Tokenizer).encode(' And so, my', { add_special_tokens: false })
  const tokens = [zero, ...encoded, zero + 130, 50_257]
  // And from 0.4 s, so from 1 s, its comma from 1.4 s, my from 1.6 s; then silence.
  const chosen = [
    [0, 20],
    [20, 50],
    [50, 70],
    [70, 80],
    [80, 130],
    [130, 140],
    [140, 150],
  ] as const
  const [first = [0, 1], ...later] = chosen
  const all = [...start, ...tokens].map(BigInt)
  const recogniser = {
    tokenizer,
    processor: () =>
      Promise.resolve({ input_features: new Tensor('float32', new Float32Array(1), [1, 1, 1]) }),
    model: {
      generation_config: { ...settings, alignment_heads: [[0, 0]] },
      config: { max_source_positions: 1500, decoder_layers: 1, median_filter_width: 7 },
      generate: () =>
        Promise.resolve({
          sequences: new Tensor('int64', BigInt64Array.from(all), [1, all.length]),
          cross_attentions: [
            [attentionOf(1500, [[0, 1], [0, 1], first])],
            ...later.map((span) => [attentionOf(1500, [span])]),
          ],
        }),
      _extract_token_timestamps: Reflect.get(
        WhisperForConditionalGeneration.prototype,
        '_extract_token_timestamps',
      ) as unknown,
    },
  } as unknown as AutomaticSpeechRecognitionPipeline
  const windows = [new Float32Array(3 * 16_000)]
  const [pieces] = await decodeWindows(recogniser, { windows, start, hasWordTimes: true })
  expect(pieces).toEqual([
    { text: ' And', from: 0.4, to: 1 },
    { text: ' so,', from: 1, to: 1.42 },
    { text: ' my', from: 1.6, to: 2.6 },
  ])
})
