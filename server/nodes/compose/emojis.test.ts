import { expect, it } from 'vitest'
import { compile, vertical } from '../../../test/support/compiled.ts'
import { documentOf, factsOf, spoken } from '../../../test/support/node-values.ts'
import { compileComposition } from '../index.ts'
import { emojiOf } from '../presets/emojis.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { inSentences } from '../../../test/support/sentences.ts'

it.each([
  ['Fire!', '🔥'],
  ['running', '🏃'],
  ['Celebrated,', '🎉'],
  ['companies', '🏢'],
  ['king’s', '👑'],
  ['the', undefined],
  ['fireplace', undefined],
  ['', undefined],
  ['constructor', undefined],
])('%s has %s', (word, emoji) => {
  expect(emojiOf(word)).toBe(emoji)
})

const shown = (text: string, language?: string) => {
  const document = documentOf(vertical, {
    subtitleConfig: { emojis: true },
    ...omitUndefined({ language }),
  })
  const { composition, warnings } = inSentences(
    compileComposition({
      document,
      words: spoken(text, 12),
      facts: factsOf(),
    }),
  )
  const words = composition.layers.flatMap((layer) =>
    layer.kind === 'captions' ? layer.cues.flatMap((cue) => cue.words.map((word) => word.text)) : [],
  )
  return { words, warnings }
}

it('puts an emoji after its word, not on every word and not the same one again at once', () => {
  const { words, warnings } = shown(
    'Money on fire costs more money than a fire in the very old and small house of fire',
  )
  expect(words.filter((word) => /\p{Extended_Pictographic}/u.test(word))).toEqual([
    'Money\u00a0💰',
    'fire\u00a0🔥',
    'house\u00a0🏠',
  ])
  expect(warnings).toEqual([])
})

it('says so where the captions are not in English', () => {
  const { words, warnings } = shown('Das Internet ist das Internet', 'de')
  expect(words.join(' ')).toBe('Das Internet ist das Internet')
  expect(warnings).toEqual([expect.stringContaining('these captions are in "de"')])
})

it('adds none unless it is asked to', () => {
  expect(JSON.stringify(compile(vertical).captions)).not.toMatch(/\p{Extended_Pictographic}/u)
})
