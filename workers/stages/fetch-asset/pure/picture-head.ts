/** What a file that should be a picture is, by its first bytes, and how large it will be when decoded. PURE. */
import { sniff } from '../../ingest/pure/media-type.ts'

export type PictureHead =
  | { readonly kind: 'picture'; readonly mediaType: string; readonly size: PictureSize | null }
  /** A sentence for a person about why it cannot be shown. */
  | { readonly kind: 'refused'; readonly why: string }

export interface PictureSize {
  readonly width: number
  readonly height: number
}

/** Judges a whole file. The size is null where the header does not say it where it should; decoding then tells. */
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
  if (mediaType === 'image/png') return { width: view.getUint32(16), height: view.getUint32(20) }
  if (mediaType === 'image/gif') return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  return webpSize(view, ascii(bytes, 12, 16))
}

function webpSize(view: DataView, chunk: string): PictureSize | null {
  const low14 = (at: number): number => view.getUint16(at, true) & 0x3fff
  const three = (at: number): number => view.getUint16(at, true) + (view.getUint8(at + 2) << 16) + 1
  if (chunk === 'VP8 ') return { width: low14(26), height: low14(28) }
  if (chunk === 'VP8X') return { width: three(24), height: three(27) }
  if (chunk !== 'VP8L') return null
  const packed = view.getUint32(21, true)
  return { width: (packed & 0x3fff) + 1, height: ((packed >>> 14) & 0x3fff) + 1 }
}

/** From marker to marker until the one that starts a frame. */
function jpegSize(view: DataView): PictureSize | null {
  for (let at = 2; at + 9 < view.byteLength;) {
    if (view.getUint8(at) !== 0xff) return null
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    at += 2 + view.getUint16(at + 2)
  }
  return null
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}
