/** Files inside an address: `data:` with base64 or percent encoding. */
import { stageError } from '../context.ts'

/** Maximum number of decoded bytes. */
const MAX_DATA_BYTES = 10_000_000

/** The bytes of a `data:` address. Throws INVALID_URL if it cannot be decoded, SOURCE_TOO_LARGE above 10 MB. */
export function dataBytes(address: string): Buffer {
  const comma = address.indexOf(',')
  if (comma < 0) {
    throw stageError('INVALID_URL', 'This data: address has no data: put a comma before it.')
  }
  const isBase64 = /;\s*base64\s*$/iu.test(address.slice(0, comma))
  const body = percentDecoded(address.slice(comma + 1))
  const bytes = isBase64 ? fromBase64(body.toString('latin1')) : body
  if (bytes.length > MAX_DATA_BYTES) {
    const message = `A data: address may hold ${MAX_DATA_BYTES / 1e6} MB. Put larger files on a server.`
    throw stageError('SOURCE_TOO_LARGE', message, { details: { maxBytes: MAX_DATA_BYTES } })
  }
  return bytes
}

/** Turns `%41` into its byte and leaves invalid escapes unchanged, as browsers do. */
function percentDecoded(text: string): Buffer {
  const raw = Buffer.from(text, 'utf8')
  const out = Buffer.alloc(raw.length)
  let length = 0
  for (let at = 0; at < raw.length; at++) {
    const pair = raw[at] === 0x25 ? raw.toString('latin1', at + 1, at + 3) : ''
    const escaped = /^[0-9a-f]{2}$/iu.test(pair)
    out[length++] = escaped ? Number.parseInt(pair, 16) : (raw[at] ?? 0)
    if (escaped) at += 2
  }
  return out.subarray(0, length)
}

function fromBase64(text: string): Buffer {
  const letters = text.replace(/\s+/gu, '')
  if (!/^[\w+/-]*={0,2}$/u.test(letters) || letters.replace(/=+$/u, '').length % 4 === 1) {
    throw stageError('INVALID_URL', 'The data of this data: address is not valid base64.')
  }
  return Buffer.from(letters, 'base64')
}
