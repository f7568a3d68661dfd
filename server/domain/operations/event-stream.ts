/**
 * The live stream of events for the studio: stored events in their order, and progress as it is now. One poll of the
 * database serves all listeners, and there is none without listeners; it also sees what another process on the home
 * does (`cutroom run`).
 */
import type { ApplianceEvent, ProgressMessage, StreamMessage } from '../../contract/events.ts'
import {
  eventRange,
  listEventsAfter,
  listRunningWork,
  type EventRow,
  type RunningWork,
} from '../../db/events.ts'
import type { Services } from '../services.ts'

const POLL_MS = 400
/** A listener that missed more events than these reads everything again, which is less. */
const MAX_REPLAYED = 1000
const BATCH = 500
/** At this limit the oldest listener of the person with the most of them is ended. */
const MAX_LISTENERS = 256

export interface Listener {
  readonly companyId: string
  /** The person: many windows of one do not end those of others. */
  readonly person: string
  /** The last event that it received; null: it is new. */
  readonly after: number | null
  /** `id`: where to resume; null for events that are not stored. */
  readonly send: (message: StreamMessage, id: number | null) => void
  /** The stream ends: the appliance stops, or there are too many listeners. */
  readonly end: () => void
}

export interface EventStream {
  /** Sends missed events at once, then every new one. Returns how to unsubscribe. */
  listen(listener: Listener): () => void
  /** Looks now. */
  poll(): void
  /** How many listen. */
  count(): number
  /** Ends every stream; no new one begins. */
  close(): void
}

/** PURE: an event as it is sent. */
export function presentEvent(
  row: Pick<EventRow, 'id' | 'type' | 'companyId' | 'subjectId' | 'data' | 'at'>,
): ApplianceEvent {
  const { id, type, companyId, subjectId, at } = row
  const data = Object.fromEntries(Object.entries(row.data).filter(([, value]) => value !== null))
  return { id, type, companyId, subjectId, createdAt: new Date(at).toISOString(), data }
}

function presentProgress({
  operationId,
  kind,
  subjectId,
  progress,
  stage,
}: RunningWork): ProgressMessage | null {
  if (kind === 'run')
    return { type: 'run.progress', operationId, runId: subjectId, progress, stage: stage ?? '' }
  if (kind === 'pick') return { type: 'pick.progress', operationId, runId: subjectId, progress }
  return kind === 'render' ? { type: 'render.progress', operationId, clipId: subjectId, progress } : null
}

type Deps = Pick<Services, 'db' | 'log'>

function progressNow(db: Deps['db']): { companyId: string; message: ProgressMessage }[] {
  return listRunningWork(db).flatMap((work) => {
    const message = presentProgress(work)
    return message === null ? [] : [{ companyId: work.companyId, message }]
  })
}

/** Sends a new listener everything up to `last`: the events that it missed, or a reset where they are too many. */
function sendMissed(db: Deps['db'], { companyId, after, send }: Listener, last: number): void {
  const { oldest, newest } = eventRange(db)
  const progress = progressNow(db).flatMap((one) => (one.companyId === companyId ? [one.message] : []))
  const known = after !== null && after <= newest && after >= oldest - 1
  const missed = known ? listEventsAfter(db, after, { companyId, limit: MAX_REPLAYED + 1 }) : []
  if ((after !== null && !known) || missed.length > MAX_REPLAYED)
    return send({ type: 'stream.reset', progress }, last)
  send({ type: 'stream.hello', progress }, after ?? last)
  for (const row of missed) if (row.seq <= last) send(presentEvent(row), row.seq)
}

/** PURE: the oldest listener of the person with the most; oldest listeners come first. */
function findListenerToEnd(listeners: readonly Listener[]): Listener | undefined {
  const counts = new Map<string, number>()
  for (const { person } of listeners) counts.set(person, (counts.get(person) ?? 0) + 1)
  const most = Math.max(...counts.values())
  return listeners.find(({ person }) => counts.get(person) === most)
}

/**
 * Sends events to listeners: one poll for all of them, and only while there are any, every `pollMs`. Ends with `close`.
 */
export function createEventStream({ db, log }: Deps, options: { pollMs?: number } = {}): EventStream {
  const listeners = new Set<Listener>()
  let timer: NodeJS.Timeout | null = null
  let closed = false
  let last = 0
  /** The last state that was sent of each operation. */
  let sent = new Map<string, string>()

  function sendToCompany(companyId: string, message: StreamMessage, id: number | null): void {
    for (const listener of [...listeners]) if (listener.companyId === companyId) listener.send(message, id)
  }

  function sendProgress(): void {
    const now = new Map<string, string>()
    for (const { companyId, message } of progressNow(db)) {
      const text = JSON.stringify(message)
      now.set(message.operationId, text)
      if (sent.get(message.operationId) !== text) sendToCompany(companyId, message, null)
    }
    sent = now
  }

  function readNewEvents(): void {
    for (;;) {
      const rows = listEventsAfter(db, last, { limit: BATCH })
      for (const row of rows) {
        last = row.seq
        sendToCompany(row.companyId, presentEvent(row), row.seq)
      }
      if (rows.length < BATCH) break
    }
    sendProgress()
  }

  function poll(): void {
    try {
      readNewEvents()
    } catch (error) {
      log.error('what happened could not be read', { error })
    }
  }

  function leave(listener: Listener): void {
    listeners.delete(listener)
    if (listeners.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }

  return {
    poll,
    count: () => listeners.size,
    listen: (listener) => {
      if (closed) {
        listener.end()
        return () => undefined
      }
      if (listeners.size === 0) last = eventRange(db).newest
      else poll()
      sendMissed(db, listener, last)
      const making = listeners.size >= MAX_LISTENERS ? findListenerToEnd([...listeners]) : undefined
      if (making !== undefined) {
        leave(making)
        making.end()
      }
      listeners.add(listener)
      timer ??= setInterval(poll, options.pollMs ?? POLL_MS).unref()
      return () => leave(listener)
    },
    close: () => {
      closed = true
      for (const listener of [...listeners]) {
        leave(listener)
        listener.end()
      }
    },
  }
}
