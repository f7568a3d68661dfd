/** Shows work on the desktop: progress in the taskbar, no sleep while there is work, a notification at its end. */
import { messages } from './messages.ts'

interface DesktopNotificationsDeps {
  /** Reads the stream until it ends; returns the last event's id. */
  read(how: {
    lastId: string | null
    signal: AbortSignal
    onEvents: (event: StreamEvent) => void
  }): Promise<string | null>
  later(milliseconds: number, act: () => void): () => void
  setProgress(fraction: number): void
  keepAwake(): () => void
  notify(notice: Notice): void
}

const AGAIN_MS = 2000

export function createDesktopNotifications(deps: DesktopNotificationsDeps) {
  let activity: Activity = QUIET
  let sleep: (() => void) | null = null
  let reading: AbortController | null = null
  // Survives restarts of the appliance, so that what ended meanwhile still gets its notification.
  let lastId: string | null = null

  function set(next: Activity): void {
    activity = next
    deps.setProgress(taskbarProgress(activity))
    if (activity.size > 0) sleep ??= deps.keepAwake()
    else {
      sleep?.()
      sleep = null
    }
  }

  function handleEvent(event: StreamEvent): void {
    set(after(activity, event))
    const notice = noticeOf(event)
    if (notice !== null) deps.notify(notice)
  }

  function read(mine: AbortController): void {
    const { signal } = mine
    const onEvents = (event: StreamEvent): void => {
      if (!signal.aborted) handleEvent(event)
    }
    const readAgain = (): void => {
      if (!signal.aborted) deps.later(AGAIN_MS, () => (signal.aborted ? undefined : read(mine)))
    }
    deps.read({ lastId, signal, onEvents }).then((last) => {
      lastId = last
      readAgain()
    }, readAgain)
  }

  function stop(): void {
    reading?.abort()
    reading = null
    set(QUIET)
  }

  return {
    /** Reads the stream from now on, again whenever it ends. */
    follow: (): void => {
      reading?.abort()
      reading = new AbortController()
      read(reading)
    },
    /** Stops reading and clears the progress, because the appliance is not running. */
    stop,
    /** Shows the progress again, for a new window. */
    repeatProgress: () => deps.setProgress(taskbarProgress(activity)),
  }
}

/** An event of the stream, as far as the shell reads it. */
export interface StreamEvent {
  readonly type: string
  readonly subjectId?: string
  readonly runId?: string
  readonly clipId?: string
  /** A share from 0 to 1, or (hello, reset) what is in progress now. */
  readonly progress?: number | readonly StreamEvent[]
}

/** Runs and renders in progress, by `run ID` or `render ID`: the share done, null when unknown. */
type Activity = ReadonlyMap<string, number | null>

interface Notice {
  readonly title: string
  readonly body: string
  /** Where in the studio it is seen. */
  readonly place: string
}

export const QUIET: Activity = new Map()

const BEGINS = /^(run\.(queued|processing|learning)|render\.(queued|started))$/
const ENDS = /^(run\.(completed|failed)|render\.(finished|failed|cancelled))$/

function keyOf({ type, subjectId, runId, clipId }: StreamEvent): string | null {
  const kind = type.slice(0, type.indexOf('.'))
  const id = kind === 'run' ? (runId ?? subjectId) : (clipId ?? subjectId)
  return id === undefined ? null : `${kind} ${id}`
}

/** The activity after an event. */
export function after(activity: Activity, event: StreamEvent): Activity {
  if (event.type === 'stream.hello' || event.type === 'stream.reset') {
    const current = Array.isArray(event.progress) ? (event.progress as readonly StreamEvent[]) : []
    return current.reduce(after, QUIET)
  }
  const key = keyOf(event)
  if (key === null) return activity
  const next = new Map(activity)
  if (ENDS.test(event.type)) next.delete(key)
  else if (event.type.endsWith('.progress') && typeof event.progress === 'number')
    next.set(key, event.progress)
  else if (BEGINS.test(event.type)) next.set(key, next.get(key) ?? null)
  else return activity
  return next
}

/** For the taskbar: the mean share done; 2 when unknown, -1 when nothing is in progress. */
export function taskbarProgress(activity: Activity): number {
  if (activity.size === 0) return -1
  const known = [...activity.values()].filter((share) => share !== null)
  return known.length === 0 ? 2 : known.reduce((sum, share) => sum + share, 0) / activity.size
}

const NOTICES: ReadonlyMap<string, Omit<Notice, 'place'>> = new Map([
  ['run.completed', messages.notifications.runCompleted],
  ['run.failed', messages.notifications.runFailed],
  ['render.finished', messages.notifications.renderFinished],
  ['render.failed', messages.notifications.renderFailed],
])

/** The notification for an event; null for most. */
function noticeOf({ type, subjectId = '' }: StreamEvent): Notice | null {
  const text = NOTICES.get(type)
  if (text === undefined) return null
  if (type.startsWith('run.')) return { ...text, place: '#/' }
  return { ...text, place: subjectId === '' ? '#/clips' : `#/clips/${encodeURIComponent(subjectId)}` }
}
