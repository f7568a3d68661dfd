/**
 * One event stream for all windows of a browser that ask for the same address. A browser allows six connections to an
 * origin, and each stream holds one. The window that holds the lock has the stream and passes on what comes; when it
 * closes, the browser gives the lock to the next. Where a page has no locks (plain http from another machine), it has a
 * stream of its own.
 */

export interface EventStream {
  /** `refused`: the browser tries no more. */
  readonly state: () => 'opening' | 'open' | 'refused'
  readonly close: () => void
}

export interface StreamListener {
  readonly onMessage: (data: string) => void
  /** It is there, or there again: what came meanwhile is not repeated. */
  readonly onOpen: () => void
}

/** What the window with the stream says to the others; `ask` is what a new one asks it. */
type Passed = { readonly kind: 'message'; readonly data: string } | { readonly kind: 'open' | 'away' | 'ask' }

export function openStream(address: string, listener: StreamListener): EventStream {
  const locks = (globalThis.navigator as Navigator | undefined)?.locks
  return locks === undefined || typeof BroadcastChannel === 'undefined'
    ? ownStream(address, listener)
    : sharedStream(locks, address, listener)
}

function ownStream(address: string, { onMessage, onOpen }: StreamListener, onAway?: () => void): EventStream {
  const source = new EventSource(address)
  source.onmessage = (event: MessageEvent<string>) => onMessage(event.data)
  source.onopen = onOpen
  if (onAway !== undefined) source.onerror = onAway
  const states = ['opening', 'open', 'refused'] as const
  return { state: () => states[source.readyState] ?? 'opening', close: () => source.close() }
}

function sharedStream(locks: LockManager, address: string, listener: StreamListener): EventStream {
  const name = `cutroom ${address}`
  const channel = new BroadcastChannel(name)
  const leaving = new AbortController()
  const say = (passed: Passed): void => channel.postMessage(passed)
  /** Here, where this window has it. */
  let own: EventStream | null = null
  let isOpenElsewhere = false

  const lead = (): Promise<void> =>
    new Promise((done) => {
      own = ownStream(
        address,
        {
          onMessage: (data) => {
            listener.onMessage(data)
            say({ kind: 'message', data })
          },
          onOpen: () => {
            listener.onOpen()
            say({ kind: 'open' })
          },
        },
        () => say({ kind: 'away' }),
      )
      // The lock is held until this window leaves.
      leaving.signal.addEventListener('abort', () => done(), { once: true })
    })

  channel.onmessage = ({ data: passed }: MessageEvent<Passed>) => {
    if (own !== null) {
      if (passed.kind === 'ask' && own.state() === 'open') say({ kind: 'open' })
    } else if (passed.kind === 'message') listener.onMessage(passed.data)
    else if (passed.kind === 'away') isOpenElsewhere = false
    else if (passed.kind === 'open' && !isOpenElsewhere) {
      isOpenElsewhere = true
      listener.onOpen()
    }
  }
  locks.request(name, { signal: leaving.signal }, lead).catch(() => {
    // Left while another window had it.
  })
  say({ kind: 'ask' })

  return {
    state: () => own?.state() ?? (isOpenElsewhere ? 'open' : 'opening'),
    close: () => {
      if (leaving.signal.aborted) return
      if (own !== null) say({ kind: 'away' })
      own?.close()
      leaving.abort()
      channel.close()
    },
  }
}
