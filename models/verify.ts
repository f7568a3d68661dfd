/**
 * Verifies a model: checks its files, then runs each ONNX part once and the whole as in its first use, in a child process,
 * where a crash does no harm.
 */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { checkModelFile } from './check-file.ts'
import { FIRST_USES } from './first-use.ts'
import { findRemains, readRecord, type InstalledModel } from './installed.ts'
import { manifestModel, readManifest } from './manifest.ts'
import { NO_TELEMETRY } from './no-telemetry.ts'

export interface Verdict {
  readonly ok: boolean
  /** What is wrong, or null when the model works. */
  readonly problem: string | null
}

const LOAD_TIMEOUT_MS = 180_000
/**
 * Loads the model and runs it once on zeros of the smallest size that it accepts. Some runtimes reject quantised decoders
 * only under full optimisation, so the basic level is tried as well. Dimensions that a model leaves open are looked up by
 * name: a decoder's past is empty, pictures have sides of 64, and sound is long enough for every model in the manifest.
 * For a model that is not in the manifest, an error about dimensions alone does not count: our guess may be wrong.
 */
const TRY_SCRIPT = `
const ort = require(process.argv[1])
const load = (level) => ort.InferenceSession.create(process.argv[2], { graphOptimizationLevel: level, logSeverityLevel: 4 })
const SIZES = JSON.parse(process.argv[3])
const KINDS = { float32: Float32Array, float16: Uint16Array, int64: BigInt64Array, int32: Int32Array, bool: Uint8Array }
const size = (input, given) => {
  if (typeof given === 'number') return given
  if (input.name === 'input_features') return /batch/i.test(given) ? 1 : /feature|mel/i.test(given) ? 80 : 3000
  if (input.name === 'feats') return given === 'T' ? 200 : 1
  if (input.name.startsWith('past_key_values')) return /batch/i.test(given) ? 1 : 0
  return SIZES[given] ?? 1
}
const silence = (input) => {
  const dims = input.shape.map((given) => size(input, given))
  const kind = KINDS[input.type]
  if (kind === undefined) throw new Error('an input of a type that cannot be tested: ' + input.type)
  const values = new kind(dims.reduce((product, side) => product * side, 1))
  if (input.name === 'sr') values[0] = 16000n
  return new ort.Tensor(input.type, values, dims)
}
const attempt = async (level) => {
  const session = await load(level)
  const inputs = Object.fromEntries(session.inputMetadata.map((input) => [input.name, silence(input)]))
  const answer = await session.run(inputs).catch((error) => {
    if (process.argv[4] === 'known' || !/shape|dimension|size/i.test(String(error.message))) throw error
    return inputs
  })
  if (Object.keys(answer).length === 0) throw new Error('it answers nothing')
}
attempt('all').catch(() => attempt('basic')).then(() => process.exit(0), (error) => { process.stderr.write(String(error.message)); process.exit(1) })
`
/** Values for open dimensions: a picture's sides, sound samples, frames of sound and frames of a face. */
const OPEN_SIZES = {
  height: 64,
  width: 64,
  sequence: 576,
  T: 160_000,
  t: 25,
  t4: 100,
  encoder_sequence_length: 1500,
}

/** Checks that the model's files are intact and that its parts load and produce output. */
export async function verifyInstalled(model: InstalledModel): Promise<Verdict> {
  const listed = manifestModel(model.name)
  const record = await readRecord(model.folder, model.name)
  for (const file of listed?.files ?? []) {
    const recorded = record?.files.find((item) => item.path === file.path)?.sha256 ?? null
    const checked = await checkModelFile(join(model.folder, file.path), file, recorded)
    if (!checked.ok) return { ok: false, problem: `${file.path}: ${checked.why}` }
  }
  const known = listed?.checksums === 'pinned'
  for (const file of model.files.filter((item) => item.path.endsWith('.onnx'))) {
    const problem = await runProblem(join(model.folder, file.path), known)
    if (problem !== null) return { ok: false, problem: `${file.path} ${problem}` }
  }
  const problem = await firstUseProblem(model)
  return problem === null
    ? { ok: true, problem: null }
    : { ok: false, problem: `at its first use it ${problem}` }
}

/**
 * Models that are there and not complete (a failing disk, deleted files, a copy that broke off). They are not used for anything.
 * A map from model name to the problem.
 */
export async function findBrokenModels(
  modelFolders: readonly string[],
  installed: readonly InstalledModel[],
): Promise<ReadonlyMap<string, string>> {
  const whole = new Set(installed.map(({ name }) => name))
  const broken = new Map<string, string>()
  for (const model of readManifest().filter(({ name }) => !whole.has(name)))
    for (const root of modelFolders) {
      const folder = join(root, ...model.folder.split('/'))
      if ((await findRemains(root, model)) === null) continue
      const record = await readRecord(folder, model.name)
      for (const file of model.files) {
        const recorded = record?.files.find((item) => item.path === file.path)?.sha256 ?? null
        const checked = await checkModelFile(join(folder, file.path), file, recorded)
        if (!checked.ok && !broken.has(model.name)) broken.set(model.name, `${file.path}: ${checked.why}`)
      }
    }
  return broken
}

/** The runtime's words for a graph that ends too early or is no graph. */
const DAMAGED = /protobuf parsing failed|invalid_?protobuf|deserialize|unexpected end|modelproto/i

function runProblem(path: string, known: boolean): Promise<string | null> {
  const sizes = JSON.stringify(OPEN_SIZES)
  return tryScript(TRY_SCRIPT, [packagePath('onnxruntime-node'), path, sizes, known ? 'known' : 'guessed'])
}

async function firstUseProblem({ task, folder, dtype }: InstalledModel): Promise<string | null> {
  const script = FIRST_USES[task]
  if (script === undefined) return null
  const precisions = JSON.stringify(task === 'speech' ? dtype : (dtype['model'] ?? 'fp32'))
  const transformers = packagePath('@huggingface/transformers')
  return tryScript(script, [transformers, dirname(folder), basename(folder), precisions])
}

const packagePath = (name: string): string => createRequire(import.meta.url).resolve(name)

/** Runs a script in a process of its own; what went wrong as the end of a sentence about the model, or null. */
function tryScript(script: string, given: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['-e', script, ...given],
      // In the desktop app this executable is Electron; the variable makes it behave as plain Node.
      { timeout: LOAD_TIMEOUT_MS, env: { ELECTRON_RUN_AS_NODE: '1', ...NO_TELEMETRY } },
      (error, _stdout, stderr) => {
        if (error === null) resolve(null)
        else if (error.killed === true) resolve('took too long')
        else if (DAMAGED.test(stderr))
          resolve('is damaged: it was cut short, or its copy failed. Copy or download it again')
        else {
          const last = stderr.trim().split('\n').at(-1) ?? ''
          const why = error.signal === null ? 'unknown reason' : `the runtime crashed (${error.signal})`
          resolve(`does not work: ${last === '' ? why : last}`)
        }
      },
    )
  })
}
