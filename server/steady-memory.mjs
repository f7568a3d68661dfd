/**
 * What a process that runs for weeks is started with, so that what it has freed goes back to the system. Left alone, V8
 * lets the space for young objects grow to 128 MB and never gives it back, and glibc opens a heap for each thread and
 * raises, with each large block that is freed, the size from which blocks have pages of their own: memory then fills for
 * hours without anything being kept. `npm run bench -- soak` measures it; docs/decisions/0038-steady-memory.md has figures.
 * Plain JavaScript for Node 20 and newer: bin.mjs reads it before anything is built.
 */
import { setInterval } from 'node:timers'
import { getHeapSpaceStatistics } from 'node:v8'

/** So small a space for young objects is copied sooner by one thread than several are woken for it. */
const young = (mebibytes) => [
  `--min-semi-space-size=${mebibytes}`,
  `--max-semi-space-size=${mebibytes}`,
  '--no-parallel-scavenge',
  '--expose-gc',
]

/**
 * For the command line of Node, before the program. As little as much: a space that may grow is opened up at another
 * hour in each thread, when more young objects than before live at once, and is not given back.
 * https://nodejs.org/api/cli.html#--max-semi-space-sizesize-in-mib
 */
export const NODE_FLAGS = young(8)
/** The same for the engine, which has a heap for each thread, and nobody who waits for the next answer. */
export const ENGINE_FLAGS = young(4)

/** Read by glibc when a process begins, and by nothing else. https://man7.org/linux/man-pages/man3/mallopt.3.html */
const ALLOCATOR = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '262144',
  MALLOC_TRIM_THRESHOLD_: '262144',
}

/** How often a thread asks itself whether a collection is worth its while. A collection of 30 MB takes some 25 ms. */
const LOOK_EVERY_MS = 300_000
/** So much more than after the last collection, at the least. */
const WORTH_COLLECTING_BYTES = 2 * 1024 ** 2

/** What has outlived the space for young objects, and what hangs on objects outside of the heap. */
function settledBytes() {
  const old = getHeapSpaceStatistics().filter(({ space_name: name }) => !name.startsWith('new_'))
  return old.reduce((sum, space) => sum + space.space_used_size, process.memoryUsage().external)
}

/**
 * Has the heap of the thread that calls this collect in full every few minutes, where there is something to collect. V8
 * itself lets old objects grow to a multiple of what lives before it does: in a heap as small and as quiet as these that
 * is hours, and tens of megabytes in each thread. Does nothing where the flags above were not given.
 */
export function collectSteadily() {
  const collect = globalThis.gc
  if (collect === undefined) return
  let kept = 0
  setInterval(() => {
    const settled = settledBytes()
    // V8 may have collected by itself.
    kept = Math.min(kept, settled)
    if (settled - kept < WORTH_COLLECTING_BYTES) return
    collect()
    kept = settledBytes()
  }, LOOK_EVERY_MS).unref()
}

/** `environment` with what the allocator is told, where it says nothing of that itself. */
export function withSteadyMemory(environment) {
  return { ...ALLOCATOR, ...environment }
}

/**
 * Begins this program again in the same process, under NODE_FLAGS. Comes back, having done nothing, where it runs under
 * them already, where the system cannot (Windows, Electron, an older Node), and where a parent listens on a channel:
 * that one would be lost, so such parents give the flags themselves.
 */
export function continueWithSteadyMemory(program) {
  const steady = NODE_FLAGS.every((flag) => process.execArgv.includes(flag))
  const able = typeof process.execve === 'function' && process.versions.electron === undefined
  if (steady || !able || process.platform === 'win32' || process.channel !== undefined) return
  const words = [...NODE_FLAGS, ...process.execArgv, program, ...process.argv.slice(2)]
  process.execve(process.execPath, [process.execPath, ...words], withSteadyMemory(process.env))
}
