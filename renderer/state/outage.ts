/** Requests go on after the appliance was away: restarted, updated, or out of reach for a while. */
import { RequestRefused } from './request-refused.ts'

/** Between two looks: while it may be restarting, and once it is away for longer than that takes. */
const LOOK_MS = 1000
const LOOK_SELDOM_MS = 10_000
const QUICK_LOOKS = 60
/** The appliance can be back before it is looked at, so that a lost connection is tried again this often. */
const TRIES = 3
/** The least status of a proxy that does not reach the appliance. */
const BAD_GATEWAY = 502
const INTERNAL = 500

/** A connection was lost where no error of the browser says so. */
export class ConnectionLost extends Error {}

const LOST = /^(Failed to fetch|Load failed|NetworkError when attempting|network error)/

/** Whether a request failed on the way, and was not answered. */
export function isConnectionLost(error: unknown): boolean {
  if (error instanceof DOMException) return error.name === 'NetworkError'
  return error instanceof ConnectionLost || (error instanceof TypeError && LOST.test(error.message))
}

function mayPass(error: unknown): boolean {
  if (error instanceof RequestRefused) return error.status === 0 || error.status >= BAD_GATEWAY
  return isConnectionLost(error)
}

/** A refusal is an answer too: whoever waits for another one would ask for ever. */
async function isAnswering(): Promise<boolean> {
  try {
    const { status } = await fetch('/health', { cache: 'no-store' })
    return status < INTERNAL
  } catch {
    return false
  }
}

let looking: Promise<void> | null = null

/** Resolves once the appliance answers; however many wait, one of them looks. */
function waitForAppliance(): Promise<void> {
  const look = async (): Promise<void> => {
    let looks = 0
    do {
      const pause = looks++ < QUICK_LOOKS ? LOOK_MS : LOOK_SELDOM_MS
      await new Promise((done) => setTimeout(done, pause))
    } while (!(await isAnswering()))
    looking = null
  }
  return (looking ??= look())
}

interface During {
  /** Whether the result is still of use; asked before each further attempt. */
  readonly isWanted?: () => boolean
  /** The appliance is away. */
  readonly onAway?: () => void
}

/**
 * Does the work again once the appliance answers, if it failed while that was away. Rejects with why it failed otherwise,
 * and with an AbortError once the result is of no use.
 */
export async function throughOutages<T>(
  work: () => Promise<T>,
  { isWanted = () => true, onAway }: During = {},
): Promise<T> {
  for (let lost = 0; ;) {
    try {
      return await work()
    } catch (error) {
      const isAway = !(await isAnswering())
      lost = isAway || !mayPass(error) ? 0 : lost + 1
      if (!isAway && (lost === 0 || lost >= TRIES)) throw error
      if (isAway && isWanted()) {
        onAway?.()
        await waitForAppliance()
      }
      if (!isWanted()) throw new DOMException('The result is of no use any more.', 'AbortError')
    }
  }
}

/** Status of a file of the appliance, of which nothing is read. Rejects where it does not answer. */
export async function statusOf(url: string): Promise<number> {
  const response = await fetch(url, { headers: { range: 'bytes=0-0' } })
  await response.body?.cancel()
  return response.status
}
