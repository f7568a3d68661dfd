/**
 * Restoring a backup: completely, from any place, refused before anything changes, and nothing is published a second
 * time.
 */
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { runCommandLine } from '../../server/cli/command-line.ts'
import type { Terminal } from '../../server/cli/command.ts'
import { openDatabase, type Db } from '../../server/db/client.ts'
import { revokeApiKey } from '../../server/db/api-keys.ts'
import { insertClient, saveGrant } from '../../server/db/clients.ts'
import { copyDatabase } from '../../server/db/put-back.ts'
import { insertPerson, findSessionPerson, insertSession } from '../../server/db/people.ts'
import { posts, socialAccounts, socialActions } from '../../server/db/schema.ts'
import { createApiKey } from '../../server/domain/people/api-keys.ts'
import { createCompany } from '../../server/domain/people/companies.ts'

const HOUR = 3_600_000
let root: string
let home: string
let database: string
let backup: string

beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'cutroom-restore-'))))
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(async () => {
  home = await mkdtemp(join(root, 'home-'))
  database = join(home, 'cutroom.sqlite')
  const elsewhere = await mkdtemp(join(root, 'backup-'))
  backup = join(elsewhere, 'monday.sqlite')
})

async function restore(file: string): Promise<{ code: number; said: string; out: string }> {
  const reported: string[] = []
  const out: string[] = []
  const terminal = { out: (line: string) => out.push(line), note: (line: string) => reported.push(line) }
  const words = ['restore', file, '--home', home, '--json']
  const code = await runCommandLine(words, terminal as unknown as Terminal)
  return { code, said: reported.join('\n'), out: out.join('\n') }
}

const addCompany = (db: Db, id: string): void =>
  void createCompany({ db, now: Date.now }, { id, name: id, plan: 'business', features: [] })

function companies(): unknown[] {
  const db = openDatabase(database)
  const ids = db.sqlite.prepare('select id from companies order by id').pluck().all()
  db.close()
  return ids
}

/** A home with company `here`, and a backup with company `saved`. */
async function prepared(change: (db: Db) => void = () => undefined): Promise<void> {
  const db = openDatabase(join(root, 'made.sqlite'))
  addCompany(db, 'saved')
  change(db)
  await copyDatabase(db, backup, { onProgress: () => undefined })
  db.close()
  await rm(join(root, 'made.sqlite'))
  const own = openDatabase(database)
  addCompany(own, 'here')
  own.close()
}

it('moves the write-ahead log of a killed appliance with its database, and leaves no file next to a backup', async () => {
  await prepared()
  // As a kill leaves it: all that was written is in the log.
  const db = openDatabase(join(root, 'killed.sqlite'))
  addCompany(db, 'in-the-log')
  const folder = join(backup, '..')
  for (const part of ['', '-wal']) await cp(join(root, `killed.sqlite${part}`), join(folder, `kept${part}`))
  db.close()
  const before = await readdir(folder)
  expect(await restore(join(folder, 'kept'))).toMatchObject({ code: 0 })
  expect(companies()).toEqual(['in-the-log'])
  expect(await restore(backup)).toMatchObject({ code: 0 })
  expect(companies()).toEqual(['saved'])
  expect(await readdir(folder)).toEqual(before)
})

it('refuses a backup that is damaged, newer, foreign or missing, and changes nothing', async () => {
  await prepared()
  const folder = join(backup, '..')
  const broken = join(folder, 'broken')
  await cp(backup, broken)
  await truncate(broken, 300_000)
  const newer = openDatabase(join(folder, 'newer'))
  newer.sqlite.exec("insert into __drizzle_migrations (hash, created_at) values ('later', 9000000000000)")
  newer.close()
  const other = openDatabase(join(folder, 'other'))
  other.sqlite.exec('drop table media')
  other.close()
  await writeFile(join(folder, 'text'), 'no database')
  await mkdir(join(folder, 'folder'))
  const was = [await readFile(database), (await readdir(home)).filter((name) => name.startsWith('cutroom'))]
  for (const [name, why] of [
    ['broken', 'it is damaged'],
    ['newer', 'of a newer version'],
    ['other', 'no backup of Cutroom'],
    ['text', 'it is no database'],
    ['folder', 'There are no backups in'],
    ['missing', 'there is no such file'],
  ] as const) {
    const { code, said } = await restore(join(folder, name))
    expect([name, code, said]).toEqual([name, 1, expect.stringContaining(why)])
  }
  expect(companies()).toEqual(['here'])
  expect((await readdir(home)).filter((name) => name.startsWith('cutroom'))).toEqual(was[1])
})

it('names the restored home, and the service’s own command where there was no home before', async () => {
  await prepared()
  await rm(database)
  const lines: string[] = []
  const say = (line: string) => void lines.push(line)
  const terminal = { out: say, note: say } as unknown as Terminal
  expect(await runCommandLine(['restore', backup, '--home', home], terminal)).toBe(0)
  expect(lines).toEqual([
    `Restored ${backup} to ${home}.`,
    expect.stringContaining('cutroom-service restore'),
  ])
})

it.skipIf(process.platform === 'win32')(
  'makes the database restored from a write-protected backup writable for its owner',
  async () => {
    await prepared()
    await chmod(backup, 0o444)
    expect(await restore(backup)).toMatchObject({ code: 0 })
    expect((await stat(database)).mode & 0o777).toBe(0o600)
    expect((await stat(backup)).mode & 0o777).toBe(0o444)
  },
)

it.runIf(process.getuid?.() === 0)(
  'gives the restored files to the owner of the home when run by the superuser',
  async () => {
    await prepared()
    await chown(home, 12_345, 12_345)
    expect(await restore(backup)).toMatchObject({ code: 0 })
    // Otherwise the owner of the home could not write to its folders and its lock.
    for (const name of await readdir(home)) {
      const before = name.includes('.before-')
      expect([name, (await stat(join(home, name))).uid]).toEqual([name, before ? 0 : 12_345])
    }
  },
)

it('is refused while another command has the database open and would write to the replaced file', async () => {
  await prepared()
  const agent = openDatabase(database)
  const { code, said } = await restore(backup)
  expect([code, said]).toEqual([1, expect.stringContaining('Another command of Cutroom')])
  addCompany(agent, 'written-meanwhile')
  agent.close()
  expect(companies()).toEqual(['here', 'written-meanwhile'])
  expect(await restore(backup)).toMatchObject({ code: 0 })
  expect(companies()).toEqual(['saved'])
})

function addPost(
  db: Db,
  id: string,
  action: Partial<typeof socialActions.$inferInsert>,
  account = true,
): void {
  const now = Date.now()
  const times = { createdAt: now - 5 * HOUR, updatedAt: now - 5 * HOUR }
  const scheduled = { platform: 'bluesky', status: 'scheduled' } as const
  const post = { id, companyId: 'saved', text: id, ...scheduled, ...times }
  db.orm
    .insert(posts)
    .values({ ...post, accountId: account ? 'account' : null })
    .run()
  const queued = { kind: 'publish', state: 'queued' } as const
  const row = { id: `do-${id}`, companyId: 'saved', postId: id, ...queued, key: id }
  const rest = { approved: {}, memo: {}, confirmationId: 'c', availableAt: now - HOUR, ...times }
  db.orm
    .insert(socialActions)
    .values({ ...row, ...rest, ...action })
    .run()
}

it('holds posts that were due since the backup: they may be published already', async () => {
  const now = Date.now()
  await prepared((db) => {
    const connected = { platform: 'bluesky', state: 'connected' } as const
    const account = { id: 'account', companyId: 'saved', nativeId: 'n', handle: 'me', ...connected }
    const rest = { sealedTokens: '', scopes: [], settings: {} }
    db.orm
      .insert(socialAccounts)
      .values({ ...account, ...rest, createdAt: 1, updatedAt: 1 })
      .run()
    addPost(db, 'due', {})
    addPost(db, 'begun', { state: 'running', leaseOwner: 'x', leaseUntil: now + HOUR })
    addPost(db, 'sent', { state: 'running', leaseOwner: 'x', leaseUntil: now, sendingAt: now - HOUR })
    addPost(db, 'later', { availableAt: now + HOUR })
    addPost(db, 'package', {}, false)
  })
  const { code, out } = await restore(backup)
  expect([code, JSON.parse(out)]).toMatchObject([0, { heldPosts: 2 }])
  const db = openDatabase(database)
  const found = db.sqlite.prepare(
    'select posts.id, status, state, posts.failure from posts join social_actions on post_id = posts.id order by posts.id',
  )
  expect(found.raw().all()).toEqual([
    ['begun', 'error', 'failed', expect.stringContaining('may be out already')],
    ['due', 'error', 'failed', expect.stringContaining('may be out already')],
    ['later', 'scheduled', 'queued', null],
    ['package', 'scheduled', 'queued', null],
    ['sent', 'scheduled', 'running', null],
  ])
  db.close()
})

it('ends all sessions, and lists whose access is restored', async () => {
  const now = Date.now()
  await prepared((db) => {
    const services = { db, now: () => now }
    for (const name of ['gone', 'kept']) createApiKey(services, { companyId: 'saved', name })
    const { id } = createApiKey(services, { companyId: 'saved', name: 'revoked' })
    revokeApiKey(db, id, now)
    insertPerson(db, {
      id: 'p',
      name: 'Ada',
      role: 'owner',
      companyId: null,
      createdAt: now,
      lastSeenAt: null,
    })
    for (const kind of ['session', 'sign-in'] as const)
      insertSession(db, { hash: kind, kind, personId: 'p', createdAt: now, expiresAt: now + HOUR })
    for (const [id, expiresAt] of [
      ['live', now + HOUR],
      ['over', now - HOUR],
    ] as const) {
      insertClient(db, { id, companyId: 'saved', name: id, createdAt: now })
      saveGrant(db, { clientId: id, companyId: 'saved', expiresAt, createdAt: now, scopes: null })
    }
  })
  const notes: string[] = []
  const terminal = { out: () => undefined, note: (line: string) => notes.push(line) } as unknown as Terminal
  expect(await runCommandLine(['restore', backup, '--home', home], terminal)).toBe(0)
  expect(notes).toEqual([
    expect.stringContaining('Everybody is signed out'),
    expect.stringContaining(
      '2 API keys (cutroom key list), 1 person (cutroom people list), 1 grant (cutroom grant revoke).',
    ),
  ])
  const db = openDatabase(database)
  expect(db.sqlite.prepare('select * from sessions').all()).toEqual([])
  expect(findSessionPerson(db, 'session', now)).toBe(null)
  db.close()
  // Programs read the same fields as ever.
  const { out, said } = await restore(backup)
  expect(Object.keys(JSON.parse(out) as object)).toEqual([
    'restored',
    'home',
    'kept',
    'missingMedia',
    'heldPosts',
  ])
  expect(said).toBe('')
})
