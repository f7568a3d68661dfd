/** Pulls a stream from an SRT server with an ffmpeg that supports SRT, through a relay, so that it connects to the loopback only. */
import { AppError } from '../../../server/contract/errors.ts'
import { runFfmpeg } from '../../media/run-tool.ts'
import type { RecordJob } from './job.ts'
import type { Pull } from './pull.ts'
import { createSocket, type Socket } from 'node:dgram'
import { isIP } from 'node:net'
import { guardedLookup, refused, type AddressPolicy } from '../ingest/guard.ts'
import { addressAllowed } from '../ingest/pure/addresses.ts'

/** Options of the address that are used besides passphrase and stream id; others are ignored. */
const OPTIONS = ['pbkeylen', 'latency'] as const

/** Throws UNSUPPORTED_SOURCE_URL (also for an ffmpeg without SRT), INVALID_URL, SOURCE_FORBIDDEN, SOURCE_UNREACHABLE. */
export async function pullSrt(job: RecordJob): Promise<Pull> {
  const { params, context } = job
  const url = new URL(params.url)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port)
  if (host === '' || !(port > 0))
    throw new AppError('INVALID_URL', {
      message: 'An SRT address names a server and a port: srt://host:port.',
    })
  const mode = url.searchParams.get('mode') ?? 'caller'
  if (mode !== 'caller') {
    const message = `SRT streams are pulled: the address must be one that can be called, not mode=${mode}.`
    throw new AppError('UNSUPPORTED_SOURCE_URL', { message })
  }
  await requireSrt(job)
  const relay = await startUdpRelay({ host, port }, params.addresses)
  const stopped = new AbortController()
  const options = OPTIONS.flatMap((name) => {
    const value = url.searchParams.get(name)
    return value === null ? [] : [`${name}=${encodeURIComponent(value)}`]
  })
  const query = `?${['mode=caller', ...options].join('&')}`
  const passphrase = url.searchParams.get('passphrase')
  const streamId = url.searchParams.get('streamid')
  return {
    input: { kind: 'srt', port: relay.port, query, passphrase, streamId },
    signal: AbortSignal.any([stopped.signal, context.signal]),
    failure: () => null,
    over: () => false,
    stop: () => stopped.abort(),
    close: () => relay.close(),
  }
}

async function requireSrt({ context }: RecordJob): Promise<void> {
  const { stdout } = await runFfmpeg(context, ['-hide_banner', '-protocols'], { timeoutSeconds: 30 })
  const input = stdout.toString('utf8').split(/Output:/)[0] ?? ''
  if (/^\s*srt\s*$/m.test(input)) return
  const message =
    'The ffmpeg of this appliance does not support SRT. Set CUTROOM_FFMPEG and CUTROOM_FFPROBE to a build with libsrt (its `ffmpeg -protocols` lists srt), or use an HLS or RTMP address of the stream.'
  throw new AppError('UNSUPPORTED_SOURCE_URL', { message })
}

/** Throws SOURCE_FORBIDDEN for a refused address, SOURCE_UNREACHABLE for an unknown name. The caller closes it. */
export async function startUdpRelay(
  to: { readonly host: string; readonly port: number },
  addresses: AddressPolicy,
) {
  const target = await resolveGuarded(to.host, addresses)
  const outer = createSocket(target.family === 6 ? 'udp6' : 'udp4')
  const inner = createSocket('udp4')
  let peer: number | null = null
  inner.on('message', (bytes, from) => {
    if (from.address !== '127.0.0.1') return
    peer ??= from.port
    // A datagram that cannot be sent counts as lost; the protocol requests it again.
    if (from.port === peer) outer.send(bytes, () => undefined)
  })
  outer.on('message', (bytes) => {
    if (peer !== null) inner.send(bytes, peer, '127.0.0.1', () => undefined)
  })
  for (const socket of [outer, inner]) socket.on('error', () => undefined)
  try {
    await new Promise<void>((resolve, reject) => {
      outer.once('error', reject)
      // A connected socket receives datagrams from its peer only.
      outer.connect(to.port, target.address, () => resolve())
    })
    await new Promise<void>((resolve) => inner.bind(0, '127.0.0.1', () => resolve()))
  } catch (error) {
    await Promise.all([closeSocket(outer), closeSocket(inner)])
    const message = `The address ${to.host} cannot be sent to.`
    throw new AppError('SOURCE_UNREACHABLE', { message, cause: error })
  }
  return {
    /** Port on 127.0.0.1; accepts only the first sender. */
    port: inner.address().port,
    close: async () => void (await Promise.all([closeSocket(outer), closeSocket(inner)])),
  }
}

const closeSocket = (socket: Socket): Promise<void> => new Promise((resolve) => socket.close(() => resolve()))

async function resolveGuarded(
  host: string,
  addresses: AddressPolicy,
): Promise<{ address: string; family: number }> {
  const family = isIP(host)
  if (family !== 0) {
    if (!addressAllowed(host, addresses)) throw refused(host, addresses)
    return { address: host, family }
  }
  return new Promise((resolve, reject) => {
    guardedLookup(addresses)(host, { all: false }, (error, address, found) => {
      if (error === null && typeof address === 'string') resolve({ address, family: found ?? 4 })
      else if (error instanceof AppError) reject(error)
      else {
        const message = `There is no server named ${host}. Check the address.`
        reject(new AppError('SOURCE_UNREACHABLE', { message, cause: error }))
      }
    })
  })
}
