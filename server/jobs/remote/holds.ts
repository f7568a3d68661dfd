/** Which node holds which task, in memory: a node may only fetch inputs and deliver results of its tasks. */
import type { StageName } from '../../../workers/stages/catalog.ts'
import type { HeldTask, NodeTasks } from '../jobs.ts'
import { MAX_HOLD_MS, type RemoteTask } from './protocol.ts'

export interface HoldOptions {
  /** The lock of a task in its queue, by the name under which the node took it; null: not locked. */
  readonly lockOf: (task: RemoteTask, queue: string) => Promise<string | null>
  /** Whether the queue can be reached now. */
  readonly isThere: () => boolean
  /** Milliseconds of any clock that does not jump. */
  readonly clock?: () => number
}

export interface Holds extends NodeTasks {
  /** A task is out; call what is returned when it is so no more. */
  offer(task: RemoteTask, queue: string): () => void
}

interface Out {
  readonly task: RemoteTask
  readonly queue: string
  holder: string | null
  lock: string
  until: number
}

export function createHolds({ lockOf, isThere, clock = () => performance.now() }: HoldOptions): Holds {
  const out = new Map<string, Out>()

  /** A lock that ran out, or that another node has by now, gives no right to anything. */
  async function isHeld({ task, queue, lock, until }: Out): Promise<boolean> {
    if (clock() >= until) return false
    // While the queue is unreachable no other node can have taken it.
    return !isThere() || (await lockOf(task, queue)) === lock
  }

  return {
    offer: (task, queue) => {
      const one: Out = { task, queue, holder: null, lock: '', until: 0 }
      out.set(task.key, one)
      return () => {
        if (out.get(task.key) === one) out.delete(task.key)
      }
    },
    take: async (holder, { key, lock }) => {
      const one = out.get(key)
      if (one === undefined || !isThere() || (await lockOf(one.task, one.queue)) !== lock) return false
      const again = one.holder === holder && one.lock === lock
      // Saying it again makes nothing longer, and the lock of one node is of no use to another.
      if (again) return clock() < one.until
      if (one.holder !== null && one.lock === lock) return false
      Object.assign(one, { holder, lock, until: clock() + MAX_HOLD_MS })
      return true
    },
    heldBy: async (holder) => {
      const mine = [...out.values()].filter((one) => one.holder === holder)
      const held = await Promise.all(mine.map(isHeld))
      return mine.filter((_one, at) => held[at]).map(({ task }) => describe(task))
    },
  }
}

function describe({ stage, key, inputs, sources }: RemoteTask): HeldTask {
  const files = new Set(sources)
  const results = new Set([resultName(stage, key)])
  for (const input of Object.values(inputs)) {
    if (input.kind === 'source') files.add(input.digest)
    else results.add(resultName(input.stage, input.key))
  }
  return { stage, key, sources: files, results }
}

const resultName = (stage: StageName, key: string): string => `${stage}/${key}`
