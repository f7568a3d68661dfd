/** What a node keeps of what it fetched and made: a store that may be emptied whenever nothing is worked on. */
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Home } from '../home.ts'
import { freeBytes } from '../../workers/media/disk.ts'

/** Older than this nobody is likely to ask for it again. */
export const STORE_AGE_MS = 24 * 3_600_000

/** Whether there is room for work: this many bytes are free. */
export async function hasRoomOnDisk(home: Pick<Home, 'root'>, minFreeBytes: number): Promise<boolean> {
  return (await freeBytes(home.root)) >= minFreeBytes
}

async function listed(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name))
}

/** Source files and artefact folders: each is used whole or not at all. */
async function entries({ sources, artefacts }: Pick<Home, 'sources' | 'artefacts'>): Promise<string[]> {
  const groups = [
    ...(await listed(sources)),
    ...(await Promise.all((await listed(artefacts)).map(listed))).flat(),
  ]
  return (await Promise.all(groups.map(listed))).flat()
}

/** Removes what was put there before this moment (epoch milliseconds); only while nothing is worked on. How many went. */
export async function sweepStore(home: Pick<Home, 'sources' | 'artefacts'>, before: number): Promise<number> {
  let removed = 0
  for (const path of await entries(home)) {
    const found = await stat(path).catch(() => null)
    if (found === null || found.mtimeMs >= before) continue
    await rm(path, { recursive: true, force: true })
    removed++
  }
  return removed
}
