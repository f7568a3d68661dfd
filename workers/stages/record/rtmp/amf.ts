/** Encodes and decodes values of RTMP commands (AMF0), in the types that players and servers exchange. */

export type AmfValue =
  number | string | boolean | null | { readonly [name: string]: AmfValue } | readonly AmfValue[]

const MAX_DEPTH = 16

/** The values of a command, one after the other. */
export function encodeAmf(values: readonly AmfValue[]): Buffer {
  return Buffer.concat(values.map(encodeValue))
}

function encodeValue(value: AmfValue): Buffer {
  if (value === null) return Buffer.from([5])
  if (typeof value === 'boolean') return Buffer.from([1, Number(value)])
  if (typeof value === 'string') return Buffer.concat([Buffer.from([2]), shortText(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(9)
    bytes.writeDoubleBE(value, 1)
    return bytes
  }
  if (Array.isArray(value)) throw new TypeError('lists are never sent')
  const fields = Object.entries(value as Record<string, AmfValue>)
  const parts = fields.flatMap(([name, field]) => [shortText(name), encodeValue(field)])
  return Buffer.concat([Buffer.from([3]), ...parts, Buffer.from([0, 0, 9])])
}

function shortText(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(bytes.length)
  return Buffer.concat([length, bytes])
}

/** Decodes values; truncated data or an unknown type ends the list. */
export function decodeAmf(bytes: Buffer): AmfValue[] {
  const values: AmfValue[] = []
  const reader: Reader = { bytes, at: 0 }
  try {
    while (reader.at < bytes.length) values.push(readValue(reader, 0))
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    // The values decoded so far are used.
  }
  return values
}

interface Reader {
  readonly bytes: Buffer
  at: number
}

function take(reader: Reader, length: number): Buffer {
  if (reader.at + length > reader.bytes.length) throw new RangeError('cut off')
  const part = reader.bytes.subarray(reader.at, reader.at + length)
  reader.at += length
  return part
}

function readValue(reader: Reader, depth: number): AmfValue {
  if (depth > MAX_DEPTH) throw new RangeError('too deep')
  const kind = take(reader, 1).readUInt8()
  switch (kind) {
    case 0:
      return take(reader, 8).readDoubleBE()
    case 1:
      return take(reader, 1).readUInt8() !== 0
    case 2:
      return readText(reader)
    case 3:
      return readFields(reader, depth)
    case 5:
    case 6:
      return null
    case 8:
      take(reader, 4)
      return readFields(reader, depth)
    case 10: {
      const length = take(reader, 4).readUInt32BE()
      const list: AmfValue[] = []
      while (list.length < length) list.push(readValue(reader, depth + 1))
      return list
    }
    case 11:
      return take(reader, 10).readDoubleBE()
    case 12:
      return take(reader, take(reader, 4).readUInt32BE()).toString('utf8')
    default:
      throw new RangeError('unknown kind')
  }
}

const readText = (reader: Reader): string => take(reader, take(reader, 2).readUInt16BE()).toString('utf8')

function readFields(reader: Reader, depth: number): Record<string, AmfValue> {
  const fields = new Map<string, AmfValue>()
  for (;;) {
    const name = readText(reader)
    if (name === '' && reader.bytes[reader.at] === 9) {
      reader.at += 1
      return Object.fromEntries(fields)
    }
    fields.set(name, readValue(reader, depth + 1))
  }
}
