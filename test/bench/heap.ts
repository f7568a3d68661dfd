/**
 * `npm run bench -- heap [--minutes N]`: what is still alive in each JavaScript heap after a collection, during the
 * work of a soak. Resident memory, which a soak measures, depends on when V8 collects; this shows whether something
 * leaks. Linux and macOS: it opens the inspector by a signal.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { engineBelow } from '../support/appliance.ts'
import { openBenchAppliance } from './bench-appliance.ts'
import { collectHeaps } from './inspect-heaps.ts'
import { speedBench } from './report.ts'
import { meanwhile, workOn } from './soak.ts'

const LOOKS = 5

interface Look {
  readonly minutes: number
  /** Megabytes by heap, and of each process in all. */
  readonly live: Readonly<Record<string, number>>
}

interface Options {
  readonly minutes?: number
  readonly say?: (line: string) => void
}

export async function runHeapBench({ minutes = 30, say = () => undefined }: Options = {}) {
  const environment = await openBenchAppliance(say)
  try {
    const began = performance.now()
    const since = (): number => (performance.now() - began) / 60_000
    const { done, counts } = workOn(environment, () => since() > minutes)
    const looks: Look[] = []
    for (let look = 1; look <= LOOKS; look++) {
      // The last one before the work ends.
      await pause(Math.max(0, ((minutes - 0.5) * look) / LOOKS - since()) * 60_000)
      looks.push({ minutes: since(), live: await lookAt(environment.appliance.pid) })
      say(JSON.stringify(looks.at(-1)))
    }
    await done
    return heapReport(minutes, looks, counts)
  } finally {
    await environment.close()
  }
}

async function lookAt(server: number): Promise<Record<string, number>> {
  const live: Record<string, number> = {}
  for (const [name, pid] of [['server', server] as const, ['engine', engineBelow(server)] as const]) {
    if (pid === undefined) continue
    const { heaps, resident } = await collectHeaps(pid)
    for (const [thread, bytes] of heaps.entries())
      live[thread === 0 ? name : `${name}, thread ${thread}`] = bytes / 1024 ** 2
    live[`${name}, resident memory then`] = resident / 1024 ** 2
  }
  return live
}

function heapReport(minutes: number, looks: readonly Look[], counts: Readonly<Record<string, number>>) {
  const heaps = [...new Set(looks.flatMap(({ live }) => Object.keys(live)))]
  return speedBench(
    'heap',
    {
      title: 'What is kept',
      tables: [
        {
          title: 'What lives in each heap of JavaScript after a collection, MB',
          columns: ['after', ...looks.map((look) => `${look.minutes.toFixed(0)} min`)],
          rows: heaps.map((name) => [name, ...looks.map(({ live }) => live[name]?.toFixed(1) ?? '')]),
          notes: [meanwhile(counts)],
        },
      ],
      unmeasured: [],
    },
    { minutes, counts, looks },
  )
}
