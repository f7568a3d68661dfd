/** Plays a stream from an RTMP server over a socket that has passed the guard, and passes it on as FLV. */
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { AppError } from '../../../../server/contract/errors.ts'
import { decodeAmf, encodeAmf, type AmfValue } from './amf.ts'
import { createChunkReader, encodeMessage, type RtmpMessage } from './chunks.ts'

export interface RtmpAddress {
  readonly host: string
  readonly port: number
  readonly secure: boolean
  readonly app: string
  /** Name of the stream, including a query. */
  readonly stream: string
  /** The address of the application, which the server receives. */
  readonly tcUrl: string
}

/** `over`: the server announced the end of the stream. `cut`: the connection ended. */
export type PlayEnd = 'over' | 'cut'

const HANDSHAKE_BYTES = 1536
const COMMANDS = 3
const CONTROL = 2
const BUFFER_MS = 3000
/** Bytes after which an acknowledgement is sent at the latest. */
const ACKNOWLEDGE_BYTES = 2_500_000

/** Parses an address; null: it has no stream name. The application takes two parts if there are more than two. */
export function parseRtmpAddress(address: string): RtmpAddress | null {
  const url = new URL(address)
  const parts = url.pathname.split('/').filter((part) => part !== '')
  const appParts = parts.length > 2 ? 2 : 1
  const stream = parts.slice(appParts).join('/')
  if (url.hostname === '' || stream === '') return null
  const secure = url.protocol === 'rtmps:'
  const port = url.port === '' ? (secure ? 443 : 1935) : Number(url.port)
  const app = parts.slice(0, appParts).join('/')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return {
    host,
    port,
    secure,
    app,
    stream: `${stream}${url.search}`,
    tcUrl: `${secure ? 'rtmps' : 'rtmp'}://${url.host}/${app}`,
  }
}

export interface PlayOptions {
  readonly socket: Socket
  readonly address: RtmpAddress
  /** The connection is given up when no picture or sound arrives for this long. */
  readonly silenceSeconds: number
  /** Receives FLV; resolves to false to stop. */
  readonly onFlv: (bytes: Buffer) => Promise<boolean>
}

/** Plays until the stream or connection ends; the caller destroys the socket. Throws the server's reason. */
export async function playRtmp(options: PlayOptions): Promise<PlayEnd> {
  const { socket, silenceSeconds } = options
  let busy = false
  const silence = setTimeout(() => {
    // Our own slowness must not count as the stream's silence.
    if (busy) silence.refresh()
    else socket.destroy()
  }, silenceSeconds * 1000)
  const onFlv = async (bytes: Buffer): Promise<boolean> => {
    busy = true
    const wanted = await options.onFlv(bytes)
    busy = false
    silence.refresh()
    return wanted
  }
  try {
    return await play({ ...options, onFlv })
  } finally {
    clearTimeout(silence)
  }
}

async function play(options: PlayOptions): Promise<PlayEnd> {
  const { socket } = options
  const bytes = readBytes(socket)
  const left = await performHandshake(socket, bytes)
  if (left === null) return 'cut'
  const player = createPlayer(options)
  player.open()
  for (let data: Buffer | null = left; data !== null; data = await bytes.next()) {
    const end = await player.take(data)
    if (end !== null) return end
  }
  return 'cut'
}

/** A broken connection counts as an ordinary end, and what was received is used. */
function readBytes(socket: Socket) {
  socket.on('error', () => undefined)
  const iterator = socket[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>
  return {
    /** Null: the connection has ended. */
    next: async (): Promise<Buffer | null> => {
      try {
        const step = await iterator.next()
        return step.done === true ? null : step.value
      } catch {
        return null // reset or given up: the same as an end
      }
    },
  }
}

/** Performs the handshake without digests. Resolves to the bytes after it, or null when the connection ended. */
async function performHandshake(socket: Socket, bytes: ReturnType<typeof readBytes>): Promise<Buffer | null> {
  const own = Buffer.concat([Buffer.alloc(8), randomBytes(HANDSHAKE_BYTES - 8)])
  socket.write(Buffer.concat([Buffer.from([3]), own]))
  let got: Buffer = Buffer.alloc(0)
  while (got.length < 1 + 2 * HANDSHAKE_BYTES) {
    const more = await bytes.next()
    if (more === null) return null
    got = Buffer.concat([got, more])
    if (got[0] !== 3)
      throw new AppError('SOURCE_NOT_VIDEO', {
        message: 'The server at this address does not support RTMP. Check the address.',
      })
  }
  socket.write(got.subarray(1, 1 + HANDSHAKE_BYTES))
  return got.subarray(1 + 2 * HANDSHAKE_BYTES)
}

function createPlayer({ socket, address, onFlv }: PlayOptions) {
  const reader = createChunkReader()
  let received = 0
  let acknowledged = 0
  let headWritten = false
  const send = (channel: number, type: number, stream: number, payload: Buffer): void =>
    void socket.write(encodeMessage(channel, { type, stream, payload }))
  const command = (stream: number, ...values: AmfValue[]) => send(COMMANDS, 20, stream, encodeAmf(values))

  /** Handles a command of the server. */
  function handleCommand(message: RtmpMessage): PlayEnd | null {
    const values = decodeAmf(message.type === 17 ? message.payload.subarray(1) : message.payload)
    const [name, number, , result] = values
    if (name === '_error') throw refusal(result)
    if (name === '_result' && number === 1) {
      send(CONTROL, 5, 0, numbers(ACKNOWLEDGE_BYTES))
      command(0, 'createStream', 2, null)
    } else if (name === '_result' && number === 2) {
      const stream = typeof result === 'number' ? result : 1
      command(stream, 'play', 3, null, address.stream, -2000)
      send(CONTROL, 4, 0, Buffer.concat([Buffer.from([0, 3]), numbers(stream, BUFFER_MS)]))
    } else if (name === 'onStatus') return statusEnd(result)
    return null
  }

  async function handle(message: RtmpMessage): Promise<PlayEnd | null> {
    const { type, payload } = message
    if (type === 17 || type === 20) return handleCommand(message)
    if (type === 4) return control(payload)
    if (type !== 8 && type !== 9 && type !== 18) return null
    if (payload.length === 0) return null
    const head = headWritten ? [] : [FLV_HEAD]
    headWritten = true
    const wanted = await onFlv(Buffer.concat([...head, flvTag(message)]))
    return wanted ? null : 'cut'
  }

  function control(payload: Buffer): PlayEnd | null {
    if (payload.length < 2) return null
    const event = payload.readUInt16BE()
    // A ping is answered with its own content.
    if (event === 6) send(CONTROL, 4, 0, Buffer.concat([Buffer.from([0, 7]), payload.subarray(2, 6)]))
    return event === 1 && headWritten ? 'over' : null
  }

  return {
    open: () =>
      command(0, 'connect', 1, {
        app: address.app,
        flashVer: 'LNX 9,0,124,2',
        tcUrl: address.tcUrl,
        fpad: false,
        capabilities: 15,
        audioCodecs: 4071,
        videoCodecs: 252,
        videoFunction: 1,
      }),
    take: async (data: Buffer): Promise<PlayEnd | null> => {
      received += data.length
      if (received - acknowledged > ACKNOWLEDGE_BYTES / 2) {
        acknowledged = received
        send(CONTROL, 3, 0, numbers(received >>> 0))
      }
      for (const message of readMessages(reader, data)) {
        const end = await handle(message)
        if (end !== null) return end
      }
      return null
    },
  }
}

function readMessages(reader: ReturnType<typeof createChunkReader>, data: Buffer): RtmpMessage[] {
  try {
    return reader.push(data)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new AppError('SOURCE_UNREACHABLE', {
      message: 'The server sends invalid RTMP.',
      cause: error,
    })
  }
}

function numbers(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

/** The end that a status message announces. Throws if it is an error. */
function statusEnd(status: AmfValue | undefined): PlayEnd | null {
  const code = readText(status, 'code')
  if (/^NetStream\.Play\.(Stop|Complete|UnpublishNotify)$/.test(code)) return 'over'
  if (
    /^NetStream\.(Play\.(StreamNotFound|Failed|FileStructureInvalid|NoSupportedTrackFound)|Failed)$/.test(
      code,
    )
  )
    throw refusal(status)
  return null
}

function readText(status: AmfValue | undefined, name: string): string {
  if (typeof status !== 'object' || status === null || Array.isArray(status)) return ''
  const value = (status as Readonly<Record<string, AmfValue>>)[name]
  return typeof value === 'string' ? value : ''
}

function refusal(status: AmfValue | undefined): AppError {
  const code = readText(status, 'code')
  const description = readText(status, 'description')
  const reason = [code, description]
    .filter((text) => text !== '')
    .join(': ')
    .slice(0, 300)
  const message = `The RTMP server does not deliver this stream${reason === '' ? '' : ` (${reason})`}.`
  const forbidden = /rejected|denied|auth/i.test(reason)
  return new AppError(forbidden ? 'SOURCE_FORBIDDEN' : 'SOURCE_UNREACHABLE', { message })
}

/** FLV with picture and sound; a size of 0 precedes the first tag. */
const FLV_HEAD = Buffer.from([0x46, 0x4c, 0x56, 1, 5, 0, 0, 0, 9, 0, 0, 0, 0])

function flvTag({ type, time, payload }: RtmpMessage): Buffer {
  const head = Buffer.alloc(11)
  head.writeUInt8(type, 0)
  head.writeUIntBE(payload.length, 1, 3)
  const clock = time % 2 ** 32
  head.writeUIntBE(clock % 2 ** 24, 4, 3)
  head.writeUInt8(Math.floor(clock / 2 ** 24), 7)
  return Buffer.concat([head, payload, numbers(head.length + payload.length)])
}
