/**
 * Results that come into the home from the store: first what the appliance itself reads, then, where a stage here works on it, the
 * pictures and sounds as well. What is in the store alone is listed in the folder of the result.
 */
import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  ELSEWHERE_FILE,
  elsewhere,
  placeIn,
  readStoredResult,
  RESULT_FILE,
  type StoredResult,
} from '../../../workers/artefacts.ts'
import { makeSyncedFolder, syncFolder } from '../../../workers/sync-folder.ts'
import type { ObjectStore } from './object-store.ts'

/** What only stages and viewers open: nothing of it is needed here to go on. */
const isFootage = (path: string): boolean => /\.(?:mp4|mov|mkv|webm|mxf|wav|m4a|mp3|flac)$/i.test(path)

interface ResultFolder {
  /** In the store. */
  readonly name: string
  /** Where it is written to. */
  readonly folder: string
}

async function fetchFile(
  objects: ObjectStore,
  { name, folder }: ResultFolder,
  path: string,
  signal?: AbortSignal,
): Promise<boolean> {
  const to = placeIn(folder, path)
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  return objects.get(`${name}/${path}`, to, signal)
}

/** Fetches a result but for its footage into a folder; null: there is no such result, or one that is not readable. */
export async function fetchResult(
  objects: ObjectStore,
  place: ResultFolder,
  signal?: AbortSignal,
): Promise<StoredResult | null> {
  const last = join(place.folder, RESULT_FILE)
  if (!(await objects.get(`${place.name}/${RESULT_FILE}`, last, signal))) return null
  const stored = readStoredResult(await readFile(last, 'utf8'))
  if (stored === null || !(await fetchReadFiles(objects, place, stored, signal))) return null
  return stored
}

/** The files that the appliance reads, and the list of those that stay in the store. False: one of them is not there. */
export async function fetchReadFiles(
  objects: ObjectStore,
  place: ResultFolder,
  { files }: StoredResult,
  signal?: AbortSignal,
): Promise<boolean> {
  const paths = files.map(({ path }) => path)
  for (const path of paths.filter((one) => !isFootage(one)))
    if (!(await fetchFile(objects, place, path, signal))) return false
  const away = paths.filter(isFootage)
  if (away.length > 0)
    await writeFile(join(place.folder, ELSEWHERE_FILE), JSON.stringify(away), { mode: 0o600, flush: true })
  return true
}

/** Moves a fetched result into its place, where there is none yet. */
export async function placeResult(attempt: string, folder: string): Promise<void> {
  await makeSyncedFolder(dirname(folder))
  await rename(attempt, folder).catch((error: unknown) => {
    if (!existsSync(join(folder, RESULT_FILE))) throw error
  })
  await syncFolder(dirname(folder))
}

/** Fetches the footage that a result in the home lacks. False: the store lacks it too. */
export async function completeResult(
  objects: ObjectStore,
  { name, folder, attempt }: ResultFolder & { readonly attempt: string },
  signal?: AbortSignal,
): Promise<boolean> {
  for (const path of await elsewhere(folder)) {
    const to = placeIn(folder, path)
    if (existsSync(to)) continue
    if (!(await fetchFile(objects, { name, folder: attempt }, path, signal))) return false
    await mkdir(dirname(to), { recursive: true, mode: 0o700 })
    await rename(placeIn(attempt, path), to)
    await syncFolder(dirname(to))
  }
  await rm(join(folder, ELSEWHERE_FILE), { force: true })
  return true
}
