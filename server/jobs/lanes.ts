/**
 * How much runs at once. Places go to requested renders, then to the company with the fewest on the lane; but after some of
 * those one goes to whoever else waits, so that runs end also where people render all day.
 */
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

/** So many places in a row go to what people wait for, while other work of the same kind waits as well. */
const IN_ROW = 3

interface Waiting extends PlaceRequest {
  readonly order: number
  readonly grant: () => void
}

type Fits = (item: PlaceRequest) => boolean

/** PURE: whether there is a place for a request. */
function placeFor(taken: readonly PlaceRequest[], limits: LaneLimits): Fits {
  const renders = taken.filter((item) => item.isRender).length
  return ({ lane, isRender }) =>
    taken.filter((item) => item.lane === lane).length < limits[lane] && (!isRender || renders < limits.render)
}

/** PURE: which of the waiting requests gets the next free place, or null. `isDue`: it was passed over often enough. */
export function nextPlace<T extends PlaceRequest & { readonly order: number }>(
  waiting: readonly T[],
  taken: readonly PlaceRequest[],
  limits: LaneLimits,
  isDue: (item: T) => boolean = () => false,
): T | null {
  const onLane = (lane: Lane) => taken.filter((item) => item.lane === lane)
  const share = (item: T) => onLane(item.lane).filter((other) => other.companyId === item.companyId).length
  const rank = (item: T): number => (item.urgent ? 1 : isDue(item) ? 2 : 0)
  return (
    waiting
      .filter(placeFor(taken, limits))
      .sort((a, b) => rank(b) - rank(a) || share(a) - share(b) || a.order - b.order)[0] ?? null
  )
}

const kindOf = ({ lane, isRender }: PlaceRequest): string => `${lane} ${isRender}`

export type Lanes = ReturnType<typeof createLanes>

/** `rendersAtOnce`: what an owner has chosen; null: as the limits say. */
export function createLanes(limits: LaneLimits, rendersAtOnce: () => number | null = () => null) {
  const waiting: Waiting[] = []
  const taken: PlaceRequest[] = []
  /** Places that went to the urgent one after the other while other work of the kind could have had them. */
  const passed = new Map<string, number>()
  let order = 0

  /** Before the place is taken. */
  function countPassed(next: PlaceRequest, fits: Fits): void {
    const kind = kindOf(next)
    const isPassing = waiting.some((item) => !item.urgent && kindOf(item) === kind && fits(item))
    passed.set(kind, next.urgent && isPassing ? (passed.get(kind) ?? 0) + 1 : 0)
  }

  function grantNext(): void {
    for (;;) {
      const now = { ...limits, render: Math.min(limits.cpu, rendersAtOnce() ?? limits.render) }
      const next = nextPlace(waiting, taken, now, (item) => (passed.get(kindOf(item)) ?? 0) >= IN_ROW)
      if (next === null) return
      countPassed(next, placeFor(taken, now))
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
