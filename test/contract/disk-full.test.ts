/** A disk that really is full: a small file system of its own, where the system lets us make one. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCommandLine } from '../../server/cli/command-line.ts'
import type { Terminal } from '../../server/cli/command.ts'
import { checkDatabase } from '../../server/cli/doctor/engines.ts'
import { loadConfig } from '../../server/config/config.ts'
import { openDatabase } from '../../server/db/client.ts'
import { openHome, type Home } from '../../server/home.ts'
import { acquireHomeLock } from '../../server/jobs/home-lock.ts'
import { addWorkflow, startTestServer, type TestServer } from '../support/server.ts'

const MEGABYTE = 1024 ** 2

function mountSmallDisk(): { folder: string; unmount(): void } | string {
  const folder = mkdtempSync(join(tmpdir(), 'cutroom-full-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', folder], { stdio: 'pipe' })
  } catch (error) {
    rmSync(folder, { recursive: true })
    return `a small file system cannot be mounted here: ${String(error).split('\n')[0] ?? ''}`
  }
  return {
    folder,
    unmount: () => {
      execFileSync('umount', [folder], { stdio: 'pipe' })
      rmSync(folder, { recursive: true })
    },
  }
}

const probe = mountSmallDisk()
if (typeof probe === 'string') console.warn(`skipped: ${probe}`)
else probe.unmount()

describe.skipIf(typeof probe === 'string')('a full disk', () => {
  let disk: { folder: string; unmount(): void }
  let server: TestServer
  let home: Home
  beforeEach(async () => {
    const mounted = mountSmallDisk()
    if (typeof mounted === 'string') throw new Error(mounted)
    disk = mounted
    home = openHome(disk.folder)
    const db = openDatabase(home.database)
    server = await startTestServer({ services: { home, db } })
  })
  afterEach(async () => {
    await server.close()
    disk.unmount()
  })
  const fill = (): void => {
    const { bavail, bsize } = statfsSync(disk.folder)
    writeFileSync(join(disk.folder, 'ballast'), Buffer.alloc(bavail * bsize))
  }

  it('a command reports it in a sentence, without a stack trace', async () => {
    fill()
    const reported: string[] = []
    const terminal = {
      out: () => undefined,
      note: (line: string) => reported.push(line),
    } as unknown as Terminal
    const words = ['people', 'invite', 'Ada', '--role', 'editor', '--home', disk.folder]
    expect(await runCommandLine(words, terminal)).toBe(1)
    expect(reported.at(-1)).toMatch(/^cutroom: .* cannot be written: .*make room/)
    rmSync(join(disk.folder, 'ballast'))
  })

  it('an upload that does not fit: 507 DISK_FULL, and the partial file is removed', async () => {
    const chunks = Array.from({ length: 80 }, () => Buffer.alloc(64 * 1024))
    const answer = await server.call('/studio/uploads?name=a.mp4', { method: 'PUT', body: chunks })
    expect([answer.status, answer.json()['code']]).toEqual([507, 'DISK_FULL'])
    expect(readdirSync(home.uploads)).toEqual([])
    const small = await server.call('/studio/uploads?name=a.mp4', {
      method: 'PUT',
      body: Buffer.alloc(MEGABYTE),
    })
    expect(small.status).toBe(200)
  })

  it('a trigger that cannot be stored: 507 DISK_FULL; reading works, and triggers work again once there is space', async () => {
    const workflowId = addWorkflow(server)
    fill()
    const json = {
      companyId: 'acme',
      workflowId,
      url: 'https://example.com/a.mp4',
      keywords: Array.from({ length: 150 }, () => 'x'.repeat(6000)),
    }
    const refused = await server.call('/trigger-template', { json })
    expect([refused.status, refused.json()['code']]).toEqual([507, 'DISK_FULL'])
    expect((await server.call('/workflows?companyId=acme')).status).toBe(200)
    expect(server.services.db.sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
    rmSync(join(disk.folder, 'ballast'))
    expect((await server.call('/trigger-template', { json })).status).toBe(200)
  })

  it('a start reports it in a sentence, the doctor does not suggest a restore, and both work once there is space', async () => {
    const config = loadConfig({ home: disk.folder }, {})
    server.services.db.close()
    fill()
    const full = expect.objectContaining({ code: 'DISK_FULL' }) as Error
    expect(() => acquireHomeLock(home, 1)).toThrow(full)
    expect(() => openDatabase(home.database)).toThrow(full)
    expect((await checkDatabase(config)).mend).toMatch(/^Make room/)
    rmSync(join(disk.folder, 'ballast'))
    acquireHomeLock(home, 2).release()
    openDatabase(home.database).close()
    expect((await checkDatabase(config)).state).toBe('ok')
  })
})
