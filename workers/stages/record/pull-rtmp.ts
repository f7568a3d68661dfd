/** Pulls a stream from an RTMP server: ffmpeg receives FLV through a pipe and never an address. */
import type { Writable } from 'node:stream'
import { AppError } from '../../../server/contract/errors.ts'
import { writeChunk } from '../../media/pipes.ts'
import type { RecordJob } from './job.ts'
import type { Pull } from './pull.ts'
import { playRtmp, parseRtmpAddress, type RtmpAddress } from './rtmp/client.ts'
import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { guardedLookup, hostAllowed, refused, type AddressPolicy } from '../ingest/guard.ts'
import { addressAllowed } from '../ingest/pure/addresses.ts'
import { failureCode, networkSentence, noServer } from '../ingest/transfer.ts'

/** Throws INVALID_URL, SOURCE_FORBIDDEN, SOURCE_UNREACHABLE, CANCELLED. */
export async function pullRtmp({ params, context }: RecordJob): Promise<Pull> {
  const address = parseRtmpAddress(params.url)
  if (address === null) {
    const message = 'An RTMP address names an application and a stream: rtmp://host/application/stream.'
    throw new AppError('INVALID_URL', { message })
  }
  const { addresses, idleTimeoutSeconds: timeoutSeconds, stallSeconds: silenceSeconds } = params
  const socket = await connectGuarded({ ...address, addresses, timeoutSeconds }, context.signal)
  let failure: AppError | null = null
  let over = false
  const feed = async (pipe: Writable): Promise<void> => {
    try {
      const how = await playRtmp({
        socket,
        address,
        silenceSeconds,
        onFlv: (bytes) => writeChunk(pipe, bytes),
      })
      over = how === 'over'
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      failure = error
    } finally {
      pipe.end()
    }
  }
  const end = (): void => void socket.destroy()
  context.signal.addEventListener('abort', end, { once: true })
  return {
    input: { kind: 'pipe' },
    feed,
    failure: () => failure,
    over: () => over,
    stop: end,
    close: () => {
      context.signal.removeEventListener('abort', end)
      end()
    },
  }
}

/** Throws SOURCE_FORBIDDEN for a refused address, SOURCE_UNREACHABLE, CANCELLED. The caller destroys the socket. */
export async function connectGuarded(
  to: Pick<RtmpAddress, 'host' | 'port' | 'secure'> & {
    readonly addresses: AddressPolicy
    readonly timeoutSeconds: number
  },
  signal: AbortSignal,
): Promise<Socket> {
  const { host, port, secure, addresses, timeoutSeconds } = to
  if (!hostAllowed(host, addresses)) throw refused(host, addresses)
  const plain = connect({ host, port, lookup: guardedLookup(addresses), autoSelectFamily: true })
  const timer = setTimeout(
    () => plain.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' })),
    timeoutSeconds * 1000,
  )
  const stop = (): void => void plain.destroy(new AppError('CANCELLED'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (signal.aborted) stop()
    await once(plain, 'connect')
    if (!addressAllowed(plain.remoteAddress ?? '', addresses)) throw refused(host, addresses)
    if (!secure) return plain
    const safe = connectSecurely({ socket: plain, servername: isIP(host) === 0 ? host : '' })
    await once(safe, 'secureConnect')
    return safe
  } catch (error) {
    plain.destroy()
    if (signal.aborted) throw new AppError('CANCELLED', { cause: error })
    const code = failureCode(error)
    const message = code === 'ENOTFOUND' ? noServer(host) : networkSentence(code, host)
    throw new AppError('SOURCE_UNREACHABLE', { message, cause: error })
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}
