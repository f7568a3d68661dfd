/** Models that were installed and do not work: what is said of them, and that nothing uses them until they do. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { chooseModel } from '../../models/installed.ts'
import { installFrom } from '../../models/install.ts'
import { checkModels } from '../../server/cli/doctor/engines.ts'
import { loadConfig } from '../../server/config/config.ts'
import { listModels, verifyModel } from '../../server/domain/models/models.ts'
import { makeTinyEmbedder } from '../support/tiny-embedder.ts'

const NAME = 'tiny-test'
const homes: string[] = []
let home: string
let models: string
let config: { home: string; modelFolders: string[] }

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'cutroom-tried-'))
  homes.push(home)
  models = join(home, 'models')
  await makeTinyEmbedder(models, [['boat', 'sail']])
  config = { home, modelFolders: [models] }
})
afterAll(async () => {
  for (const one of homes) await rm(one, { recursive: true, force: true })
})

const fileOf = (name: string): string => join(models, 'embedding', NAME, name)
const listed = async () => (await listModels(config)).find(({ name }) => name === NAME)
const chosen = async () => (await chooseModel([models], 'text-embedding'))?.name

it('a model that works is in use', async () => {
  expect(await verifyModel(config, NAME)).toEqual({ ok: true, problem: null })
  expect(await listed()).toMatchObject({ installed: true, inUse: true, problem: null })
})

it('a file that was cut short is damaged, and its model is used for nothing until the file is whole again', async () => {
  const graph = fileOf('onnx/model.onnx')
  const whole = await readFile(graph)
  await writeFile(graph, whole.subarray(0, whole.length / 2))
  const problem = expect.stringContaining('onnx/model.onnx is damaged: it was cut short') as string
  expect(await verifyModel(config, NAME)).toEqual({ ok: false, problem })
  expect(await listed()).toMatchObject({ installed: true, inUse: false, problem })
  expect(await chosen()).toBeUndefined()
  const checks = await checkModels(loadConfig({ home }, {}))
  expect(checks.find(({ name }) => name === `model ${NAME}`)).toMatchObject({ state: 'warning' })
  await writeFile(graph, whole)
  expect(await chosen()).toBe(NAME)
  expect(await verifyModel(config, NAME)).toMatchObject({ ok: true })
  expect(await listed()).toMatchObject({ inUse: true, problem: null })
})

it.each<[string, () => Promise<void>]>([
  ['whose tokenizer is none', () => writeFile(fileOf('tokenizer.json'), '{}')],
  ['that fails on some words', addUnknownWord],
])('a model %s fails when it is tried, not in a run', async (_name, damage) => {
  await damage()
  const verdict = await verifyModel(config, NAME)
  expect(verdict.ok).toBe(false)
  expect(verdict.problem).toContain('at its first use it does not work')
  expect(await chosen()).toBeUndefined()
})

/** The vocabulary gets a word that the graph has no row for. */
async function addUnknownWord(): Promise<void> {
  const path = fileOf('tokenizer.json')
  const tokenizer = JSON.parse(await readFile(path, 'utf8')) as { model: { vocab: Record<string, number> } }
  tokenizer.model.vocab['many'] = 10_000
  await writeFile(path, JSON.stringify(tokenizer))
}

it('a folder without some of the files is told by those that it lacks', async () => {
  const from = join(home, 'stick')
  await mkdir(join(from, 'onnx'), { recursive: true })
  for (const name of ['config.json', 'tokenizer.json']) await writeFile(join(from, name), '{}')
  const install = installFrom(from, ['minilm-english'], { targetFolder: join(home, 'to') })
  await expect(install).rejects.toThrow(
    `${from} does not have all files of minilm-english. Missing: tokenizer_config.json, onnx/model_quantized.onnx.`,
  )
  const elsewhere = installFrom(join(from, 'onnx'), ['minilm-english'], { targetFolder: join(home, 'to') })
  await expect(elsewhere).rejects.toThrow('has no file of minilm-english')
})
