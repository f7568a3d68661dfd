import { describe, expect, test } from 'vitest'
import { foldName, freeName, outputName } from './output-names.ts'

describe('outputName', () => {
  test.each([
    ['talk.mp4', 'Why nobody reads the manual', 'talk - Why nobody reads the manual'],
    ['card 1/talk.final.mov', 'A: “yes”/no?', 'talk.final - A “yes” no'],
    ['talk.mp4', '../../etc/passwd', 'talk - .. etc passwd'],
    ['talk.mp4', 'C:\\temp\\nul...', 'talk - C temp nul'],
    ['talk.mp4', '  . ', 'talk - clip'],
    ['.mp4', 'NUL', 'clip NUL'],
    ['con.mp4', 'x', 'con - x'],
    ['talk.mp4', 'Größe über alles: 日本語 العربية 👨‍👩‍👧', 'talk - Größe über alles 日本語 العربية 👨‍👩‍👧'],
    ['talk.mp4', 'a\u202egpj.exe\u0000\nb', 'talk - a gpj.exe b'],
    ['talk.mp4', 'می‌خواهم', 'talk - می‌خواهم'],
  ])('%j, %j', (source, title, name) => {
    expect(outputName(source, title)).toBe(name)
  })

  test('a long title is cut between characters, below 255 bytes with its source and an ending', () => {
    for (const letter of ['word ', '日本', '👨‍👩‍👧', 'นี้']) {
      const name = outputName(`${letter.repeat(300)}.mp4`, letter.repeat(300))
      expect(Buffer.byteLength(name)).toBeLessThan(240)
      expect(name).toBe(name.trim().toWellFormed())
      expect(letter.trim().repeat(300).replaceAll(/\s/gu, '')).toContain(
        (name.split(' - ')[1] ?? '').replaceAll(/\s/gu, ''),
      )
    }
  })
})

test('a name that is taken in another case or form gets the first free number', () => {
  const taken = new Set(['TALK - Café', 'talk - café (2)'].map(foldName))
  expect(freeName('talk - Cafe\u0301', (folded) => taken.has(folded))).toBe('talk - Cafe\u0301 (3)')
  expect(freeName('other', (folded) => taken.has(folded))).toBe('other')
})
