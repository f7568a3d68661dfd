/**
 * The available fonts, and how a face names them. The list is resources/fonts/fonts.json. Node registers the files by
 * path, the studio by @font-face, both under the alias that `fontAlias` gives, so that an installed font of the same
 * name is never used instead.
 */
import type { Composition, TextFace } from '../../server/contract/composition.ts'
import type { FontFile, FontTable } from './font-table.ts'

/** The name that a family is registered under. */
export function fontAlias(family: string): string {
  return `Cutroom ${family}`
}

/** The name that a font file which a user gave is registered under, by the SHA-256 of its content. */
export function fileAlias(digest: string): string {
  return `Cutroom file ${digest}`
}

export interface ResolvedFamily {
  /** Family list for a CSS font, best first. */
  readonly cssFamilies: string
  /** The same with the emoji font first: text fonts hold some emojis as letters. */
  readonly emojiFamilies: string
  readonly known: boolean
  readonly family: string
}

/** The text that a font list is made for. */
export interface TextToSet {
  readonly text: string
  /** BCP 47 tag, `und` or absent: judged by the letters. */
  readonly language?: string | undefined
  /** SHA-256 of a font file that comes first. */
  readonly fontFile?: string | undefined
}

/** The font list for the first known family of a comma list, with the parts of large fonts that the text needs. */
export function resolveFamily(table: FontTable, requested: string, set?: TextToSet): ResolvedFamily {
  const families = new Map(table.fonts.map((font) => [font.family.toLowerCase(), font.family]))
  const wanted = requested.split(',').map((name) =>
    name
      .trim()
      .replace(/^['"]|['"]$/g, '')
      .toLowerCase(),
  )
  const found = wanted.map((name) => families.get(name)).find((family) => family !== undefined)
  const family = found ?? table.fallbackFamily
  const parts = set === undefined ? [] : partsFor(table, set.text, set.language).map((part) => part.alias)
  const bundled = [...new Set([family, table.fallbackFamily, ...table.scriptFamilies])].map(fontAlias)
  const own = set?.fontFile === undefined ? [] : [fileAlias(set.fontFile)]
  const emoji = bundled.slice(-1)
  const letters = [...own, ...bundled.slice(0, -1), ...parts]
  const listed = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
  return {
    // Letters come before the emoji font, which also has digits.
    cssFamilies: listed([...letters, ...emoji]),
    emojiFamilies: listed([...emoji, ...letters]),
    known: found !== undefined || own.length > 0,
    family,
  }
}

/** Families that are there for other scripts and for emojis alone. */
const FOR_SCRIPTS = /^Noto |^Twemoji$/u

/** Whether a family is one that text is set in by choice. */
export const isTextFamily = (family: string): boolean => !FOR_SCRIPTS.test(family)

/** What every family of the kind above has letters for; signs that may be drawn as emojis are not among them. */
const IN_EVERY_TEXT_FAMILY = /^[\u0020-\u007e\u00a0-\u00a8\u00aa-\u00ac\u00af-\u00ff\u0178‘’“”‚„–—…•€‹›]*$/u

/** Families that `text` may need: only the requested one when it certainly has every letter, capitals included. */
export function familiesFor(table: FontTable, requested: string, text: string): string {
  const { family, cssFamilies } = resolveFamily(table, requested)
  const alone =
    isTextFamily(family) && IN_EVERY_TEXT_FAMILY.test(text) && IN_EVERY_TEXT_FAMILY.test(text.toUpperCase())
  return alone ? `"${fontAlias(family)}"` : cssFamilies
}

/** Fonts that a composition's text needs in addition to those that are always loaded. */
export interface NeededFonts {
  readonly parts: readonly FontFile[]
  /** SHA-256 of font files that users gave. */
  readonly files: readonly string[]
}

/** The fonts that have to be registered before `prepare`. */
export function neededFonts(composition: Composition, table: FontTable): NeededFonts {
  const parts = new Map<string, FontFile>()
  const files = new Set<string>()
  const need = (text: string, language: string | undefined, faces: readonly TextFace[]): void => {
    for (const part of partsFor(table, text, language)) parts.set(part.alias, part)
    for (const { fontFile } of faces) if (fontFile !== undefined) files.add(fontFile)
  }
  for (const layer of composition.layers) {
    if (layer.kind === 'title') need(layer.text, layer.language, [layer.face])
    if (layer.kind !== 'captions') continue
    const faces = layer.styles.map((style) => style.face)
    for (const cue of layer.cues) {
      need(cue.words.map((word) => word.text).join(''), layer.language, [])
    }
    need('', layer.language, faces)
  }
  return { parts: [...parts.values()], files: [...files] }
}

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
