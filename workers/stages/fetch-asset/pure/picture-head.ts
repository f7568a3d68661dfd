/** Recognises the picture format of a file by its first bytes, and its size when decoded. PURE. */
import { sniff } from '../../ingest/pure/media-type.ts'

export type PictureHead =
  | { readonly kind: 'picture'; readonly mediaType: string; readonly size: PictureSize | null }
  /** Sentence for users that says why it cannot be shown. */
  | { readonly kind: 'refused'; readonly why: string }

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/**
 * Judges a whole file. The size is the one for which the decoder will allocate memory; a picture whose size is null must not be
 * decoded. From the first bytes alone (judge-head.ts) the format can be recognised, but not the size.
 */
export function pictureHead(bytes: Uint8Array): PictureHead {
  if (bytes.length === 0) return refused('The file at this address is empty (0 bytes).')
  const mediaType = pictureType(bytes)
  if (mediaType !== null) return { kind: 'picture', mediaType, size: sizeOf(mediaType, bytes) }
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

const refused = (why: string): PictureHead => ({ kind: 'refused', why })

function pictureType(bytes: Uint8Array): string | null {
  if (ascii(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'image/png'
  if (ascii(bytes, 0, 3) === '\xff\xd8\xff') return 'image/jpeg'
  if (['GIF87a', 'GIF89a'].includes(ascii(bytes, 0, 6))) return 'image/gif'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp'
  return null
}

function sizeOf(mediaType: string, bytes: Uint8Array): PictureSize | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (mediaType === 'image/jpeg') return jpegSize(view)
  if (bytes.length < 30) return null
  if (mediaType === 'image/png') {
    // The decoder reads the size of a PNG from its first chunk only.
    return ascii(bytes, 12, 16) === 'IHDR' ? { width: view.getUint32(16), height: view.getUint32(20) } : null
  }
  return mediaType === 'image/gif' ? gifSize(view) : webpSize(view, ascii(bytes, 12, 16))
}

/** The decoder rejects a frame whose size differs from this one. */
function webpSize(view: DataView, chunk: string): PictureSize | null {
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
function gifSize(view: DataView): PictureSize | null {
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

/**
 * Goes from marker to marker up to the start of a frame, exactly as libjpeg does: bytes between segments are skipped, FF 00 is
 * not a marker, and a segment that declares less than the size of its length field still has that field.
 */
function jpegSize(view: DataView): PictureSize | null {
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
