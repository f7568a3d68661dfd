/** The desktop shell with a real appliance, by a fake Electron; and the real window where there is one. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { _electron } from 'playwright'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ElectronLike } from '../../main/electron-like.ts'
import { fakeDeps, fakeElectron } from '../../main/fake-electron.ts'
import { launchServer } from '../../main/server-process.ts'
import { startShell } from '../../main/shell.ts'
import { readEvents, sendFile } from '../../main/talk.ts'
import { desktopProgram } from '../../server/cli/commands/serve.ts'

const ROOT = join(import.meta.dirname, '..', '..')
let work: string
beforeAll(() => {
  work = mkdtempSync(join(tmpdir(), 'cutroom-desktop-'))
  vi.stubEnv('CUTROOM_HOME', join(work, 'home'))
  vi.stubEnv('CUTROOM_PORT', '0')
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(work, { recursive: true, force: true })
})

test('signs in, passes an opened file on, is notified of a run, and stops the appliance when it quits', async () => {
  const fake = fakeElectron()
  let cookie = ''
  // As the window would use the link: follow it, and store the cookie.
  const electron: ElectronLike = {
    ...fake.electron,
    cookies: () => Promise.resolve(cookie),
    createWindow: (options) => {
      const window = fake.electron.createWindow(options)
      const loadURL = async (url: string): Promise<void> => {
        await window.loadURL(url)
        if (!url.includes('sign-in')) return
        const answer = await fetch(url, { redirect: 'manual' })
        cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      }
      return { ...window, loadURL }
    },
  }
  const file = join(work, 'talk.mp4')
  writeFileSync(file, Buffer.alloc(100_000, 1))
  const { deps } = fakeDeps()
  const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true
  const launch = () => launchServer(join(ROOT, 'server', 'cli', 'bin.mjs'), { node: process.execPath })
  await startShell(electron, { ...deps, launch, readEvents, sendFile, isFile, argv: ['/cutroom', file] })

  const latest = () =>
    (fake.seen.messages.at(-1) as [string, { state: string; uploadId?: string }] | undefined)?.[1]
  await vi.waitFor(() => expect(latest()?.state).toBe('ready'), { timeout: 60_000 })
  const origin = new URL(fake.seen.loaded.find((url) => url.includes('sign-in')) ?? '').origin
  const ask = async (path: string, body?: object): Promise<Record<string, never>> => {
    const headers = { cookie, origin, 'content-type': 'application/json' }
    const answer = await fetch(`${origin}${path}`, {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    })
    expect(answer.status, await answer.clone().text()).toBe(200)
    return (await answer.json()) as Record<string, never>
  }
  const { workflows } = (await ask('/studio/workflows')) as unknown as { workflows: { id: string }[] }
  // The file is no video: the run ends with an error, which is reported.
  await ask('/studio/runs', { workflowId: workflows[0]?.id ?? '', uploadId: latest()?.uploadId ?? '' })
  await vi.waitFor(() => expect(fake.seen.notices.map(({ title }) => title)).toEqual(['A run failed']), {
    timeout: 60_000,
  })
  expect({ progress: fake.seen.progress.at(-1), awake: fake.seen.awake }).toEqual({ progress: -1, awake: 0 })
  expect(fake.seen.progress.some((share) => share >= 0)).toBe(true)

  fake.emit('window-all-closed')
  await vi.waitFor(() => expect(fake.seen.quits).toBe(1), { timeout: 30_000 })
  await expect(fetch(origin)).rejects.toThrow()
})

const desktop = desktopProgram()
if ('missing' in desktop) console.warn(`The real desktop window is not tried: ${desktop.missing}.`)

test.runIf('program' in desktop)('the real window shows the studio, apart from Node', async () => {
  const program = 'program' in desktop ? desktop.program : ''
  const app = await _electron.launch({ executablePath: program, args: [ROOT, '--no-sandbox'] })
  try {
    const page = await app.firstWindow()
    await page.waitForURL(/^http:\/\/127\.0\.0\.1:\d+\/#?/, { timeout: 60_000 })
    await page.getByRole('group', { name: 'New run' }).waitFor()
    expect(await page.evaluate('document.documentElement.dataset.shell')).toBe('desktop')
    expect(await page.evaluate('[typeof require, typeof process, typeof cutroom.onSource]')).toEqual([
      'undefined',
      'undefined',
      'function',
    ])
  } finally {
    await app.close()
  }
})
