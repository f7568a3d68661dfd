/** Keeps an appliance running: starts it again when it ends, later each time that it ends soon. */
import type { ServerProcess } from './server-process.ts'

export type ServerState =
  | { readonly kind: 'starting' }
  /** `studioUrl` signs the window in, once. */
  | { readonly kind: 'running'; readonly studioUrl: string }
  /** It ended; `inSeconds` from now it is started again. */
  | { readonly kind: 'waiting'; readonly why: string; readonly inSeconds: number }
  | { readonly kind: 'stopped' }

export interface SupervisorDeps {
  readonly launch: () => ServerProcess
  readonly onState: (state: ServerState) => void
  /** Milliseconds, only ever forwards. */
  readonly now: () => number
  /** Calls `act` after so many milliseconds; the answer calls it off. */
  readonly later: (milliseconds: number, act: () => void) => () => void
}

export interface Supervisor {
  start(): void
  /** Starts it now instead of waiting; does nothing while it runs. */
  readonly retry: () => void
  /** Ends it for good. */
  stop(): Promise<void>
}

/** Seconds before each start after an early end; the last one from then on. */
const BACK_OFF_SECONDS = [0.5, 1, 2, 5, 10, 30] as const
/** Who ran for so long starts again as if it were the first time. */
const STEADY_MS = 60_000

export function createSupervisor({ launch, onState, now, later }: SupervisorDeps): Supervisor {
  let current: ServerProcess | null = null
  let callOff: (() => void) | null = null
  let early = 0
  let over = false

  const start = (): void => {
    callOff?.()
    callOff = null
    if (over || current !== null) return
    const mine = launch()
    const startedAt = now()
    current = mine
    onState({ kind: 'starting' })
    mine.studioUrl.then(
      (studioUrl) => {
        if (current === mine && !over) onState({ kind: 'running', studioUrl })
      },
      () => undefined, // `ended` has the reason
    )
    void mine.ended.then((why) => {
      if (current !== mine || over) return
      current = null
      if (now() - startedAt >= STEADY_MS) early = 0
      const inSeconds = BACK_OFF_SECONDS[Math.min(early, BACK_OFF_SECONDS.length - 1)] ?? 30
      early += 1
      callOff = later(inSeconds * 1000, start)
      onState({ kind: 'waiting', why, inSeconds })
    })
  }

  return {
    start,
    retry: start,
    stop: async () => {
      over = true
      callOff?.()
      onState({ kind: 'stopped' })
      await current?.stop()
    },
  }
}
