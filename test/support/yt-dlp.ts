/** A folder with a stand-in for yt-dlp (see fake-yt-dlp.ts), and the pages that it knows. */
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { stripTypeScriptTypes } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'

export interface FakePage {
  readonly info?: Record<string, unknown>
  readonly error?: string
  /** Addresses of the parts: picture, sound. Their bytes one after the other are the file. */
  readonly files?: readonly string[]
  readonly hang?: true
}

export interface FakeYtDlp {
  readonly path: string
  /** By address. */
  readonly knows: (pages: Readonly<Record<string, FakePage>>) => void
  /** The arguments of each call since `forget`. */
  readonly calls: () => readonly string[][]
  readonly forget: () => void
}

export async function installFakeYtDlp(folder: string): Promise<FakeYtDlp> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'yt-dlp')
  let pages: Readonly<Record<string, FakePage>> = {}
  let calls: string[][] = []
  const control = createServer((request, response) => {
    void (async () => {
      calls.push((await json(request)) as string[])
      response.end(JSON.stringify(pages))
    })()
  })
  await new Promise<void>((resolve) => control.listen(0, '127.0.0.1', resolve))
  control.unref()
  const { port } = control.address() as AddressInfo
  const code = stripTypeScriptTypes(await readFile(join(import.meta.dirname, 'fake-yt-dlp.ts'), 'utf8'))
  const setting = `process.env.FAKE_CONTROL = 'http://127.0.0.1:${port}'`
  await writeFile(path, `#!${process.execPath}\n${setting}\n${code}`)
  await chmod(path, 0o755)
  return {
    path,
    knows: (known) => {
      pages = known
    },
    calls: () => calls,
    forget: () => {
      calls = []
    },
  }
}
