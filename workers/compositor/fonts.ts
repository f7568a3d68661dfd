/**
 * The available fonts, and how a face names them. The list is resources/fonts/fonts.json. Node registers the files by
 * path, the studio by @font-face, both under the alias that `fontAlias` gives, so that an installed font of the same
 * name is never used instead.
 */
import type { Composition, TextFace } from '../../server/contract/composition.ts'
import { partsFor } from './font-parts.ts'
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
