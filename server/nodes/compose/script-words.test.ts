import { describe, expect, it } from 'vitest'
import { columns, estimateWidth, splitUnspacedWord, withBreaks, type WidthFace } from './script-words.ts'

/** Each line is a word, with a bar where it may be broken. */
const WORDS = [
  // Spaced scripts, and what is short enough, stay whole.
  'Donaudampfschifffahrt',
  '明书读两遍吗',
  '食べました。',
  // Japanese breaks after endings.
  '今日はとても|天気がいいですね',
  '人々の|生活と|時々の|話',
  '「今日は」|とても|「元気」|です。',
  'カタカナとひらがな|漢字',
  // Latin letters inside it are a word of their own, but one letter alone is no part.
  '今日|hello|世界です',
  'iPhone|を買いました',
  '東京|a大阪|b名古屋です',
  // Long runs are split, kana that end a word after nine letters, others after six, and never shortly before the end.
  'あああああああああ|あああああ',
  'ああああああああああ',
  'カカカカカカ|カカカカカカ',
  'カカカカカカ|カカカ',
  'カカカカカカカカ',
  'コンピューター|ゲーム',
  // The dictionary knows Thai, Lao, Burmese, Khmer and Chinese words.
  'ภาษา|ไทย',
  'ພາສາ|ລາວ',
  'ខ្ញុំ|ស្រឡាញ់|ភាសា',
  'မြန်မာ|စာ',
  '我们|今天|去|吃饭|吧',
  '我们|今天，|去|吃饭。',
]

describe('a line may end within a word of a script without spaces', () => {
  it.each(WORDS)('%s', (parts) => {
    expect(splitUnspacedWord(parts.replaceAll('|', ''))).toEqual(parts.split('|'))
  })

  it('as a zero-width space in its text, where spaces stay', () => {
    expect(withBreaks('今日はとても天気がいいですね and more')).toBe(
      '今日はとても\u200b天気がいいですね and more',
    )
  })
})

describe('the estimated width of a text', () => {
  const face = (fontFamily: string, textCase: WidthFace['textCase'] = 'none'): WidthFace => ({
    fontFamily,
    textCase,
  })
  const montserrat = face('Montserrat')
  const capitals = face('Montserrat', 'upper')
  it.each<[string, WidthFace, number]>([
    ['', montserrat, 0],
    ['a', montserrat, 0.63],
    ['A', montserrat, 0.76],
    ['É', montserrat, 0.76],
    ['7', montserrat, 0.63],
    [' ', montserrat, 0.29],
    ["ijlI.,:;'!|’", montserrat, 12 * 0.315],
    ['mwMW@%', montserrat, 6 * 0.76 * 1.4],
    ['漢かカ한、！🔥', montserrat, 7],
    ['e\u0301\u200b', montserrat, 0.63],
    ['a b', montserrat, 0.63 + 0.29 + 0.63],
    ['a', capitals, 0.76],
    ['i', capitals, 0.378],
    ['w', capitals, 0.76 * 1.4],
    ['A', face('Montserrat', 'lower'), 0.76],
    ['aA ', face('Poppins'), 0.62 + 0.7 + 0.2],
    ['aA ', face(' INTER '), 0.58 + 0.71 + 0.23],
    ['aA ', face('Lora'), 0.55 + 0.7 + 0.26],
    ['aA ', face('Anton'), 0.47 + 0.48 + 0.23],
    ['aA ', face('Bebas Neue'), 0.4 + 0.4 + 0.16],
    ['aA ', face('Noto Sans'), 0.59 + 0.69 + 0.26],
    ['aA ', face('Unknown'), 0.63 + 0.76 + 0.29],
  ])('%j in %j is %d', (text, of, width) => {
    expect(estimateWidth(text, of)).toBeCloseTo(width, 9)
  })
})

it.each([
  ['', 0],
  ['word, 7', 7],
  ['漢かカ한、！🔥', 14],
  ['e\u0301\u200b', 1],
])('%j takes %d columns', (text, count) => {
  expect(columns(text)).toBe(count)
})
