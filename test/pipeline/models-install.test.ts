/**
 * Installing models that are damaged, truncated or stopped: nothing of them stays, and installed ones continue to work.
 */
import { execFileSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { installFrom } from '../../models/install.ts'
import { recordFile } from '../../models/installed.ts'
import { manifestModel, type ManifestModel } from '../../models/manifest.ts'
import { runCommandLine } from '../../server/cli/command-line.ts'
import { checkModels } from '../../server/cli/doctor/engines.ts'
import type { Terminal } from '../../server/cli/command.ts'
import { loadConfig } from '../../server/config/config.ts'

const file = (path: string) => ({ path, bytes: null, sha256: null, url: null })
const MODEL: ManifestModel = {
  name: 'pair',
  task: 'faces',
  title: 'Pair',
  goodFor: '',
  hardware: '',
  licence: 'MIT',
  source: 'a/pair',
  folder: 'face/pair',
  checksums: 'recorded',
  files: [file('first.csv'), file('second.json')],
}
const manifest = [MODEL]
let root: string
let targetFolder: string

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cutroom-models-'))
  targetFolder = join(root, 'models')
})
afterAll(() => rm(root, { recursive: true, force: true }))

async function stick(name: string, first: string | Buffer, second: string): Promise<string> {
  const folder = join(root, name, 'pair')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'first.csv'), first)
  await writeFile(join(folder, 'second.json'), second)
  return join(root, name)
}
const scratch = async (): Promise<string[]> =>
  (await readdir(join(targetFolder, '.partial'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() || entry.name.startsWith('archive-'))
    .map(({ name }) => name)

it('a model of which one file is damaged is not brought in by halves', async () => {
  await installFrom(await stick('good', 'old', '{"old": true}'), [], { targetFolder, manifest })
  const bad = installFrom(await stick('bad', 'new', '{"new"'), [], { targetFolder, manifest })
  await expect(bad).rejects.toThrow('second.json was not installed: the copy given is no good')
  expect(await readFile(join(targetFolder, 'face', 'pair', 'first.csv'), 'utf8')).toBe('old')
  expect(await scratch()).toEqual([])
})

it('a truncated archive is reported as such, and nothing of it stays', async () => {
  const from = await stick('long', randomBytes(3_000_000), '{}')
  const archive = join(root, 'cut.tar.gz')
  for (let at = 0; at < 400; at += 1) await writeFile(join(from, `other-${at}`), randomBytes(8000))
  execFileSync('tar', ['-czf', archive, '-C', from, '.'])
  await truncate(archive, 4_500_000)
  const cut = installFrom(archive, [], { targetFolder, manifest })
  await expect(cut).rejects.toThrow('cut.tar.gz cannot be unpacked: it is damaged')
  expect(await scratch()).toEqual([])
})

it('files of a killed installation are removed by the next one, a day later', async () => {
  for (const [name, days] of [
    ['archive-old', 2],
    ['archive-now', 0],
  ] as const) {
    await mkdir(join(targetFolder, '.partial', name), { recursive: true })
    const at = new Date(Date.now() - days * 86_400_000)
    await utimes(join(targetFolder, '.partial', name), at, at)
  }
  const archive = join(root, 'again.tar')
  execFileSync('tar', ['-cf', archive, '-C', join(root, 'good'), '.'])
  await installFrom(archive, [], { targetFolder, manifest })
  expect(await scratch()).toEqual(['archive-now'])
  await rm(join(targetFolder, '.partial', 'archive-now'), { recursive: true })
})

it.runIf(process.platform !== 'win32')('is stopped in the middle of a file', async () => {
  const archive = join(root, 'slow.tar')
  execFileSync('mkfifo', [archive])
  const whole = execFileSync('tar', ['-cf', '-', '-C', join(root, 'long'), '.'], { maxBuffer: 1e8 })
  const stopping = new AbortController()
  const install = installFrom(archive, [], { targetFolder, manifest, signal: stopping.signal })
  const refused = expect(install).rejects.toMatchObject({ code: 'CANCELLED' })
  const writer = createWriteStream(archive)
  // The reader may be gone before all of it is written.
  writer.on('error', () => undefined)
  await new Promise<void>((resolve) => void writer.write(whole.subarray(0, 200_000), () => resolve()))
  stopping.abort()
  writer.end()
  await refused
  expect(await scratch()).toEqual([])
})

async function cutroom(...words: string[]): Promise<{ code: number; out: unknown; said: string }> {
  const out: string[] = []
  const said: string[] = []
  const terminal = {
    out: (line: string) => out.push(line),
    note: (line: string) => said.push(line),
    status: () => undefined,
  }
  const code = await runCommandLine([...words, '--json'], terminal as unknown as Terminal)
  return { code, out: out[0] === undefined ? null : JSON.parse(out[0]), said: said.join() }
}

it('a model that was copied in part is reported as what it is, and its task has none', async () => {
  const home = join(root, 'copied')
  const model = manifestModel('yunet')
  const folder = join(home, 'models', model?.folder ?? '')
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, model?.files[0]?.path ?? ''), 'cut short')
  const { code, out } = await cutroom('models', 'verify', '--home', home)
  const said = expect.stringMatching(/^yunet_n_dynamic\.onnx: it is not an ONNX file/) as string
  expect([code, out]).toEqual([1, [{ model: 'yunet', ok: false, problem: said }]])
  const checks = await checkModels(loadConfig({ home }, {}))
  expect(checks.find(({ name }) => name === 'model yunet')).toMatchObject({
    state: 'warning',
    found: expect.stringMatching(/^is there and is not used: yunet/) as string,
  })
  expect(
    checks.filter(({ name }) => name.startsWith('model ') && !name.startsWith('model for')),
  ).toHaveLength(1)
})

it('an installed model that is damaged is reported by verify and by the doctor, and can be removed', async () => {
  const home = join(root, 'home')
  for (const name of ['yunet', 'light-asd']) {
    const model = manifestModel(name)
    const folder = join(home, 'models', model?.folder ?? '')
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, model?.files[0]?.path ?? ''), 'cut short')
    await writeFile(recordFile(folder, name), JSON.stringify({ name, files: [] }))
  }
  const verified = await cutroom('models', 'verify', '--home', home)
  expect(verified).toMatchObject({ code: 1, out: [{ ok: false }, { ok: false }] })
  const told = async () =>
    (await checkModels(loadConfig({ home }, {})))
      .filter(({ name }) => ['model yunet', 'model light-asd'].includes(name))
      .map(({ name, state, mend }) => [name, state, mend?.split(';')[0]])
      .sort()
  // Of a folder of the user's own nothing is taken.
  vi.stubEnv('CUTROOM_MODELS', join(home, 'models'))
  const refused = await cutroom('models', 'remove', 'yunet', '--home', join(root, 'another'))
  vi.unstubAllEnvs()
  expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('a folder of your own')])
  expect(await told()).toEqual([
    // This model is not published.
    ['model light-asd', 'warning', 'cutroom models install light-asd --from FOLDER'],
    ['model yunet', 'warning', 'cutroom models install yunet'],
  ])
  const removed = await cutroom('models', 'remove', 'yunet', 'light-asd', '--home', home)
  expect(removed).toMatchObject({ code: 0, out: [{ model: 'yunet', bytes: 9 }, { bytes: 9 }] })
  expect([await told(), await readdir(join(home, 'models'))]).toEqual([[], []])
  expect(await cutroom('models', 'verify', '--home', home)).toMatchObject({ code: 0, out: [] })
})
