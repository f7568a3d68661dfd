/** Starts an appliance on what a power cut left: it starts, its database is sound, and what was promised is there. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { loadConfig } from '../../../server/config/config.ts'
import type { Db } from '../../../server/db/client.ts'
import { getRun, listRunStages } from '../../../server/db/runs.ts'
import { media, runs, sources } from '../../../server/db/schema.ts'
import { homePaths, type Home } from '../../../server/home.ts'
import { startAppliance, type Appliance } from '../../../server/index.ts'
import { createLogger } from '../../../server/log.ts'
import { forgetKeys } from '../../../server/secrets.ts'
import { readResult } from '../../../workers/artefacts.ts'
import { sourcePath } from '../../../workers/paths.ts'
import { STAGES } from '../../../workers/stages/catalog.ts'
import { askCommand } from '../../support/typed-commands.ts'
import { seeded } from '../support/long.ts'
import { cutPower, type DiskKind } from './disk.ts'
import type { Promised, Recorded } from './record.ts'

const GOES_ON_MS = 180_000

export interface Cut {
  readonly seed: number
  readonly kind: DiskKind
  /** After so many events. */
  readonly until: number
  /** How many promises had been made by then. */
  readonly promises: number
  readonly outcome: string
  /** A sentence for each thing that must not happen. */
  readonly faults: readonly string[]
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

interface Left {
  readonly home: Home
  readonly backups: string
  readonly promised: readonly Promised[]
  readonly fault: (what: string) => void
}

/** A promise that was not kept; null: it was. */
async function brokenBy(db: Db, { home, backups }: Left, { kind, words }: Promised): Promise<string | null> {
  const [id = '', more = ''] = words
  const has = (sql: string, ...values: string[]): boolean =>
    db.sqlite.prepare(sql).get(...values) !== undefined
  const upload = join(home.uploads, id)
  switch (kind) {
    case 'company':
      return has('select 1 from companies where id = ?', id) ? null : `company ${id} is gone`
    case 'run':
      return has('select 1 from runs where id = ?', id) ? null : `run ${id} is gone`
    case 'completed':
      return getRun(db, id)?.status === 'Completed' ? null : `run ${id} is not completed any more`
    case 'clip':
      return has('select 1 from clips where id = ?', id) ? null : `clip ${id} is gone`
    case 'edit':
      return has("select 1 from clips where id = ? and document like '%Outlives%'", id)
        ? null
        : `the edit of clip ${id} is gone`
    case 'uploaded': {
      const size = [upload, `${upload}.part`].map(
        (path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0,
      )
      return Math.max(...size) >= Number(more)
        ? null
        : `of upload ${id} there are ${size.join(' and ')} bytes, not ${more}`
    }
    case 'upload': {
      const path = existsSync(upload) ? upload : `${upload}.part`
      return existsSync(path) && sha256(readFileSync(path)) === more
        ? null
        : `upload ${id} is not what was sent`
    }
    case 'backup': {
      const { code, said } = await askCommand(home.root, ['backups', 'drill', backups, '--at', id])
      return code === 0 ? null : `the backup of ${id} cannot be restored: ${said}`
    }
    default:
      return `nobody knows what ${kind} promises`
  }
}

/** What the database says is there. */
async function findFalse(db: Db, home: Home): Promise<string[]> {
  const found: string[] = []
  for (const { path, bytes } of db.orm.select().from(media).all())
    if (statSync(join(home.root, path), { throwIfNoEntry: false })?.size !== bytes)
      found.push(`${path} is torn or gone`)
  for (const { digest } of db.orm.select().from(sources).all()) {
    const path = sourcePath(home.sources, digest)
    if (!existsSync(path) || sha256(readFileSync(path)) !== digest)
      found.push(`source ${digest.slice(0, 12)} is torn or gone`)
  }
  for (const { id } of db.orm.select().from(runs).all())
    for (const { stage, key, state } of listRunStages(db, id).filter((row) => row.state === 'finished'))
      if ((await readResult(home.artefacts, { stage, version: STAGES[stage].version, key })) === null)
        found.push(`the result of ${stage} is ${state}, and torn or gone`)
  return found
}

async function judge(left: Left, goesOn: boolean): Promise<string> {
  const { home, promised, fault } = left
  const given = loadConfig({ home: home.root }, { CUTROOM_MIN_FREE_BYTES: '0' })
  const config = { ...given, port: 0, backups: { ...given.backups, to: null } }
  let appliance: Appliance
  forgetKeys()
  try {
    appliance = await startAppliance(
      config,
      createLogger('error', () => undefined),
    )
  } catch (error) {
    fault(`it did not start: ${error instanceof Error ? error.message : String(error)}`)
    return 'refused'
  }
  try {
    const { db } = appliance.services
    if (db.sqlite.pragma('integrity_check', { simple: true }) !== 'ok') fault('the database is damaged')
    if ((db.sqlite.pragma('foreign_key_check') as unknown[]).length > 0) fault('rows refer to none')
    if (promised.length > 0 && appliance.firstKey !== null) fault('it began anew')
    for (const one of promised) {
      const broken = await brokenBy(db, left, one)
      if (broken !== null) fault(broken)
    }
    for (const what of await findFalse(db, home)) fault(what)
    const open = db.orm
      .select()
      .from(runs)
      .all()
      .filter(({ status }) => status !== 'Completed')
    if (!goesOn || open.length === 0 || db.orm.select().from(sources).all().length === 0) return 'started'
    const end = Date.now() + GOES_ON_MS
    const status = (): string => open.map(({ id }) => getRun(db, id)?.status ?? 'gone').join()
    while (!/^(Completed,?)+$/.test(status()) && Date.now() < end) await pause(200)
    if (!/^(Completed,?)+$/.test(status())) fault(`the run did not go on: ${status()}`)
    return 'started, and the run went on to its end'
  } finally {
    await appliance.stop()
  }
}

/** One power cut at a random moment of the recording. `goesOn`: waits for the run as well. */
export async function cutOnce(
  recorded: Recorded,
  seed: number,
  inside: string,
  goesOn: boolean,
): Promise<Cut> {
  const chance = seeded(seed)
  const kind = seed % 2 === 0 ? 'journal' : 'strict'
  const until = 1 + Math.floor(chance() * recorded.events.length)
  const into = join(inside, `cut-${seed}`)
  const home = homePaths(join(into, 'home'))
  const backups = join(into, 'backups')
  const faults: string[] = []
  try {
    await cutPower(recorded, { until, kind, chance, into })
    await mkdir(home.root, { recursive: true })
    await writeFile(join(home.root, 'config.json'), JSON.stringify({ backupTo: backups }))
    const promised = recorded.promised.filter(({ event }) => event < until)
    const fault = (what: string): void => void faults.push(what)
    const outcome = await judge({ home, backups, promised, fault }, goesOn)
    return { seed, kind, until, promises: promised.length, outcome, faults }
  } finally {
    // Tools may still be ending.
    await rm(into, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
  }
}
