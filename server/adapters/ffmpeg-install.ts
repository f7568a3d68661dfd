/**
 * An ffmpeg in the home, brought there from a file or fetched (ffmpeg-download.ts). It is tried before it takes its place, and
 * its checksum is kept: a file that has changed since is not used.
 */
import { randomUUID } from 'node:crypto'
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { sha256OfFile } from '../../models/installed.ts'
import { findProblem } from '../../workers/media/ffmpeg-probe.ts'
import { locateTools, whyUnusable } from '../../workers/media/tools.ts'
import type { Config } from '../config/config.ts'
import { AppError } from '../contract/errors.ts'
import { mapDiskFull } from '../../workers/artefacts.ts'
import { toolsFolder, trialFilms } from './tool-notes.ts'

const EXTENSION = process.platform === 'win32' ? '.exe' : ''
const FFMPEG = `ffmpeg${EXTENSION}`
const FFPROBE = `ffprobe${EXTENSION}`
const RECORD = 'installed.json'
const PARTIAL = 'ffmpeg.partial-'

const InstalledFile = Type.Object({ sha256: Type.String(), bytes: Type.Number(), mtimeMs: Type.Number() })
const Record = Type.Object({
  version: Type.String(),
  ffmpeg: InstalledFile,
  /** Null: the bundled one is used beside it. */
  ffprobe: Type.Union([InstalledFile, Type.Null()]),
})
type FfmpegRecord = Static<typeof Record>
export interface InstalledRecord extends FfmpegRecord {
  readonly folder: string
}

const folderOf = (home: string): string => join(toolsFolder(home), 'ffmpeg')

export interface InstalledFfmpeg {
  readonly ffmpeg: string
  /** Why it is not to be run; null: it is what was installed. */
  readonly problem: string | null
}

/** The one in the home; null: none was installed. */
export async function findInstalledFfmpeg(home: string): Promise<InstalledFfmpeg | null> {
  const folder = folderOf(home)
  const ffmpeg = join(folder, FFMPEG)
  const text = await readFile(join(folder, RECORD), 'utf8').catch(() => null)
  if (text === null) return null
  const record = parse(text)
  if (record === null) return { ffmpeg, problem: 'its record is not whole: install it again' }
  const files = [
    [FFMPEG, record.ffmpeg],
    [FFPROBE, record.ffprobe],
  ] as const
  for (const [name, file] of files)
    if (file !== null && !(await isUnchanged(join(folder, name), file)))
      return { ffmpeg, problem: `${name} is not the file that was installed: install it again` }
  return { ffmpeg, problem: null }
}

function parse(text: string): FfmpegRecord | null {
  try {
    const value: unknown = JSON.parse(text)
    return Value.Check(Record, value) ? value : null
  } catch {
    return null
  }
}

/** By size and time; by its checksum where only the time differs, as after a move of the home. */
async function isUnchanged(path: string, file: Static<typeof InstalledFile>): Promise<boolean> {
  const facts = await stat(path).catch(() => null)
  if (facts?.size !== file.bytes) return false
  return facts.mtimeMs === file.mtimeMs || (await sha256OfFile(path)) === file.sha256
}

export interface InstallRequest {
  /** The file of an ffmpeg, or a folder with one; an ffprobe beside it is taken along. */
  readonly from: string
  /** What its SHA-256 has to be. */
  readonly sha256?: string
}

/**
 * Takes an ffmpeg into the home in place of one that is there. Throws INVALID_USAGE for what is no file or has another
 * checksum, INVALID_CONFIGURATION for one that cannot make clips, DISK_FULL. Then everything is as before.
 */
export async function installFfmpeg(
  { home, ffprobe, resources }: Pick<Config, 'home' | 'ffprobe' | 'resources'>,
  request: InstallRequest,
): Promise<InstalledRecord> {
  const tools = toolsFolder(home)
  const source = await findSource(request.from)
  const partial = join(tools, `${PARTIAL}${randomUUID()}`)
  try {
    await mkdir(partial, { recursive: true })
    await sweep(tools, partial)
    const ffmpeg = await copyIn(source.ffmpeg, join(partial, FFMPEG))
    if (request.sha256 !== undefined && request.sha256.toLowerCase() !== ffmpeg.sha256)
      throw new AppError('INVALID_USAGE', {
        message: `${source.ffmpeg} was not installed: its SHA-256 is ${ffmpeg.sha256} instead of ${request.sha256}.`,
      })
    const probe = source.ffprobe === null ? null : await copyIn(source.ffprobe, join(partial, FFPROBE))
    const version = await tryOut(source.ffmpeg, {
      ffmpeg: join(partial, FFMPEG),
      ffprobe: probe === null ? ffprobe : join(partial, FFPROBE),
      fallbackFolder: tools,
      films: trialFilms(resources),
    })
    const record: FfmpegRecord = { version, ffmpeg, ffprobe: probe }
    await writeFile(join(partial, RECORD), JSON.stringify(record, null, 2))
    await replace(folderOf(home), partial)
    return { ...record, folder: folderOf(home) }
  } catch (error) {
    throw mapDiskFull(error)
  } finally {
    await rm(partial, { recursive: true, force: true })
  }
}

async function findSource(from: string): Promise<{ ffmpeg: string; ffprobe: string | null }> {
  const facts = await stat(from).catch(() => null)
  const ffmpeg = facts?.isDirectory() === true ? join(from, FFMPEG) : from
  const isFile = async (path: string): Promise<boolean> =>
    (await stat(path).catch(() => null))?.isFile() === true
  if (!(await isFile(ffmpeg)))
    throw new AppError('INVALID_USAGE', { message: `${ffmpeg} is not there, or is no file.` })
  const beside = join(dirname(ffmpeg), FFPROBE)
  return { ffmpeg, ffprobe: (await isFile(beside)) ? beside : null }
}

async function copyIn(from: string, to: string): Promise<Static<typeof InstalledFile>> {
  await copyFile(from, to)
  await chmod(to, 0o755)
  const { size, mtimeMs } = await stat(to)
  return { sha256: await sha256OfFile(to), bytes: size, mtimeMs }
}

/** Its version. Throws INVALID_CONFIGURATION when it cannot make clips. */
async function tryOut(
  source: string,
  { films, ...place }: Parameters<typeof locateTools>[0] & { readonly films: string },
): Promise<string> {
  const refuse = (why: string, cause?: unknown): AppError =>
    new AppError('INVALID_CONFIGURATION', { message: `${source} was not installed: ${why}.`, cause })
  const located = await locateTools(place).catch((error: unknown) => {
    throw refuse(whyUnusable(error) ?? 'it does not run', error)
  })
  const problem = await findProblem(located.paths, { films, temporary: tmpdir() })
  if (problem !== null) throw refuse(problem)
  return located.version
}

async function replace(folder: string, by: string): Promise<void> {
  const old = join(dirname(folder), `${PARTIAL}${randomUUID()}`)
  const hadOne = await rename(folder, old).then(
    () => true,
    () => false,
  )
  try {
    await rename(by, folder)
  } catch (error) {
    if (hadOne) await rename(old, folder)
    throw error
  }
  await rm(old, { recursive: true, force: true })
}

/** What an install that was killed has left behind. */
async function sweep(tools: string, but: string): Promise<void> {
  for (const name of await readdir(tools))
    if (name.startsWith(PARTIAL) && join(tools, name) !== but)
      await rm(join(tools, name), { recursive: true, force: true })
}
