/**
 * A home at random damages: its database, log or mark zeroed, cut, flipped, removed, exchanged for an older backup. Never
 * is it begun anew in silence, never goes an original that is wanted, and no unsound backup is taken.
 */
import { existsSync, mkdtempSync } from 'node:fs'
import { cp, mkdir, open, readFile, rm, stat, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommandLine } from '../../server/cli/command-line.ts'
import type { Terminal } from '../../server/cli/command.ts'
import { loadConfig } from '../../server/config/config.ts'
import { AppError } from '../../server/contract/errors.ts'
import { findDamageOnce } from '../../server/db/full-check/client.ts'
import { findDamage } from '../../server/db/full-check/find-damage.ts'
import { setSetting, VERIFIED_BACKUP } from '../../server/db/settings.ts'
import { requireSoundDatabase } from '../../server/db/soundness.ts'
import { saveSource } from '../../server/db/sources.ts'
import { sweepUploads } from '../../server/domain/library/uploads.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import type { Services } from '../../server/domain/services.ts'
import { sweepRetention } from '../../server/domain/settings/retention.ts'
import { homePaths, openHome, type Home } from '../../server/home.ts'
import { openOwnDatabase, requireOwnDatabase } from '../../server/home-identity.ts'
import { createLogger } from '../../server/log.ts'
import { digestOf } from '../../workers/artefacts.ts'
import { sourcePath } from '../../workers/paths.ts'
import { addClip, addWorkflow, fakeJobs, type TestServer } from '../support/server.ts'
import { ASKED, rounds, seeded } from './support/long.ts'

const ROUNDS = ASKED ? rounds(200) : 20
const YEAR = 365 * 86_400_000
const root = mkdtempSync(join(tmpdir(), 'cutroom-damaged-'))
const whole = homePaths(join(root, 'whole'))
const older = join(root, 'older.sqlite')

afterAll(() => rm(root, { recursive: true, force: true }))
beforeAll(async () => {
  openHome(whole.root)
  const services = openServices(whole, Date.now)
  createCompany(services, { id: 'here', name: 'Here', plan: 'business', features: [] })
  await addSource(services, 'early', true)
  await addSource(services, 'spare', false)
  expect(await cutroom(whole, 'backup', older)).toMatchObject({ code: 0 })
  await addSource(services, 'late', true)
  await writeFile(join(whole.uploads, 'an-upload-of-late'), 'late')
  await utimes(join(whole.uploads, 'an-upload-of-late'), 1, 1)
  services.db.close()
})

async function cutroom(home: Home, ...words: string[]) {
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const terminal = { out: say, note: say, status: () => undefined } as unknown as Terminal
  return { code: await runCommandLine([...words, '--home', home.root], terminal), said: lines.join('\n') }
}

function openServices(home: Home, now: () => number): Services {
  // As an appliance starts.
  requireOwnDatabase(home)
  requireSoundDatabase(home.database)
  const db = openOwnDatabase(home)
  const storage = { sourceDays: 30, resultDays: 30, uploadDays: 30, companyQuotaBytes: 0 }
  const config = { ...loadConfig({ home: home.root }, {}), storage }
  return { config, home, db, jobs: fakeJobs(), log: createLogger('error', () => undefined), now }
}

/** An original that was stored long ago; a clip needs it where `wanted`. */
async function addSource(services: Services, name: string, wanted: boolean): Promise<void> {
  const digest = digestOf(name)
  const path = sourcePath(services.home.sources, digest)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, name)
  const facts = { bytes: name.length, mediaType: 'video/mp4', etag: null, lastModified: null }
  saveSource(services.db, { digest, url: null, ...facts, now: 1 })
  if (!wanted) return
  const server = { services, companyId: 'here' } as unknown as TestServer
  addClip(server, {
    workflowId: addWorkflow(server),
    document: { sourceId: digest },
    row: { sourceDigest: digest },
  })
}

type Chance = () => number
const within = (chance: Chance, length: number): number => Math.floor(chance() * length)

async function write(file: string, at: number, bytes: Buffer): Promise<void> {
  const handle = await open(file, 'r+')
  await handle.write(bytes, 0, bytes.length, at)
  await handle.close()
}

const DAMAGES: Readonly<Record<string, (file: string, chance: Chance) => Promise<unknown>>> = {
  zero: async (file, chance) => {
    const { size } = await stat(file)
    const at = chance() < 0.3 ? 0 : within(chance, size)
    await write(file, at, Buffer.alloc(Math.min(size - at, chance() < 0.3 ? size : 4096)))
  },
  truncate: async (file, chance) =>
    truncate(file, chance() < 0.3 ? 0 : within(chance, (await stat(file)).size)),
  flip: async (file, chance) => {
    const at = chance() < 0.3 ? within(chance, 200) : within(chance, (await stat(file)).size)
    const byte = (await readFile(file)).subarray(at, at + 1)
    await write(file, at, Buffer.from([(byte[0] ?? 0) ^ (1 << within(chance, 8))]))
  },
  remove: (file) => rm(file),
  older: async (file) => (file.endsWith('.sqlite') ? cp(older, file) : undefined),
}

/** What a start makes of it: null where it is refused, with a sentence that says what to do. */
function start(home: Home, note: string): Services | null {
  try {
    return openServices(home, () => Date.now() + YEAR)
  } catch (error) {
    expect(error, note).toBeInstanceOf(AppError)
    expect((error as AppError).code, note).toMatch(/^(HOME_DATABASE_LOST|INVALID_STATE)$/)
    expect((error as AppError).message, note).toContain('cutroom restore FILE')
    return null
  }
}

async function expectWhatIsWanted(home: Home, note: string): Promise<void> {
  for (const name of ['early', 'late'])
    expect(await readFile(sourcePath(home.sources, digestOf(name)), 'utf8'), note).toBe(name)
  expect(existsSync(join(home.uploads, 'an-upload-of-late')), note).toBe(true)
}

function contentOf(file: string) {
  const sqlite = new Database(file, { readonly: true })
  const count = (table: string): unknown => sqlite.prepare(`select count(*) from ${table}`).pluck().get()
  const found = { damage: findDamage(sqlite), companies: count('companies'), clips: count('clips') }
  sqlite.close()
  return found
}

it(`survives ${ROUNDS} random damages: refused or as it was, and nothing that is wanted goes`, async () => {
  const outcomes = { refused: 0, started: 0, swept: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const chance = seeded(round + 1)
    const kind = Object.keys(DAMAGES)[round % 5] ?? ''
    const home = homePaths(join(root, `home-${round}`))
    await cp(whole.root, home.root, { recursive: true, preserveTimestamps: true })
    const file = chance() < 0.85 ? home.database : home.identity
    const note = `round ${round}: ${kind} of ${file}`
    await DAMAGES[kind]?.(file, chance)

    const services = start(home, note)
    if (services === null) outcomes.refused += 1
    else {
      outcomes.started += 1
      const { db } = services
      expect(db.sqlite.prepare('select id from companies').pluck().all(), note).toHaveLength(1)
      // As the loop does it.
      const damage = await findDamageOnce(db, new AbortController().signal).catch(String)
      if (damage === null) {
        // Were there no newer backup, everything that came since the last would stay anyhow.
        setSetting(db, VERIFIED_BACKUP, String(services.now()))
        outcomes.swept += (await sweepRetention(services)).files
        await sweepUploads(services, { leftOver: true })
      }
      db.close()
    }
    await expectWhatIsWanted(home, note)

    const saved = join(home.root, 'saved.sqlite')
    const backup = await cutroom(home, 'backup', saved)
    expect([note, backup.code, existsSync(saved)]).toEqual([note, backup.code, backup.code === 0])
    if (backup.code === 0) expect(contentOf(saved).damage, note).toBeNull()
    await rm(home.root, { recursive: true })
  }
  console.log(`${ROUNDS} damages: ${JSON.stringify(outcomes)}`)
  expect(outcomes.refused).toBeGreaterThan(ROUNDS / 4)
  expect(outcomes.swept).toBeGreaterThan(0)
}, 1_800_000)

it(`refuses damaged backups, ${ROUNDS} of them, or takes what is whole`, async () => {
  const home = homePaths(join(root, 'restored'))
  await cp(whole.root, home.root, { recursive: true })
  let refused = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const chance = seeded(1000 + round)
    const kind = ['zero', 'truncate', 'flip'][round % 3] ?? ''
    const bad = join(root, 'bad.sqlite')
    await cp(older, bad)
    await DAMAGES[kind]?.(bad, chance)
    const before = contentOf(home.database)
    const { code } = await cutroom(home, 'restore', bad)
    const note = `round ${round}: ${kind}`
    const restored = { damage: null, companies: 1, clips: 1 }
    expect(contentOf(home.database), note).toEqual(code === 0 ? restored : before)
    refused += code === 0 ? 0 : 1
    await expectWhatIsWanted(home, note)
  }
  console.log(`${refused} of ${ROUNDS} damaged backups were refused`)
  expect(refused).toBeGreaterThan(ROUNDS / 3)
}, 1_800_000)
