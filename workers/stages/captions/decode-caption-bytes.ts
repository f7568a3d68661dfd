/** Decodes caption bytes: UTF-8 and UTF-16 by byte order mark, otherwise UTF-8 if valid, otherwise Windows-1252. */
export function decodeCaptionBytes(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Old subtitle files do not declare their encoding; Western European is by far the most common.
    return new TextDecoder('windows-1252').decode(bytes)
  }
}
