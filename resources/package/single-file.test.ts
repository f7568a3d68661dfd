import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { makeSingleFile } from './single-file.ts'

const here = process.platform === 'linux' && (process.arch === 'x64' || process.arch === 'arm64')
if (!here) console.warn('The single file runs on Linux (x64, arm64) only: its tests are skipped.')

let work: string
let file: string
let cache: string

/** An application that says its words; its Node is a word in front of the one that runs this test. */
beforeAll(async () => {
  work = mkdtempSync(join(tmpdir(), 'cutroom-single-'))
  const folder = join(work, 'app')
  mkdirSync(join(folder, 'bin'), { recursive: true })
  writeFileSync(join(folder, 'bin', 'node'), `#!/bin/sh\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 })
  writeFileSync(join(folder, 'bin', 'cutroom'), '#!/bin/sh\nprintf "<%s>" "$@"; exit 7\n', { mode: 0o755 })
  writeFileSync(join(folder, 'data'), randomBytes(100_000))
  file = join(work, 'cutroom-linux')
  const target = { os: 'linux', cpu: process.arch === 'arm64' ? 'arm64' : 'x64' } as const
  const staged = { folder, version: '1.2.3', target, packages: [] }
  await makeSingleFile(staged, work, file, { seconds: 1_700_000_000, level: 1 })
})
afterAll(() => rmSync(work, { recursive: true, force: true }))
beforeEach(() => void (cache = mkdtempSync(join(work, 'cache-'))))

function run(program = file, environment: Record<string, string> = { CUTROOM_CACHE: cache }) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const child = execFile(
      program,
      ['serve', 'two words'],
      { env: { PATH: '/usr/bin:/bin', ...environment } },
      (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

test.runIf(here)(
  'unpacks once, in private, and hands words and exit code on; many first starts agree',
  async () => {
    const first = await Promise.all([run(), run(), run()])
    for (const result of first) expect(result).toEqual({ code: 7, stdout: '<serve><two words>', stderr: '' })
    expect(readdirSync(cache)).toEqual(['cutroom'])
    const unpacked = join(cache, 'cutroom')
    const [app, ...others] = readdirSync(unpacked)
    expect(others).toEqual([])
    expect(app).toMatch(/^1\.2\.3-[0-9a-f]{16}$/)
    expect(statSync(join(unpacked, app ?? '')).mode & 0o777).toBe(0o700)
    const { ino } = statSync(join(unpacked, app ?? '', 'data'))
    expect((await run()).code).toBe(7)
    expect(statSync(join(unpacked, app ?? '', 'data')).ino).toBe(ino)
  },
)

test.runIf(here)('a file that was changed runs nothing and leaves nothing', async () => {
  const bytes = readFileSync(file)
  const flipped = Buffer.from(bytes)
  flipped[bytes.length - 40] = (flipped[bytes.length - 40] ?? 0) ^ 0xff
  for (const changed of [flipped, bytes.subarray(0, -5), bytes.subarray(0, -50_000)]) {
    const program = join(work, 'changed')
    writeFileSync(program, changed, { mode: 0o755 })
    const { code, stdout, stderr } = await run(program)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(/^cutroom: .*(cannot be unpacked|is cut off|was damaged or changed)/)
    expect(readdirSync(join(cache, 'cutroom'))).toEqual([])
  }
})

test.runIf(here)('nothing is run from a folder that others can write to, or that is a link', async () => {
  await run()
  const app = join(cache, 'cutroom', readdirSync(join(cache, 'cutroom'))[0] ?? '')
  chmodSync(app, 0o770)
  expect(await run()).toMatchObject({ code: 1, stdout: '' })
  rmSync(app, { recursive: true })
  mkdirSync(join(work, 'elsewhere'), { mode: 0o700, recursive: true })
  symlinkSync(join(work, 'elsewhere'), app)
  const refused = await run()
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain('nothing in it is run')
})

test.runIf(here)('the rights of a folder that was there before are left as they are', async () => {
  // As root with /opt or /tmp, nobody else could get into it any more.
  chmodSync(cache, 0o755)
  expect((await run()).code).toBe(7)
  expect(statSync(cache).mode & 0o777).toBe(0o755)
  expect(statSync(join(cache, 'cutroom')).mode & 0o777).toBe(0o700)
  const other = join(cache, 'other')
  const open = join(cache, 'open')
  mkdirSync(join(other, 'cutroom'), { recursive: true, mode: 0o755 })
  chmodSync(join(other, 'cutroom'), 0o755)
  const refused = await run(file, { CUTROOM_CACHE: other })
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toContain(`others may get into ${other}/cutroom`)
  expect(statSync(join(other, 'cutroom')).mode & 0o777).toBe(0o755)
  mkdirSync(open)
  chmodSync(open, 0o777)
  expect((await run(file, { CUTROOM_CACHE: open })).stderr).toContain('everybody can exchange')
  chmodSync(open, 0o1777)
  expect((await run(file, { CUTROOM_CACHE: open })).code).toBe(7)
})

test.runIf(here)('says where it could unpack to, when it cannot', async () => {
  expect((await run(file, {})).stderr).toContain('CUTROOM_CACHE=DIR')
  expect((await run(file, { CUTROOM_CACHE: 'relative' })).stderr).toContain('begin with a slash')
})
