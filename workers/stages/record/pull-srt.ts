/** Pulls a stream from an SRT server with an ffmpeg that supports SRT, through a relay, so that it connects to the loopback only. */
import { AppError } from '../../../server/contract/errors.ts'
import { runTool } from '../../media/run-tool.ts'
import type { RecordJob } from './job.ts'
import type { Pull } from './pull.ts'
import { startUdpRelay } from './udp-relay.ts'

/** Options of the address that are used besides passphrase and stream id; others are ignored. */
const OPTIONS = ['pbkeylen', 'latency'] as const

/**
 * Throws UNSUPPORTED_SOURCE_URL if the configured ffmpeg does not support SRT or the address is not one to call, INVALID_URL,
 * SOURCE_FORBIDDEN, SOURCE_UNREACHABLE.
 */
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
  const { stdout } = await runTool({
    executable: context.tools.ffmpeg,
    args: ['-hide_banner', '-protocols'],
    signal: context.signal,
    timeoutSeconds: 30,
  })
  const input = stdout.toString('utf8').split(/Output:/)[0] ?? ''
  if (/^\s*srt\s*$/m.test(input)) return
  const message =
    'The ffmpeg of this appliance does not support SRT. Set CUTROOM_FFMPEG and CUTROOM_FFPROBE to a build with libsrt (its `ffmpeg -protocols` lists srt), or use an HLS or RTMP address of the stream.'
  throw new AppError('UNSUPPORTED_SOURCE_URL', { message })
}
