/** Decides by its first bytes whether a file is a font that can be used. PURE. */
import { sniff } from '../../ingest/pure/media-type.ts'

export type FontHead =
  | { readonly kind: 'font'; readonly mediaType: 'font/ttf' | 'font/otf' | 'font/woff2' }
  /** Sentence for users that says why it cannot be used. */
  | { readonly kind: 'refused'; readonly why: string }

const TABLE_RECORD = 16
const MAX_TABLES = 100

/** Judges the first bytes; 4 kB contain the table list of any font. */
export function fontHead(head: Uint8Array): FontHead {
  if (head.length === 0) return refused('The file at this address is empty (0 bytes).')
  const tag = ascii(head, 0, 4)
  switch (tag) {
    case 'wOF2':
      return head.length < 48 ? damaged() : { kind: 'font', mediaType: 'font/woff2' }
    case 'wOFF':
      return refused('This is a WOFF font of the first version. TTF, OTF and WOFF2 can be used.')
    case 'ttcf':
      return refused('This is a collection of several fonts. Give a file that holds one font.')
    case 'OTTO':
      return tablesOf(head)?.has('CFF ') === true || tablesOf(head)?.has('CFF2') === true
        ? { kind: 'font', mediaType: 'font/otf' }
        : damaged()
    case '\0\x01\0\0':
    case 'true':
      return tablesOf(head)?.has('glyf') === true ? { kind: 'font', mediaType: 'font/ttf' } : damaged()
  }
  return sniff(head).kind === 'page'
    ? refused('The address leads to a web page, not to a font. Use the address of the font file itself.')
    : refused('This is not a font that can be read. TTF, OTF and WOFF2 can.')
}

/** Names of the tables; null when the list is truncated or has invalid names. */
function tablesOf(head: Uint8Array): ReadonlySet<string> | null {
  if (head.length < 12) return null
  const count = new DataView(head.buffer, head.byteOffset, head.byteLength).getUint16(4)
  if (count === 0 || count > MAX_TABLES || head.length < 12 + count * TABLE_RECORD) return null
  const names = new Set(
    Array.from({ length: count }, (_, index) => {
      const at = 12 + index * TABLE_RECORD
      return ascii(head, at, at + 4)
    }),
  )
  return names.has('cmap') && names.has('head') ? names : null
}

const refused = (why: string): FontHead => ({ kind: 'refused', why })
const damaged = (): FontHead => refused('The font is damaged and cannot be read.')

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}
