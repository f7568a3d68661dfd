/** Runs one stage handler outside the pool, on real files in a temporary folder. */
import { chmodSync, statSync } from 'node:fs'
import { mkdtemp, mkdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRequire } from 'node:module'
import type { StageContext } from '../../workers/stages/context.ts'
import type { ToolPaths } from '../../workers/protocol.ts'

const require = createRequire(import.meta.url)

/** The bundled tools, runnable: after a fresh install ffprobe lacks its execute bit. */
export function bundledTools(): ToolPaths {
  const tools = {
    ffmpeg: (require('@ffmpeg-installer/ffmpeg') as { path: string }).path,
    ffprobe: (require('@ffprobe-installer/ffprobe') as { path: string }).path,
  }
  for (const path of Object.values(tools)) {
    if ((statSync(path).mode & 0o111) === 0) chmodSync(path, 0o755)
  }
  return tools
}

export interface StageRunForTest<Output> {
  readonly output: Output
  readonly folder: string
  readonly warnings: string[]
  readonly progress: number[]
  /** What the stage handed out while it ran. */
  readonly parts: unknown[]
}

export interface HarnessOptions {
  /** Input name to path: a file for sources, an artefact folder for results. */
  readonly inputs?: Readonly<Record<string, string>>
  /** Input name to the output of the stage that made it; default: `output` of result.json in the folder. */
  readonly results?: Readonly<Record<string, unknown>>
  readonly root?: string
  readonly signal?: AbortSignal
  readonly modelFolders?: readonly string[]
  readonly onPart?: (value: unknown) => void
  /** May throw, as if the stage died there. */
  readonly onCheckpoint?: (position: number) => void
  readonly tools?: ToolPaths
}

/** Calls the handler as the pool would. The caller removes `root` (or the folder's parent). */
export async function runStageForTest<Params, Output>(
  handler: (context: StageContext, params: Params) => Promise<Output>,
  params: Params,
  options: HarnessOptions = {},
): Promise<StageRunForTest<Output>> {
  const root = options.root ?? (await mkdtemp(join(tmpdir(), 'cutroom-stage-')))
  const folder = join(root, 'artefact')
  const sources = join(root, 'sources')
  const temporary = join(root, 'temporary')
  for (const path of [folder, sources, temporary]) await mkdir(path, { recursive: true })
  const warnings: string[] = []
  const progress: number[] = []
  const parts: unknown[] = []
  const context: StageContext = {
    folder,
    input: (name) => {
      const path = options.inputs?.[name]
      if (path === undefined) throw new Error(`the test gives no input "${name}"`)
      return path
    },
    hasInput: (name) => options.inputs?.[name] !== undefined,
    inputResult: async (name) => {
      if (options.results?.[name] !== undefined) return options.results[name]
      const file = join(options.inputs?.[name] ?? '', 'result.json')
      return (JSON.parse(await readFile(file, 'utf8')) as { output: unknown }).output
    },
    progress: (fraction) => progress.push(fraction),
    part: (value) => {
      parts.push(value)
      options.onPart?.(value)
    },
    checkpoint: (position) => options.onCheckpoint?.(position),
    warn: (message) => warnings.push(message),
    signal: options.signal ?? new AbortController().signal,
    tools: options.tools ?? bundledTools(),
    modelFolders: options.modelFolders ?? [],
    resources: join(import.meta.dirname, '..', '..', 'resources'),
    sources,
    temporary,
  }
  const output = await handler(context, params)
  return { output, folder, warnings, progress, parts }
}
