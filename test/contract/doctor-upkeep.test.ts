/** What the doctor finds of years of use: clocks, disks, what was left behind, backups, quotas. */
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkHome } from '../../server/cli/doctor/machine.ts'
import {
  checkBackups,
  checkClock,
  checkFileSystem,
  checkLeftBehind,
  checkLogFolder,
  checkQuota,
  checkUpkeep,
} from '../../server/cli/doctor/upkeep.ts'
import { LAST_BACKUP, setSetting } from '../../server/db/settings.ts'
import { acquireHomeLock } from '../../server/jobs/home-lock.ts'
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
  expect(checkBackups(db, now)).toMatchObject({ state: 'warning', found: 'the database was never backed up' })
  setSetting(db, LAST_BACKUP, String(now))
  expect(checkBackups(db, now)).toMatchObject({ state: 'ok', found: 'made today' })
  expect(checkBackups(db, now + 15 * DAY)).toMatchObject({
    state: 'warning',
    found: 'the newest is 15 days old',
  })
})

it.skipIf(process.platform === 'win32')('finds what another user left in the home', async () => {
  const { config, home } = server.services
  await mkdir(join(home.root, 'models', 'vad'), { recursive: true })
  expect(checkHome(config).at(-1)).toMatchObject({ name: 'permissions', state: 'ok' })
  const others = [home.database, join(home.root, 'models', 'vad')]
  expect(checkHome(config, (path) => (others.includes(path) ? 0 : 7)).at(-1)).toMatchObject({
    ...{ name: 'permissions', state: 'failure' },
    found: expect.stringMatching(/: cutroom\.sqlite, models.vad$/) as string,
    mend: expect.stringContaining('chown -R') as string,
  })
})

it('finds a home on a network, a log that cannot be written, and a quota that is nearly used', async () => {
  const { config, db, home } = server.services
  if (process.platform === 'linux') {
    expect(checkFileSystem(config, () => 0xef53)).toMatchObject([{ state: 'ok' }])
    expect(checkFileSystem(config, () => 0x6969)).toMatchObject([
      { state: 'warning', found: 'the home is on NFS' },
    ])
  }
  expect(checkLogFolder(config)).toEqual([])
  // Nobody can write into a file as into a folder, the superuser included.
  await writeFile(join(home.root, 'logs'), '')
  expect(checkLogFolder(config)).toMatchObject([{ name: 'log', state: 'warning' }])
  await addMedia(server, 'clip.mp4', Buffer.alloc(95))
  expect(checkQuota(db, 0)).toEqual([])
  expect(checkQuota(db, 100)).toMatchObject([{ state: 'warning', found: 'nearly used up: acme' }])
  expect(checkQuota(db, 1000)).toMatchObject([{ state: 'ok' }])
  expect((await checkUpkeep(config, Date.now())).map(({ name }) => name)).toEqual(['clock', 'backup'])
})

it('tells of an appliance that was killed, and not of one that runs or has ended well', async () => {
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
