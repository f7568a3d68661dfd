/** The fonts of a composition in the browser: the same files, under the same names, that the export registers. */
import type { Composition, TextFace } from '../../server/contract/composition.ts'
import { familiesFor, fileAlias, fontAlias, neededFonts } from '../../workers/compositor/fonts.ts'
import type { FontTable } from '../../workers/compositor/font-table.ts'
import { preview } from '../messages/picture.ts'

export interface FontAddresses {
  /** Address of a file of resources/fonts; `fonts.json` lists them. */
  readonly fontUrl: (file: string) => string
  /** Address of a font that a user gave, by the SHA-256 of its file. */
  readonly fontFileUrl?: (digest: string) => string
}

/** What this page has made known, by address; a font's file is fetched when it is first loaded. */
const known = new Map<string, FontFace>()

function register(alias: string, url: string, descriptors: FontFaceDescriptors = {}): FontFace {
  const before = known.get(url)
  if (before !== undefined) return before
  const face = new FontFace(alias, `url(${JSON.stringify(url)})`, descriptors)
  known.set(url, face)
  document.fonts.add(face)
  return face
}

/** Every face that a composition's text is set in, with the text. */
function textsOf(composition: Composition): { face: TextFace; text: string }[] {
  return composition.layers.flatMap((layer) => {
    if (layer.kind === 'title') return [{ face: layer.face, text: layer.text }]
    if (layer.kind !== 'captions') return []
    const text = layer.cues.flatMap(({ words }) => words.map((word) => word.text)).join(' ')
    return layer.styles.map(({ face }) => ({ face, text }))
  })
}

/**
 * Makes the bundled fonts known and loads all that the composition's text can be set in: those for other scripts and
 * emojis where it has such letters. Rejects when one cannot be had: text set in another font would have other lines than the finished
 * clip. Resolves to the list of fonts, for `prepare`.
 */
export async function loadFonts(composition: Composition, addresses: FontAddresses): Promise<FontTable> {
  const { fontUrl, fontFileUrl } = addresses
  const response = await fetch(fontUrl('fonts.json'))
  if (!response.ok) throw new Error(preview.noFonts(response.status))
  const table = (await response.json()) as FontTable
  for (const { family, file, weight, style } of table.fonts) {
    register(fontAlias(family), fontUrl(file), { weight: String(weight), style })
  }
  const { parts, files } = neededFonts(composition, table)
  const named = [
    ...parts.map(({ alias, file, weight, style }) =>
      register(alias, fontUrl(file), { weight: String(weight), style }),
    ),
    ...files.map((digest) => {
      if (fontFileUrl === undefined) throw new Error(preview.noFontAddress)
      return register(fileAlias(digest), fontFileUrl(digest))
    }),
  ]
  const faces = textsOf(composition).map(({ face: { fontFamily, fontWeight, italic }, text }) => {
    return `${italic ? 'italic ' : ''}${fontWeight} 16px ${familiesFor(table, fontFamily, text)}`
  })
  await Promise.all([
    ...named.map((face) => face.load()),
    ...[...new Set(faces)].map((font) => document.fonts.load(font)),
  ])
  return table
}
