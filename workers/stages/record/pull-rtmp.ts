/** Pulls a stream from an RTMP server: ffmpeg receives FLV through a pipe and never an address. */
import type { Writable } from 'node:stream'
import { AppError } from '../../../server/contract/errors.ts'
import { writeChunk } from '../../media/pipes.ts'
import { connectGuarded } from './guarded-socket.ts'
import type { RecordJob } from './job.ts'
import type { Pull } from './pull.ts'
import { playRtmp, parseRtmpAddress } from './rtmp/client.ts'

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
    input: { kind: 'pipe', format: 'flv' },
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
