/** Days of work on so many workers, event by event: what a run waits for where sources come as they do in a studio. Pure. */

/** What one hour of video takes, from a recorded run. */
export interface HourOfVideo {
  /** Stages of the source, one after the other, in seconds. */
  readonly source: readonly number[]
  /** Stages of one clip, one after the other; clips go side by side. */
  readonly clip: readonly number[]
  readonly clips: number
}

export interface Days {
  readonly hoursADay: number
  readonly workers: number
  readonly days: number
  /** Numbers from 0 to 1, the same for the same figures. */
  readonly random: () => number
}

export interface Waits {
  /** From the arrival of a source to its last clip, in seconds. */
  readonly p50: number
  readonly p95: number
  /** Share of the workers' time in which they worked. */
  readonly busy: number
}

const DAY = 86_400
/** Three in four sources come in ten hours of a day. */
const OFFICE = { from: 8 * 3600, until: 18 * 3600, share: 0.75 }

interface Task {
  readonly run: number
  /** Seconds of this stage and of those after it. */
  readonly stages: readonly number[]
  /** Of the source: its end begins the clips. */
  readonly isSource: boolean
}

/** Each worker does one stage at a time; the oldest run goes first. */
export function simulateDays(hour: HourOfVideo, { hoursADay, workers, days, random }: Days): Waits {
  const arrivals = Array.from({ length: Math.round(hoursADay * days) }, () => arrivalIn(days, random)).sort(
    (a, b) => a - b,
  )
  const waiting = createHeap<Task>((a, b) => a.run - b.run)
  const going = createHeap<{ readonly at: number; readonly task: Task }>((a, b) => a.at - b.at)
  const open = new Map<number, number>()
  const took: number[] = []
  let free = workers
  let busy = 0
  let next = 0
  let now = 0
  const begin = (): void => {
    while (free > 0 && waiting.size() > 0) {
      const task = waiting.take()
      const seconds = task.stages[0] ?? 0
      busy += seconds
      free -= 1
      going.add({ at: now + seconds, task })
    }
  }
  const finish = ({ run, stages, isSource }: Task): void => {
    const left = stages.slice(1)
    if (left.length > 0) return waiting.add({ run, stages: left, isSource })
    if (isSource) {
      open.set(run, hour.clips)
      for (let clip = 0; clip < hour.clips; clip++) waiting.add({ run, stages: hour.clip, isSource: false })
      return
    }
    const others = (open.get(run) ?? 1) - 1
    open.set(run, others)
    if (others === 0) took.push(now - (arrivals[run] ?? now))
  }
  while (next < arrivals.length || going.size() > 0) {
    const arrival = arrivals[next] ?? Infinity
    if (arrival <= (going.first()?.at ?? Infinity)) {
      now = arrival
      waiting.add({ run: next, stages: hour.source, isSource: true })
      next += 1
    } else {
      const { at, task } = going.take()
      now = at
      free += 1
      finish(task)
    }
    begin()
  }
  took.sort((a, b) => a - b)
  const at = (share: number): number => took[Math.floor((took.length - 1) * share)] ?? 0
  return { p50: at(0.5), p95: at(0.95), busy: busy / (Math.max(now, days * DAY) * workers) }
}

function arrivalIn(days: number, random: () => number): number {
  const day = Math.floor(random() * days) * DAY
  if (random() < OFFICE.share) return day + OFFICE.from + random() * (OFFICE.until - OFFICE.from)
  return day + random() * DAY
}

/** The fewest workers with which nine in ten and a half of the runs are done in time. */
export function fewestWorkers(
  hour: HourOfVideo,
  wanted: { readonly hoursADay: number; readonly days: number; readonly withinSeconds: number },
  seeded: () => () => number,
): { readonly workers: number; readonly waits: Waits } {
  const { hoursADay, days, withinSeconds } = wanted
  const try_ = (workers: number): Waits => simulateDays(hour, { hoursADay, days, workers, random: seeded() })
  let low = 0
  let high = 1
  while (try_(high).p95 > withinSeconds) {
    low = high
    high *= 2
    if (high > 100_000) throw new Error('no number of workers is enough: one run alone takes longer')
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (try_(middle).p95 > withinSeconds) low = middle
    else high = middle
  }
  return { workers: high, waits: try_(high) }
}

function createHeap<T>(compare: (a: T, b: T) => number) {
  const items: T[] = []
  const swap = (a: number, b: number): void => {
    const held = items[a] as T
    items[a] = items[b] as T
    items[b] = held
  }
  const isLess = (a: number, b: number): boolean => compare(items[a] as T, items[b] as T) < 0
  return {
    size: () => items.length,
    first: () => items[0],
    add: (item: T): void => {
      items.push(item)
      for (let at = items.length - 1; at > 0;) {
        const above = (at - 1) >> 1
        if (!isLess(at, above)) break
        swap(at, above)
        at = above
      }
    },
    take: (): T => {
      swap(0, items.length - 1)
      const item = items.pop() as T
      for (let at = 0; ;) {
        const left = 2 * at + 1
        const right = left + 1
        let least = at
        if (left < items.length && isLess(left, least)) least = left
        if (right < items.length && isLess(right, least)) least = right
        if (least === at) return item
        swap(at, least)
        at = least
      }
    },
  }
}
