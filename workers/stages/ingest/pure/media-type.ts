/** Recognises files by their first bytes, never by their names. PURE. */

/** `unknown`: neither known media nor text; ffprobe decides. */
export type Sniffed =
  | { readonly kind: 'media'; readonly mediaType: string }
  | { readonly kind: 'page' }
  | { readonly kind: 'subtitles' }
  | { readonly kind: 'playlist' }
  | { readonly kind: 'text' }
  | { readonly kind: 'image' }
  | { readonly kind: 'archive' }
  | { readonly kind: 'unknown' }

/** Bytes needed for a certain result; fewer are judged as well. */
export const SNIFF_BYTES = 4096

/** Classifies the first bytes of a file. */
export function sniff(head: Uint8Array): Sniffed {
  const mediaType = findMediaType(head)
  if (mediaType !== null) return { kind: 'media', mediaType }
  const at = (offset: number, text: string): boolean => hasAscii(head, offset, text)
  if (at(0, '\x89PNG') || at(0, 'GIF8') || at(0, '\xff\xd8\xff') || (at(0, 'RIFF') && at(8, 'WEBP'))) {
    return { kind: 'image' }
  }
  if (at(0, 'PK\x03\x04') || at(0, '\x1f\x8b') || at(0, 'Rar!') || at(0, '7z\xbc\xaf'))
    return { kind: 'archive' }
  const text = asText(head)
  if (text === null) return { kind: 'unknown' }
  const start = text.replace(/^\uFEFF/, '').trimStart()
  if (/^<(!doctype\s+html|html|head|body|script|!--|\?xml|[a-z]+[\s>])/i.test(start)) return { kind: 'page' }
  if (/^WEBVTT/.test(start) || /\d{1,2}:\d{2}:\d{2}[,.]\d{1,3}\s*-->/.test(start))
    return { kind: 'subtitles' }
  if (/^\[Script Info\]/i.test(start)) return { kind: 'subtitles' }
  if (/^(#EXTM3U|ffconcat version|\[playlist\])/i.test(start)) return { kind: 'playlist' }
  return { kind: 'text' }
}

/** A sentence for users that says why this is not a video; null when it may be one. */
export function describeNonVideo(sniffed: Sniffed): string | null {
  switch (sniffed.kind) {
    case 'page':
      return 'The address leads to a web page, not to a video file. Use the address of the file itself.'
    case 'subtitles':
      return 'This is a subtitle file. Add it together with its video, or drop it on a run.'
    case 'playlist':
      return 'This is a playlist, not a video file. Use the address of the video file itself.'
    case 'text':
      return 'This is a text file, not a video.'
    case 'image':
      return 'This is a picture, not a video.'
    case 'archive':
      return 'This is an archive, not a video. Unpack it and use the video inside.'
    case 'media':
    case 'unknown':
      return null
  }
}

const FTYP_AUDIO = new Set(['M4A ', 'M4B ', 'F4A '])

function findMediaType(head: Uint8Array): string | null {
  const at = (offset: number, text: string): boolean => hasAscii(head, offset, text)
  if (at(4, 'ftyp')) {
    const brand = ascii(head, 8, 12)
    if (['avif', 'avis', 'heic', 'heix', 'mif1', 'msf1'].includes(brand)) return null
    if (FTYP_AUDIO.has(brand)) return 'audio/mp4'
    return brand === 'qt  ' ? 'video/quicktime' : 'video/mp4'
  }
  if (['moov', 'mdat', 'wide', 'free', 'skip', 'pnot'].some((box) => at(4, box))) return 'video/quicktime'
  if (at(0, '\x1a\x45\xdf\xa3'))
    return ascii(head, 0, 64).includes('webm') ? 'video/webm' : 'video/x-matroska'
  if (at(0, 'RIFF') && at(8, 'AVI ')) return 'video/x-msvideo'
  if ((at(0, 'RIFF') || at(0, 'RF64')) && at(8, 'WAVE')) return 'audio/wav'
  if (at(0, 'OggS')) return ascii(head, 0, 512).includes('theora') ? 'video/ogg' : 'audio/ogg'
  if (at(0, 'fLaC')) return 'audio/flac'
  if (at(0, 'FLV\x01')) return 'video/x-flv'
  if (at(0, '\x30\x26\xb2\x75\x8e\x66\xcf\x11')) return 'video/x-ms-asf'
  if (at(0, 'FORM') && (at(8, 'AIFF') || at(8, 'AIFC'))) return 'audio/aiff'
  if (at(0, '\x00\x00\x01\xba')) return 'video/mpeg'
  if (at(0, '\x00\x00\x01\xb3')) return 'video/mpeg'
  if (at(0, '\x06\x0e\x2b\x34\x02\x05\x01\x01')) return 'application/mxf'
  if (isTransportStream(head, 188, 0) || isTransportStream(head, 192, 4)) return 'video/mp2t'
  if (at(0, 'ID3')) return 'audio/mpeg'
  return isFrameSync(head) ? (((head[1] ?? 0) & 0x06) === 0 ? 'audio/aac' : 'audio/mpeg') : null
}

/** Every packet of MPEG-TS starts with 0x47; three in a row are not a coincidence. */
function isTransportStream(head: Uint8Array, packet: number, offset: number): boolean {
  return (
    head.length > offset + 2 * packet && [0, 1, 2].every((index) => head[offset + index * packet] === 0x47)
  )
}

/** MPEG audio and ADTS start with eleven set bits. Layer I is not accepted: its bits are a byte order mark of UTF-16. */
function isFrameSync(head: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = head
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return false
  if ((second & 0xf6) === 0xf0) return (third & 0x3c) >> 2 < 13
  return (
    (second & 0x18) !== 0x08 &&
    (second & 0x06) !== 0 &&
    (second & 0x06) !== 0x06 &&
    third >> 4 !== 15 &&
    (third & 0x0c) !== 0x0c
  )
}

/** The bytes as text, or null if they are not: control characters, or more than a single invalid sequence. */
function asText(head: Uint8Array): string | null {
  if (head.length === 0) return null
  if (head[0] === 0xff && head[1] === 0xfe) return utf16(head, true)
  if (head[0] === 0xfe && head[1] === 0xff) return utf16(head, false)
  let text = ''
  let high = 0
  for (const byte of head) {
    if (byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b) || byte === 0x7f) return null
    if (byte >= 0x80) high++
    text += String.fromCharCode(byte)
  }
  // Text in any language has spaces, digits or markup in ASCII; noise without control bytes is not text.
  return high > head.length * 0.9 ? null : text.replace(/^\xef\xbb\xbf/, '')
}

function utf16(head: Uint8Array, little: boolean): string {
  let text = ''
  for (let index = 2; index + 1 < head.length; index += 2) {
    const a = head[index] ?? 0
    const b = head[index + 1] ?? 0
    text += String.fromCharCode(little ? a | (b << 8) : (a << 8) | b)
  }
  return text
}

function ascii(head: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...head.subarray(from, to))
}

function hasAscii(head: Uint8Array, offset: number, text: string): boolean {
  if (head.length < offset + text.length) return false
  for (let index = 0; index < text.length; index++) {
    if (head[offset + index] !== text.charCodeAt(index)) return false
  }
  return true
}
