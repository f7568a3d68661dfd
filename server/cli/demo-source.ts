/** Gives the demo's video an address: the public API takes nothing else. */
import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { applicationRoot } from '../config/config.ts'
import { AppError } from '../contract/errors.ts'
import { serveFiles } from './serve-files.ts'
import { sourceOf } from './source-of.ts'

export interface DemoSource {
  readonly url: string
  /** For people. */
  readonly name: string
  close(): Promise<void>
}

const CAPTIONS = /\.(srt|vtt)$/i

/** An address as it is; a file (the bundled sample when nothing is given) from a server on loopback, with its captions. */
export async function publishDemoSource(given: string | undefined): Promise<DemoSource> {
  const source = sourceOf(given ?? join(applicationRoot(), 'resources', 'sample', 'sample.mp4'))
  if (source.kind === 'url') {
    if (!URL.canParse(source.url)) {
      throw new AppError('INVALID_URL', { message: `${source.url} is not a valid address.` })
    }
    return { url: source.url, name: source.url, close: () => Promise.resolve() }
  }
  const files = await withSidecars(source.path)
  const server = await serveFiles(files)
  const name = basename(source.path)
  return {
    url: `${server.url}/${encodeURIComponent(name)}`,
    name: given === undefined ? 'the bundled sample' : name,
    close: () => server.close(),
  }
}

/** The video and the caption files of the same name in its folder: `talk.mp4`, `talk.srt`, `talk.en.vtt`. */
async function withSidecars(video: string): Promise<Map<string, string>> {
  const path = resolve(video)
  const folder = dirname(path)
  const stem = basename(path, extname(path))
  const beside = (await readdir(folder)).filter((name) => name.startsWith(`${stem}.`) && CAPTIONS.test(name))
  return new Map([basename(path), ...beside].map((name) => [name, join(folder, name)]))
}
