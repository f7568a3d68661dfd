/** How an appliance lets go of its home. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { loadConfig } from '../../server/config/config.ts'
import { startAppliance } from '../../server/index.ts'
import { createLogger } from '../../server/log.ts'

/** Below the busy timeout of 10 s, and well below the 12 s after which the desktop kills. */
const SOON_MS = 7000

it('stops quickly while a backup reads the database, and loses nothing', async () => {
  const home = await mkdtemp(join(tmpdir(), 'cutroom-stop-'))
  const config = loadConfig({ home, port: '0' }, { CUTROOM_MIN_FREE_BYTES: '0' })
  const appliance = await startAppliance(config, createLogger('error'))
  const reader = new Database(appliance.services.home.database, { readonly: true })
  try {
    reader.exec('begin')
    reader.prepare('select count(*) from companies').get()
    appliance.services.db.sqlite.exec("insert into settings (key, value) values ('written-last', '1')")
    const requested = performance.now()
    await appliance.stop()
    expect(performance.now() - requested).toBeLessThan(SOON_MS)
    reader.exec('rollback')
    const last = reader.prepare("select value from settings where key = 'written-last'").get()
    expect(last).toEqual({ value: '1' })
  } finally {
    reader.close()
    await appliance.stop()
    await rm(home, { recursive: true })
  }
})
