/** Shows work on the desktop: progress in the taskbar, no sleep while there is work, a notification at its end. */
import {
  after,
  noticeOf,
  QUIET,
  taskbarProgress,
  type Activity,
  type Notice,
  type StreamEvent,
} from './activity.ts'

export interface DesktopNotificationsDeps {
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

export interface DesktopNotifications {
  /** Reads the stream from now on, again whenever it ends. */
  follow(): void
  /** Stops reading and clears the progress, because the appliance is not running. */
  stop(): void
  /** Shows the progress again, for a new window. */
  repeatProgress(): void
}

const AGAIN_MS = 2000

export function createDesktopNotifications(deps: DesktopNotificationsDeps): DesktopNotifications {
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
    follow: () => {
      reading?.abort()
      reading = new AbortController()
      read(reading)
    },
    stop,
    repeatProgress: () => deps.setProgress(taskbarProgress(activity)),
  }
}
