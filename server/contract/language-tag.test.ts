import { expect, it } from 'vitest'
import { languageTag } from './transcript.ts'

it.each([
  ['eng', 'en'],
  ['en', 'en'],
  ['EN-us', 'en-US'],
  ['pt_BR', 'pt-BR'],
  ['ger', 'de'],
  ['deu', 'de'],
  ['jpn', 'ja'],
  ['chi', 'zh'],
  ['zh-hant', 'zh-Hant'],
  ['gsw', 'gsw'],
  ['und', null],
  ['', null],
  ['English', null],
  ['x', null],
  ['en-', null],
  ['e n', null],
])('%j is %j', (said, tag) => {
  expect(languageTag(said)).toBe(tag)
})
