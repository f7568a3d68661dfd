/** The fonts of a composition in the browser: the same files, under the same names, that the export registers. */
import type { Composition, TextFace } from '../../server/contract/composition.ts'
import { familiesFor, fileAlias, fontAlias, neededFonts } from '../../workers/compositor/fonts.ts'
import type { FontTable } from '../../workers/compositor/font-table.ts'
import { preview } from '../messages/picture.ts'
import { statusOf } from '../state/outage.ts'

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

function forget(url: string, face: FontFace): void {
  document.fonts.delete(face)
  known.delete(url)
}

/** A face that could not be loaded would fail for ever: it is registered anew. */
function forgetFailed(): void {
  for (const [url, face] of known) if (face.status === 'error') forget(url, face)
}

/** Whether the browser can read a font that a user gave. Rejects where the appliance does not answer. */
async function loadGiven(digest: string, url: string): Promise<boolean> {
  for (let attempt = 0; attempt < 2; attempt++) {
    const face = register(fileAlias(digest), url)
    try {
      await face.load()
      return true
    } catch {
      forget(url, face)
      await statusOf(url)
    }
  }
  return false
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
 * clip. Resolves to the list of fonts, for `prepare`, and the digests of a user's fonts that the browser cannot read.
 */
export async function loadFonts(
  composition: Composition,
  addresses: FontAddresses,
): Promise<{ readonly table: FontTable; readonly unreadable: readonly string[] }> {
  const { fontUrl, fontFileUrl } = addresses
  forgetFailed()
  const response = await fetch(fontUrl('fonts.json'))
  if (!response.ok) throw new Error(preview.noFonts(response.status))
  const table = (await response.json()) as FontTable
  for (const { family, file, weight, style } of table.fonts) {
    register(fontAlias(family), fontUrl(file), { weight: String(weight), style })
  }
  const { parts, files } = neededFonts(composition, table)
  const named = parts.map(({ alias, file, weight, style }) =>
    register(alias, fontUrl(file), { weight: String(weight), style }),
  )
  const given = await Promise.all(
    files.map(async (digest) => {
      if (fontFileUrl === undefined) throw new Error(preview.noFontAddress)
      return (await loadGiven(digest, fontFileUrl(digest))) ? [] : [digest]
    }),
  )
  const faces = textsOf(composition).map(({ face: { fontFamily, fontWeight, italic }, text }) => {
    return `${italic ? 'italic ' : ''}${fontWeight} 16px ${familiesFor(table, fontFamily, text)}`
  })
  await Promise.all([
    ...named.map((face) => face.load()),
    ...[...new Set(faces)].map((font) => document.fonts.load(font)),
  ])
  return { table, unreadable: given.flat() }
}
