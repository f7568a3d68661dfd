/** Programs for the machine's Python 3, with our client of the public API to import. */
import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'

const CLIENT = join(import.meta.dirname, '..', '..', 'resources', 'clients', 'python', 'src')

/** Why our client cannot run here, or null where it can. */
export function whyNoPython(): string | null {
  const words = ['-c', 'import sys; print(sys.version_info >= (3, 11))']
  const { stdout, error } = spawnSync('python3', words, { encoding: 'utf8' })
  if (error !== undefined) return 'there is no python3'
  return stdout.trim() === 'True' ? null : 'python3 is older than 3.11'
}

/** Runs a program to its end; what it printed. Throws with what it wrote to stderr when it failed. */
export function runPython(program: string, words: readonly string[] = []): Promise<string> {
  const env = { ...process.env, PYTHONPATH: CLIENT, PYTHONDONTWRITEBYTECODE: '1' }
  return new Promise((resolve, reject) => {
    execFile('python3', ['-c', program, ...words], { env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout)
      else reject(new Error(stderr, { cause: error }))
    })
  })
}
