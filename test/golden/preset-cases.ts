/** Every preset as the compiler and the compositor make it together, and text in the scripts that are hard to set. */
import type { Composition } from '../../server/contract/composition.ts'
import { CAPTION_PRESETS, compileComposition, TITLE_PRESETS } from '../../server/nodes/index.ts'
import { documentOf, factsOf, node, spoken } from '../support/node-values.ts'

interface PresetCase {
  readonly name: string
  readonly frame: number
  readonly composition: Composition
}

interface Prompt {
  readonly subtitle?: Record<string, unknown>
  readonly title?: Record<string, unknown>
  readonly text?: string
  readonly language?: string
}

const TALK = 'Nobody reads the whole manual on twenty-three pages, every day.'
const SCRIPTS: readonly (readonly [string, string, Prompt])[] = [
  ['arabic', 'لا أحد يقرأ الدليل مرتين، لكن الجميع يسأل عن Node Canvas في عام 2024.', {}],
  [
    'hebrew',
    'אף אחד לא קורא את המדריך פעמיים, אבל כולם שואלים על Node Canvas.',
    { subtitle: { styleId: 'pill' } },
  ],
  [
    'japanese',
    '誰も説明書を二度は読みません。「でも、みんなが同じことを聞くんです」',
    { subtitle: { styleId: 'box' } },
  ],
  [
    'chinese',
    '没有人会把说明书读两遍，但是每个人都会问同样的问题：“为什么？”',
    { subtitle: { styleId: 'karaoke' } },
  ],
  ['korean', '아무도 설명서를 두 번 읽지 않지만 모두가 같은 질문을 합니다.', {}],
  ['thai', 'ไม่มีใครอ่านคู่มือสองครั้งแต่ทุกคนก็ถามคำถามเดียวกัน', {}],
  ['emoji', 'Fire and love make the whole team happy every single day', { subtitle: { emojis: true } }],
]

/** A quarter of the finished size: enough to see every letter, and small files. */
const OUTPUT = { width: 540, height: 960 }

function compiled(name: string, prompt: Prompt, at: number): PresetCase {
  const { subtitle, title, text = TALK, language } = prompt
  const nodes = [
    node('convert_to_vertical'),
    ...(subtitle === undefined ? [] : [node('add_subtitles', { subtitle_config: subtitle })]),
    ...(title === undefined ? [] : [node('add_title_overlay', { title_config: title })]),
  ]
  const range = { startTimestamp: 10, endTimestamp: 20 }
  const document = documentOf(nodes, language === undefined ? range : { ...range, language })
  const words = spoken(text, 10.2, 0.32)
  const { composition } = compileComposition({ document, words, facts: factsOf() })
  const captions = composition.layers.find((layer) => layer.kind === 'captions')
  const cue = captions?.cues[Math.min(at, captions.cues.length - 1)]
  const word = cue?.words[Math.floor(cue.words.length / 2)]
  // Late in a word in the middle of the cue, when every entrance is over.
  const frame = word === undefined ? 60 : Math.round((word.startFrame + 3 * word.endFrame) / 4)
  return { name, frame, composition: { ...composition, output: { ...composition.output, ...OUTPUT } } }
}

export const PRESET_CASES: readonly PresetCase[] = [
  ...CAPTION_PRESETS.map(({ id }) => compiled(`preset-captions-${id}`, { subtitle: { styleId: id } }, 1)),
  ...TITLE_PRESETS.map(({ id }) =>
    compiled(
      `preset-title-${id}`,
      { title: { titlePresetId: id, text: 'Why nobody reads the manual twice' } },
      0,
    ),
  ),
  ...SCRIPTS.map(([name, text, wish]) => compiled(`script-${name}`, { subtitle: {}, text, ...wish }, 0)),
  ...SCRIPTS.filter(([name]) => name !== 'emoji').map(([name, text]) =>
    compiled(`script-title-${name}`, { title: { text } }, 0),
  ),
]
