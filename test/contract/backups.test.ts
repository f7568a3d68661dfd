/** Backups of database and files by themselves: only what is new is copied, all of it comes back, damage is told. */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { serve } from '../support/appliance-process.ts'
import { askCommand } from '../support/typed-commands.ts'

let root: string
beforeAll(async () => void (root = await mkdtemp(join(tmpdir(), 'cutroom-backups-'))))
afterAll(() => rm(root, { recursive: true, force: true }))

const KEY = 'correct horse battery staple'

interface Place {
  readonly home: string
  readonly to: string
  readonly cutroom: (...words: string[]) => ReturnType<typeof askCommand>
}

/** A home, a folder for its backups, and commands as a person types them. */
async function place({ sealed = false, to: given }: { sealed?: boolean; to?: string } = {}): Promise<Place> {
  const home = await mkdtemp(join(root, 'home-'))
  const to = given ?? (await mkdtemp(join(root, 'backups-')))
  const keyFile = join(root, 'backup-key')
  await writeFile(keyFile, `${KEY}\n`)
  await writeFile(
    join(home, 'config.json'),
    JSON.stringify({ backupTo: to, ...(sealed ? { backupKeyFile: keyFile } : {}) }),
  )
  return { home, to, cutroom: (...words) => askCommand(home, words) }
}

/** A source as ingest stores it: under the digest of its content, listed in the database. */
async function addSource(home: string, content: Buffer): Promise<string> {
  const digest = createHash('sha256').update(content).digest('hex')
  const path = join('sources', digest.slice(0, 2), digest)
  await mkdir(join(home, 'sources', digest.slice(0, 2)), { recursive: true })
  await writeFile(join(home, path), content)
  const sqlite = new Database(join(home, 'cutroom.sqlite'))
  sqlite
    .prepare("insert into sources (digest, bytes, media_type, created_at) values (?, ?, 'video/mp4', 1)")
    .run(digest, content.length)
  sqlite.close()
  return path
}

const footage = (seed: number, bytes: number): Buffer => {
  const blocks: Buffer[] = []
  for (let at = 0; at < bytes; at += 32) blocks.push(createHash('sha256').update(`${seed} ${at}`).digest())
  return Buffer.concat(blocks).subarray(0, bytes)
}

const companies = (home: string): unknown[] => {
  const sqlite = new Database(join(home, 'cutroom.sqlite'), { readonly: true })
  const ids = sqlite.prepare('select id from companies order by id').pluck().all()
  sqlite.close()
  return ids
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

it('a home that is gone comes back from its backups, as it was at a moment', async () => {
  const { home, to, cutroom } = await place()
  expect((await cutroom('company', 'create', 'first', '--name', 'First')).code).toBe(0)
  const long = footage(1, 9_000_000)
  const path = await addSource(home, long)
  const one = await cutroom('backups', 'run')
  expect(one).toMatchObject({ code: 0, json: { files: 1, bytes: long.length } })
  expect(Number(one.json['written'])).toBeGreaterThan(long.length)

  expect((await cutroom('company', 'create', 'second', '--name', 'Second')).code).toBe(0)
  const short = footage(2, 1_000_000)
  await addSource(home, short)
  const two = await cutroom('backups', 'run')
  expect(two).toMatchObject({ code: 0, json: { files: 2 } })
  // The long file was there; of the database only what had changed, in its pieces.
  expect(Number(two.json['written'])).toBeLessThan(short.length + 4_000_000)
  const listed = await cutroom('backups', 'list')
  expect(listed.json['backups']).toHaveLength(2)
  expect(await cutroom('backups', 'drill')).toMatchObject({ code: 0, json: { files: 2, faults: [] } })

  await rm(home, { recursive: true })
  const back = await place({ to })
  const restored = await back.cutroom('restore', to, '--at', String(one.json['moment']))
  expect(restored).toMatchObject({
    code: 0,
    json: { moment: one.json['moment'], missingMedia: 0, files: { restored: 1 } },
  })
  expect(companies(back.home)).toEqual(['first'])
  expect((await readFile(join(back.home, path))).equals(long)).toBe(true)
  expect((await back.cutroom('restore', to)).json).toMatchObject({ files: { restored: 1, there: 1 } })
  expect(companies(back.home)).toEqual(['first', 'second'])
  // What comes before every backup is refused, with the oldest that there is.
  const early = await back.cutroom('restore', to, '--at', '2020-01-01T00:00Z')
  expect([early.code, early.said]).toEqual([
    1,
    expect.stringContaining(`the oldest is of ${String(one.json['moment'])}`),
  ])
  // Its backups go on in the same place.
  expect((await back.cutroom('backups', 'run')).code).toBe(0)
})

it('damage in the backups is told before anything of it is believed', async () => {
  const { home, to, cutroom } = await place()
  await cutroom('company', 'create', 'acme', '--name', 'Acme')
  const path = await addSource(home, footage(3, 6_000_000))
  expect((await cutroom('backups', 'run')).code).toBe(0)
  const pieces = await filesBelow(join(to, 'pieces'))
  const sizes = await Promise.all(pieces.map(async (file) => (await stat(file)).size))
  const largest = pieces[sizes.indexOf(Math.max(...sizes))] ?? ''
  await flip(largest)
  const drilled = await cutroom('backups', 'drill')
  expect([drilled.code, drilled.said]).toEqual([1, expect.stringContaining('was changed')])
  await rm(join(home, path))
  expect((await cutroom('company', 'create', 'since', '--name', 'Since')).code).toBe(0)
  expect((await cutroom('restore', to)).code).toBe(1)
  expect(companies(home)).toEqual(['acme', 'since'])
  expect(existsSync(join(home, path))).toBe(false)
  await flip(largest)
  expect((await cutroom('backups', 'drill')).code).toBe(0)
  expect((await cutroom('restore', to)).code).toBe(0)
  expect(existsSync(join(home, path))).toBe(true)
  expect(companies(home)).toEqual(['acme'])
})

/** Changes one byte of a file, or changes it back. */
async function flip(file: string, at = 1000): Promise<void> {
  const handle = await open(file, 'r+')
  const byte = Buffer.alloc(1)
  await handle.read(byte, 0, 1, at)
  byte[0] = (byte[0] ?? 0) ^ 1
  await handle.write(byte, 0, 1, at)
  await handle.close()
}

it('what a drill finds damaged is stored anew by the next backup, and so is what is missing', async () => {
  const { home, to, cutroom } = await place()
  await cutroom('company', 'create', 'acme', '--name', 'Acme')
  const path = await addSource(home, footage(6, 6_000_000))
  const other = await addSource(home, footage(7, 50_000))
  expect((await cutroom('backups', 'run')).code).toBe(0)
  const pieceOf = (content: Buffer): string => {
    const name = createHash('sha256').update(content).digest('hex')
    return join(to, 'pieces', name.slice(0, 2), name)
  }
  const rotten = pieceOf(footage(6, 6_000_000).subarray(0, 4 * 1024 ** 2))
  await flip(rotten)
  expect((await cutroom('backups', 'drill')).code).toBe(1)
  await rm(pieceOf(footage(7, 50_000)))
  expect((await cutroom('backups', 'run')).code).toBe(0)
  expect(await cutroom('backups', 'drill')).toMatchObject({ code: 0, json: { files: 2, faults: [] } })
  // The earlier one has the same pieces, so it is whole again as well.
  const listed = (await cutroom('backups', 'list')).json['backups'] as { moment: string }[]
  expect((await cutroom('backups', 'drill', '--at', listed.at(-1)?.moment ?? '')).code).toBe(0)
  for (const lost of [path, other]) await rm(join(home, lost))
  expect((await cutroom('restore', to)).json).toMatchObject({ files: { restored: 2 } })
  expect(await readdir(join(to, 'suspects'))).toEqual([])
})

it('an original that is damaged in the home does not take the place of the one in the backups', async () => {
  const { home, to, cutroom } = await place()
  await cutroom('company', 'create', 'acme', '--name', 'Acme')
  const content = footage(8, 200_000)
  const path = await addSource(home, content)
  expect((await cutroom('backups', 'run')).code).toBe(0)
  await flip(join(home, path))
  for (let times = 0; times < 2; times += 1) {
    const run = await cutroom('backups', 'run')
    expect([run.code, run.json['rotten']]).toEqual([1, [path]])
  }
  expect(await cutroom('backups', 'drill')).toMatchObject({ code: 0, json: { faults: [] } })
  expect((await cutroom('restore', to)).json).toMatchObject({ files: { restored: 1 } })
  expect((await readFile(join(home, path))).equals(content)).toBe(true)
  expect((await cutroom('backups', 'run')).code).toBe(0)
  // One that no backup has whole: what is made then is no verified backup.
  const late = await addSource(home, footage(9, 1000))
  await flip(join(home, late), 10)
  expect((await cutroom('backups', 'run')).json['rotten']).toEqual([late])
  const [newest] = (await cutroom('backups', 'list')).json['backups'] as { verified: boolean }[]
  expect(newest?.verified).toBe(false)
})

it.each(['backup.json', 'backup-again.json'])(
  'backups open without %s, and the next one writes it anew',
  async (name) => {
    const { to, cutroom } = await place({ sealed: true })
    await cutroom('company', 'create', 'acme', '--name', 'Acme')
    expect((await cutroom('backups', 'run')).code).toBe(0)
    const whole = await readFile(join(to, name))
    for (const damage of [() => flip(join(to, name), 30), () => rm(join(to, name))]) {
      await damage()
      expect((await cutroom('backups', 'drill')).code).toBe(0)
      expect((await cutroom('backups', 'run')).code).toBe(0)
      expect((await readFile(join(to, name))).equals(whole)).toBe(true)
    }
  },
)

it('sealed backups tell nothing without their key, and bring the key of the home back', async () => {
  const { home, to, cutroom } = await place({ sealed: true })
  await cutroom('company', 'create', 'acme', '--name', 'Heron and Daughters')
  const marked = Buffer.concat([Buffer.from('a mark that is easy to find'), footage(4, 100_000)])
  await addSource(home, marked)
  await writeFile(join(home, 'secret.key'), footage(5, 32), { mode: 0o600 })
  expect((await cutroom('backups', 'run')).code).toBe(0)
  for (const file of await filesBelow(to)) {
    const bytes = await readFile(file)
    expect(bytes.includes('a mark that is easy to find'), file).toBe(false)
    expect(bytes.includes('Heron and Daughters'), file).toBe(false)
    expect(file.includes(createHash('sha256').update(marked).digest('hex'))).toBe(false)
  }
  const without = await place({ to })
  const refused = await without.cutroom('restore', to)
  expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('CUTROOM_BACKUP_KEY_FILE')])
  const back = await place({ to, sealed: true })
  await writeFile(join(root, 'backup-key'), 'another key than the first')
  expect((await back.cutroom('restore', to)).said).toContain('is not the key of the backups')
  await writeFile(join(root, 'backup-key'), KEY)
  expect((await back.cutroom('restore', to)).code).toBe(0)
  expect((await readFile(join(back.home, 'secret.key'))).equals(footage(5, 32))).toBe(true)
})

it('a disk that is not mounted is not taken for an empty one', async () => {
  const { to, cutroom } = await place()
  await cutroom('company', 'create', 'acme', '--name', 'Acme')
  expect((await cutroom('backups', 'run')).code).toBe(0)
  await rename(to, `${to}-unmounted`)
  expect((await cutroom('backups', 'run')).said).toMatch(/cannot be used.+Mount the disk/)
  await mkdir(to)
  expect((await cutroom('backups', 'run')).said).toMatch(/not mounted, or is another one/)
  expect(await readdir(to)).toEqual([])
  expect((await cutroom('backups', 'begin')).code).toBe(0)
  expect((await cutroom('backups', 'run')).code).toBe(0)
})

it('an appliance that is killed loses no more than the last seconds', async () => {
  const { home, to, cutroom } = await place()
  const appliance = await serve(home, [], { CUTROOM_BACKUP_SECONDS: '5' })
  try {
    const listed = async () => (await cutroom('backups', 'list')).json['backups'] as { verified: boolean }[]
    await expect.poll(async () => (await listed()).length, { timeout: 60_000 }).toBeGreaterThan(0)
    expect((await listed())[0]?.verified).toBe(true)
    expect((await cutroom('company', 'create', 'late', '--name', 'Late')).code).toBe(0)
    const created = Date.now()
    const newest = async () => Date.parse(String((await listed())[0]?.['moment' as never]))
    await expect.poll(newest, { timeout: 60_000 }).toBeGreaterThan(created)
  } finally {
    await appliance.stop('SIGKILL')
  }
  await rm(home, { recursive: true })
  const back = await place({ to })
  expect((await back.cutroom('restore', to)).code).toBe(0)
  expect(companies(back.home)).toContain('late')
})
