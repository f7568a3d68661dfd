/**
 * Removes sources, results and uploads after their days (retention-days.ts), where nothing needs them any more. Files
 * behind the address of a clip, a library item or a post are never removed.
 */
import { randomUUID } from 'node:crypto'
import { renameSync, statSync, unlinkSync } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type {
  RetentionItem,
  RetentionKind as Kind,
  RetentionPlan,
  RetentionRequest,
} from '../../contract/settings.ts'
import {
  forgetResult,
  forgetSource,
  isSourceNeeded,
  lastUseOfSource,
  nameOfSource,
  resultsNamingSource,
  resultsOfEndedRuns,
  anyOperationOpen,
  sourceNameOfResult,
} from '../../db/retention.ts'
import { getSetting, VERIFIED_BACKUP } from '../../db/settings.ts'
import { artefactFolder, sourcePath } from '../../../workers/paths.ts'
import { STAGES, type StageName } from '../../../workers/stages/catalog.ts'
import { recordCall } from '../people/audit.ts'
import { allCompanies } from '../people/companies.ts'
import { storageOf } from '../library/quota.ts'
import type { DbServices, HomeServices, Services } from '../services.ts'
import { listOldUploads } from '../library/uploads.ts'
import { retentionDays } from './retention-days.ts'
import { inTransaction } from '../../db/prepared.ts'

type Deps = Pick<Services, 'config' | 'home' | 'db' | 'now' | 'log' | 'store'>

const DAY = 86_400_000
/** Made of the source in a run and of no use once its clips are there; whatever clips are edited with is not here. */
export const RESULT_STAGES: readonly StageName[] = [
  'audio',
  'look-over',
  'sound-events',
  'faces',
  'find-logo',
  'filmstrip',
]

export interface Size {
  readonly bytes: number
  readonly files: number
}
export const NOTHING: Size = { bytes: 0, files: 0 }
export const sum = (sizes: readonly Size[]): Size =>
  sizes.reduce((a, b) => ({ bytes: a.bytes + b.bytes, files: a.files + b.files }), NOTHING)

export interface Removable extends Size {
  /** False: something needs it after all, or work has begun. */
  readonly remove: () => Promise<boolean>
}

/** What was stored for long enough. */
interface Expired extends Removable {
  /** As a person knows it. */
  readonly name: () => string
}

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The files and folders at a path; empty when it does not exist or is removed meanwhile. Does not follow links. */
export async function sizeOf(path: string): Promise<Size> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => null)
  if (entries === null) {
    const facts = await stat(path).catch(() => null)
    return facts?.isFile() === true ? { bytes: facts.size, files: 1 } : NOTHING
  }
  const sizes: Size[] = []
  for (const entry of entries)
    if (entry.isDirectory() || entry.isFile()) sizes.push(await sizeOf(join(path, entry.name)))
  return sum(sizes)
}

/** When the file was last written or requested to be stored; a request updates its time. */
function touchedAt(path: string): number {
  const facts = statSync(path, { throwIfNoEntry: false })
  return facts === undefined ? Infinity : Math.max(facts.mtimeMs, facts.ctimeMs)
}

async function* expiredSources(services: Deps, before: number): AsyncGenerator<Expired> {
  const { home, db } = services
  for (const group of await readdir(home.sources).catch(() => []))
    for (const digest of await readdir(join(home.sources, group)).catch(() => [])) {
      if (!/^[0-9a-f]{64}$/.test(digest) || !digest.startsWith(group)) continue
      const path = sourcePath(home.sources, digest)
      const facts = await stat(path).catch(() => null)
      await breathe()
      if (facts?.isFile() !== true || !canBeCut(services, digest, before)) continue
      yield {
        bytes: facts.size,
        files: 1,
        name: () => plainName(nameOfSource(db, digest) ?? digest.slice(0, 12)),
        remove: async () => {
          // The row is deleted first, so that later runs fetch the source again.
          if (anyOperationOpen(db) || !canBeCut(services, digest, before)) return false
          for (const { stage, key } of resultsNamingSource(db, digest))
            await removeResult(services, artefactFolder(home.artefacts, stage as StageName, key))
          return inOneStep(services, () => {
            if (!canBeCut(services, digest, before)) return false
            forgetSource(db, digest)
            unlinkSync(path)
            services.store?.remove(path)
            return true
          })
        },
      }
    }
}

/** Removes the folder of a result, here and in the store. */
export async function removeResult({ store }: Pick<Services, 'store'>, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  store?.remove(folder)
}

function canBeCut({ home, db }: Deps, digest: string, before: number): boolean {
  const lastUse = lastUseOfSource(db, digest)
  // What this database does not know may be of one that was lost and comes back.
  if (lastUse === null) return false
  const used = Math.max(touchedAt(sourcePath(home.sources, digest)), lastUse)
  return used < before && !isSourceNeeded(db, digest)
}

/**
 * Runs `act` in a transaction while no operation is open, so that none can be queued in between. False: work is open,
 * or what `act` returns.
 */
function inOneStep({ db }: DbServices, act: () => boolean): boolean {
  return inTransaction(db, () => !anyOperationOpen(db) && act())
}

/**
 * Moves a folder aside in one step with the check whether it may be removed, then deletes it. False: it may not, or
 * work is open.
 */
export async function takeOut(
  services: HomeServices & Pick<Services, 'store'>,
  folder: string,
  mayGoNow: () => boolean,
): Promise<boolean> {
  const aside = join(services.home.temporary, `gone-${randomUUID()}`)
  const went = inOneStep(services, () => {
    if (!mayGoNow()) return false
    renameSync(folder, aside)
    services.store?.remove(folder)
    return true
  })
  if (went) await rm(aside, { recursive: true, force: true })
  return went
}

async function* expiredResults(services: Deps, before: number): AsyncGenerator<Expired> {
  const { home, db } = services
  for (const { stage, key } of resultsOfEndedRuns(db, RESULT_STAGES, before)) {
    const folder = artefactFolder(home.artefacts, stage as StageName, key)
    const size = await sizeOf(folder)
    if (size.files === 0) continue
    yield {
      ...size,
      name: () => {
        const source = sourceNameOfResult(db, stage, key)
        const { label } = STAGES[stage as StageName]
        return source === null ? label : `${plainName(source)}: ${label}`
      },
      remove: () =>
        takeOut(services, folder, () => {
          const still = resultsOfEndedRuns(db, [stage], before)
          if (!still.some((one) => one.key === key)) return false
          forgetResult(db, stage, key)
          return true
        }),
    }
  }
}

async function* expiredUploads(services: Deps, before: number): AsyncGenerator<Expired> {
  for (const { name, bytes, remove } of await listOldUploads(services, before))
    yield { name: () => name, bytes, files: 1, remove }
}

/** An address without what may be secret in it; a file's name as it is. */
function plainName(given: string): string {
  if (!URL.canParse(given)) return given
  const { host, pathname } = new URL(given)
  return `${host}${pathname === '/' ? '' : pathname}`
}

const RULES: Readonly<
  Record<
    Kind,
    {
      readonly label: string
      readonly about: string
      /** Cannot be made again: what came since the last sound backup, where there is one, stays until the next. */
      readonly original: boolean
      readonly find: (services: Deps, before: number) => AsyncGenerator<Expired>
    }
  >
> = {
  sources: {
    label: 'Sources that no clip needs',
    about: 'Of no clip, library, post or open run. Fetched again when a run asks for it.',
    original: true,
    find: expiredSources,
  },
  results: {
    label: 'What ended runs worked with',
    about: 'Sound, looks and faces; nobody is shown it. Computed again when a run asks for it.',
    original: false,
    find: expiredResults,
  },
  uploads: {
    label: 'Uploads of runs that failed',
    about: 'A run that goes on afterwards needs the file again.',
    original: true,
    find: expiredUploads,
  },
}
const KINDS = Object.keys(RULES) as Kind[]

/** What has been stored for so many days; null: nothing ever has. The plan and the sweep both ask this. */
async function* expired(services: Deps, kind: Kind, days: number | null): AsyncGenerator<Expired> {
  if (days === null) return
  const before = services.now() - days * DAY
  const restorable = Number(getSetting(services.db, VERIFIED_BACKUP) ?? Infinity)
  yield* RULES[kind].find(services, RULES[kind].original ? Math.min(before, restorable) : before)
}

const SHOWN = 10

async function planKind(services: Deps, kind: Kind, supposed: number | undefined): Promise<RetentionItem> {
  const { label, about } = RULES[kind]
  const set = retentionDays(services, kind)
  const days = supposed === undefined ? set.days : supposed === 0 ? null : supposed
  let found = NOTHING
  let count = 0
  let largest: Expired[] = []
  for await (const one of expired(services, kind, days)) {
    found = sum([found, one])
    count += 1
    largest = [...largest, one].toSorted((a, b) => b.bytes - a.bytes).slice(0, SHOWN)
  }
  const named = largest.map(({ name, bytes }) => ({ name: name(), bytes }))
  return {
    kind,
    label,
    about,
    days,
    setBy: set.setBy,
    ...found,
    largest: named,
    others: count - named.length,
  }
}

/**
 * What a sweep would remove now, and how much of its quota each company uses. Removes nothing. `supposed`: days that are
 * not stored (yet); 0: indefinitely.
 */
export async function planRetention(services: Deps, supposed: RetentionRequest = {}): Promise<RetentionPlan> {
  const items: RetentionItem[] = []
  for (const kind of KINDS) items.push(await planKind(services, kind, supposed[kind]))
  const companies = allCompanies(services).map(({ id, name }) => ({ id, name, ...storageOf(services, id) }))
  return { items, companies }
}

export interface Swept extends Size {
  /** By kind, what went. */
  readonly items: readonly (Size & { readonly kind: Kind })[]
}

/**
 * Removes it. Nothing is removed while there is work, and each item is checked again in the step that removes it.
 * Writes a row to the audit log where something was removed. Throws the reason of the signal.
 */
export async function sweepRetention(
  services: Deps,
  following: { signal?: AbortSignal; onProgress?: (note: string) => void } = {},
): Promise<Swept> {
  const items: Swept['items'][number][] = []
  try {
    for (const kind of KINDS) {
      const { days } = retentionDays(services, kind)
      let gone = NOTHING
      try {
        for await (const one of expired(services, kind, days)) {
          following.signal?.throwIfAborted()
          if (!(await one.remove())) continue
          gone = sum([gone, one])
          following.onProgress?.(`${gone.files} removed of ${kind}`)
        }
      } finally {
        if (gone.files > 0) items.push({ kind, ...gone })
      }
    }
  } finally {
    note(services, items)
  }
  return { ...sum(items), items }
}

/** A sweep is not requested by a call, so its changes are written to the audit log here. */
function note(services: Deps, items: Swept['items']): void {
  if (items.length === 0) return
  services.log.info('removed what was kept long enough', { items })
  recordCall(services, {
    actor: { kind: 'service', id: 'retention', name: null },
    companyId: null,
    method: 'SWEEP',
    route: 'storage retention',
    resourceId: items.map(({ kind, files, bytes }) => `${kind}: ${files} files, ${bytes} bytes`).join('; '),
    status: 200,
    requestId: randomUUID(),
  })
}
