/** A real store that speaks S3, on a folder: `rclone serve s3`, which checks signatures. `npm run install:s3` brings it. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

const RCLONE = join(import.meta.dirname, '..', '..', '.venv', 'rclone', 'bin', 'rclone')
export const NO_S3 = 'there is no store of S3 here; npm run install:s3 brings one'
export const hasS3 = (): boolean => existsSync(RCLONE)

export interface S3Server {
  readonly endpoint: string
  readonly port: number
  readonly keyId: string
  readonly secret: string
  readonly stop: () => Promise<void>
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** Buckets are the folders in `folder`. `at`: a port, for one that comes back. */
export async function startS3(folder: string, buckets: readonly string[], at?: number): Promise<S3Server> {
  for (const bucket of buckets) await mkdir(join(folder, bucket), { recursive: true })
  const port = at ?? (await freePort())
  const keyId = 'studio'
  const secret = 'secret-of-the-studio'
  const child = spawn(
    RCLONE,
    [
      'serve',
      's3',
      folder,
      '--addr',
      `127.0.0.1:${port}`,
      '--auth-key',
      `${keyId},${secret}`,
      '--config',
      '',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const ended = new Promise((resolve) => child.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    let said = ''
    child.stderr.on('data', (text: Buffer) => {
      said += text.toString()
      if (said.includes('Starting s3 server')) resolve()
    })
    void ended.then(() => reject(new Error(`rclone ended: ${said}`)))
  })
  return {
    endpoint: `http://127.0.0.1:${port}`,
    port,
    keyId,
    secret,
    stop: async () => {
      child.kill()
      await ended
    },
  }
}
