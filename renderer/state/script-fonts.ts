/**
 * Bundled fonts for scripts that the machine's own fonts may lack: registered when the first text of such a script comes,
 * and fetched by the browser file by file, for letters that are shown.
 */

/** Letters beyond Latin, Greek and Cyrillic, and emojis. */
const OTHER_SCRIPTS =
  /[\u0590-\u08ff\u0900-\u097f\u0e00-\u0e7f\u1100-\u11ff\u3000-\u9fff\uac00-\ud7af\uf900-\ufaff\u{1f000}-\u{1faff}]/u

/** Letters of families that are one file each; the others have their ranges in the list of fonts. */
const RANGES: Readonly<Record<string, string>> = {
  'Noto Sans Arabic': 'U+0600-06FF, U+0750-077F, U+08A0-08FF, U+FB50-FDFF, U+FE70-FEFF',
  'Noto Sans Hebrew': 'U+0590-05FF, U+FB1D-FB4F',
  'Noto Sans Devanagari': 'U+0900-097F, U+A8E0-A8FF',
  'Noto Sans Thai': 'U+0E00-0E7F',
  // Without signs such as ✓, which are letters of the studio's own font.
  Twemoji: 'U+1F000-1FAFF, U+200D, U+FE0F',
}

/** Han letters are drawn as in Japanese where both have them; kana and hangul are in one of them only. */
const LANGUAGES = ['ja', 'zh', 'ko']

/** Below are letters and signs that the studio's own font has. */
const FIRST_EAST_ASIAN = 0x2e80

const rangeOf = (letters: string): string =>
  letters
    .split(',')
    .filter((one) => Number.parseInt(one, 16) >= FIRST_EAST_ASIAN)
    .map((one) => `U+${one}`)
    .join(', ')

async function register(): Promise<void> {
  const { fontTable, fontUrl } = await import('../clip-editor/captions/fonts.ts')
  const { fonts, parts } = await fontTable()
  const names = new Set<string>()
  const add = (family: string, file: string, unicodeRange: string, weight: string): void => {
    if (unicodeRange === '') return
    const name = `Studio ${family}`
    names.add(name)
    document.fonts.add(new FontFace(name, `url(${JSON.stringify(fontUrl(file))})`, { unicodeRange, weight }))
  }
  for (const { family, file, weight } of fonts) {
    const range = RANGES[family]
    if (range !== undefined) add(family, file, range, String(weight))
  }
  for (const language of LANGUAGES)
    for (const part of parts.filter((one) => one.language === language))
      for (const [file, letters] of Object.entries(part.files))
        add(part.family, `${part.folder}/${file}`, rangeOf(letters), String(part.weight))
  const listed = [...names].map((name) => `'${name}'`).join(', ')
  // Before the machine's font: Chromium tries no family behind a generic one.
  document.documentElement.style.fontFamily = `'Inter Variable', ${listed}, system-ui, sans-serif`
}

let registering: Promise<void> | undefined

/** Call with every text that is received. Without the list of fonts, what the machine has is used. */
export function registerFontsFor(text: string): void {
  if (registering !== undefined || typeof document === 'undefined' || !OTHER_SCRIPTS.test(text)) return
  registering = register().catch(() => {
    registering = undefined
  })
}
