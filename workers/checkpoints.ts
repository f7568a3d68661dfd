/**
 * Checkpoints of a stage that `resumes`: values that outlive an interruption, as files in its scratch folder. That folder is
 * named by the content key, so what is found was made from the same inputs with the same parameters and models. A file is
 * written completely or not at all, and verified when it is read: a damaged one counts as missing.
 */
import { createHash } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { StageContext } from './stages/context.ts'
import { syncFolder } from './sync-folder.ts'

const SUM_BYTES = 32
/** What is found inside of a piece is kept this often. */
const KEEP_EVERY_MS = 1500

export type Checkpoints = ReturnType<typeof openCheckpoints>

export function openCheckpoints(context: Pick<StageContext, 'temporary' | 'checkpoint'>) {
  const store = openStore(context)
  return { ...store, ...storePieces(store) }
}

function openStore(context: Pick<StageContext, 'temporary' | 'checkpoint'>) {
  const fileOf = (name: string): string => join(context.temporary, `${name}.checkpoint`)

  /** The stored value; null where there is none that is whole. */
  async function read<T>(name: string): Promise<T | null> {
    const bytes = await readFile(fileOf(name)).catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
      throw error
    })
    if (bytes === null) return null
    const content = bytes.subarray(SUM_BYTES)
    if (!sumOf(content).equals(bytes.subarray(0, SUM_BYTES))) {
      await rm(fileOf(name), { force: true })
      return null
    }
    return deserialize(zstdDecompressSync(content)) as T
  }

  /** Stores a value of plain objects, lists, maps and typed arrays. `position`: see `StageContext.checkpoint`. */
  async function write(name: string, value: unknown, position: number): Promise<void> {
    const content = zstdCompressSync(serialize(value))
    const file = fileOf(name)
    const draft = `${file}.draft`
    {
      await using handle = await open(draft, 'w', 0o600)
      await handle.write(Buffer.concat([sumOf(content), content]))
      await handle.sync()
    }
    await rename(draft, file)
    await syncFolder(context.temporary)
    context.checkpoint?.(position)
  }

  return {
    read,
    write,
    remove: (name: string): Promise<void> => rm(fileOf(name), { force: true }),
    /** The stored value, or the one that `make` resolves to, which is stored. */
    keep: async <T>(name: string, position: number, make: () => Promise<T>): Promise<T> => {
      const found = await read<{ value: T }>(name)
      if (found !== null) return found.value
      const value = await make()
      await write(name, { value }, position)
      return value
    },
  }
}

/** How stages go through a long work piece by piece. */
function storePieces({ read, write }: ReturnType<typeof openStore>) {
  /**
   * Goes from one state to the next until `count` pieces are done. Each state is kept, and the one before it as well, because
   * the last may be damaged. `position`: of the checkpoint after so many pieces.
   */
  async function passPieces<State extends { readonly pieces: number }>(
    name: string,
    plan: {
      readonly first: State
      readonly count: number
      readonly position: (pieces: number) => number
    },
    next: (state: State) => Promise<State>,
  ): Promise<State> {
    const nameOf = (pieces: number): string => `${name}-${pieces % 2}`
    let state = plan.first
    for (const found of [await read<State>(nameOf(0)), await read<State>(nameOf(1))])
      if (found !== null && found.pieces > state.pieces) state = found
    while (state.pieces < plan.count) {
      state = await next(state)
      await write(nameOf(state.pieces), state, plan.position(state.pieces))
    }
    return state
  }

  /**
   * Gives back the values of a piece in the order in which they are asked for. Those that an interrupted attempt kept now and
   * then are not made again. The caller asks in the same order each time. `position`: of the piece's beginning; each value
   * counts one more.
   */
  async function resumeValues<T>(name: string, piece: number, position: number) {
    const kept = await read<{ readonly piece: number; readonly found: readonly T[] }>(name)
    const found = kept?.piece === piece ? [...kept.found] : []
    let asked = 0
    // The first value is kept at once, so that the shortest life comes further.
    let last = -Infinity
    return async (make: () => Promise<T>): Promise<T> => {
      const at = asked
      asked += 1
      const known = found[at]
      if (known !== undefined) return known
      const value = await make()
      found.push(value)
      if (performance.now() - last > KEEP_EVERY_MS) {
        await write(name, { piece, found }, position + asked)
        last = performance.now()
      }
      return value
    }
  }

  return { passPieces, resumeValues }
}

function sumOf(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
