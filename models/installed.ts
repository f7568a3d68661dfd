/** Which models are installed: searches the models folders in order; the first complete copy of a model is used. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { omitUndefined } from '../server/contract/omit-undefined.ts'
import {
  readManifest,
  type ManifestModel,
  type ModelFile,
  type ModelTask,
  type VoiceModel,
} from './manifest.ts'
import { readVerdicts } from './verdicts.ts'

/** Stored beside a model when it is installed: the files that were downloaded, against which they are verified later. */
export const InstallRecord = Type.Object({
  name: Type.String(),
  files: Type.Array(Type.Object({ path: Type.String(), bytes: Type.Integer(), sha256: Type.String() })),
})
export type InstallRecord = Static<typeof InstallRecord>

interface InstalledFile {
  readonly path: string
  readonly bytes: number
  readonly sha256: string | null
  /** Milliseconds since 1970. */
  readonly modified: number
}

export interface InstalledModel {
  readonly name: string
  readonly task: ModelTask
  /** The folder of this model. */
  readonly folder: string
  readonly dtype: Readonly<Record<string, string>>
  readonly files: readonly InstalledFile[]
  readonly development: boolean
  /** How a voice embedding is used; absent for other models. */
  readonly voice?: VoiceModel
  /** What went wrong when it was tried last: it is used for nothing. Absent: nothing did. */
  readonly problem?: string
}

export function recordFile(folder: string, name: string): string {
  return join(folder, `.${name}.installed.json`)
}

/** All installed models in the manifest's order, followed by models in folders that the manifest does not name. */
export async function listInstalledModels(modelFolders: readonly string[]): Promise<InstalledModel[]> {
  const found: InstalledModel[] = []
  for (const model of readManifest()) {
    for (const root of modelFolders) {
      const installed = await findModelIn(root, model)
      if (installed === null) continue
      found.push(installed)
      break
    }
  }
  const known = new Set(found.map((model) => model.folder))
  for (const root of modelFolders)
    for (const kind of UNLISTED_KINDS) found.push(...(await findUnlistedModels(root, known, kind)))
  const problemOf = await readVerdicts(modelFolders)
  return found.map((model) => {
    const problem = problemOf(model)
    return problem === null ? model : { ...model, problem }
  })
}

/**
 * The model to use for a task: the named one, otherwise the first real one, otherwise a model made for tests, which
 * nobody installs by accident and about which the speech stage warns. Null when there is none. A name that belongs to
 * another task is ignored.
 */
export async function chooseModel(
  modelFolders: readonly string[],
  task: ModelTask,
  name = '',
): Promise<InstalledModel | null> {
  const installed = await listInstalledModels(modelFolders)
  const fitting = installed.filter((model) => model.task === task && model.problem === undefined)
  const named = [...readManifest(), ...installed].find((model) => model.name === name)
  const anyWillDo = name === '' || (named !== undefined && named.task !== task)
  return (anyWillDo ? pickDefaultModel(fitting, task) : fitting.find((model) => model.name === name)) ?? null
}

/** The model that a task uses when none is named: the first of `order` that is installed, otherwise the manifest's first. */
export function pickDefaultModel(
  installed: readonly InstalledModel[],
  task: ModelTask,
  order: readonly string[] = [],
): InstalledModel | undefined {
  const fitting = installed.filter((model) => model.task === task && model.problem === undefined)
  const preferred = order.map((name) => fitting.find((model) => model.name === name))
  return (
    preferred.find((model) => model !== undefined) ??
    fitting.find((model) => !model.development) ??
    fitting[0]
  )
}

/** Name and content of the model that a task would use, for content keys: `whisper-base@1f0c…`, or `none`. */
export async function fingerprintOf(
  modelFolders: readonly string[],
  task: ModelTask,
  name = '',
): Promise<string> {
  const model = await chooseModel(modelFolders, task, name)
  if (model === null) return 'none'
  const hash = createHash('sha256')
  for (const file of model.files) hash.update(`${file.path}\n${file.bytes}\n${file.sha256 ?? ''}\n`)
  return `${model.name}@${hash.digest('hex').slice(0, 16)}`
}

export async function sha256OfFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash, signal === undefined ? {} : { signal })
  return hash.digest('hex')
}

export async function readRecord(folder: string, name: string): Promise<InstallRecord | null> {
  const text = await readFile(recordFile(folder, name), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    const parsed: unknown = JSON.parse(text)
    return Value.Check(InstallRecord, parsed) ? parsed : null
  } catch {
    // A damaged record is treated as absent: the files are then checked by size and format only.
    return null
  }
}

/** What is in `root` of a model that is not complete there: installed once, or copied in part; null: nothing is. */
export async function findRemains(root: string, model: ManifestModel): Promise<InstalledModel | null> {
  const folder = join(root, ...model.folder.split('/'))
  const files = []
  for (const { path } of model.files) {
    const facts = await factsOf(join(folder, path))
    if (facts !== null) files.push({ path, ...facts, sha256: null })
  }
  if (files.length === 0 && (await readRecord(folder, model.name)) === null) return null
  const { name, task, dtype = {}, development = false } = model
  return { name, task, folder, dtype, files, development }
}

async function findModelIn(root: string, model: ManifestModel): Promise<InstalledModel | null> {
  const folder = join(root, ...model.folder.split('/'))
  const record = await readRecord(folder, model.name)
  const files = []
  for (const file of model.files) {
    const facts = await factsOf(join(folder, file.path))
    if (facts === null || !sizeFits(file, facts.bytes)) return null
    const recorded = record?.files.find((item) => item.path === file.path)
    files.push({ path: file.path, ...facts, sha256: file.sha256 ?? recorded?.sha256 ?? null })
  }
  return omitUndefined({
    name: model.name,
    task: model.task,
    folder,
    dtype: model.dtype ?? {},
    files,
    development: model.development ?? false,
    voice: model.voice,
  })
}

function sizeFits(file: ModelFile, bytes: number): boolean {
  return file.bytes === null ? bytes > 0 : file.bytes === bytes
}

async function factsOf(path: string): Promise<Pick<InstalledFile, 'bytes' | 'modified'> | null> {
  const facts = await stat(path).catch(() => null)
  return facts?.isFile() === true ? { bytes: facts.size, modified: Math.round(facts.mtimeMs) } : null
}

/** Models that users put into a models folder themselves: where they lie, and which files make one complete. */
interface UnlistedKind {
  readonly task: ModelTask
  readonly below: string
  readonly settings: readonly string[]
  readonly parts: readonly string[]
}

const UNLISTED_KINDS: readonly UnlistedKind[] = [
  {
    task: 'speech',
    below: 'asr',
    parts: ['encoder_model', 'decoder_model_merged'],
    settings: ['config.json', 'tokenizer.json', 'preprocessor_config.json'],
  },
  {
    task: 'text-embedding',
    below: 'embedding',
    parts: ['model'],
    settings: ['config.json', 'tokenizer.json', 'tokenizer_config.json'],
  },
]
/** File name suffix to precision, the most precise first. */
const PRECISIONS: readonly (readonly [string, string])[] = [
  ['', 'fp32'],
  ['_fp16', 'fp16'],
  ['_quantized', 'q8'],
  ['_q4', 'q4'],
]

async function findUnlistedModels(
  root: string,
  known: ReadonlySet<string>,
  { task, below, settings, parts }: UnlistedKind,
): Promise<InstalledModel[]> {
  const names = await readdir(join(root, below)).catch(() => [])
  const found: InstalledModel[] = []
  for (const name of names.sort()) {
    const folder = join(root, below, name)
    if (
      known.has(folder) ||
      name.startsWith('.') ||
      readManifest().some((model) => model.folder === `${below}/${name}`)
    )
      continue
    const dtype: Record<string, string> = {}
    const files: InstalledFile[] = []
    for (const path of settings) {
      const facts = await factsOf(join(folder, path))
      if (facts !== null) files.push({ path, ...facts, sha256: null })
    }
    for (const part of parts) {
      for (const [suffix, precision] of PRECISIONS) {
        const path = `onnx/${part}${suffix}.onnx`
        const facts = await factsOf(join(folder, path))
        if (facts === null || dtype[part] !== undefined) continue
        dtype[part] = precision
        files.push({ path, ...facts, sha256: null })
      }
    }
    const whole = files.length === settings.length + parts.length
    if (whole) found.push({ name, task, folder, dtype, files, development: false })
  }
  return found
}
