/** The command line as a child process: on a home without an appliance, next to a running one, and refusals. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { COMMAND_NAMES } from '../../server/cli/registry.ts'
import { cutroom, serve, type ServeProcess } from '../support/appliance-process.ts'
import { measureSlowness } from '../support/pace.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cutroom-cli-'))
  // The first call builds, where that is needed.
  expect((await cutroom(['--version'], { timeoutMs: 120_000 })).code).toBe(0)
}, 130_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

const json = (text: string): unknown => JSON.parse(text)
const errorOf = (stderr: string) =>
  json(stderr.trim().split('\n').at(-1) ?? '') as { code: string; error: string }

describe('help and usage', () => {
  test('the overview names every command, and each explains itself with examples', async () => {
    const { code, stdout } = await cutroom(['--help'])
    expect(code).toBe(0)
    for (const name of COMMAND_NAMES) expect(stdout).toMatch(new RegExp(`^  ${name} `, 'm'))
    const helps = await Promise.all(
      ['serve', 'run', 'company create', 'models install'].map((name) =>
        cutroom([...name.split(' '), '--help']),
      ),
    )
    for (const help of helps) {
      expect(help.code).toBe(0)
      expect(help.stdout).toContain('Usage: cutroom ')
      expect(help.stdout).toContain('--json')
      expect(help.stdout).toContain('Examples:')
    }
  })

  test.each([
    [[], 'Usage'],
    [['nonsense'], 'no command "nonsense"'],
    [['key'], 'create, list, revoke'],
    [['company', 'create', 'acme'], '--name is needed'],
    [['serve', '--colour'], '--colour'],
    [['run', 'a.mp4', 'b.mp4', '--workflow', 'w'], 'too many'],
  ])('%j exits 2', async (words, sentence) => {
    const { code, stdout, stderr } = await cutroom(words)
    expect(code).toBe(2)
    expect(stdout + stderr).toContain(sentence)
    expect(stderr).not.toContain('    at ')
  })

  test('with --json the error is one JSON line on stderr, and stdout stays empty', async () => {
    const { code, stdout, stderr } = await cutroom(['key', 'create', '--company', 'x', '--json'])
    expect([code, stdout]).toEqual([2, ''])
    expect(errorOf(stderr)).toEqual({ error: '--name is needed.', status: 'error', code: 'INVALID_USAGE' })
  })
})

describe('a home without a running appliance', () => {
  test('company, key, workflow: made, listed, exported and imported again', async () => {
    const home = ['--home', join(folder, 'idle'), '--json']
    const made = await cutroom(['company', 'create', 'acme', '--name', 'Acme', '--feature', 'mcp', ...home])
    expect(json(made.stdout)).toMatchObject({ id: 'acme', name: 'Acme', plan: 'starter', features: ['mcp'] })
    const again = await cutroom(['company', 'create', 'acme', '--name', 'Acme', ...home])
    expect([again.code, errorOf(again.stderr).code]).toEqual([1, 'COMPANY_EXISTS'])

    const key = json((await cutroom(['key', 'create', '--company', 'acme', '--name', 'ci', ...home])).stdout)
    expect(Object.keys(key as object)).toEqual(['id', 'key'])
    const { id, key: secret } = key as { id: string; key: string }
    expect(secret).toMatch(/^\S{40,}$/)
    const keys = await cutroom(['key', 'list', '--company', 'acme', ...home])
    expect(keys.stdout).toContain(id)
    expect(keys.stdout).not.toContain(secret)
    expect((await cutroom(['key', 'revoke', id, ...home])).code).toBe(0)
    expect((await cutroom(['key', 'revoke', id, ...home])).code).toBe(1)

    const file = join(folder, 'workflow.json')
    await writeFile(
      file,
      JSON.stringify({ name: 'Mine', nodes: [{ id: 'a', type: 'find_clips', config: {} }], edges: [] }),
    )
    const imported = json((await cutroom(['workflow', 'import', file, '--company', 'acme', ...home])).stdout)
    const { workflowId } = imported as { workflowId: string }
    const listed = json((await cutroom(['workflow', 'list', '--company', 'acme', ...home])).stdout)
    expect(listed).toEqual([{ id: workflowId, name: 'Mine', description: '' }])
    const exported = await cutroom(['workflow', 'export', workflowId, '--company', 'acme', ...home])
    expect(json(exported.stdout)).toMatchObject({ name: 'Mine', nodes: [{ id: 'a', type: 'find_clips' }] })
  })

  test.each([
    [['company', 'create', 'ac/me', '--name', 'A'], 'INVALID_REQUEST'],
    [['key', 'create', '--company', 'nobody', '--name', 'n'], 'COMPANY_NOT_FOUND'],
    [['workflow', 'import', 'no-such-file.json', '--company', 'local'], 'INVALID_REQUEST'],
    [['workflow', 'import', 'package.json', '--company', 'local'], 'INVALID_REQUEST'],
    [['workflow', 'export', 'no-such-workflow'], 'WORKFLOW_NOT_FOUND'],
    [['run', 'no-such-file.mp4', '--workflow', 'Vertical shorts', '--wait'], 'INVALID_REQUEST'],
    [['run', 'package.json', '--workflow', 'no such workflow', '--wait'], 'WORKFLOW_NOT_FOUND'],
    [['run', 'ftp://example.com/a.mp4', '--workflow', 'Vertical shorts', '--wait'], 'UNSUPPORTED_SOURCE_URL'],
    [
      ['run', 'package.json', '--workflow', 'Vertical shorts', '--node-configs', 'LICENSE'],
      'INVALID_REQUEST',
    ],
    [['run', 'package.json', '--workflow', 'Vertical shorts', '--out', 'LICENSE/clips'], 'INVALID_REQUEST'],
    [['resume', 'a-run', '--out', 'LICENSE/clips'], 'INVALID_REQUEST'],
    [['demo', '--out', 'LICENSE/clips'], 'INVALID_REQUEST'],
    [['models', 'install', 'no-such-model'], 'MODEL_NOT_INSTALLED'],
    [['restore', 'package.json'], 'INVALID_REQUEST'],
  ])('%j is refused with %s', async (words, code) => {
    const home = join(folder, 'refusals')
    // Does the first start of the home, so that `local` and its workflows are there.
    await cutroom(['run', 'package.json', '--workflow', 'none', '--home', home])
    const result = await cutroom([...words, '--home', home, '--json'])
    expect([result.code, errorOf(result.stderr).code, result.stdout]).toEqual([1, code, ''])
  })

  test('a bad setting stops with one line that names it', async () => {
    const home = join(folder, 'bad')
    for (const [name, value] of [
      ['CUTROOM_PORT', 'ninety'],
      ['CUTROOM_SOURCES', 'some'],
      ['CUTROOM_PUBLIC_URL', 'not a url'],
    ] as const) {
      const { code, stderr } = await cutroom(['serve', '--home', home], { environment: { [name]: value } })
      expect(code).toBe(1)
      expect(stderr.trim().split('\n')).toHaveLength(1)
      expect(stderr).toContain(name)
    }
  })

  test('doctor finds this machine usable, and reports what is not', async () => {
    const home = join(folder, 'doctor')
    const fine = await cutroom(['doctor', '--home', home, '--json'], { environment: { CUTROOM_PORT: '0' } })
    const report = json(fine.stdout) as {
      state: string
      checks: { name: string; state: string; mend?: string }[]
    }
    expect([fine.code, report.state]).toEqual([0, 'ok'])
    expect(report.checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'runtime',
        'home',
        'disk',
        'port',
        'ffmpeg',
        'encoders',
        'gpu',
        'onnx',
        'model for speech',
      ]),
    )
    for (const { state, mend } of report.checks) expect(mend === undefined).toBe(state === 'ok')

    const busy = createServer()
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve))
    const port = String((busy.address() as AddressInfo).port)
    const bad = await cutroom(['doctor', '--home', home], {
      environment: { CUTROOM_PORT: port, CUTROOM_FFMPEG: '/bin/false' },
    })
    busy.close()
    expect(bad.code).toBe(1)
    expect(bad.stdout).toMatch(/^FAILURE +port /m)
    expect(bad.stdout).toMatch(/^FAILURE +ffmpeg /m)
  })
})

describe('beside a running appliance', () => {
  let appliance: ServeProcess
  const home = () => join(folder, 'served')
  beforeAll(async () => {
    appliance = await serve(home())
  })
  afterAll(async () => {
    await appliance.stop('SIGKILL')
  })

  test('serve --json prints one line on stdout; logs and the first key are JSON lines on stderr', async () => {
    const line = {
      event: 'listening',
      url: appliance.url,
      studioUrl: appliance.studioUrl,
      pid: appliance.pid,
    }
    expect(appliance.stdout).toEqual([JSON.stringify(line)])
    expect(appliance.pid).toBe(appliance.child.pid)
    expect(appliance.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const reported = appliance.stderr.map((text) => json(text) as { event?: string; apiKey?: string })
    const key = reported.find(({ event }) => event === 'first-start')?.apiKey ?? ''
    const answer = await fetch(`${appliance.url}/workflows?companyId=local`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { workflows } = (await answer.json()) as { workflows: { name: string }[] }
    expect(workflows.map(({ name }) => name)).toEqual([
      'Vertical shorts',
      'Horizontal highlights',
      'Audiogram',
    ])
  })

  test('it is soon there, and small when idle', async () => {
    // Twice the limit: the machine that runs the tests does other things meanwhile. `npm run bench start` measures.
    expect(appliance.startedInMs).toBeLessThan(3000 * measureSlowness())
    if (process.platform !== 'linux') return
    const status = await readFile(`/proc/${appliance.pid}/status`, 'utf8')
    expect(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1])).toBeLessThan(150 * 1024)
  })

  test('the studio opens by the sign-in link, once', async () => {
    const first = await fetch(appliance.studioUrl, { redirect: 'manual' })
    expect(first.status).toBeGreaterThanOrEqual(300)
    expect(first.headers.get('set-cookie')).toMatch(/HttpOnly/i)
    const second = await fetch(appliance.studioUrl, { redirect: 'manual' })
    expect(second.headers.get('set-cookie')).toBeNull()
  })

  test('a second appliance on the home is refused with the process that has it', async () => {
    const { code, stderr } = await cutroom(['serve', '--home', home(), '--port', '0', '--json'])
    expect(code).toBe(1)
    expect(errorOf(stderr)).toMatchObject({
      code: 'HOME_IN_USE',
      details: { pid: appliance.pid, url: appliance.url },
    })
  })

  test('a key that the command line makes works at once', async () => {
    const made = await cutroom([
      'key',
      'create',
      '--company',
      'local',
      '--name',
      'beside',
      '--home',
      home(),
      '--json',
    ])
    const { key } = json(made.stdout) as { key: string }
    const ask = () =>
      fetch(`${appliance.url}/workflows?companyId=local`, { headers: { authorization: `Bearer ${key}` } })
    expect((await ask()).status).toBe(200)
  })

  test('run --wait uses the running appliance; a file that is no video ends with the API’s error', async () => {
    const file = join(folder, 'notes.mp4')
    await writeFile(file, 'these are not moving pictures\n'.repeat(100))
    const result = await cutroom(
      ['run', file, '--workflow', 'Vertical shorts', '--wait', '--home', home(), '--json'],
      { timeoutMs: 60_000 },
    )
    expect(result.code).toBe(1)
    expect(json(result.stdout)).toMatchObject({
      run: { status: 'Error', code: 'SOURCE_NOT_VIDEO' },
      clips: [],
    })
    expect(await readdir(join(home(), 'temporary'))).toEqual([])
  }, 70_000)

  test('resume retries a failed run; with nothing repaired it ends as before, and an unknown run is refused', async () => {
    const file = join(folder, 'later.mp4')
    await writeFile(file, '<!doctype html><title>no video</title>')
    const first = await cutroom(
      ['run', file, '--workflow', 'Vertical shorts', '--wait', '--home', home(), '--json'],
      { timeoutMs: 60_000 },
    )
    const { run } = json(first.stdout) as { run: { id: string; code: string } }
    expect([first.code, run.code]).toEqual([1, 'SOURCE_NOT_VIDEO'])
    const again = await cutroom(['resume', run.id, '--wait', '--home', home(), '--json'], {
      timeoutMs: 60_000,
    })
    expect([again.code, json(again.stdout)]).toMatchObject([
      1,
      { run: { id: run.id, code: 'SOURCE_NOT_VIDEO' } },
    ])
    const unknown = await cutroom(['resume', 'no-such-run', '--home', home(), '--json'])
    expect([unknown.code, errorOf(unknown.stderr).code]).toEqual([1, 'TRIGGER_NOT_FOUND'])
  }, 130_000)

  test('backup while running, restore when stopped: changes after the backup are undone', async () => {
    const file = join(folder, 'copy.sqlite')
    expect((await cutroom(['backup', file, '--home', home()])).code).toBe(0)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await cutroom(['backup', file, '--home', home()])).code).toBe(1)
    await cutroom(['company', 'create', 'later', '--name', 'Later', '--home', home()])
    const running = await cutroom(['restore', file, '--home', home(), '--json'])
    expect(errorOf(running.stderr).code).toBe('HOME_IN_USE')

    const stopped = await appliance.stop()
    expect(stopped).toMatchObject({ code: 0, signal: null })
    expect(stopped.milliseconds).toBeLessThan(10_000)
    expect((await cutroom(['restore', file, '--home', home()])).code).toBe(0)
    const companies = await cutroom(['company', 'list', '--home', home(), '--json'])
    expect((json(companies.stdout) as { id: string }[]).map(({ id }) => id)).toEqual(['local'])
    expect((await readdir(home())).some((name) => name.includes('.before-'))).toBe(true)
  })
})

describe('ending', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s: exits 0 within 10 s and gives the home back',
    async (signal) => {
      const home = join(folder, `ending-${signal}`)
      const appliance = await serve(home)
      const ended = await appliance.stop(signal)
      expect(ended).toMatchObject({ code: 0, signal: null })
      expect(ended.milliseconds).toBeLessThan(10_000)
      expect(appliance.stdout).toHaveLength(1)
      // The log of the home records the shutdown as stderr does.
      for (const text of [
        await readFile(join(home, 'logs', 'cutroom.log'), 'utf8'),
        appliance.stderr.join('\n'),
      ])
        expect([...text.matchAll(/"(stopping|stopped)"/g)].map(([, word]) => word)).toEqual([
          'stopping',
          'stopped',
        ])
      const next = await serve(home)
      expect((await next.stop()).code).toBe(0)
    },
  )

  test('start without a window serves headless and says why', async () => {
    const { code, stderr } = await cutroom(['start', '--home', join(folder, 'start'), '--port', '0'], {
      environment: { DISPLAY: '', WAYLAND_DISPLAY: '' },
      timeoutMs: 3000,
    })
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Headless: there is no /m)
  })
})
