/** Text in many scripts with the real fonts: which file draws it, in what order, where lines break. */
import { join } from 'node:path'
import { createCanvas } from '@napi-rs/canvas'
import { describe, expect, it } from 'vitest'
import type { Composition } from '../../server/contract/composition.ts'
import { mayBreakBetween } from '../../server/contract/join-words.ts'
import { splitUnspacedWord } from '../../server/nodes/compose/script-words.ts'
import { emojiOf } from '../../server/nodes/presets/emojis.ts'
import {
  CAPTION_STYLE,
  captionLayer,
  sampleComposition,
  TITLE,
} from '../../test/support/sample-composition.ts'
import { asDrawingContext } from '../compositor/canvas.ts'
import { partsFor, neededFonts, resolveFamily } from '../compositor/fonts.ts'
import { setText, type SetText } from '../compositor/set-text.ts'
import { registerFonts, registerFontsFor } from './fonts.ts'
import { omitUndefined } from '../../server/contract/omit-undefined.ts'
import { settingOf } from '../compositor/layer-setting.ts'

const RESOURCES = join(import.meta.dirname, '..', '..', 'resources')

const titled = (text: string, language?: string): Composition =>
  sampleComposition({ layers: [{ ...TITLE, text, ...omitUndefined({ language }) }] })

async function set(
  words: string[],
  over: { joinsNext?: boolean[]; language?: string; width?: number } = {},
): Promise<SetText> {
  const fonts = await registerFontsFor(titled(words.join(''), over.language), RESOURCES, null)
  return setText(
    {
      words,
      joinsNext: over.joinsNext ?? [],
      language: over.language,
      wordGap: 0,
      face: { ...CAPTION_STYLE.face, letterSpacing: 6 },
      align: 'center',
      xPercent: 50,
      yPercent: 50,
      maxWidthPercent: over.width ?? 90,
      maxLines: 0,
      maxHeightPercent: 0,
      marginX: 0,
      marginY: 0,
    },
    {
      canvas: asDrawingContext(createCanvas(2, 2).getContext('2d')),
      fonts,
      pictures: new Map(),
      videos: null,
      frameRate: { numerator: 30, denominator: 1 },
      width: 1080,
      height: 1920,
      unit: 1,
      framesPerSecond: 30,
      durationFrames: 90,
      setting: settingOf('title'),
      warn: (_code, _field, message) => expect(message).toBe(''),
    },
  )
}

const leftToRight = (text: SetText): string[] =>
  text.words.toSorted((a, b) => a.left - b.left).map((word) => word.text)

/** Whether the text is drawn with letters of its own: each another picture than the sign for a missing letter. */
async function isDrawn(text: string, language?: string): Promise<boolean> {
  const table = await registerFontsFor(titled(text, language), RESOURCES, null)
  const canvas = createCanvas(120, 120)
  const context = canvas.getContext('2d')
  const picture = (letter: string): string => {
    context.clearRect(0, 0, 120, 120)
    context.font = `800 80px ${resolveFamily(table, 'Montserrat', { text, language }).cssFamilies}`
    context.fillText(letter, 10, 90)
    return Buffer.from(context.getImageData(0, 0, 120, 120).data).toString('base64')
  }
  const missing = picture('\u{10fff0}')
  return [...text].every((letter) => picture(letter) !== missing)
}

describe('fonts of large scripts', () => {
  it.each([
    ['中文字体说明书', 'zh'],
    ['繁體中文說明書讀兩遍', 'zh-Hant'],
    ['日本語のカタカナ、漢字。', 'ja'],
    ['한국어로 쓴 문장', 'ko'],
    ['ภาษาไทย', 'th'],
    ['العربية', 'ar'],
    ['עברית', 'he'],
    ['हिन्दी', 'hi'],
  ])('%s is drawn with letters of its own', async (text, language) => {
    expect(await isDrawn(text.replaceAll(' ', ''), language)).toBe(true)
  })

  it('are loaded by need: none for Latin, few files for a sentence', async () => {
    const table = await registerFonts(RESOURCES)
    expect(partsFor(table, 'Plain text, “quoted” – 24 % 🔥')).toEqual([])
    const parts = partsFor(table, '没有人会把说明书读两遍')
    expect(parts.length).toBeGreaterThan(0)
    expect(parts.length).toBeLessThan(11)
  })

  it('are those of the language where it is known, and of the script where it shows', async () => {
    const table = await registerFonts(RESOURCES)
    const family = (text: string, language?: string): string[] => [
      ...new Set(partsFor(table, text, language).map((part) => part.file.split('/')[0] ?? '')),
    ]
    expect(family('直線', 'ja')).toEqual(['noto-sans-jp'])
    expect(family('直線', 'zh')).toEqual(['noto-sans-sc'])
    expect(family('直線')).toEqual(['noto-sans-sc'])
    expect(family('直線を引く')).toEqual(['noto-sans-jp'])
    expect(family('한국어')).toEqual(['noto-sans-kr'])
  })

  it('are named for captions and titles alike, with the files that users gave', async () => {
    const table = await registerFonts(RESOURCES)
    const digest = 'a'.repeat(64)
    const style = { ...CAPTION_STYLE, face: { ...CAPTION_STYLE.face, fontFile: digest } }
    const composition = sampleComposition({
      layers: [captionLayer('日本語 です', 5, 2, style), { ...TITLE, text: '中文' }],
    })
    const { parts, files } = neededFonts(composition, table)
    expect(files).toEqual([digest])
    expect(new Set(parts.map((part) => part.file.split('/')[0]))).toEqual(
      new Set(['noto-sans-jp', 'noto-sans-sc']),
    )
  })
})

describe('set text', () => {
  it('lays Arabic words from right to left, foreign phrases in their own order', async () => {
    const words = ['عن', 'Node', 'Canvas', 'هو']
    expect(leftToRight(await set(words))).toEqual(['هو', 'Node', 'Canvas', 'عن'])
  })

  it('sets the full stop after a foreign phrase on the other side of the phrase', async () => {
    const { words } = await set(['על', 'Node', 'Canvas.'], { language: 'he' })
    const [on, node, canvas] = words
    expect(canvas?.text).toBe('Canvas')
    expect(canvas?.tail?.text).toBe('.')
    const lefts = [canvas?.tail?.left, node?.left, canvas?.left, on?.left]
    expect(lefts).toEqual(lefts.toSorted((a, b) => (a ?? 0) - (b ?? 0)))
    expect((await set(['see', 'Node', 'Canvas.'])).words.every((word) => word.tail === null)).toBe(true)
  })

  it('starts at the right where the language does, whatever the first word', async () => {
    const words = ['Node', 'هو']
    expect(leftToRight(await set(words, { language: 'ar' }))).toEqual(['هو', 'Node'])
    expect(leftToRight(await set(words))).toEqual(['Node', 'هو'])
    expect((await set(['Node', 'Canvas'], { language: 'ar' })).direction).toBe('ltr')
  })

  it('joins Arabic letters: a word is narrower than its letters apart, whatever the letter spacing', async () => {
    const [word, ...letters] = (await set(['مرحبا', 'م', 'ر', 'ح', 'ب', 'ا'])).words
    const apart = letters.reduce((sum, letter) => sum + letter.width, 0)
    expect(word?.width).toBeGreaterThan(0)
    expect(word?.width).toBeLessThan(apart * 0.9)
  })

  it('starts no line with closing punctuation and ends none with an opening bracket', async () => {
    const sentence = '誰も説明書を二度は読みません。「でも、みんなが同じことを聞くんです」と彼は言った。'
    const words = [...sentence]
    const joinsNext = words.map(() => true)
    for (let width = 20; width <= 90; width += 5) {
      const text = await set(words, { joinsNext, language: 'ja', width })
      const lines = text.lines.map((_, line) =>
        text.words.filter((word) => word.line === line).map((word) => word.text),
      )
      expect(lines.flat().join('')).toBe(sentence)
      for (const [line, own] of lines.entries()) {
        if (line > 0) expect(own[0]).not.toMatch(/[。、」っょ]/u)
        if (line < lines.length - 1) expect(own.at(-1)).not.toMatch(/「/u)
      }
    }
  })

  it('draws an emoji in colour though a text font has it as a letter', async () => {
    const { words } = await set(['I', '❤️', 'bikes'])
    expect(words.map((word) => word.font.indexOf('Twemoji') < word.font.indexOf('Montserrat'))).toEqual([
      false,
      true,
      false,
    ])
  })
})

describe('words without spaces', () => {
  it.each([
    ['没有人会把说明书读两遍，', 'zh'],
    ['ไม่มีใครอ่านคู่มือสองครั้ง', 'th'],
    ['誰も説明書を二度は読みません。', 'ja'],
  ])('%s is split where lines may break, and loses nothing', (text) => {
    const parts = splitUnspacedWord(text)
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.join('')).toBe(text)
    parts.slice(1).forEach((part, index) => expect(mayBreakBetween(parts[index] ?? '', part)).toBe(true))
  })
})

it('every emoji that captions may get is drawn in colour after its word', async () => {
  const table = await registerFonts(RESOURCES)
  const { cssFamilies } = resolveFamily(table, 'Montserrat')
  const context = createCanvas(120, 120).getContext('2d')
  const words =
    'fire money cost growth drop launch idea brain love funny shock angry sad happy sleep deal strong run win goal danger wrong right time calendar party gift king world travel house car bike pizza coffee healthy medicine science robot computer phone internet secure key book school write music podcast movie camera art game dog cat tree ocean sun snow energy explode look listen talk baby family team company law vote war thank star diamond calm'
  for (const word of words.split(' ')) {
    const emoji = emojiOf(word)
    expect([word, emoji]).not.toEqual([word, undefined])
    context.clearRect(0, 0, 120, 120)
    context.font = `800 80px ${cssFamilies}`
    context.fillStyle = '#ffffff'
    context.fillText(emoji ?? '', 10, 90)
    const { data } = context.getImageData(0, 0, 120, 120)
    // Drawn as a letter it would be white all over.
    const coloured = Array.from({ length: data.length / 4 }, (_, pixel) => {
      const channels = [...data.subarray(pixel * 4, pixel * 4 + 3)]
      return data[pixel * 4 + 3] === 255 && Math.min(...channels) < 240
    })
    expect([word, coloured.filter(Boolean).length > 60]).toEqual([word, true])
  }
})
