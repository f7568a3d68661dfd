/** How much runs at once. Places go to requested renders, then to the company with the fewest on the lane. */
import type { Lane } from '../../workers/stages/declare.ts'
import type { LaneLimits } from '../domain/operations/lane-limits.ts'

/** Threads that the pool needs so that no lane waits for another. */
export const threadsFor = (limits: LaneLimits): number =>
  limits.network + limits.live + limits.cpu + limits.gpu

export interface PlaceRequest {
  readonly lane: Lane
  readonly isRender: boolean
  readonly companyId: string
  /** A person is waiting for this. */
  readonly urgent: boolean
}

interface Waiting extends PlaceRequest {
  readonly order: number
  readonly grant: () => void
}

/** PURE: which of the waiting requests gets the next free place, or null. */
export function nextPlace<T extends PlaceRequest & { readonly order: number }>(
  waiting: readonly T[],
  taken: readonly PlaceRequest[],
  limits: LaneLimits,
): T | null {
  const onLane = (lane: Lane) => taken.filter((item) => item.lane === lane)
  const renders = taken.filter((item) => item.isRender).length
  const fits = (item: T) =>
    onLane(item.lane).length < limits[item.lane] && (!item.isRender || renders < limits.render)
  const share = (item: T) => onLane(item.lane).filter((other) => other.companyId === item.companyId).length
  return (
    waiting
      .filter(fits)
      .sort((a, b) => Number(b.urgent) - Number(a.urgent) || share(a) - share(b) || a.order - b.order)[0] ??
    null
  )
}

export type Lanes = ReturnType<typeof createLanes>

/** `rendersAtOnce`: what an owner has chosen; null: as the limits say. */
export function createLanes(limits: LaneLimits, rendersAtOnce: () => number | null = () => null) {
  const waiting: Waiting[] = []
  const taken: PlaceRequest[] = []
  let order = 0

  function grantNext(): void {
    for (;;) {
      const render = Math.min(limits.cpu, rendersAtOnce() ?? limits.render)
      const next = nextPlace(waiting, taken, { ...limits, render })
      if (next === null) return
      waiting.splice(waiting.indexOf(next), 1)
      taken.push(next)
      next.grant()
    }
  }

  function giveBack(request: PlaceRequest): void {
    const index = taken.indexOf(request)
    if (index >= 0) taken.splice(index, 1)
    grantNext()
  }

  return {
    /** Resolves with the function that gives the place back; rejects with the signal's reason when it aborts first. */
    acquire: (request: PlaceRequest, signal: AbortSignal): Promise<() => void> =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason as Error)
        const onAbort = (): void => {
          waiting.splice(waiting.indexOf(item), 1)
          reject(signal.reason as Error)
        }
        const item: Waiting = {
          ...request,
          order: order++,
          grant: () => {
            signal.removeEventListener('abort', onAbort)
            resolve(() => giveBack(item))
          },
        }
        signal.addEventListener('abort', onAbort, { once: true })
        waiting.push(item)
        grantNext()
      }),
  }
}

/** The server's own work for the queue: one piece per round of the event loop, so that requests come between. */
const waiting: (() => void)[] = []

function giveTurn(): void {
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(giveTurn)
}

/** Resolves when it is the caller's turn; in the order of the calls. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(giveTurn)
  })
}
