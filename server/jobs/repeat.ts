/** Work that comes up now and then while the appliance runs. */

export interface Repeated {
  /** What goes on is told to end, and has ended when this resolves. */
  readonly stop: () => Promise<void>
}

interface Repeat {
  readonly everyMs: number
  /** Looks whether there is anything to do, and does it. */
  readonly work: (signal: AbortSignal) => Promise<void>
  /** Told why one turn failed; the next comes all the same. Not told of a turn that `stop` ended. */
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
