/** Splits RTMP messages into chunks and reassembles them. */

export interface RtmpMessage {
  /** 1 to 6: protocol control; 8 sound, 9 picture, 18 metadata, 20 command. */
  readonly type: number
  readonly stream: number
  readonly time: number
  readonly payload: Buffer
}

const EXTENDED = 0xffffff
const FIRST_SIZE = 128
const MAX_SIZE = 0xffffff
/** Maximum number of incomplete messages of a server. */
const MAX_CHANNELS = 64
/** Maximum bytes of incomplete messages in total. */
const MAX_PENDING = 32_000_000

const newChannel = () => ({
  time: 0,
  delta: 0,
  length: 0,
  type: 0,
  stream: 0,
  extended: false,
  parts: [] as Buffer[],
  received: 0,
})
type Channel = ReturnType<typeof newChannel>

/** Reassembles the messages of a server, following the chunk size that it sets. */
export function createChunkReader() {
  const channels = new Map<number, Channel>()
  let rest: Buffer = Buffer.alloc(0)
  let size = FIRST_SIZE
  let pending = 0

  /** Takes one chunk from the front of `rest`; null: it is not complete yet. */
  function next(): { message: RtmpMessage | null } | null {
    const head = readHead(rest, channels)
    if (head === null) return null
    const { at, channel, id } = head
    const length = Math.min(size, channel.length - channel.received)
    if (rest.length < at + length) return null
    if (!channels.has(id) && channels.size >= MAX_CHANNELS) throw new RangeError('too many channels')
    channels.set(id, channel)
    channel.parts.push(Buffer.from(rest.subarray(at, at + length)))
    channel.received += length
    pending += length
    if (pending > MAX_PENDING) throw new RangeError('too much at once')
    rest = rest.subarray(at + length)
    if (channel.received < channel.length) return { message: null }
    const payload = Buffer.concat(channel.parts)
    pending -= payload.length
    Object.assign(channel, { parts: [], received: 0 })
    return { message: { type: channel.type, stream: channel.stream, time: channel.time, payload } }
  }

  return {
    /** The messages that these bytes complete. Throws RangeError for invalid RTMP. */
    push: (bytes: Buffer): RtmpMessage[] => {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
      const messages: RtmpMessage[] = []
      for (let step = next(); step !== null; step = next()) {
        if (step.message === null) continue
        const { type, payload } = step.message
        if (type === 1 && payload.length >= 4)
          size = Math.min(MAX_SIZE, Math.max(1, payload.readUInt32BE() & 0x7fffffff))
        messages.push(step.message)
      }
      return messages
    },
  }
}

/** The head of the next chunk, and its channel after it; null: it is not complete yet. */
function readHead(bytes: Buffer, channels: ReadonlyMap<number, Channel>) {
  const [first] = bytes
  if (first === undefined) return null
  const form = first >> 6
  const short = first & 63
  const idBytes = short === 0 ? 2 : short === 1 ? 3 : 1
  const headBytes = [11, 7, 3, 0][form] ?? 0
  let at = idBytes + headBytes
  if (bytes.length < at) return null
  const id =
    short === 0 ? 64 + (bytes[1] ?? 0) : short === 1 ? 64 + (bytes[1] ?? 0) + (bytes[2] ?? 0) * 256 : short
  const known = channels.get(id)
  if (known === undefined && form !== 0) throw new RangeError('a channel begins in its middle')
  const before = known ?? newChannel()
  const field = form === 3 ? 0 : bytes.readUIntBE(idBytes, 3)
  const extended = form === 3 ? before.extended : field === EXTENDED
  if (extended && bytes.length < at + 4) return null
  const time = extended ? bytes.readUInt32BE(at) : field
  if (extended) at += 4
  const channel: Channel = { ...before, extended }
  if (form <= 1) {
    channel.length = bytes.readUIntBE(idBytes + 3, 3)
    channel.type = bytes[idBytes + 6] ?? 0
  }
  if (form === 0) {
    channel.stream = bytes.readUInt32LE(idBytes + 7)
    Object.assign(channel, { time, delta: 0 })
  } else if (form <= 2) Object.assign(channel, { time: before.time + time, delta: time })
  // A head of type 3 inside of a message continues it; at the beginning of one it repeats the time step.
  else if (before.received === 0) channel.time = before.time + before.delta
  return { at, id, channel }
}

/** A message of a client, in chunks of the initial size. */
export function encodeMessage(channel: number, message: Omit<RtmpMessage, 'time'>): Buffer {
  const { type, stream, payload } = message
  const head = Buffer.alloc(12)
  head.writeUInt8(channel, 0)
  head.writeUIntBE(payload.length, 4, 3)
  head.writeUInt8(type, 7)
  head.writeUInt32LE(stream, 8)
  const parts: Buffer[] = [head]
  for (let at = 0; at < payload.length; at += FIRST_SIZE) {
    if (at > 0) parts.push(Buffer.from([0xc0 | channel]))
    parts.push(payload.subarray(at, at + FIRST_SIZE))
  }
  return Buffer.concat(parts)
}
