/** Tries a model out: checks its files, then loads each ONNX part in a child process, where a crash harms nobody. */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { checkModelFile } from './check-file.ts'
import { readRecord, type InstalledModel } from './installed.ts'
import { manifestModel } from './manifest.ts'

export interface Verdict {
  readonly ok: boolean
  /** What is wrong, or null. */
  readonly problem: string | null
}

const LOAD_TIMEOUT_MS = 180_000
/** Some runtimes refuse quantised decoders under full optimisation only: the basic level is tried too. */
const LOAD_SCRIPT = `
const ort = require(process.argv[1])
const load = (level) => ort.InferenceSession.create(process.argv[2], { graphOptimizationLevel: level, logSeverityLevel: 4 })
load('all').catch(() => load('basic')).then(() => process.exit(0), (error) => { process.stderr.write(String(error.message)); process.exit(1) })
`

/** Whether the installed model's files are whole and its parts load. */
export async function verifyInstalled(model: InstalledModel): Promise<Verdict> {
  const listed = manifestModel(model.name)
  const record = await readRecord(model.folder, model.name)
  for (const file of listed?.files ?? []) {
    const recorded = record?.files.find((item) => item.path === file.path)?.sha256 ?? null
    const checked = await checkModelFile(join(model.folder, file.path), file, recorded)
    if (!checked.ok) return { ok: false, problem: `${file.path}: ${checked.why}` }
  }
  for (const file of model.files.filter((item) => item.path.endsWith('.onnx'))) {
    const problem = await loadProblem(join(model.folder, file.path))
    if (problem !== null) return { ok: false, problem: `${file.path} does not load: ${problem}` }
  }
  return { ok: true, problem: null }
}

function loadProblem(path: string): Promise<string | null> {
  const runtime = createRequire(import.meta.url).resolve('onnxruntime-node')
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ['-e', LOAD_SCRIPT, runtime, path],
      // Inside the desktop app this executable is Electron; the variable makes it plain Node.
      { timeout: LOAD_TIMEOUT_MS, env: { ELECTRON_RUN_AS_NODE: '1' } },
      (error, _stdout, stderr) => {
        if (error === null) resolve(null)
        else if (error.killed === true) resolve('it took too long')
        else
          resolve(
            stderr.trim().split('\n').at(-1) ??
              (error.signal === null ? 'unknown reason' : `the runtime crashed (${error.signal})`),
          )
      },
    )
  })
}
