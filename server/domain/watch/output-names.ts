/** Names of files in an output folder: the video's name and the clip's title, in any script, valid on every system. */

/** What Windows, macOS or Linux refuses in a name, and characters that are not seen (controls, direction, joiners' kin). */
const REFUSED =
  /[<>:"/\\|?*\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]+/gu
/** Names of devices on Windows, with any ending. */
const RESERVED = /^(con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(\.|$)/iu
/** With a number and an ending this is below 255 bytes, and paths stay below 260 characters in usual folders. */
const MAX_TITLE_BYTES = 120
const MAX_SOURCE_BYTES = 60

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const encoder = new TextEncoder()

/** As many whole characters as fit. */
function shorten(text: string, maxBytes: number): string {
  if (encoder.encode(text).length <= maxBytes) return text
  let bytes = 0
  let short = ''
  for (const { segment } of segmenter.segment(text)) {
    bytes += encoder.encode(segment).length
    if (bytes > maxBytes) break
    short += segment
  }
  return short
}

function clean(text: string, maxBytes: number): string {
  const plain = text.toWellFormed().normalize('NFC').replaceAll(REFUSED, ' ').replaceAll(/\s+/gu, ' ').trim()
  // Windows drops dots and spaces at an end; a dot at the beginning hides a file.
  return shorten(plain.replace(/^\.+\s*/u, ''), maxBytes).replace(/[\s.]+$/u, '')
}

/** `talk - Why nobody reads the manual`, without an ending. `source`: the path or name of the video. */
export function outputName(source: string, title: string): string {
  const video = clean((source.split('/').at(-1) ?? '').replace(/\.[^.]+$/u, ''), MAX_SOURCE_BYTES)
  const words = clean(title, MAX_TITLE_BYTES)
  const name = [video, words === '' ? 'clip' : words].filter((part) => part !== '').join(' - ')
  return RESERVED.test(name) ? `clip ${name}` : name
}

/** Names that differ in case or form only are one file on macOS and Windows. */
export const foldName = (name: string): string => name.normalize('NFKD').toLowerCase().normalize('NFKC')

/** The name, or with the first number that makes it free: `name (2)`. `isTaken` is given folded names. */
export function freeName(name: string, isTaken: (folded: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} (${number})`
    if (!isTaken(foldName(candidate))) return candidate
  }
}
