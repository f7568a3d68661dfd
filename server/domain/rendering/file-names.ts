/**
 * Names that files are downloaded under: titles in any script, safe on Windows, macOS and Linux. They are names in addresses
 * and headers alone: files on disk are named by their content. PURE.
 */

/** UTF-8 bytes: file systems allow 255 with what is put behind it. */
const MAX_BYTES = 150
/** Letters with their marks, figures and emojis; joiners that scripts and emojis need inside of words. */
const KEPT =
  /[^\p{L}\p{M}\p{N}\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}\u200c\u200d]+/gu
const EDGES = /^[-\u200c\u200d\p{M}]+|[-\u200c\u200d]+$/gu
/** Windows takes these for devices, whatever follows after a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/u

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' })
const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** A title as the beginning of a file name: words in lower case joined by dashes; `otherwise`: nothing is left of it. */
export function fileStem(title: string, otherwise: string): string {
  const words = title.normalize('NFC').toLowerCase().replaceAll(/['’]/gu, '').replaceAll(KEPT, '-')
  let stem = ''
  let bytes = 0
  for (const { segment } of graphemes.segment(words.replaceAll(EDGES, ''))) {
    bytes += bytesOf(segment)
    if (bytes > MAX_BYTES) break
    stem += segment
  }
  const named = stem.replaceAll(EDGES, '')
  if (named === '') return otherwise
  return DEVICE.test(named) ? `${named}-` : named
}

/** The header for a file of this name: the name itself, and an ASCII form for clients that cannot read it. */
export function contentDisposition(how: 'inline' | 'attachment', name: string): string {
  const ending = /\.[a-z0-9]{1,8}$/u.exec(name)?.[0] ?? ''
  const plain = name
    .slice(0, name.length - ending.length)
    .normalize('NFKD')
    .replaceAll(/[^\x20-\x7e]+/gu, '')
  const ascii = plain.replaceAll(/[^A-Za-z0-9._-]+/gu, '-').replaceAll(/^[-.]+|-+$/gu, '')
  const shown = `filename="${ascii === '' ? 'clip' : ascii}${ending}"`
  if (/^[\x20-\x7e]*$/u.test(name)) return `${how}; ${shown}`
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/gu,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${how}; ${shown}; filename*=UTF-8''${encoded}`
}
