/** What a node has fetched and made, within a limit: what was not used for longest goes first, and nothing that a task uses now. */
import { randomUUID } from 'node:crypto'
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Home } from '../home.ts'
import type { Logger } from '../log.ts'
import { digestsIn, type RemoteTask } from '../jobs/remote/protocol.ts'
import { artefactFolder, sourcePath } from '../../workers/artefacts.ts'

type Folders = Pick<Home, 'sources' | 'artefacts' | 'temporary'>

export interface CacheOptions {
  readonly home: Folders
  readonly log: Logger
  readonly limitBytes: number
}

export type NodeCache = ReturnType<typeof createNodeCache>

/** Of the names that a node tells of, so that tasks go where their inputs are. */
const TOLD = 500

export function createNodeCache({ home, log, limitBytes }: CacheOptions) {
  const inUse = new Map<string, number>()
  let bytes = 0
  let names: readonly string[] = []
  let shrinking: Promise<void> = Promise.resolve()

  async function shrink(): Promise<void> {
    const all = (await entriesOf(home)).sort((a, b) => b.usedAt - a.usedAt)
    let kept = 0
    let removed = 0
    let isOver = false
    const left: string[] = []
    for (const { path, size } of all) {
      // It comes in now, or goes on where it broke off.
      if (path.endsWith('.part')) continue
      isOver ||= kept + size > limitBytes
      // Looked at last thing before it goes: a task may have begun to use it.
      if (isOver && !inUse.has(path)) {
        await letGo(home, path)
        removed += 1
        continue
      }
      kept += size
      left.push(basename(path))
    }
    bytes = kept
    names = left.slice(0, TOLD)
    if (removed > 0) log.info('let go of what was not used for longest', { removed, bytes, limitBytes })
  }

  return {
    /** Marks what a task works on and makes as used now, until what is returned is called. */
    hold: (task: RemoteTask): (() => void) => {
      const paths = pathsOf(home, task)
      for (const path of paths) {
        inUse.set(path, (inUse.get(path) ?? 0) + 1)
        const now = new Date()
        // It may not be here yet.
        void utimes(path, now, now).catch(() => undefined)
      }
      return () => {
        for (const path of paths) {
          const left = (inUse.get(path) ?? 1) - 1
          if (left === 0) inUse.delete(path)
          else inUse.set(path, left)
        }
      }
    },
    /** Removes what is beyond the limit; one after the other. */
    shrink: (): Promise<void> => (shrinking = shrinking.then(shrink, shrink)),
    /** Removes what was used before this moment (epoch milliseconds) and is not in use. How many went. */
    sweep: (before: number): Promise<number> => sweepStore(home, before, (path) => inUse.has(path)),
    bytes: () => bytes,
    /** Digests and keys of what is here, used last first. */
    names: () => names,
  }
}

/** Goes in one step: what is half removed could be taken for damaged, or for whole. */
async function letGo({ temporary }: Folders, path: string): Promise<void> {
  const aside = join(temporary, `gone-${randomUUID()}`)
  await rename(path, aside)
  await rm(aside, { recursive: true, force: true })
}

/** Where the inputs of a task lie here, and its result. */
function pathsOf(
  { sources, artefacts }: Folders,
  { stage, key, inputs, sources: named }: RemoteTask,
): string[] {
  const used = Object.values(inputs).map((input) =>
    input.kind === 'source'
      ? sourcePath(sources, input.digest)
      : artefactFolder(artefacts, input.stage, input.key),
  )
  const files = named.map((digest) => sourcePath(sources, digest))
  return [...new Set([artefactFolder(artefacts, stage, key), ...used, ...files])]
}

/** Digests and keys of what a task works on. */
export const inputNames = ({ inputs, sources }: Pick<RemoteTask, 'inputs' | 'sources'>): string[] => [
  ...new Set([...digestsIn(inputs), ...sources]),
]

interface Entry {
  readonly path: string
  readonly size: number
  readonly usedAt: number
}

async function listed(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name))
}

async function sizeOf(path: string): Promise<number> {
  const facts = await stat(path).catch(() => null)
  if (facts?.isDirectory() !== true) return facts?.size ?? 0
  const sizes = await Promise.all((await listed(path)).map(sizeOf))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** Source files and artefact folders: each is used whole or not at all. */
async function entriesOf({ sources, artefacts }: Folders): Promise<Entry[]> {
  const groups = [
    ...(await listed(sources)),
    ...(await Promise.all((await listed(artefacts)).map(listed))).flat(),
  ]
  const entries: Entry[] = []
  for (const path of (await Promise.all(groups.map(listed))).flat()) {
    const facts = await stat(path).catch(() => null)
    if (facts !== null) entries.push({ path, size: await sizeOf(path), usedAt: facts.mtimeMs })
  }
  return entries
}

/** Removes what was used before this moment (epoch milliseconds). How many went. */
export async function sweepStore(
  home: Folders,
  before: number,
  isInUse: (path: string) => boolean = () => false,
): Promise<number> {
  let removed = 0
  for (const { path, usedAt } of await entriesOf(home)) {
    if (usedAt >= before || isInUse(path)) continue
    await letGo(home, path)
    removed++
  }
  return removed
}
