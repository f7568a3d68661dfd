/** Reads JSON files that people write. */

/**
 * The value in a file's bytes. Editors and shells of Windows begin a file with a mark of its encoding, or write UTF-16
 * with one: both are read. Throws SyntaxError for what is no JSON.
 */
export function parseJsonFile(bytes: Uint8Array): unknown {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  return JSON.parse(new TextDecoder(encoding).decode(bytes)) as unknown
}
