/** What the doctor finds of years of use: clocks, disks, what was left behind, backups, quotas. */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { runCommandLine } from '../../server/cli/command-line.ts'
import { checkHome, checkQueue, checkSettings } from '../../server/cli/doctor/machine.ts'
import {
  checkBackups,
  checkClock,
  checkFileSystem,
  checkLeftBehind,
  checkLogFolder,
  checkQuota,
  checkUpkeep,
  checkSealed,
} from '../../server/cli/doctor/upkeep.ts'
import type { Terminal } from '../../server/cli/command.ts'
import { LAST_BACKUP, setSetting, VERIFIED_BACKUP } from '../../server/db/settings.ts'
import { createWebhook } from '../../server/domain/webhooks/webhooks.ts'
import { acquireHomeLock } from '../../server/jobs/home-lock.ts'
import { forgetKeys, renewKey } from '../../server/secrets.ts'
import { addMedia, addRun, addWorkflow, startTestServer, type TestServer } from '../support/server.ts'

const DAY = 86_400_000
let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

it('finds a clock that was set back', () => {
  const { db } = server.services
  addRun(server, { workflowId: addWorkflow(server), updatedAt: Date.now() })
  expect(checkClock(db, Date.now()).state).toBe('ok')
  const back = checkClock(db, Date.now() - DAY)
  expect([back.state, back.found]).toEqual(['warning', expect.stringContaining('is 1440 minutes before')])
})

it('finds backups that are missing or old', () => {
  const { db } = server.services
  const now = Date.now()
  expect(checkBackups(db, now, null)).toMatchObject({
    state: 'warning',
    found: 'the database was never backed up',
  })
  setSetting(db, LAST_BACKUP, String(now))
  expect(checkBackups(db, now, null)).toMatchObject({ state: 'ok', found: 'made today' })
  expect(checkBackups(db, now + 15 * DAY, null)).toMatchObject({
    state: 'warning',
    found: 'the newest is 15 days old',
  })
  // Those that are made by themselves are read back hourly.
  expect(checkBackups(db, now, '/mnt/backups')).toMatchObject({
    state: 'warning',
    found: 'none at /mnt/backups was made and read back for a day',
  })
  setSetting(db, VERIFIED_BACKUP, String(now))
  expect(checkBackups(db, now, '/mnt/backups')).toMatchObject({ state: 'ok', found: 'made today' })
})

it.skipIf(process.platform === 'win32')('finds files of another user in the home', async () => {
  const { config, home } = server.services
  await mkdir(join(home.root, 'models', 'vad'), { recursive: true })
  expect(checkHome(config).at(-1)).toMatchObject({ name: 'permissions', state: 'ok' })
  const others = [home.database, join(home.root, 'models', 'vad')]
  expect(checkHome(config, (path) => (others.includes(path) ? 0 : 7)).at(-1)).toMatchObject({
    name: 'permissions',
    state: 'failure',
    found: expect.stringMatching(/: cutroom\.sqlite, models.vad$/) as string,
    mend: expect.stringContaining('chown -R') as string,
  })
})

it.skipIf(process.platform === 'win32')(
  'accepts root’s lost+found in a home that is a disk of its own',
  async () => {
    const { config, home } = server.services
    const ofRoot = join(home.root, 'lost+found')
    await mkdir(ofRoot)
    expect(checkHome(config, (path) => (path === ofRoot ? 0 : 7)).at(-1)).toMatchObject({
      name: 'permissions',
      state: 'ok',
    })
  },
)

it('finds a home on a network file system, a log that cannot be written, and a quota that is nearly used up', async () => {
  const { config, db, home } = server.services
  if (process.platform === 'linux') {
    expect(checkFileSystem(config, () => 0xef53)).toMatchObject([{ state: 'ok' }])
    expect(checkFileSystem(config, () => 0x6969)).toMatchObject([
      { state: 'warning', found: 'the home is on NFS' },
    ])
  }
  expect(checkLogFolder(config)).toEqual([])
  // A file used as a folder cannot be written into, not even by the superuser.
  await writeFile(join(home.root, 'logs'), '')
  expect(checkLogFolder(config)).toMatchObject([{ name: 'log', state: 'warning' }])
  await addMedia(server, 'clip.mp4', Buffer.alloc(95))
  expect(checkQuota(db, 0)).toEqual([])
  expect(checkQuota(db, 100)).toMatchObject([{ state: 'warning', found: 'nearly used up: acme' }])
  expect(checkQuota(db, 1000)).toMatchObject([{ state: 'ok' }])
  expect((await checkUpkeep(config, Date.now())).map(({ name }) => name)).toEqual(['clock', 'backup'])
})

it('reports an appliance that was killed, and not one that runs or ended normally', async () => {
  const { config, home } = server.services
  const record = join(dirname(home.lock), 'appliance.json')
  const lock = acquireHomeLock(home, 1)
  lock.release()
  expect([existsSync(record), checkLeftBehind(config)]).toEqual([false, []])
  await writeFile(record, JSON.stringify({ pid: 4321, url: null, startedAt: 1 }))
  expect(checkLeftBehind(config)).toMatchObject([
    { state: 'warning', found: expect.stringContaining('4321') as string },
  ])
})

it('finds secrets whose key is missing: a database that was moved to another machine without it', async () => {
  const { config, db, home } = server.services
  const key = join(home.root, 'secret.key')
  expect(checkSealed(db, config)).toEqual([])
  createWebhook(server.services, { companyId: server.companyId, url: 'https://a.example/', events: ['*'] })
  const states = () => {
    forgetKeys()
    return checkSealed(db, config).map(({ state, found }) => `${state}: ${found}`)
  }
  expect(states()).toEqual(['ok: 1 accounts, webhooks and named voices open with it'])
  const right = await readFile(key)
  await writeFile(key, Buffer.alloc(32))
  expect(states()).toEqual([expect.stringMatching(/^failure: .*another key than the one/)])
  // Nothing is sealed with the new key unless the operator states that the old one is lost.
  const hook = { companyId: server.companyId, url: 'https://b.example/', events: ['*'] }
  expect(() => createWebhook(server.services, hook)).toThrow(/another key than the one/)
  renewKey(home, db)
  createWebhook(server.services, hook)
  expect(states()).toEqual(['failure: 1 of 2 accounts, webhooks and named voices are of another key'])
  expect(checkSealed(db, config)[0]?.mend).toMatch(/^Keep the key/)
  await writeFile(key, 'short')
  expect(states()).toEqual([expect.stringContaining('failure: ')])
  await rm(key)
  expect(states()).toEqual(['failure: the key of 2 accounts, webhooks and named voices is not in the home'])
  // To look does not make one.
  expect(existsSync(key)).toBe(false)
  await writeFile(key, right)
  expect(states()).toHaveLength(1)
})

it('finds a queue that is unreachable', async () => {
  const listening = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => listening.once('listening', resolve))
  const redisUrl = `redis://127.0.0.1:${(listening.address() as AddressInfo).port}`
  expect(await checkQueue({ queue: 'sqlite', redisUrl, network: 'on' })).toEqual([])
  expect(await checkQueue({ queue: 'bullmq', redisUrl, network: 'off' })).toMatchObject([
    { name: 'queue', state: 'ok' },
  ])
  await new Promise((resolve) => listening.close(resolve))
  expect(await checkQueue({ queue: 'bullmq', redisUrl, network: 'off' })).toMatchObject([
    { state: 'failure', found: expect.stringContaining('ECONNREFUSED') as string },
  ])
  const elsewhere = { queue: 'bullmq', redisUrl: 'redis://192.0.2.1:1', network: 'off' } as const
  expect(await checkQueue(elsewhere)).toEqual([])
})

it('finds unknown settings', () => {
  expect(checkSettings([])).toEqual([])
  expect(checkSettings(['CUTROOM_NETWROK'])).toMatchObject([
    { state: 'warning', found: 'there is no setting CUTROOM_NETWROK: it does nothing' },
  ])
})

it.each([
  [['resume', 'no-such-run'], 'No such run'],
  [['worker', '--server', 'http://127.0.0.1:1', '--token', 'none'], 'No appliance answers'],
])('%j reports unknown settings before it does anything', async (words, ends) => {
  vi.stubEnv('CUTROOM_NETWROK', 'off')
  const reported: string[] = []
  const note = (line: string) => void reported.push(line)
  const terminal = { out: note, note, status: () => undefined } as unknown as Terminal
  const home = await mkdtemp(join(tmpdir(), 'cutroom-none-'))
  try {
    expect(await runCommandLine([...words, '--home', home], terminal)).toBe(1)
  } finally {
    vi.unstubAllEnvs()
    await rm(home, { recursive: true })
  }
  expect(reported[0]).toContain('there is no such setting: it does nothing setting=CUTROOM_NETWROK')
  expect(reported.at(-1)).toContain(ends)
})
