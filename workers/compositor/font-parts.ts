/** Chinese, Japanese and Korean: which files of their fonts hold the letters of a text. */
import type { FontFile, FontTable } from './font-table.ts'

type Family = FontTable['parts'][number]

const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u
const HANGUL = /\p{Script=Hangul}/u
/** Letters that only these fonts have, and the punctuation and wide forms that go with them. */
const THEIRS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\u30fb\u30fc\uff00-\uffef]/u

/** Code point to file, made once per family of a table that is used. */
const indices = new WeakMap<Family, ReadonlyMap<number, string>>()

function indexOf(family: Family): ReadonlyMap<number, string> {
  const known = indices.get(family)
  if (known !== undefined) return known
  const index = new Map<number, string>()
  for (const [file, ranges] of Object.entries(family.files)) {
    for (const range of ranges.split(',')) {
      const [from = '', to = from] = range.split('-')
      for (let point = parseInt(from, 16); point <= parseInt(to, 16); point++) index.set(point, file)
    }
  }
  indices.set(family, index)
  return index
}

/** The files that the letters of a text need, by language: the same letter is written differently in each. */
export function partsFor(table: FontTable, text: string, language?: string): FontFile[] {
  if (!THEIRS.test(text)) return []
  const primary = languageFor(text, language)
  const families = [...table.parts].sort(
    (a, b) => Number(b.language === primary) - Number(a.language === primary),
  )
  const found = new Map<string, FontFile>()
  for (const letter of new Set(text)) {
    if (!THEIRS.test(letter)) continue
    const point = letter.codePointAt(0) ?? 0
    for (const family of families) {
      const file = indexOf(family).get(point)
      if (file === undefined) continue
      const alias = `Cutroom ${family.family} ${file.replace(/\.\w+$/u, '')}`
      found.set(alias, { alias, file: `${family.folder}/${file}`, weight: family.weight, style: 'normal' })
      break
    }
  }
  return [...found.values()]
}

function languageFor(text: string, language = ''): string {
  if (KANA.test(text)) return 'ja'
  if (HANGUL.test(text)) return 'ko'
  const [primary = ''] = language.toLowerCase().split('-')
  return ['ja', 'ko'].includes(primary) ? primary : 'zh'
}
