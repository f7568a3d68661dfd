/** Paths of the programs that the server starts: TypeScript files in the source tree, or bundles beside this one. */
import { fileURLToPath } from 'node:url'

export interface EntryPoints {
  /** The engine: child process that holds the pool. */
  readonly engine: string
  /** What a pool thread loads. */
  readonly poolThread: string
  /** Kills the tools of an engine that died. */
  readonly reaper: string
}

/** Entry files of the same kind as `moduleUrl`, which is this file by default. */
export function entryPoints(moduleUrl: string = import.meta.url): EntryPoints {
  const at = (path: string) => fileURLToPath(new URL(path, moduleUrl))
  return new URL(moduleUrl).pathname.endsWith('.ts')
    ? {
        engine: at('../../workers/engine.ts'),
        poolThread: at('../../workers/entry.ts'),
        reaper: at('../../workers/media/reaper-process.ts'),
      }
    : { engine: at('./engine.js'), poolThread: at('./pool-thread.js'), reaper: at('./reaper.js') }
}
