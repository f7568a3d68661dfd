/** The examples of docs/guide-api.md, run as written: an incorrect example fails a test. */
import { spawn, spawnSync } from 'node:child_process'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const GUIDE = join(ROOT, 'docs', 'guide-api.md')
const CLIENTS = join(ROOT, 'resources', 'clients')
const BIN = join(ROOT, 'server', 'cli', 'bin.mjs')

/** Those of the programs that are not on this machine. */
export const missingTools = (names: readonly string[]): string[] =>
  names.filter((name) => spawnSync(name, ['--version']).error !== undefined)

/** What the guide shows in each language: its blocks in their order, as one program. */
export async function guideExamples(): Promise<{ shell: string; typescript: string; python: string }> {
  const text = await readFile(GUIDE, 'utf8')
  const blocks = [...text.matchAll(/^```(sh|ts|python)\n(.*?)^```$/gms)]
  const programOf = (language: string): string => {
    const own = blocks.flatMap(([, kind, code = '']) => (kind === language ? [code] : []))
    if (own.length < 7) throw new Error(`The guide has only ${own.length} examples of ${language}.`)
    return own.join('\n')
  }
  return { shell: programOf('sh'), typescript: programOf('ts'), python: programOf('python') }
}

export interface GuidePlace {
  readonly folder: string
  readonly home: string
  readonly settings: Readonly<Record<string, string>>
}

/** Runs a program to its end; what it wrote. Throws with all that it wrote when it failed. */
function runProgram(
  name: string,
  words: readonly string[],
  { folder, settings }: GuidePlace,
): Promise<string> {
  const written: string[] = []
  const env = { ...process.env, ...settings }
  return new Promise((resolve, reject) => {
    const child = spawn(name, words, { cwd: folder, env, timeout: 540_000 })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => written.push(String(data)))
    child.once('error', reject)
    child.once('close', (code) => {
      if (code === 0) resolve(written.join(''))
      else reject(new Error(`${name} ended with ${String(code)}: ${written.join('')}`))
    })
  })
}

/** Runs the commands; `cutroom` is this checkout's, on `home`. The first failure ends them. */
export async function runGuideShell(shell: string, place: GuidePlace): Promise<string> {
  const cutroom = `cutroom() { "${process.execPath}" "${BIN}" "$@" --home "${place.home}"; }`
  const script = join(place.folder, 'guide.sh')
  await writeFile(script, `set -euo pipefail\n${cutroom}\n${shell}`)
  return runProgram('bash', [script], place)
}

/** Runs the TypeScript, with cutroom-client as it is built and installed. */
export async function runGuideTypeScript(program: string, place: GuidePlace): Promise<string> {
  const installed = join(place.folder, 'node_modules', 'cutroom-client')
  await mkdir(installed, { recursive: true })
  await copyFile(join(CLIENTS, 'typescript', 'package.json'), join(installed, 'package.json'))
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
  const words = ['-p', join(CLIENTS, 'typescript'), '--outDir', join(installed, 'dist')]
  await runProgram(process.execPath, [compiler, ...words], place)
  await writeFile(join(place.folder, 'guide.ts'), program)
  return runProgram(process.execPath, [join(place.folder, 'guide.ts')], place)
}

/** Runs the Python. */
export async function runGuidePython(program: string, place: GuidePlace): Promise<string> {
  const script = join(place.folder, 'guide.py')
  await writeFile(script, program)
  const path = { PYTHONPATH: join(CLIENTS, 'python', 'src'), PYTHONDONTWRITEBYTECODE: '1' }
  return runProgram('python3', [script], { ...place, settings: { ...place.settings, ...path } })
}
