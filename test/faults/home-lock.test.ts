/** One appliance per home, whatever becomes of it. */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openHome, type Home } from '../../server/home.ts'
import { acquireHomeLock, readRunningAppliance } from '../../server/jobs/home-lock.ts'

let root: string
let home: Home
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-lock-'))
  home = openHome(root)
})
afterEach(() => rm(root, { recursive: true, force: true }))

it('admits one process, names it to others, and admits the next after it left', async () => {
  expect(readRunningAppliance(home)).toBeNull()
  const first = acquireHomeLock(home, 5)
  expect(readRunningAppliance(home)).toEqual({ pid: process.pid, url: null, startedAt: 5 })
  first.publish('http://127.0.0.1:4810')
  expect(readRunningAppliance(home)?.url).toBe('http://127.0.0.1:4810')
  expect(() => acquireHomeLock(home, 6)).toThrow(
    /Another appliance is running on .*http:\/\/127\.0\.0\.1:4810/,
  )
  first.release()
  first.release()
  expect(readRunningAppliance(home)).toBeNull()
  expect((await readdir(root)).includes('appliance.json')).toBe(false)
  acquireHomeLock(home, 7).release()
})

it('is free again after kill -9, whatever its record contains', async () => {
  const module = join(import.meta.dirname, '../../server/jobs/home-lock.ts')
  const homeModule = join(import.meta.dirname, '../../server/home.ts')
  const program = `
    const { acquireHomeLock } = await import(${JSON.stringify(module)})
    const { openHome } = await import(${JSON.stringify(homeModule)})
    // Held on to: a lock that nobody refers to is closed with the garbage.
    globalThis.lock = acquireHomeLock(openHome(${JSON.stringify(root)}), 1)
    console.log('locked')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await new Promise((resolve) => child.stdout.once('data', resolve))
  expect(readRunningAppliance(home)?.pid).toBe(child.pid)
  expect(() => acquireHomeLock(home, 2)).toThrow(expect.objectContaining({ code: 'HOME_IN_USE' }) as Error)
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
  expect(readRunningAppliance(home)).toBeNull()
  acquireHomeLock(home, 3).release()
})

it('refuses a lock file of another user, which would not lock anything', async () => {
  expect(() => acquireHomeLock(home, 1, () => false)).toThrow(
    /appliance\.lock may not be written, so it cannot be known/,
  )
  expect(readRunningAppliance(home)).toBeNull()
  acquireHomeLock(home, 2).release()
  await rm(home.lock)
  await mkdir(home.lock)
  expect(() => acquireHomeLock(home, 3)).toThrow(/may not be written/)
})

it('reports what to do about a home that cannot be created', async () => {
  const file = join(root, 'file')
  await writeFile(file, '')
  expect(() => openHome(file)).toThrow(
    expect.objectContaining({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining('choose another with --home') as string,
    }) as Error,
  )
})
