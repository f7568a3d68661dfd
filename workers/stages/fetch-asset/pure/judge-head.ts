/** Decides by its first bytes whether a file may be of the needed kind, and how large it may then be. PURE. */
import type { AssetKind } from '../../../../server/contract/asset.ts'
import { sniff } from '../../ingest/pure/media-type.ts'

export type JudgedHead =
  /** `limit` names the size limit; `unsure`: ffprobe decides what it is. */
  | { readonly kind: 'picture' | 'media' | 'font' | 'unsure'; readonly limit: 'image' | 'video' | 'audio' }
  | Refused

/** Why a file cannot be used, as a sentence for users. */
interface Refused {
  readonly kind: 'refused'
  readonly why: string
}

const NEEDED = { video: 'a video', audio: 'a sound', media: 'a picture or a video' } as const

/** Judges the first SNIFF_BYTES, or the whole file if it is shorter. */
export function judgeHead(head: Uint8Array, wanted: AssetKind): JudgedHead {
  if (wanted === 'font' || wanted === 'image' || head.length === 0) {
    const judged = wanted === 'font' ? fontHead(head) : pictureHead(head)
    return judged.kind === 'refused' ? judged : { kind: judged.kind, limit: 'image' }
  }
  const needed = NEEDED[wanted]
  const found = sniff(head)
  switch (found.kind) {
    case 'image':
      return wanted === 'media'
        ? { kind: 'picture', limit: 'image' }
        : refused(`This is a still picture, and ${needed} is needed here.`)
    case 'media': {
      const sound = found.mediaType.startsWith('audio/')
      if (sound && wanted === 'video')
        return refused('This is a sound without a picture, and a video is needed here.')
      return { kind: 'media', limit: sound || wanted === 'audio' ? 'audio' : 'video' }
    }
    case 'unknown':
      return { kind: 'unsure', limit: wanted === 'audio' ? 'audio' : 'video' }
    case 'page':
      return refused(`The address leads to a web page, not to ${needed}. Use the address of the file itself.`)
    case 'subtitles':
    case 'text':
      return refused(`This is a text file, not ${needed}.`)
    case 'playlist':
      return refused(`This is a playlist, not ${needed}. Use the address of the file itself.`)
    case 'archive':
      return refused(`This is an archive, not ${needed}.`)
  }
}

const refused = (why: string): Refused => ({ kind: 'refused', why })

/** Whether a GIF has more than one picture: programs that write animations mark them as repeating. */
export function isAnimatedGif(head: Uint8Array): boolean {
  const text = String.fromCharCode(...head.subarray(0, 4096))
  return text.startsWith('GIF8') && text.includes('NETSCAPE2.0')
}

/** Whether a WebP has several pictures. */
export const isAnimatedWebp = (bytes: Uint8Array): boolean =>
  ascii(bytes, 8, 16) === 'WEBPVP8X' && ((bytes[20] ?? 0) & 2) !== 0

export type FontHead =
  { readonly kind: 'font'; readonly mediaType: 'font/ttf' | 'font/otf' | 'font/woff2' } | Refused

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
      return readTables(head)?.has('CFF ') === true || readTables(head)?.has('CFF2') === true
        ? { kind: 'font', mediaType: 'font/otf' }
        : damaged()
    case '\0\x01\0\0':
    case 'true':
      return readTables(head)?.has('glyf') === true ? { kind: 'font', mediaType: 'font/ttf' } : damaged()
  }
  return sniff(head).kind === 'page'
    ? refused('The address leads to a web page, not to a font. Use the address of the font file itself.')
    : refused('This is not a font that can be read. TTF, OTF and WOFF2 can.')
}

/** Names of the tables; null when the list is truncated or has invalid names. */
function readTables(head: Uint8Array): ReadonlySet<string> | null {
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

const damaged = (): Refused => refused('The font is damaged and cannot be read.')

export type PictureHead =
  { readonly kind: 'picture'; readonly mediaType: string; readonly size: PictureSize | null } | Refused

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** Judges a whole file. `size` is what the decoder will allocate memory for; without one a picture must not be decoded. */
export function pictureHead(bytes: Uint8Array): PictureHead {
  if (bytes.length === 0) return refused('The file at this address is empty (0 bytes).')
  const mediaType = pictureType(bytes)
  if (mediaType !== null) return { kind: 'picture', mediaType, size: readSize(mediaType, bytes) }
  const head = bytes.subarray(0, 4096)
  const found = sniff(head)
  switch (found.kind) {
    case 'page':
      return /<svg[\s>]/iu.test(ascii(head, 0, head.length))
        ? refused('SVG pictures are not drawn: they can hold scripts and addresses. Export it as PNG.')
        : refused('The address leads to a web page, not to a picture. Use the address of the picture itself.')
    case 'media':
      return refused('This is a video or a sound, and only still pictures can be shown here.')
    case 'text':
    case 'subtitles':
    case 'playlist':
      return refused('This is a text file, not a picture.')
    case 'archive':
      return refused('This is an archive, not a picture.')
    case 'image':
    case 'unknown':
      return refused('This is not a picture that can be read. PNG, JPEG, WebP and GIF can.')
  }
}

function pictureType(bytes: Uint8Array): string | null {
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') return 'image/jpeg'
  if (['GIF87a', 'GIF89a'].includes(ascii(bytes, 0, 6))) return 'image/gif'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp'
  return null
}

function readSize(mediaType: string, bytes: Uint8Array): PictureSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (mediaType === 'image/jpeg') return readJpegSize(view)
  if (bytes.length < 30) return null
  if (mediaType === 'image/png') {
    // The decoder reads the size of a PNG from its first chunk only.
    return ascii(bytes, 12, 16) === 'IHDR' ? { width: view.getUint32(16), height: view.getUint32(20) } : null
  }
  return mediaType === 'image/gif' ? readGifSize(view) : readWebpSize(view, ascii(bytes, 12, 16))
}

/** The decoder rejects a frame whose size differs from this one. */
function readWebpSize(view: DataView, chunk: string): PictureSize | null {
  const low14 = (at: number): number => view.getUint16(at, true) & 0x3fff
  const three = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1
  if (chunk === 'VP8 ') return { width: low14(26), height: low14(28) }
  if (chunk === 'VP8X') return { width: three(24), height: three(27) }
  if (chunk !== 'VP8L') return null
  const packed = view.getUint32(21, true)
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
}

/** Length of the colour table that these flags describe. */
const gifTableBytes = (flags: number): number => ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1))

/** A frame may exceed the screen size in the header; the decoder allocates memory for both. */
function readGifSize(view: DataView): PictureSize | null {
  let width = view.getUint16(6, true)
  let height = view.getUint16(8, true)
  let frames = 0
  for (let at = 13 + gifTableBytes(view.getUint8(10)); at + 10 <= view.byteLength;) {
    const kind = view.getUint8(at)
    if (kind === 0x21) {
      at = afterGifBlocks(view, at + 2)
      continue
    }
    if (kind !== 0x2c) break
    width = Math.max(width, view.getUint16(at + 1, true) + view.getUint16(at + 5, true))
    height = Math.max(height, view.getUint16(at + 3, true) + view.getUint16(at + 7, true))
    frames += 1
    at = afterGifBlocks(view, at + 10 + gifTableBytes(view.getUint8(at + 9)) + 1)
  }
  return frames === 0 ? null : { width, height }
}

/** Skips blocks with a length prefix, up to an empty one. */
function afterGifBlocks(view: DataView, from: number): number {
  for (let at = from; at < view.byteLength;) {
    const length = view.getUint8(at)
    if (length === 0) return at + 1
    at += 1 + length
  }
  return view.byteLength
}

/** Markers before the frame that the decoder knows: tables, restarts, number of lines, applications, comments. */
const isSkipped = (marker: number): boolean =>
  [0xc4, 0xcc, 0xdb, 0xdc, 0xdd, 0xfe].includes(marker) || (marker >= 0xe0 && marker <= 0xef)
/** Markers without a segment. */
const isAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)

/** Reads markers up to the start of a frame exactly as libjpeg does, with its tolerance for bytes in between. */
function readJpegSize(view: DataView): PictureSize | null {
  for (let at = 2; at + 9 <= view.byteLength;) {
    const marker = view.getUint8(at) === 0xff ? view.getUint8(at + 1) : 0
    if (marker === 0 || marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    if (isAlone(marker)) at += 2
    else if (isSkipped(marker)) at += 2 + Math.max(2, view.getUint16(at + 2))
    // The decoder gives up here as well.
    else return null
  }
  return null
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}
