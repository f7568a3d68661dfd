/** Database and footage of a home belong together: what is missing, empty or of another home is refused, not begun anew. */
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { runCommandLine } from '../../server/cli/command-line.ts'
import type { Terminal } from '../../server/cli/command.ts'
import { openDatabase } from '../../server/db/client.ts'
import { APPLIANCE_ID, deleteSetting, getSetting } from '../../server/db/settings.ts'
import { saveSource } from '../../server/db/sources.ts'
import { createCompany } from '../../server/domain/people/companies.ts'
import { homePaths, type Home } from '../../server/home.ts'
import { openOwnDatabase } from '../../server/home-identity.ts'
import { digestOf } from '../../workers/artefacts.ts'
import { sourcePath } from '../../workers/paths.ts'
import { serve } from '../support/appliance-process.ts'

let root: string
let home: Home
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'cutroom-identity-'))))
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(async () => void (home = homePaths(await mkdtemp(join(root, 'home-')))))

async function cutroom(...words: string[]) {
  const out: string[] = []
  const noted: string[] = []
  const terminal = {
    out: (line: string) => out.push(line),
    note: (line: string) => noted.push(line),
    status: () => undefined,
  }
  const code = await runCommandLine([...words, '--home', home.root], terminal as unknown as Terminal)
  return { code, out: out.join('\n'), said: noted.join('\n') }
}

const companyCreate = (id: string) => cutroom('company', 'create', id, '--name', id)

/** A file of people in a home, which its database lists where `known`. */
async function addFootage(of: Home, name: string, known = true): Promise<string> {
  const digest = digestOf(name)
  const path = sourcePath(of.sources, digest)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, name)
  if (known) {
    const db = openDatabase(of.database)
    const facts = { bytes: 9, mediaType: 'video/mp4', etag: null, lastModified: null }
    saveSource(db, { digest, url: null, ...facts, now: 1 })
    db.close()
  }
  return path
}

/** A home that has worked: company `here`, and one source. */
async function usedHome(of = home, company = 'here'): Promise<string> {
  const db = openOwnDatabase(of)
  createCompany({ db, now: Date.now }, { id: company, name: company, plan: 'business', features: [] })
  db.close()
  return await addFootage(of, `talk of ${company}`)
}

function companies(): unknown {
  const db = new Database(home.database, { readonly: true })
  const ids = db.prepare('select id from companies order by id').pluck().all()
  db.close()
  return ids
}

const DAMAGES: readonly (readonly [name: string, act: () => Promise<unknown>])[] = [
  ['removed', () => rm(home.database)],
  ['emptied', () => truncate(home.database)],
  [
    'replaced by one of another home',
    async () => {
      const other = homePaths(await mkdtemp(join(root, 'other-')))
      await usedHome(other, 'other')
      await cp(other.database, home.database)
    },
  ],
  [
    'begun anew beside it',
    async () => {
      await rm(home.database)
      openDatabase(home.database).close()
    },
  ],
]

it.each(DAMAGES)('refuses a database that was %s, and leaves all as it is', async (_name, damage) => {
  const footage = await usedHome()
  await damage()
  const before = existsSync(home.database) ? await readFile(home.database) : null
  for (const words of [
    ['serve', '--port', '0'],
    ['company', 'create', 'new', '--name', 'new'],
    ['storage', 'clean'],
    ['secrets', 'renew'],
  ]) {
    const { code, said } = await cutroom(...words)
    expect([words[0], code, said.split('\n').length]).toEqual([words[0], 1, 1])
    for (const part of ['HOME_DATABASE_LOST', 'cutroom restore FILE', 'cutroom home adopt'])
      expect(said).toContain(part)
  }
  const json = JSON.parse((await cutroom('serve', '--port', '0', '--json')).said) as object
  expect(json).toMatchObject({ code: 'HOME_DATABASE_LOST', status: 'error' })
  expect(existsSync(footage)).toBe(true)
  expect(existsSync(home.database) ? await readFile(home.database) : null).toEqual(before)
  expect(existsSync(join(home.root, 'secret.key'))).toBe(false)
})

it('refuses a new database beside footage that was never marked', async () => {
  await addFootage(home, 'somebody’s', false)
  expect(await companyCreate('new')).toMatchObject({ code: 1 })
  expect(existsSync(home.database)).toBe(false)
})

it('begins in an empty home, and marks one of before without a question', async () => {
  expect(await companyCreate('first')).toMatchObject({ code: 0 })
  const { applianceId } = JSON.parse(await readFile(home.identity, 'utf8')) as { applianceId: string }
  await addFootage(home, 'talk')
  const db = openDatabase(home.database)
  expect(getSetting(db, APPLIANCE_ID)).toBe(applianceId)
  // As versions before this left it.
  deleteSetting(db, APPLIANCE_ID)
  db.close()
  await rm(home.identity)
  expect(await companyCreate('second')).toMatchObject({ code: 0 })
  expect(existsSync(home.identity)).toBe(true)
})

it('a copy of a home, and one that was moved, work; footage alone finds its database again', async () => {
  await usedHome()
  const copy = await mkdtemp(join(root, 'copy-'))
  await cp(home.root, copy, { recursive: true })
  home = homePaths(copy)
  expect(await companyCreate('second')).toMatchObject({ code: 0 })
  // Whatever copied it left out or spoilt the small file.
  await writeFile(home.identity, 'x')
  expect(await companyCreate('third')).toMatchObject({ code: 0 })
  expect(companies()).toEqual(['here', 'second', 'third'])
})

it('restores an older backup of the home, and refuses that of another beside footage unless told', async () => {
  const footage = await usedHome()
  const own = join(await mkdtemp(join(root, 'saved-')), 'own.sqlite')
  expect(await cutroom('backup', own)).toMatchObject({ code: 0 })
  await addFootage(home, 'since')
  const other = homePaths(await mkdtemp(join(root, 'other-')))
  await usedHome(other, 'other')

  await rm(home.database)
  const refused = await cutroom('restore', other.database)
  expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('a backup of another home')])
  expect(existsSync(home.database)).toBe(false)
  expect(await cutroom('restore', own)).toMatchObject({ code: 0 })
  expect(companies()).toEqual(['here'])
  expect(await companyCreate('second')).toMatchObject({ code: 0 })

  expect(await cutroom('restore', other.database, '--adopt')).toMatchObject({ code: 0 })
  expect(await companyCreate('third')).toMatchObject({ code: 0 })
  expect(companies()).toEqual(['other', 'third'])
  expect(existsSync(footage)).toBe(true)
})

it('takes the footage beside a new database when that is asked for, and keeps the log of the lost one', async () => {
  const footage = await usedHome()
  expect(JSON.parse((await cutroom('home', 'adopt', '--json')).out)).toMatchObject({ taken: false })
  await truncate(home.database)
  await writeFile(`${home.database}-wal`, 'the last changes')
  const { code, out } = await cutroom('home', 'adopt', '--json')
  expect([code, JSON.parse(out)]).toEqual([
    0,
    { home: home.root, taken: true, kept: expect.stringMatching(/cutroom\.sqlite\.before-/) as string },
  ])
  const { kept } = JSON.parse(out) as { kept: string }
  expect(await readFile(`${kept}-wal`, 'utf8')).toBe('the last changes')
  expect(await companyCreate('new')).toMatchObject({ code: 0 })
  expect(companies()).toEqual(['new'])
  expect(existsSync(footage)).toBe(true)
})

it('serves a home that was moved, and refuses a damaged page with a sentence', async () => {
  const footage = await usedHome()
  const first = await serve(home.root)
  await first.stop()
  const bytes = await readFile(home.database)
  // The second page is the root of a table.
  await writeFile(
    home.database,
    Buffer.concat([bytes.subarray(0, 4096), Buffer.alloc(4096, 7), bytes.subarray(8192)]),
  )
  await expect(serve(home.root)).rejects.toThrow(/is damaged\. Put back a backup: cutroom restore FILE/)
  await writeFile(home.database, Buffer.concat([Buffer.alloc(16, 7), bytes.subarray(16)]))
  await expect(serve(home.root)).rejects.toThrow(/is damaged\. Put back a backup: cutroom restore FILE/)
  expect(existsSync(footage)).toBe(true)
})
