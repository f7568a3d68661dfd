/** Repeats work at intervals while the appliance runs. */

export interface Repeated {
  /** Aborts the work in progress; resolves when it has ended. */
  readonly stop: () => Promise<void>
}

interface Repeat {
  readonly everyMs: number
  /** Looks whether there is anything to do, and does it. */
  readonly work: (signal: AbortSignal) => Promise<void>
  /** Called with the error of a failed round; the next round follows. Not called for a round that `stop` ended. */
  readonly failed: (error: unknown) => void
}

/** Does the work each so many milliseconds, never twice at once; the process may end in between. */
export function repeat({ everyMs, work, failed }: Repeat): Repeated {
  const stopped = new AbortController()
  let going: Promise<void> | null = null
  const turn = async (): Promise<void> => {
    try {
      await work(stopped.signal)
    } catch (error) {
      if (!stopped.signal.aborted) failed(error)
    }
  }
  const timer = setInterval(() => {
    // Forgotten after it was noted: a turn may fail before it gives up its own.
    going ??= turn().finally(() => {
      going = null
    })
  }, everyMs)
  timer.unref()
  return {
    stop: async () => {
      clearInterval(timer)
      stopped.abort()
      await going
    },
  }
}
