/** The runtime of models has a telemetry of its own, in native code: what it leaves in a home is looked for here. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { engineEnvironment } from '../../server/config/config.ts'

const root = join(import.meta.dirname, '..', '..')
const TRY_THREAD = `
const { Worker } = require('node:worker_threads')
new Worker(process.argv[1], { eval: true, argv: process.argv.slice(2) }).once('exit', (code) => process.exit(code))`
const TRY = `
const { InferenceSession } = await import(process.argv[2])
const { tinyModel } = await import(process.argv[3])
await (await InferenceSession.create(tinyModel())).release()
process.exit(0)`
const RUNTIME = join(root, 'node_modules', 'onnxruntime-node', 'dist', 'index.js')
const TINY = join(root, 'workers', 'inference', 'session.ts')

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'cutroom-quiet-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs Node in a home of its own; returns the files of that home afterwards. */
async function left(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<string[]> {
  const home = await mkdtemp(join(folder, 'home-'))
  const own = { HOME: home, USERPROFILE: home, XDG_CACHE_HOME: join(home, '.cache'), LOCALAPPDATA: home }
  await mkdir(join(home, '.cache'))
  const bare = Object.fromEntries(
    Object.entries(environment).filter(([name]) => !name.startsWith('CUTROOM_')),
  )
  await promisify(execFile)(process.execPath, [...words], { env: { ...bare, ...own }, timeout: 60_000 })
  const names = await readdir(home, { recursive: true })
  return names.filter((name) => /microsoft|onnx|deviceid/i.test(name))
}
const plain = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== 'ORT_DISABLE_TELEMETRY'))

test('neither in the engine, nor by the doctor, nor where a model is tried', async () => {
  // In a thread, as the engine has them: what a thread puts into its environment the native code does not see.
  expect(await left(['-e', TRY_THREAD, TRY, RUNTIME, TINY], engineEnvironment(plain()))).toEqual([])
  const doctor = [join(root, 'server', 'cli', 'main.ts'), 'doctor', '--json', '--home', join(folder, 'kept')]
  expect(await left(doctor, { ...plain(), CUTROOM_PORT: '0' })).toEqual([])
  const session = join(root, 'workers', 'inference', 'session.ts')
  const open = `const { openSession } = await import(${JSON.stringify(session)})
    const { tinyModel } = await import(${JSON.stringify(TINY)})
    await (await openSession(tinyModel(), { inference: 'cpu', warn: () => undefined })).session.release()`
  expect(await left(['--input-type=module', '-e', open], plain())).toEqual([])
})
