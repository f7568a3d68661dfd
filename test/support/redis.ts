/** A real Redis of the system for tests; its data is deleted with it. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Path of Redis, or null: then `whyNoRedis` explains what to do. CI installs it (.ci/run). */
export function findRedis(): string | null {
  try {
    return execFileSync('sh', ['-c', 'command -v redis-server'], { encoding: 'utf8' }).trim() || null
  } catch {
    return null
  }
}

export const whyNoRedis =
  'redis-server is not installed: the tests of worker nodes are skipped (apt-get install redis-server)'

export interface TestRedis {
  readonly url: string
  /** Starts it, again after `stop` on the same port. */
  start(): Promise<void>
  stop(): Promise<void>
  remove(): Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** A Redis that is not started yet. */
export async function makeRedis(program: string): Promise<TestRedis> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'cutroom-redis-'))
  let child: ChildProcess | null = null
  const stop = async (): Promise<void> => {
    const gone = child
    child = null
    if (gone === null) return
    const exited = new Promise((resolve) => gone.once('exit', resolve))
    gone.kill('SIGKILL')
    await exited
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    start: async () => {
      const settings = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', folder]
      const started = spawn(program, settings, { stdio: ['ignore', 'pipe', 'inherit'] })
      child = started
      await new Promise<void>((resolve, reject) => {
        started.stdout.on('data', (chunk: Buffer) => {
          if (chunk.toString().includes('Ready to accept connections')) resolve()
        })
        started.once('exit', () => reject(new Error('redis-server ended')))
      })
    },
    stop,
    remove: async () => {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
