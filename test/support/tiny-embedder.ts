/**
 * A sentence-transformers model of a few kilobytes, made for tests: words of one group point one way, all others a little
 * in another. The real file layout, a real ONNX graph (one Gather) and a real tokenizer; it understands nothing else.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'] as const

/** Writes the model to `models/embedding/NAME` and returns the models folder. A word belongs to one group. */
export async function makeTinyEmbedder(
  models: string,
  groups: readonly (readonly string[])[],
  name = 'tiny-test',
): Promise<string> {
  const folder = join(models, 'embedding', name)
  await mkdir(join(folder, 'onnx'), { recursive: true })
  const words = groups.flat()
  const vocabulary = Object.fromEntries([...SPECIAL, ...words].map((word, id) => [word, id]))
  const size = groups.length + 1
  const row = (group: number, length: number): number[] =>
    Array.from({ length: size }, (_, at) => (at === group ? length : 0))
  const table = [
    ...SPECIAL.map(() => row(groups.length, 0.2)),
    ...groups.flatMap((group, index) => group.map(() => row(index, 1))),
  ]
  const settings = {
    'config.json': {
      model_type: 'bert',
      architectures: ['BertModel'],
      hidden_size: size,
      vocab_size: table.length,
    },
    'tokenizer_config.json': {
      tokenizer_class: 'BertTokenizer',
      model_max_length: 128,
      do_lower_case: true,
      pad_token: '[PAD]',
      unk_token: '[UNK]',
      cls_token: '[CLS]',
      sep_token: '[SEP]',
    },
    'tokenizer.json': {
      version: '1.0',
      truncation: null,
      padding: null,
      added_tokens: SPECIAL.map((content, id) => ({
        id,
        content,
        single_word: false,
        lstrip: false,
        rstrip: false,
        normalized: false,
        special: true,
      })),
      normalizer: {
        type: 'BertNormalizer',
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: null,
        lowercase: true,
      },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: null,
      decoder: null,
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab: vocabulary,
      },
    },
  }
  for (const [file, content] of Object.entries(settings))
    await writeFile(join(folder, file), JSON.stringify(content))
  await writeFile(join(folder, 'onnx', 'model.onnx'), gatherModel(table))
  return models
}

/** ONNX: last_hidden_state[batch, sequence, size] = table[input_ids[batch, sequence]]. */
function gatherModel(table: readonly (readonly number[])[]): Uint8Array {
  const size = table[0]?.length ?? 0
  const raw = new Uint8Array(Float32Array.from(table.flat()).buffer)
  const named = (parameter: string): number[] => field(1, field(2, text(parameter)))
  const value = (name: string, type: number, last: readonly number[]): number[] => [
    ...field(1, text(name)),
    ...field(
      2,
      field(1, [
        ...number(1, type),
        ...field(2, [...named('batch_size'), ...named('sequence_length'), ...last]),
      ]),
    ),
  ]
  const node = [
    ...[field(1, text('table')), field(1, text('input_ids')), field(2, text('last_hidden_state'))].flat(),
    ...field(4, text('Gather')),
  ]
  const initializer = [
    ...[number(1, table.length), number(1, size), number(2, FLOAT), field(8, text('table'))].flat(),
    ...field(9, [...raw]),
  ]
  const graph = [
    ...[field(1, node), field(2, text('tiny-embedder')), field(5, initializer)].flat(),
    ...field(11, value('input_ids', INT64, [])),
    ...field(12, value('last_hidden_state', FLOAT, field(1, number(1, size)))),
  ]
  return Uint8Array.from([...number(1, 8), ...field(7, graph), ...field(8, number(2, 13))])
}

const FLOAT = 1
const INT64 = 7

/** Protocol buffers: a field that has a length. */
function field(id: number, content: readonly number[]): number[] {
  return [...varint((id << 3) | 2), ...varint(content.length), ...content]
}

function number(id: number, value: number): number[] {
  return [...varint(id << 3), ...varint(value)]
}

function varint(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
  return [...bytes, rest]
}

function text(content: string): number[] {
  return [...new TextEncoder().encode(content)]
}
