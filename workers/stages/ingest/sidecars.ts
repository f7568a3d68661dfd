/** Caption files beside a source. They are usually absent, and no failure here ends a run. */
import { createHash } from 'node:crypto'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { request as httpRequest, type Agent } from 'undici'
import { authorizationOf, sidecarLanguage, sidecarUrls, withoutCredentials } from './source-url.ts'
import type { OutputOf } from '../declare.ts'
import type { ingest } from './declaration.ts'
import { sniff } from './pure/media-type.ts'
import { readBounded } from './guarded-fetch.ts'
import { stageError } from '../context.ts'

export type Sidecar = OutputOf<typeof ingest>['sidecars'][number]

const MAX_BYTES = 2 * 1024 * 1024
const TIMEOUT_MS = 5000
const MAX_FILES = 20

interface Found {
  readonly bytes: Buffer
  readonly format: Sidecar['format']
  readonly language: string
}

/** Sidecars of a local file: `talk.srt`, `talk.en.srt`, `talk.mp4.srt` and the same as .vtt and .ass. Copied into `folder`. */
export async function localSidecars(path: string, folder: string): Promise<Sidecar[]> {
  const names = await readdir(dirname(path)).catch((): string[] => [])
  const found: Found[] = []
  for (const name of names.toSorted()) {
    const kind = sidecarLanguage(basename(path), name)
    if (kind === null || found.length >= MAX_FILES) continue
    const bytes = await readSmall(join(dirname(path), name))
    if (bytes !== null && looksLikeSubtitles(bytes)) found.push({ bytes, ...kind })
  }
  return store(found, folder)
}

/**
 * The caption file that was given for a local file, copied into `folder`; `name` says its format and language. Throws
 * INVALID_REQUEST where it is none.
 */
export async function givenSidecar(
  path: string,
  folder: string,
  name: string = basename(path),
): Promise<Sidecar[]> {
  const kind = sidecarLanguage(name.replace(/(\.[a-z]{2,3}(-[a-z0-9]{2,8})?)?\.[^.]+$/i, ''), name)
  const bytes = kind === null ? null : await readSmall(path)
  if (kind === null || bytes === null || !looksLikeSubtitles(bytes))
    throw stageError(
      'INVALID_REQUEST',
      `${name} is no caption file that can be read: give a .srt, .vtt or .ass of up to 2 MB.`,
    )
  const sidecars = await store([{ bytes, ...kind }], folder)
  return sidecars.map((sidecar) => ({ ...sidecar, given: true as const }))
}

/** Sidecars at the same address with another extension; quick attempts without warnings. */
export async function remoteSidecars(
  address: string,
  agent: Agent,
  folder: string,
  signal: AbortSignal,
): Promise<Sidecar[]> {
  const tries = sidecarUrls(address).map(async ({ url, format }): Promise<Found[]> => {
    const bytes = await fetchSmall(url, agent, signal)
    return bytes !== null && looksLikeSubtitles(bytes) ? [{ bytes, format, language: 'und' }] : []
  })
  return store((await Promise.all(tries)).flat(), folder)
}

/** The caption file at a given address; empty when there is none. */
export async function namedSidecar(
  named: { readonly url: string; readonly format: 'srt' | 'vtt'; readonly language: string },
  agent: Agent,
  folder: string,
  signal: AbortSignal,
): Promise<Sidecar[]> {
  const bytes = await fetchSmall(named.url, agent, signal)
  return bytes !== null && looksLikeSubtitles(bytes) ? store([{ bytes, ...named }], folder) : []
}

function looksLikeSubtitles(bytes: Buffer): boolean {
  return sniff(bytes.subarray(0, 64 * 1024)).kind === 'subtitles'
}

async function store(found: readonly Found[], folder: string): Promise<Sidecar[]> {
  const sidecars: Sidecar[] = []
  for (const [index, { bytes, format, language }] of found.entries()) {
    const file = `sidecar-${index}.${format}`
    await writeFile(join(folder, file), bytes)
    sidecars.push({ file, format, language, digest: createHash('sha256').update(bytes).digest('hex') })
  }
  return sidecars
}

async function readSmall(path: string): Promise<Buffer | null> {
  try {
    const facts = await stat(path)
    return facts.isFile() && facts.size <= MAX_BYTES ? await readFile(path) : null
  } catch {
    // An unreadable file is treated as absent.
    return null
  }
}

/** Downloads a small file; null on any failure, because none of them ends a run. */
export async function fetchSmall(url: string, agent: Agent, signal: AbortSignal): Promise<Buffer | null> {
  try {
    const address = new URL(url)
    const response = await httpRequest(withoutCredentials(address), {
      dispatcher: agent,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      headers: {
        'accept-encoding': 'identity',
        accept: 'text/vtt,application/x-subrip,text/plain;q=0.9,*/*;q=0.5',
        ...authorizationOf(address),
      },
    })
    if (response.statusCode !== 200) {
      response.body.on('error', () => undefined).destroy()
      return null
    }
    return await readBounded(response.body, MAX_BYTES)
  } catch {
    // There is no caption file, so speech recognition is used.
    return null
  }
}
