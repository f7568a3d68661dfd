/** Brings spans to a collector, some at a time. Loaded only where CUTROOM_OTLP_ENDPOINT names one. */
import { createWebhookSender } from '../adapters/webhook-sender.ts'
import { applicationVersion, type Config } from '../config/config.ts'
import type { Logger } from '../log.ts'
import { reachableByAdministrator, requireReachable } from '../reachable.ts'
import { exportRequest, type Span, type SpanMaker } from './spans.ts'

export interface Tracer {
  /** Takes a span that has ended. Never throws, never waits. */
  record(span: Span): void
  /** Sends what is left, for a short time. */
  close(): Promise<void>
}

const SEND_EVERY_MS = 2000
const MOST_AT_ONCE = 512
/** While a collector is away; older ones are let go. */
const MOST_KEPT = 4096
const CLOSE_MS = 1500

/** Null where no collector is named. INVALID_CONFIGURATION where it is on another machine and the network is off. */
export function startTracer(
  config: Pick<Config, 'traces' | 'network'>,
  { service, instance }: Omit<SpanMaker, 'version'>,
  log: Logger,
): Tracer | null {
  const { endpoint } = config.traces
  if (endpoint === null) return null
  requireReachable(config, 'The collector of traces', endpoint)
  const maker: SpanMaker = { service, instance, version: applicationVersion() }
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`
  const sender = createWebhookSender(reachableByAdministrator(config))
  const waiting: Span[] = []
  let away = false

  async function send(signal: AbortSignal): Promise<void> {
    const batch = waiting.slice(0, MOST_AT_ONCE)
    if (batch.length === 0) return
    const body = JSON.stringify(exportRequest(maker, batch))
    const status = await sender.send({ url, headers: { 'content-type': 'application/json' }, body }, signal)
    // The specification: only these are worth another attempt.
    if ([429, 502, 503, 504].includes(status)) throw new Error(`the collector answered ${status}`)
    waiting.splice(0, batch.length)
    if (status >= 400) log.warn('the collector of traces refused spans', { status, spans: batch.length })
    else if (away) log.info('the collector of traces is there again')
    away = status >= 400 && away
  }

  const trySend = (signal: AbortSignal): Promise<void> =>
    send(signal).catch((error: unknown) => {
      if (!away) log.warn('the collector of traces is away', { error })
      away = true
    })

  const closing = new AbortController()
  let sending: Promise<void> | null = null
  const timer = setInterval(() => {
    sending ??= trySend(closing.signal).finally(() => (sending = null))
  }, SEND_EVERY_MS).unref()

  return {
    record: (span) => {
      waiting.push(span)
      if (waiting.length > MOST_KEPT) waiting.shift()
    },
    close: async () => {
      clearInterval(timer)
      const limit = AbortSignal.timeout(CLOSE_MS)
      limit.addEventListener('abort', () => closing.abort(), { once: true })
      await sending
      while (waiting.length > 0 && !away && !limit.aborted) await trySend(limit)
      await sender.close()
    },
  }
}
