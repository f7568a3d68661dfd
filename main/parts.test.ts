import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { OPENS } from '../resources/package/desktop.ts'
import { after, QUIET, taskbarProgress } from './desktop-notifications.ts'
import { allItems } from './fake-electron.ts'
import { createLogFile, DEFAULT_SETTINGS, readSettings, writeSettings } from './settings.ts'
import { menuTemplate } from './menu.ts'
import { OPENED_EXTENSIONS, openedFiles } from './open-in-running.ts'
import { launchServer, sentenceOf } from './server-process.ts'
import { createEventReader, hasNetwork, readEvents, sendFile } from './talk.ts'
import { fetchJson, findNewVersion, isNewer } from './updates.ts'

let work: string
beforeAll(() => void (work = mkdtempSync(join(tmpdir(), 'cutroom-shell-'))))
afterAll(() => rmSync(work, { recursive: true, force: true }))

test.each([
  ['{"error":"The port is taken.","code":"INTERNAL"}', 'The port is taken.'],
  ['{"level":"error","message":"no"}', 'no'],
  ['Segmentation fault', 'Segmentation fault'],
  ['', null],
])('the sentence of %j', (line, sentence) => expect(sentenceOf(line)).toBe(sentence))

test('a program is run by the Node that is given, and its lines are heard', async () => {
  const program = join(work, 'program.mjs')
  writeFileSync(
    program,
    'console.error("{}"); console.error(process.execPath); console.error("its last word")',
  )
  const lines: string[] = []
  const server = launchServer(program, { node: process.execPath, onLine: (line) => lines.push(line) })
  await expect(server.studioUrl).rejects.toThrow('its last word')
  expect(lines).toEqual(['{}', process.execPath, 'its last word'])
})

describe('menus', () => {
  const none = () => undefined
  const actions = {
    go: none,
    openFile: none,
    openInBrowser: none,
    showLogs: none,
    retry: none,
    lookForUpdates: none,
    change: none,
  }
  test.each(['linux', 'win32', 'darwin'] as const)(
    'on %s: every item does something, every shortcut one thing',
    (platform) => {
      const items = allItems(menuTemplate(platform, DEFAULT_SETTINGS, actions))
      const idle = items.filter(
        ({ role, click, submenu, type }) => (role ?? click ?? submenu) === undefined && type !== 'separator',
      )
      expect(idle).toEqual([])
      const shortcuts = items.flatMap(({ accelerator }) => accelerator ?? [])
      expect(new Set(shortcuts).size).toBe(shortcuts.length)
      expect(shortcuts).toEqual(expect.arrayContaining(['CmdOrCtrl+N', 'CmdOrCtrl+O', 'CmdOrCtrl+,']))
      expect(items.filter(({ role }) => role === 'quit')).toHaveLength(1)
      expect(items.some(({ label }) => label === 'Show Logs')).toBe(true)
    },
  )
})

test('what the desktop packages register is what the shell opens', () => {
  expect(
    OPENS.flatMap(({ ext }) => ext).filter((extension) => !OPENED_EXTENSIONS.includes(extension)),
  ).toEqual([])
  const isFile = (path: string): boolean => !path.includes('gone')
  expect(
    openedFiles(['/cutroom', '.', '--x=a.mp4', 'a.mp4', '/b/c.MKV', 'd.exe', 'gone.mp4'], '/w', isFile),
  ).toEqual(['/w/a.mp4', '/b/c.MKV'])
})

test('settings that are missing or damaged are as by default', () => {
  const file = join(work, 'shell.json')
  expect(readSettings(file)).toEqual(DEFAULT_SETTINGS)
  for (const text of ['{', 'null', '[]', '{"notifications":"yes","updateAddress":"file:///x"}']) {
    writeFileSync(file, text)
    expect(readSettings(file), text).toEqual(DEFAULT_SETTINGS)
  }
  writeSettings(file, { notifications: false, updateAddress: 'https://a.example/x' })
  expect(readSettings(file)).toEqual({ notifications: false, updateAddress: 'https://a.example/x' })
})

test('logs are kept in private, four files of them, without the key that is shown once', () => {
  const folder = join(work, 'logs')
  const log = createLogFile(folder, 100)
  log('{"event":"first-start","apiKey":"secret"}')
  for (let line = 0; line < 40; line += 1) log(`line ${line} ${'x'.repeat(20)}`)
  expect(readdirSync(folder).sort()).toEqual([
    'appliance.1.log',
    'appliance.2.log',
    'appliance.3.log',
    'appliance.log',
  ])
  const text = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  expect(text.join('')).not.toContain('secret')
  expect(text.join('')).toContain('line 39')
  expect(statSync(join(folder, 'appliance.log')).mode & 0o077).toBe(0)
})

test('activity: a reset forgets, hello says what goes on, unknown news change nothing', () => {
  const busy = after(QUIET, { type: 'render.started', subjectId: 'c' })
  expect(after(busy, { type: 'clip.updated', subjectId: 'c' })).toBe(busy)
  expect(after(busy, { type: 'render.cancelled', subjectId: 'c' }).size).toBe(0)
  const again = after(busy, {
    type: 'stream.reset',
    progress: [{ type: 'run.progress', runId: 'r', progress: 0.25 }],
  })
  expect([...again]).toEqual([['run r', 0.25]])
  expect(taskbarProgress(after(again, { type: 'render.queued', subjectId: 'c' }))).toBe(0.125)
})

test('versions are compared by their numbers', async () => {
  expect([
    isNewer('1.10.0', '1.9.9'),
    isNewer('1.2', '1.2.0'),
    isNewer('0.9', '1'),
    isNewer('2', '1.9-beta'),
  ]).toEqual([true, false, false, true])
  const said = (answer: unknown) => findNewVersion('https://a.example', '1.0', () => Promise.resolve(answer))
  const page = 'https://a.example/1.1'
  expect(await said({ version: '1.1', page })).toEqual({ version: '1.1', page })
  expect(await said({ version: '1.0', page })).toBeNull()
  // None of these says that there is nothing newer.
  for (const answer of [{ version: '1.1', page: 'javascript:0' }, '1.1', null])
    await expect(said(answer)).rejects.toThrow('does not name a version')
  await expect(
    findNewVersion('https://a.example', '1.0', () => Promise.reject(new Error('away'))),
  ).rejects.toThrow('away')
})

test('what lies at an address is read by Node itself, nowhere else, and why it was not is said', async () => {
  const requests: string[] = []
  const server = createServer(({ url = '' }, response) => {
    requests.push(url)
    const status = url === '/sent-on' ? 302 : url === '/gone' ? 404 : 200
    response.writeHead(status, status === 302 ? { location: '/latest.json' } : {})
    response.end(url === '/words' ? '<html>' : '{"version":"1.1"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const read = (path: string) => fetchJson(`http://${host}${path}`)
  try {
    expect(await read('/latest.json')).toEqual({ version: '1.1' })
    await expect(read('/sent-on')).rejects.toThrow(`${host} redirects to another address.`)
    await expect(read('/gone')).rejects.toThrow(`${host} answers with HTTP 404.`)
    await expect(read('/words')).rejects.toThrow(`The response of ${host} is not JSON.`)
    expect(requests).toEqual(['/latest.json', '/sent-on', '/gone', '/words'])
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
  await expect(read('/latest.json')).rejects.toThrow(`${host} does not answer.`)
})

test('events come in pieces of any size', () => {
  const messages: string[] = []
  const reader = createEventReader((data) => messages.push(data))
  for (const sign of 'retry: 2000\n\n: beat\n\nid: 41\ndata: {"a":\ndata: 1}\n\ndata: b\n\nid: 4')
    reader.read(sign)
  expect(messages).toEqual(['{"a":\n1}', 'b'])
  expect(reader.lastId).toBe('41')
})

test('talks to the appliance as the window would, and says what it refuses', async () => {
  const requests: Record<string, unknown>[] = []
  const server = createServer((request, response) => {
    const { method, url, headers } = request
    let bytes = 0
    request.on('data', (chunk: Buffer) => (bytes += chunk.length))
    request.on('end', () => {
      requests.push({
        method,
        url,
        cookie: headers.cookie,
        origin: headers.origin,
        last: headers['last-event-id'],
        bytes,
      })
      if (url === '/studio/events') {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.end('id: 9\ndata: {"type":"run.completed","subjectId":"r"}\n\n')
      } else if (url === '/studio/models') {
        response.writeHead(headers.cookie === 'session=s' ? 200 : 403)
        response.end('{"network":"off"}')
      } else {
        const refused = url?.includes('refused') === true
        response.writeHead(refused ? 507 : 200)
        response.end(JSON.stringify(refused ? { error: 'The disk is full.' } : { uploadId: 'u1' }))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const caller = { origin, cookie: 'session=s' }
    const { signal } = new AbortController()
    const events: unknown[] = []
    expect(await readEvents(caller, { lastId: '8', signal, onEvents: (item) => events.push(item) })).toBe('9')
    expect(events).toEqual([{ type: 'run.completed', subjectId: 'r' }])
    const file = join(work, 'über & all.mp4')
    writeFileSync(file, Buffer.alloc(300_000))
    const shares: number[] = []
    expect(await sendFile(caller, file, { signal, onProgress: (share) => shares.push(share) })).toBe('u1')
    expect(shares.at(-1)).toBe(1)
    writeFileSync(join(work, 'refused.mp4'), 'x')
    await expect(
      sendFile(caller, join(work, 'refused.mp4'), { signal, onProgress: () => undefined }),
    ).rejects.toThrow('The disk is full.')
    expect([await hasNetwork(caller), await hasNetwork({ origin, cookie: '' })]).toEqual([false, null])
    expect(requests[0]).toEqual({
      method: 'GET',
      url: '/studio/events',
      cookie: 'session=s',
      origin,
      last: '8',
      bytes: 0,
    })
    expect(requests[1]).toMatchObject({
      method: 'PUT',
      url: '/studio/uploads?name=%C3%BCber+%26+all.mp4',
      bytes: 300_000,
    })
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
  const nobody = { origin: 'http://127.0.0.1:9', cookie: '' }
  expect(await hasNetwork(nobody)).toBe(null)
  expect(
    await readEvents(nobody, {
      lastId: '3',
      signal: new AbortController().signal,
      onEvents: () => undefined,
    }),
  ).toBe('3')
})
