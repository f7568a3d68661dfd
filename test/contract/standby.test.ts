/** What two appliances agree on in their store: who is in charge, and what the other one has. Processes: test/faults/standby.test.ts. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openFolderStore, type BackupStore } from '../../server/domain/backups/store.ts'
import { listBases } from '../../server/domain/standby/base.ts'
import { beginCharge, claimForStart, type Claim } from '../../server/domain/standby/charge.ts'
import { copyOf, openFollower, takeOver } from '../../server/domain/standby/follow.ts'
import { putFollowerNote, removeFollowerNote, watchFollowers } from '../../server/domain/standby/followers.ts'
import { claimEpoch, isFenced } from '../../server/domain/standby/place.ts'
import type { Charge } from '../../server/domain/standby/shipping.ts'
import { openLogReader } from '../../server/db/log-reader.ts'
import type { Db } from '../../server/db/client.ts'
import { openHome, type Home } from '../../server/home.ts'
import { openOwnDatabase } from '../../server/home-identity.ts'
import { createLogger } from '../../server/log.ts'

const log = createLogger('error')
const MEBIBYTE = 1024 ** 2
let root: string
let place: BackupStore
const undo: (() => unknown)[] = []

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-standby-place-'))
  await mkdir(join(root, 'store'))
  place = openFolderStore(join(root, 'store'))
})
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step()
  await rm(root, { recursive: true, force: true })
})

interface Serving {
  readonly home: Home
  readonly db: Db
  readonly charge: Charge
}

/** In charge of the home, with a table of its own; `at`: what it ships to. */
async function serve(home: Home, claim: Claim, at: BackupStore = place): Promise<Serving> {
  const early = claim.after === null ? null : openLogReader(home.database)
  const db = openOwnDatabase(home)
  undo.push(() => db.close())
  db.sqlite.exec('create table if not exists said (word text primary key, much blob)')
  const reader = early ?? openLogReader(home.database)
  const charge = await beginCharge({ home, log, place: at, now: Date.now }, claim, reader)
  undo.push(() => charge.stop())
  return { home, db, charge }
}

async function serveFirst(at: BackupStore = place): Promise<Serving> {
  const home = openHome(join(root, 'first'))
  return serve(home, await claimForStart({ home, place: at }), at)
}

function say({ db }: Serving, word: string, bytes = 0): void {
  db.sqlite.prepare('insert or replace into said values (?, randomblob(?))').run(word, bytes)
}

/** Every word and a digest of all that came with it. */
function saidIn(database: string): { words: string[]; digest: string } {
  const db = new Database(database)
  try {
    const rows = db
      .prepare<[], { word: string; much: Buffer }>('select word, much from said order by word')
      .all()
    const digest = createHash('sha256')
    for (const { much } of rows) digest.update(much)
    return { words: rows.map(({ word }) => word), digest: digest.digest('hex') }
  } finally {
    db.close()
  }
}

it('gives an epoch to one of those who claim at once, and leaves the last one alone', async () => {
  const claims: number[] = []
  for (let round = 0; round < 4; round++) {
    const holders = ['a', 'b', 'c'].map((name) => `${name}${round}`)
    const ended = await Promise.allSettled(holders.map((holder) => claimEpoch(place, holder)))
    claims.push(...ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])))
  }
  expect(claims.length).toBeGreaterThanOrEqual(4)
  expect(new Set(claims).size).toBe(claims.length)
  const last = Math.max(...claims)
  for (const epoch of claims) expect([epoch, await isFenced(place, epoch)]).toEqual([epoch, epoch !== last])
})

it('leaves one in charge of two that take over at once, with all that was acknowledged', async () => {
  const first = await serveFirst()
  say(first, 'before')
  const homes = ['second', 'third'].map((name) => openHome(join(root, name)))
  const followers = homes.map((home) => openFollower({ home, place, log }))
  await Promise.all(followers.map((follower) => follower.catchUp()))
  say(first, 'acknowledged')
  await first.charge.settled()
  const claims = await Promise.all(
    homes.map(async (home, at) =>
      takeOver({ home, place, log }, followers[at] ?? openFollower({ home, place, log })),
    ),
  )
  expect(claims[0]?.epoch).not.toBe(claims[1]?.epoch)
  const began = await Promise.allSettled(
    homes.map(async (home, at) => serve(home, claims[at] ?? { epoch: 0, after: null })),
  )
  const serving = began.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const inCharge: Serving[] = []
  for (const one of serving) {
    say(one, `by ${one.home.root}`)
    await one.charge.settled().then(
      () => inCharge.push(one),
      (error: unknown) => expect(error).toMatchObject({ code: 'NOT_IN_CHARGE' }),
    )
  }
  for (const one of began)
    if (one.status === 'rejected') expect(one.reason).toMatchObject({ code: 'NOT_IN_CHARGE' })
  expect(inCharge.length).toBe(1)
  expect(saidIn(inCharge[0]?.home.database ?? '').words).toEqual(
    expect.arrayContaining(['acknowledged', 'before']) as string[],
  )
  say(first, 'too late')
  await expect(first.charge.settled()).rejects.toMatchObject({ code: 'NOT_IN_CHARGE' })
}, 60_000)

it('writes the base anew after as much as it holds was shipped, and one that comes later begins there', async () => {
  const first = await serveFirst()
  for (let at = 0; at < 80; at++) {
    // Of a small database that changes much.
    say(first, `word ${at % 4}`, MEBIBYTE)
    await first.charge.settled()
  }
  await expect
    .poll(async () => (await listBases(place)).some(({ change }) => change > 0), { timeout: 60_000 })
    .toBe(true)
  say(first, 'last')
  await first.charge.settled()
  const home = openHome(join(root, 'second'))
  const applied = await openFollower({ home, place, log }).catchUp()
  expect(applied).toBeLessThan(80)
  expect(saidIn(copyOf(home))).toEqual(saidIn(first.home.database))
}, 120_000)

it('acknowledges nothing while the store is away, says so, and goes on by itself', async () => {
  let away = false
  const put: BackupStore['put'] = async (name, bytes) => {
    if (away) throw new Error('the store is away')
    await place.put(name, bytes)
  }
  const get: BackupStore['get'] = async (name) => {
    if (away) throw new Error('the store is away')
    return await place.get(name)
  }
  const first = await serveFirst({ ...place, put, get })
  say(first, 'before')
  await first.charge.settled()
  away = true
  say(first, 'meanwhile')
  const began = performance.now()
  await expect(first.charge.settled()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  expect(performance.now() - began).toBeGreaterThan(10_000)
  expect(first.charge.isCertain()).toBe(false)
  await expect(first.charge.require()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
  expect(first.charge.facts().lagMs).toBeGreaterThan(10_000)
  away = false
  await expect.poll(() => first.charge.facts().lagMs, { timeout: 10_000 }).toBe(0)
  await first.charge.settled()
  const home = openHome(join(root, 'second'))
  await openFollower({ home, place, log }).catchUp()
  expect(saidIn(copyOf(home)).words).toEqual(['before', 'meanwhile'])
}, 60_000)

it('knows which standbys are there by what they say, not by their clocks', async () => {
  let now = 0
  const watch = watchFollowers(place, 'own', () => now)
  const note = (at: number, change: number) =>
    ({ version: 1, machine: 'other', epoch: 1, change, keyFits: true, at }) as const
  await putFollowerNote(place, 'one', note(5, 1))
  await putFollowerNote(place, 'own', note(5, 1))
  await place.put('followers/damaged', Buffer.from('{'))
  await watch.look()
  // It may be of last year.
  expect(watch.there()).toEqual([])
  await putFollowerNote(place, 'one', note(4, 2))
  await watch.look()
  expect(watch.there()).toEqual([note(4, 2)])
  now += 61_000
  expect(watch.there()).toEqual([])
  await putFollowerNote(place, 'one', note(9, 3))
  await watch.look()
  expect(watch.there().map(({ change }) => change)).toEqual([3])
  await removeFollowerNote(place, 'one')
  await watch.look()
  expect(watch.there()).toEqual([])
})
