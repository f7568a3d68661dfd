/** A folder with a stand-in for yt-dlp (see fake-yt-dlp.ts), and the pages that it knows. */
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

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
  readonly knows: (pages: Readonly<Record<string, FakePage>>) => Promise<void>
  /** The arguments of each call since `forget`. */
  readonly calls: () => Promise<string[][]>
  readonly forget: () => Promise<void>
}

export async function installFakeYtDlp(folder: string): Promise<FakeYtDlp> {
  await mkdir(folder, { recursive: true })
  const [path, script, called] = ['yt-dlp', 'fake.ts', 'calls.jsonl'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  await copyFile(join(import.meta.dirname, 'fake-yt-dlp.ts'), script)
  await writeFile(path, `#!/bin/sh\nexec '${process.execPath}' '${script}' "$@"\n`)
  await chmod(path, 0o755)
  return {
    path,
    knows: (pages) => writeFile(join(folder, 'pages.json'), JSON.stringify(pages)),
    calls: async () =>
      (await readFile(called, 'utf8').catch(() => ''))
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as string[]),
    forget: () => rm(called, { force: true }),
  }
}
