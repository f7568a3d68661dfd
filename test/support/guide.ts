/** The examples of docs/guide-api.md, run as written: an incorrect example fails a test. */
import { spawn, spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')
const GUIDE = join(ROOT, 'docs', 'guide-api.md')
const BIN = join(ROOT, 'server', 'cli', 'bin.mjs')

/** Those of the programs that are not on this machine. */
export const missingTools = (names: readonly string[]): string[] =>
  names.filter((name) => spawnSync(name, ['--version']).error !== undefined)

/** The commands of the guide as one script, and its program. */
export async function guideExamples(): Promise<{ shell: string; program: string }> {
  const text = await readFile(GUIDE, 'utf8')
  const blocks = [...text.matchAll(/^```(sh|ts)\n(.*?)^```$/gms)].map(([, kind, code = '']) => ({
    kind,
    code,
  }))
  const of = (kind: string): string[] => blocks.filter((one) => one.kind === kind).map(({ code }) => code)
  if (of('sh').length < 5 || of('ts').length !== 1)
    throw new Error('The guide has other examples than before.')
  return { shell: of('sh').join('\n'), program: of('ts').join('\n') }
}

export interface GuideRun {
  /** How each of the two ended. */
  readonly commands: number | null
  readonly program: number | null
  /** What both have written. */
  readonly words: string
}

/** Runs both in `folder`; `cutroom` is this checkout's, on `home`. The first failure ends the commands. */
export async function runGuide(
  shell: string,
  program: string,
  at: { folder: string; home: string; settings: Readonly<Record<string, string>> },
): Promise<GuideRun> {
  const said: string[] = []
  const run = (name: string, words: readonly string[]): Promise<number | null> =>
    new Promise((resolve, reject) => {
      const child = spawn(name, words, { cwd: at.folder, env: { ...process.env, ...at.settings } })
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => said.push(String(data)))
      child.once('error', reject)
      child.once('close', resolve)
    })
  const cutroom = `cutroom() { "${process.execPath}" "${BIN}" "$@" --home "${at.home}"; }`
  const script = join(at.folder, 'guide.sh')
  await writeFile(script, `set -euo pipefail\n${cutroom}\n${shell}`)
  await writeFile(join(at.folder, 'clip.ts'), program)
  const commands = await run('bash', [script])
  if (commands !== 0) process.stderr.write(said.join(''))
  const ended = await run(process.execPath, [join(at.folder, 'clip.ts')])
  if (ended !== 0) process.stderr.write(said.join(''))
  return { commands, program: ended, words: said.join('') }
}
