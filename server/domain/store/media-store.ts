/**
 * The store of footage and results, where one is named (CUTROOM_STORE): what is made here is written there before it
 * counts, and what is missing here comes from there. The home is then a copy to work with.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import type { Config } from '../../config/config.ts'
import { invalidField } from '../../contract/errors.ts'
import type { Home } from '../../home.ts'
import type { Logger } from '../../log.ts'
import { digestsIn } from '../../jobs/remote/protocol.ts'
import { sha256OfFile } from '../../../models/installed.ts'
import {
  artefactFolder,
  ELSEWHERE_FILE,
  elsewhere,
  isSummed,
  makeAttemptFolder,
  readResult,
  readStoredResult,
  RESULT_FILE,
  sourcePath,
  type StoredResult,
} from '../../../workers/artefacts.ts'
import { makeSyncedFolder, syncFolder } from '../../../workers/sync-folder.ts'
import { STAGES, type StageName } from '../../../workers/stages/catalog.ts'
import type { Charge } from '../standby/shipping.ts'
import { completeResult, fetchReadFiles, fetchResult, placeResult } from './bring-result.ts'
import { openObjects } from './open-objects.ts'
import type { ByteRange, ObjectStore } from './object-store.ts'

export interface ResultName {
  readonly stage: StageName
  readonly key: string
}

export type MediaStore = ReturnType<typeof createMediaStore>

/** The store that is named, for services; nothing where all lies in the home alone. Throws what openObjects does. */
export function openMediaStore(
  config: Pick<Config, 'store' | 's3' | 'network'>,
  home: Home,
  log: Logger,
  charge?: Pick<Charge, 'require'>,
): { readonly store?: MediaStore } {
  if (config.store === null) return {}
  const objects = openObjects(config.store, config)
  return { store: createMediaStore(charge === undefined ? objects : guarded(objects, charge), home, log) }
}

/** How long a signed address opens. */
export const ADDRESS_SECONDS = 900

/** Changed only by the appliance that is in charge. */
const guarded = (objects: ObjectStore, charge: Pick<Charge, 'require'>): ObjectStore => ({
  ...objects,
  put: async (name, path, signal) => {
    await charge.require()
    await objects.put(name, path, signal)
  },
  remove: async (name) => {
    await charge.require()
    await objects.remove(name)
  },
  ...(objects.parts === undefined
    ? {}
    : {
        parts: {
          ...objects.parts,
          end: async (upload) => {
            await charge.require()
            return (await objects.parts?.end(upload)) ?? false
          },
        },
      }),
})

/** Names of what could not be removed while the store was away. */
const REMOVALS = 'store-removals.json'

interface Parts {
  readonly objects: ObjectStore
  readonly home: Home
  readonly log: Logger
  /** What is known to be there, so that it is asked for once in the life of this process. */
  readonly known: Set<string>
  readonly bringing: Map<string, Promise<boolean>>
  readonly removals: Removals
}

const nameOf = ({ home }: Pick<Parts, 'home'>, path: string): string => withSlashes(relative(home.root, path))

/** The name in the store of a path below the home. */
const withSlashes = (path: string): string => path.split(sep).join('/')

/** Calls throw STORE_UNAVAILABLE where the store is away. */
function createMediaStore(objects: ObjectStore, home: Home, log: Logger) {
  const removals = openRemovals(home)
  const parts: Parts = { objects, home, log, known: new Set(), bringing: new Map(), removals }
  return {
    place: objects.place,
    /** Writes a source there, unless it is. */
    keepSource: (digest: string, signal?: AbortSignal) => keepSource(parts, digest, signal),
    /** Writes a result there, unless it is, with the sources that its output names. */
    keepResult: (result: ResultName, signal?: AbortSignal) => keepResult(parts, result, signal),
    /** Puts a source in its place in the home. False: the store has none such. */
    bringSource: (digest: string, signal?: AbortSignal) => bringSource(parts, digest, signal),
    /** Puts a result in its place in the home, whole. False: the store has none such, or a damaged one. */
    bringResult: (result: ResultName, signal?: AbortSignal) => bringResult(parts, result, signal),
    /** Writes a file of the home there, unless one of its size is. */
    keepFile: async (path: string, signal?: AbortSignal): Promise<void> => {
      const name = nameOf(parts, path)
      const { size } = await stat(path)
      if ((await objects.size(name, signal)) !== size) await objects.put(name, path, signal)
    },
    /** Puts a file in its place in the home, unless it is there. False: the store has none such. */
    bringFile: (path: string, signal?: AbortSignal) => bringFile(parts, path, signal),
    /** The same without its footage, which stays in the store. */
    bringReadFiles: (result: ResultName, signal?: AbortSignal) => bringReadFiles(parts, result, signal),
    /** Takes over a result whose files a worker node has put there. Throws VALIDATION_FAILED, DISK_FULL. */
    takeResult: (described: DescribedResult) => takeResult(parts, described),
    /** Objects that somebody else sends in parts. */
    parts: objects.parts,
    /** A file by its path below the home, or a part of it; null: there is none. */
    read: (path: string, range?: ByteRange) =>
      removals.covers(path) ? Promise.resolve(null) : objects.read(path, range),
    /** Whether it has a file, by its path below the home. */
    has: async (path: string): Promise<boolean> =>
      !removals.covers(withSlashes(path)) && (await objects.size(withSlashes(path))) !== null,
    /** Of a file by its path below the home; null: it has none such. */
    sizeOf: (path: string) => objects.size(withSlashes(path)),
    /** Whether objects of it can be opened by signed addresses. */
    hasAddresses: objects.address !== undefined,
    /** An address that opens one file for reading, for a quarter of an hour, by its path below the home. Never logged. */
    addressToRead: async (path: string): Promise<string> => {
      const wish = { name: withSlashes(path), method: 'GET', seconds: ADDRESS_SECONDS } as const
      return (await objects.address?.(wish))?.url ?? ''
    },
    /** The text of a result.json, from here or from there. Null: there is no such result, or a damaged one. */
    describe: (result: ResultName) => describeResult(parts, result),
    /** Whether it answers now. */
    isThere: async (): Promise<boolean> => {
      try {
        await objects.size('sources/.is-there')
        return true
      } catch (error) {
        log.debug('the store does not answer', { error })
        return false
      }
    },
    /**
     * Takes a source or a result down: from now on nothing of it is served. Where the store is away, its objects go
     * when it is back. `path`: in the home, already removed there.
     */
    remove: (path: string): void => {
      const name = nameOf(parts, path)
      for (const one of parts.known) if (one === name || one.startsWith(`${name}/`)) parts.known.delete(one)
      removals.add(name)
      void removals
        .flush(objects)
        .catch((error: unknown) => log.warn('what was removed stays in the store for now', { error }))
    },
    /** Removes what could not be removed before. */
    flushRemovals: () => removals.flush(objects),
  }
}

async function keepSource(parts: Parts, digest: string, signal?: AbortSignal): Promise<void> {
  const { objects, home, known, removals } = parts
  const path = sourcePath(home.sources, digest)
  const name = nameOf(parts, path)
  await removals.cancel(name)
  if (known.has(name)) return
  const { size } = await stat(path)
  if ((await objects.size(name, signal)) !== size) await objects.put(name, path, signal)
  known.add(name)
}

/** A result.json: as it was read, and as it was written. */
export interface DescribedResult {
  readonly stored: StoredResult
  readonly text: string
}

async function describeResult(parts: Parts, { stage, key }: ResultName): Promise<DescribedResult | null> {
  const path = join(artefactFolder(parts.home.artefacts, stage, key), RESULT_FILE)
  const here = await readFile(path, 'utf8').catch(() => null)
  if (here === null && parts.removals.covers(nameOf(parts, path))) return null
  const text = here ?? (await textOf(parts.objects, nameOf(parts, path)))
  const stored = text === null ? null : readStoredResult(text)
  const isIt =
    stored?.stage === stage &&
    stored.key === key &&
    stored.version === STAGES[stage].version &&
    isSummed(stored)
  return text !== null && stored !== null && isIt ? { stored, text } : null
}

/** Of a small object; null: there is none. */
async function textOf(objects: ObjectStore, name: string): Promise<string | null> {
  const parts = await (await objects.read(name))?.toArray()
  return parts === undefined ? null : Buffer.concat(parts as Buffer[]).toString('utf8')
}

/** Its result.json is put last: what has that is whole. */
async function keepResult(parts: Parts, result: ResultName, signal?: AbortSignal): Promise<void> {
  const { objects, home, known, removals } = parts
  const folder = artefactFolder(home.artefacts, result.stage, result.key)
  const last = join(folder, RESULT_FILE)
  const name = nameOf(parts, last)
  await removals.cancel(nameOf(parts, folder))
  if (known.has(name)) return
  const stored = await readResult(home.artefacts, { ...result, version: STAGES[result.stage].version })
  if (stored === null) return
  for (const digest of digestsIn(stored.output))
    if (existsSync(sourcePath(home.sources, digest))) await keepSource(parts, digest, signal)
  // What is made again may be other bytes of the same size, so all of it is put where its list is another.
  if (!(await isSame(objects, name, last))) {
    const away = await elsewhere(folder)
    const here = stored.files.map((file) => file.path).filter((path) => !away.has(path))
    for (const path of [...here, RESULT_FILE]) {
      const file = join(folder, ...path.split('/'))
      await objects.put(nameOf(parts, file), file, signal)
    }
  }
  known.add(name)
}

/** Several may want the same at the same moment. */
function bringOnce({ bringing }: Parts, name: string, bring: () => Promise<boolean>): Promise<boolean> {
  const going = bringing.get(name) ?? bring().finally(() => bringing.delete(name))
  bringing.set(name, going)
  return going
}

/** Runs `act` with a folder on the home's file system that is gone afterwards. */
async function inAttempt(home: Home, act: (folder: string) => Promise<boolean>): Promise<boolean> {
  const attempt = await makeAttemptFolder(home.temporary)
  try {
    return await act(attempt)
  } finally {
    await rm(attempt, { recursive: true, force: true })
  }
}

function bringSource(parts: Parts, digest: string, signal?: AbortSignal): Promise<boolean> {
  const { objects, home, log, known, removals } = parts
  const path = sourcePath(home.sources, digest)
  const name = nameOf(parts, path)
  return bringOnce(parts, name, async () => {
    if (existsSync(path)) return true
    if (removals.has(name)) return false
    return inAttempt(home, async (attempt) => {
      const copy = join(attempt, digest)
      if (!(await objects.get(name, copy, signal))) return false
      if ((await sha256OfFile(copy)) !== digest) {
        log.error('a source in the store is not what its name says; it is not used', { source: digest })
        return false
      }
      await makeSyncedFolder(dirname(path))
      await rename(copy, path)
      await syncFolder(dirname(path))
      known.add(name)
      return true
    })
  })
}

function bringFile(parts: Parts, path: string, signal?: AbortSignal): Promise<boolean> {
  const name = nameOf(parts, path)
  return bringOnce(parts, name, async () => {
    if (existsSync(path)) return true
    if (parts.removals.has(name)) return false
    return inAttempt(parts.home, async (attempt) => {
      const copy = join(attempt, 'file')
      if (!(await parts.objects.get(name, copy, signal))) return false
      await rename(copy, path)
      await syncFolder(dirname(path))
      return true
    })
  })
}

async function bringResult(parts: Parts, result: ResultName, signal?: AbortSignal): Promise<boolean> {
  const { objects, home } = parts
  const folder = artefactFolder(home.artefacts, result.stage, result.key)
  const name = nameOf(parts, folder)
  if (!(await bringReadFiles(parts, result, signal))) return false
  if (!existsSync(join(folder, ELSEWHERE_FILE))) return true
  return bringOnce(parts, `footage of ${name}`, () =>
    inAttempt(home, async (attempt) => {
      if (!(await completeResult(objects, { name, folder, attempt }, signal))) return false
      return isWhole(parts, result)
    }),
  )
}

/** Held against its checks, as every result that is used again. */
async function isWhole({ home, log }: Parts, result: ResultName): Promise<boolean> {
  const { version } = STAGES[result.stage]
  const whole = await readResult(home.artefacts, { ...result, version })
  if (whole === null) log.error('a result in the store is damaged; it is made again', { ...result })
  return whole !== null
}

function bringReadFiles(parts: Parts, result: ResultName, signal?: AbortSignal): Promise<boolean> {
  const { objects, home, known, removals } = parts
  const folder = artefactFolder(home.artefacts, result.stage, result.key)
  const name = nameOf(parts, folder)
  return bringOnce(parts, name, async () => {
    if (existsSync(join(folder, RESULT_FILE))) return true
    if (removals.has(name)) return false
    return inAttempt(home, async (attempt) => {
      if ((await fetchResult(objects, { name, folder: attempt }, signal)) === null) return false
      await placeResult(attempt, folder)
      if (!(await isWhole(parts, result))) return false
      known.add(`${name}/${RESULT_FILE}`)
      return true
    })
  })
}

/** The files were put there by somebody else: their sizes are held against its list. Then it counts, by its result.json. */
async function takeResult(parts: Parts, { stored, text }: DescribedResult): Promise<void> {
  const { objects, home, known, removals } = parts
  const folder = artefactFolder(home.artefacts, stored.stage, stored.key)
  const name = nameOf(parts, folder)
  await removals.cancel(name)
  for (const digest of digestsIn(stored.output))
    if (existsSync(sourcePath(home.sources, digest))) await keepSource(parts, digest)
  for (const { path, bytes } of stored.files)
    if ((await objects.size(`${name}/${path}`)) !== bytes)
      throw invalidField('files', `"${path}" is not in the store, or has another size there.`)
  await inAttempt(home, async (attempt) => {
    const last = join(attempt, RESULT_FILE)
    await writeFile(last, text, { mode: 0o600, flush: true })
    await objects.put(`${name}/${RESULT_FILE}`, last)
    known.add(`${name}/${RESULT_FILE}`)
    if (!(await fetchReadFiles(objects, { name, folder: attempt }, stored))) return false
    await placeResult(attempt, folder)
    return isWhole(parts, stored)
  })
}

/** Whether an object has the content of a small file. */
async function isSame(objects: ObjectStore, name: string, path: string): Promise<boolean> {
  const mine = await readFile(path)
  if ((await objects.size(name)) !== mine.length) return false
  const there = await (await objects.read(name))?.toArray().catch(() => null)
  return Buffer.concat((there ?? []) as Buffer[]).equals(mine)
}

type Removals = ReturnType<typeof openRemovals>

/** What is to be removed from the store, in a file of the home: a store that is away must not make it forgotten. */
function openRemovals(home: Home) {
  const file = join(home.root, REMOVALS)
  const names = new Set<string>(existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as string[]) : [])
  const save = (): void => {
    writeFileSync(`${file}.part`, JSON.stringify([...names]), { mode: 0o600, flush: true })
    renameSync(`${file}.part`, file)
  }
  let flushing: Promise<void> | null = null
  const forget = (name: string): boolean => {
    const was = names.delete(name)
    if (was) save()
    return was
  }
  async function flush(objects: ObjectStore): Promise<void> {
    // Also those that are added on the way.
    for (const name of names) {
      // result.json first, without which the rest is no result.
      if (name.startsWith('artefacts/')) {
        await objects.remove(`${name}/${RESULT_FILE}`)
        for await (const one of objects.list(name)) await objects.remove(one.name)
      } else await objects.remove(name)
      forget(name)
    }
  }
  return {
    has: (name: string) => names.has(name),
    covers: (path: string) => [...names].some((name) => path === name || path.startsWith(`${name}/`)),
    add: (name: string) => {
      names.add(name)
      save()
    },
    /** The content is stored again. Waits for a removal that may be on its way, which would take the new object. */
    cancel: async (name: string): Promise<void> => {
      if (forget(name)) await flushing?.catch(() => undefined)
    },
    flush: (objects: ObjectStore) =>
      (flushing ??= flush(objects).finally(() => {
        flushing = null
      })),
  }
}
