import { describe, expect, it } from 'vitest'
import { detectTextLanguage, languageOf } from './language.ts'

describe('the language of a text', () => {
  it.each<[string, string[], string | undefined, string]>([
    ['kana, one word in four', ['の', '日本', 'TV', '東京'], undefined, 'ja'],
    ['kana, one word in five', ['の', 'a', 'b', 'c', 'd'], undefined, 'und'],
    ['Han, more than half', ['日本', '東京', 'TV'], undefined, 'zh'],
    ['Han, half', ['日本', 'TV'], 'en', 'en'],
    ['Han in a document in Cantonese', ['日本'], 'yue-HK', 'yue-HK'],
    ['Han in a document in English', ['日本'], 'en', 'zh'],
    ['hangul', ['한국'], undefined, 'ko'],
    ['Arabic letters in a document in Urdu', ['مرحبا'], 'ur', 'ur'],
    ['Hebrew letters in a document in Arabic', ['שלום'], 'ar', 'he'],
    ['Devanagari', ['नमस्ते'], 'mr', 'mr'],
    ['Thai', ['วันนี้'], undefined, 'th'],
    ['letters of many languages', ['hello'], 'en-GB', 'en-GB'],
    ['letters of many languages, nothing known', ['hello'], undefined, 'und'],
    ['letters that the language does not write with', ['hello'], 'TH', 'und'],
    ['letters that the language does not write with either', ['hello'], 'fa', 'und'],
  ])('%s', (_name, words, known, expected) => {
    expect(languageOf(words, known)).toBe(expected)
  })
})

describe('the language of a transcript', () => {
  const words = (text: string) =>
    text.split(' ').map((word, index) => ({ word, start: index, end: index + 1 }))

  it('is that of its tag, in two letters', () => {
    expect(['eng', 'GER', 'pt_BR', 'en-US', 'dut', 'sw'].map((tag) => detectTextLanguage(tag, []))).toEqual([
      'en',
      'de',
      'pt',
      'en',
      'nl',
      'sw',
    ])
  })

  it('is that of its small words where the tag does not say', () => {
    expect(detectTextLanguage('und', words('and then the cat went to the house of the dog'))).toBe('en')
    expect(detectTextLanguage(undefined, words('und dann ist der Hund mit der Katze in das Haus'))).toBe('de')
    expect(detectTextLanguage('und', words('xyzzy plugh qwrt'))).toBe('')
    expect(detectTextLanguage(undefined, [])).toBe('')
  })
})
