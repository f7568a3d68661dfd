/**
 * A home at random damages. One home is made, as a killed appliance leaves it, with its backups; each round copies both,
 * damages one file, starts an appliance on it, sweeps, restores. What must not happen is a sentence in `faults`.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import Database from 'better-sqlite3'
import { loadConfig } from '../../../server/config/config.ts'
import { AppError } from '../../../server/contract/errors.ts'
import { findDamageOnce } from '../../../server/db/full-check/client.ts'
import { findDamage, tablesOf } from '../../../server/db/full-check/find-damage.ts'
import { setSetting, VERIFIED_BACKUP } from '../../../server/db/settings.ts'
import { saveSource } from '../../../server/db/sources.ts'
import { firstStart } from '../../../server/domain/first-start.ts'
import { sweepUploads } from '../../../server/domain/library/uploads.ts'
import { createCompany } from '../../../server/domain/people/companies.ts'
import type { Services } from '../../../server/domain/services.ts'
import { sweepRetention } from '../../../server/domain/settings/retention.ts'
import { homePaths, openHome, type Home } from '../../../server/home.ts'
import { openOwnDatabase } from '../../../server/home-identity.ts'
import { startAppliance, type Appliance } from '../../../server/index.ts'
import { createLogger } from '../../../server/log.ts'
import { forgetKeys, keyTrouble, openSecret, recordKey, sealSecret } from '../../../server/secrets.ts'
import { sourcePath } from '../../../workers/paths.ts'
import { addClip, addWorkflow, fakeJobs, type TestServer } from '../../support/server.ts'
import { askCommand } from '../../support/typed-commands.ts'
import { DAMAGES, KINDS, pick, type Chance, type DamageKind } from './damages.ts'
import { seeded } from './long.ts'

const YEAR = 365 * 86_400_000
const DAYS = { sourceDays: 30, resultDays: 30, uploadDays: 30, companyQuotaBytes: 0 }
const quiet = () => createLogger('error', () => undefined)
/** What was a wanted original is of so many bytes that a backup has several pieces of it. */
const ORIGINALS = {
  early: { bytes: 5_000_000, wanted: true },
  spare: { bytes: 1000, wanted: false },
  late: { bytes: 60_000, wanted: true },
} as const
type Original = keyof typeof ORIGINALS

const contentOf = (name: Original): Buffer => Buffer.alloc(ORIGINALS[name].bytes, `footage of ${name} `)
const digestOf = (name: Original): string => createHash('sha256').update(contentOf(name)).digest('hex')
const originalOf = (home: Home, name: Original): string => sourcePath(home.sources, digestOf(name))

/** A home with its backups beside it, and what both were before. */
interface Place {
  readonly home: Home
  readonly backups: string
}

interface Prepared extends Place {
  /** The database of the first backup, as a file. */
  readonly older: string
  readonly root: string
  /** Rows by table at its end. */
  readonly rows: Readonly<Record<string, number>>
}

const placeIn = (root: string): Place => ({
  home: homePaths(join(root, 'home')),
  backups: join(root, 'backups'),
})

/** Without jobs, and with a clock that can be put forward. */
function services(home: Home, now: () => number): Services {
  const config = { ...loadConfig({ home: home.root }, {}), storage: DAYS }
  return { config, home, db: openOwnDatabase(home), jobs: fakeJobs(), log: quiet(), now }
}

async function addOriginal(given: Services, name: Original): Promise<void> {
  const path = originalOf(given.home, name)
  const content = contentOf(name)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  const digest = digestOf(name)
  const facts = { bytes: content.length, mediaType: 'video/mp4', etag: null, lastModified: null }
  saveSource(given.db, { digest, url: null, ...facts, now: 1 })
  if (!ORIGINALS[name].wanted) return
  const server = { services: given, companyId: 'here' } as unknown as TestServer
  const workflowId = addWorkflow(server)
  addClip(server, { workflowId, document: { sourceId: digest }, row: { sourceDigest: digest } })
}

async function setUp({ home, backups }: Place): Promise<void> {
  const keyFile = join(dirname(home.root), 'backup.key')
  await writeFile(keyFile, 'correct horse battery staple')
  await writeFile(
    join(home.root, 'config.json'),
    JSON.stringify({ backupTo: backups, backupKeyFile: keyFile }),
  )
}

async function prepare(): Promise<Prepared> {
  const root = await mkdtemp(join(tmpdir(), 'cutroom-damaged-'))
  const place = placeIn(join(root, 'whole'))
  const { home, backups } = place
  openHome(home.root)
  await mkdir(backups)
  await setUp(place)
  const first = services(home, Date.now)
  await firstStart(first)
  createCompany(first, { id: 'here', name: 'Here', plan: 'business', features: [] })
  setSetting(first.db, 'sealed-for-the-test', sealSecret(home, 'test', 'a secret'))
  recordKey(home, first.db)
  await addOriginal(first, 'early')
  await addOriginal(first, 'spare')
  first.db.close()
  const older = join(root, 'older.sqlite')
  await must(home, 'backup', older)
  await must(home, 'backups', 'run')
  await must(home, 'company', 'create', 'there', '--name', 'There')
  await must(home, 'backups', 'run')
  const last = services(home, Date.now)
  last.db.sqlite.pragma('wal_checkpoint(TRUNCATE)')
  await addOriginal(last, 'late')
  for (const id of ['one', 'two', 'three'])
    createCompany(last, { id, name: id, plan: 'starter', features: [] })
  await writeFile(join(home.uploads, 'an-upload-of-late'), 'late')
  await utimes(join(home.uploads, 'an-upload-of-late'), 1, 1)
  // As kill -9 leaves it: what came last is in the log.
  const killed = placeIn(join(root, 'killed'))
  await cp(dirname(home.root), dirname(killed.home.root), { recursive: true, preserveTimestamps: true })
  const rows = rowsOf(home.database)
  last.db.close()
  await rm(`${killed.home.database}-shm`, { force: true })
  return { ...killed, older, root, rows }
}

async function must(home: Home, ...words: string[]): Promise<void> {
  const { code, said } = await askCommand(home.root, words)
  if (code !== 0) throw new Error(`cutroom ${words.join(' ')} ended with ${code}: ${said}`)
}

function rowsOf(file: string): Record<string, number> {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  try {
    const count = (table: string): number =>
      sqlite.prepare<[], number>(`select count(*) from "${table}"`).pluck().get() ?? 0
    return Object.fromEntries(tablesOf(sqlite).map((table) => [table, count(table)]))
  } finally {
    sqlite.close()
  }
}

/** What is damaged, by how often it is. */
const TARGETS = [
  'database',
  'database',
  'log',
  'log',
  'original',
  'key',
  'identity',
  'backup',
  'backup',
  'copy',
] as const
export type Target = (typeof TARGETS)[number]

export interface Round {
  readonly seed: number
  readonly target: Target
  readonly kind: DamageKind
  readonly file: string
  /** In a few words, for the table. */
  readonly outcome: string
  /** A sentence for each thing that must not happen. */
  readonly faults: readonly string[]
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** The file that is damaged, and what it was at an earlier time. */
async function aim(
  target: Target,
  { home, backups }: Place,
  { older }: Prepared,
  chance: Chance,
): Promise<{ file: string; earlier: string | null }> {
  if (target === 'database') return { file: home.database, earlier: older }
  if (target === 'log') return { file: `${home.database}-wal`, earlier: null }
  if (target === 'key') return { file: join(home.root, 'secret.key'), earlier: null }
  if (target === 'identity') return { file: home.identity, earlier: null }
  if (target === 'original')
    return { file: originalOf(home, pick(chance, ['early', 'spare'])), earlier: null }
  if (target === 'copy') {
    const copy = join(backups, '..', 'copy.sqlite')
    await cp(older, copy)
    return { file: copy, earlier: null }
  }
  const files = await filesBelow(backups)
  const snapshots = files.filter((file) => file.includes('snapshots'))
  const heads = files.filter((file) => dirname(file) === backups)
  const group = pick(chance, [snapshots, heads, files, files])
  return { file: pick(chance, group), earlier: snapshots[0] ?? null }
}

type Started =
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'started'; readonly lost: readonly string[]; readonly damage: string | null }

/** Starts an appliance as `serve` does, sweeps as in a year, and stops it. */
async function tryStart(
  home: Home,
  expected: Prepared['rows'],
  fault: (what: string) => void,
): Promise<Started> {
  forgetKeys()
  let appliance: Appliance
  const given = loadConfig({ home: home.root }, {})
  // Backups by themselves would mend what is looked at here.
  const config = { ...given, port: 0, storage: DAYS, backups: { ...given.backups, to: null } }
  try {
    appliance = await startAppliance(config, quiet())
  } catch (error) {
    if (!(error instanceof AppError)) fault(`it ended with ${String(error)}`)
    const message = error instanceof Error ? error.message : ''
    if (!message.includes('cutroom restore FILE')) fault(`it names no way back: ${message}`)
    if (message.includes('\n')) fault('it takes more than a line to say so')
    return { kind: 'refused', why: error instanceof AppError ? error.code : 'unknown' }
  }
  try {
    if (appliance.firstKey !== null) fault('it began anew in silence')
    const { db } = appliance.services
    const found = rowsOf(home.database)
    const lost = Object.keys(expected).filter((table) => (found[table] ?? 0) < (expected[table] ?? 0))
    const damage = await findDamageOnce(db, new AbortController().signal).catch(String)
    if (damage === null) {
      const later = { ...appliance.services, now: () => Date.now() + YEAR }
      // Without a newer backup everything that came since the last stays anyhow, and what lacks rows has no better one.
      if (lost.length === 0) setSetting(db, VERIFIED_BACKUP, String(later.now()))
      await sweepRetention(later)
      await sweepUploads(later, { leftOver: true })
    }
    return { kind: 'started', lost, damage }
  } finally {
    await appliance.stop()
  }
}

/** Of what is wanted; `damaged` is the file that was damaged on purpose. */
async function requireOriginals(home: Home, damaged: string, fault: (what: string) => void): Promise<void> {
  for (const name of ['early', 'late'] as const) {
    const path = originalOf(home, name)
    if (path === damaged) continue
    if (!existsSync(path)) fault(`the original ${name} was deleted`)
    else if (!(await readFile(path)).equals(contentOf(name))) fault(`the original ${name} was changed`)
  }
  if (!existsSync(join(home.uploads, 'an-upload-of-late'))) fault('the upload was deleted')
}

/** Restores the backups, which are whole, starts on that, and looks whether all of it is there. */
async function requireWayBack(place: Place, damaged: string, fault: (what: string) => void): Promise<void> {
  const { home, backups } = place
  const { code, said } = await askCommand(home.root, ['restore', backups])
  if (code !== 0) return fault(`the way back is none: ${said}`)
  const early = originalOf(home, 'early')
  if (!existsSync(early) || !(await readFile(early)).equals(contentOf('early')))
    fault('the original that the backup has did not come back')
  const again = await tryStart(home, { companies: 3, clips: 1, sources: 2 }, fault)
  if (again.kind === 'refused') fault(`what was restored is refused: ${again.why}`)
  else if (again.lost.length > 0) fault(`what was restored lacks rows of ${again.lost.join(', ')}`)
  await requireOriginals(home, damaged, fault)
}

/** Damaged backups are refused and leave the home alone, or give back what was in them; the next backup mends them. */
async function judgeBackups(place: Place, fault: (what: string) => void): Promise<string> {
  const { home, backups } = place
  const listed = await askCommand(home.root, ['backups', 'list'])
  const moments = ((listed.json['backups'] ?? []) as { moment: string }[]).map(({ moment }) => moment)
  let refused = 0
  for (const moment of moments) {
    const empty = placeIn(join(dirname(home.root), `empty-${refused}-${moments.indexOf(moment)}`))
    await mkdir(empty.home.root, { recursive: true })
    await cp(join(home.root, 'config.json'), join(empty.home.root, 'config.json'))
    const { code, said } = await askCommand(empty.home.root, ['restore', backups, '--at', moment])
    const drilled = await askCommand(home.root, ['backups', 'drill', '--at', moment])
    if (code === 0 && drilled.code === 0) {
      const early = originalOf(empty.home, 'early')
      if (!existsSync(early) || !(await readFile(early)).equals(contentOf('early')))
        fault(`${moment} was restored without what was in it`)
      if (findDamageIn(empty.home.database) !== null) fault(`${moment} was restored with a damaged database`)
    } else {
      refused += 1
      if (existsSync(empty.home.database)) fault(`${moment} was refused, and its database is there: ${said}`)
      if (drilled.code === 0) fault(`${moment} is refused by restore and not by the drill: ${said}`)
    }
    await rm(dirname(empty.home.root), { recursive: true })
  }
  const run = await askCommand(home.root, ['backups', 'run'])
  if (run.code !== 0)
    return `${refusedText(refused, moments.length)}, and no backup is made any more: ${run.said.slice(0, 60)}`
  const after = await askCommand(home.root, ['backups', 'drill'])
  if (after.code !== 0) fault(`the next backup cannot be restored either: ${after.said}`)
  return `${refusedText(refused, moments.length)}; the next backup is whole`
}

const refusedText = (refused: number, of: number): string =>
  refused === 0
    ? of === 2
      ? 'nothing that is needed was hit'
      : 'one backup is not there any more'
    : refused === of
      ? 'all refused'
      : 'one refused'

function findDamageIn(file: string): string | null {
  const sqlite = new Database(file, { readonly: true, fileMustExist: true })
  try {
    return findDamage(sqlite)
  } finally {
    sqlite.close()
  }
}

async function judgeCopy({ home }: Place, copy: string, fault: (what: string) => void): Promise<string> {
  const before = rowsOf(home.database)
  const { code } = await askCommand(home.root, ['restore', copy])
  if (code !== 0) {
    const after = rowsOf(home.database)
    // The call itself is noted in the table of calls.
    if (['companies', 'clips', 'sources'].some((table) => after[table] !== before[table]))
      fault('it was refused, and the database is another')
    return 'refused'
  }
  const after = rowsOf(home.database)
  if (findDamageIn(home.database) !== null) fault('a damaged backup was taken')
  if (after['companies'] !== 2 || after['clips'] !== 1) fault('a backup without its rows was taken')
  return 'taken: every page of it is sound'
}

const outcomeOf = (started: Started): string => {
  if (started.kind === 'refused') return `refused (${started.why})`
  if (started.damage !== null) return 'started; the full check finds it, and nothing is removed'
  return started.lost.length > 0 ? 'started without what came last' : 'started with all that it had'
}

interface Hit {
  readonly target: Target
  readonly kind: DamageKind
  readonly file: string
}

async function judgeHome(
  prepared: Prepared,
  place: Place,
  { target, kind, file }: Hit,
  fault: (what: string) => void,
): Promise<string> {
  const { home } = place
  const started = await tryStart(home, prepared.rows, fault)
  await requireOriginals(home, file, fault)
  // The end of a log that was cut off, and an older database, are whole by themselves.
  const mayLack = target === 'log' || (target === 'database' && kind === 'older')
  const isSound = started.kind === 'started' && started.damage === null
  if (isSound && !mayLack && started.lost.length > 0)
    fault(`it started without rows of ${started.lost.join(', ')}`)
  if (isSound && target === 'key' && keyTrouble(home) === null) fault('another key was taken in silence')
  const saved = join(home.root, 'saved.sqlite')
  const backup = await askCommand(home.root, ['backup', saved])
  if ((backup.code === 0) !== existsSync(saved)) fault('backup says other than it did')
  if (backup.code === 0 && findDamageIn(saved) !== null) fault('a damaged copy was saved')
  if (isSound && !['original', 'key'].includes(target)) return outcomeOf(started)
  await requireWayBack(place, file, fault)
  forgetKeys()
  const sealed = secretIn(home)
  if (sealed !== null && openSecret(home, 'test', sealed) !== 'a secret')
    fault('the secrets did not come back')
  return `${outcomeOf(started)}; backups bring it back`
}

function secretIn(home: Home): string | null {
  const sqlite = new Database(home.database, { readonly: true, fileMustExist: true })
  try {
    return (
      sqlite
        .prepare<[], string>("select value from settings where key = 'sealed-for-the-test'")
        .pluck()
        .get() ?? null
    )
  } finally {
    sqlite.close()
  }
}

async function playRound(prepared: Prepared, seed: number): Promise<Round> {
  const chance = seeded(seed)
  const target = TARGETS[seed % TARGETS.length] ?? 'database'
  const kind = pick(chance, KINDS)
  const root = join(prepared.root, `round-${seed}`)
  await cp(dirname(prepared.home.root), root, { recursive: true, preserveTimestamps: true })
  const place = placeIn(root)
  await setUp(place)
  const { file, earlier } = await aim(target, place, prepared, chance)
  await DAMAGES[kind](file, chance, earlier === file ? null : earlier)
  const faults: string[] = []
  const fault = (what: string): void => void faults.push(what)
  try {
    const outcome =
      target === 'backup'
        ? await judgeBackups(place, fault)
        : target === 'copy'
          ? await judgeCopy(place, file, fault)
          : await judgeHome(prepared, place, { target, kind, file }, fault)
    return { seed, target, kind, file: relative(root, file), outcome, faults }
  } finally {
    await rm(root, { recursive: true })
  }
}

/** Damages a home `count` times, by the seeds from `first` on. */
export async function damageHomes(
  count: number,
  first = 1,
  say: (round: Round) => void = () => undefined,
): Promise<Round[]> {
  const prepared = await prepare()
  const rounds: Round[] = []
  try {
    for (let at = 0; at < count; at += 1) {
      const round = await playRound(prepared, first + at)
      rounds.push(round)
      say(round)
    }
    return rounds
  } finally {
    await rm(prepared.root, { recursive: true, force: true })
  }
}
