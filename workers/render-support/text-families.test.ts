/** That a text in plain letters needs one family alone, which the preview in the studio relies on. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { FontTable } from '../compositor/font-table.ts'
import { familiesFor, fontAlias, isTextFamily } from '../compositor/fonts.ts'

const FONTS = join(import.meta.dirname, '..', '..', 'resources', 'fonts')
const LAST_POINT = 0x2fff

/** Code points of a TrueType font's table `cmap`, in its segments (format 4). */
function lettersOf(font: Buffer): Set<number> {
  const tables = Array.from({ length: font.readUInt16BE(4) }, (_, index) => 12 + index * 16)
  const record = tables.find((at) => font.toString('latin1', at, at + 4) === 'cmap') ?? 0
  const cmap = font.readUInt32BE(record + 8)
  const letters = new Set<number>()
  for (let index = 0; index < font.readUInt16BE(cmap + 2); index++) {
    const at = cmap + font.readUInt32BE(cmap + 8 + index * 8)
    if (font.readUInt16BE(at) !== 4) continue
    const doubled = font.readUInt16BE(at + 6)
    for (let segment = 0; segment < doubled; segment += 2) {
      const end = font.readUInt16BE(at + 14 + segment)
      const start = font.readUInt16BE(at + 16 + doubled + segment)
      for (let point = start; point <= Math.min(end, LAST_POINT); point++) letters.add(point)
    }
  }
  return letters
}

it('each family of text has every letter for which no other family is loaded', async () => {
  const table = JSON.parse(await readFile(join(FONTS, 'fonts.json'), 'utf8')) as FontTable
  const fonts = table.fonts.filter(({ family }) => isTextFamily(family))
  expect(new Set(fonts.map(({ family }) => family)).size).toBeGreaterThan(4)
  for (const { family, file } of fonts) {
    const letters = lettersOf(await readFile(join(FONTS, file)))
    const alone = `"${fontAlias(family)}"`
    let certain = 0
    for (let point = 0x20; point <= LAST_POINT; point++) {
      const text = String.fromCodePoint(point)
      if (familiesFor(table, family, text) !== alone) continue
      certain += 1
      for (const letter of text + text.toUpperCase())
        expect(letters.has(letter.codePointAt(0) ?? 0), `${file} ${letter}`).toBe(true)
    }
    expect(certain).toBeGreaterThan(180)
  }
})

it('anything else may be set in any of them', async () => {
  const table = JSON.parse(await readFile(join(FONTS, 'fonts.json'), 'utf8')) as FontTable
  const count = (text: string, family = 'Montserrat') => familiesFor(table, family, text).split(',').length
  expect(count('Plain text, “quoted” – 24 % of Müller’s café')).toBe(1)
  for (const text of ['wow 🔥', 'Ω', 'שלום', 'मैं', '©', 'µ', 'e\u0301'])
    expect(count(text), text).toBeGreaterThan(5)
  expect(count('plain', 'Noto Sans Arabic')).toBeGreaterThan(5)
})
