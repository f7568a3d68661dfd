/**
 * Finds ffmpeg and ffprobe, checks that they run, and lists what they support. Configured paths come before the bundled
 * builds. The bundled ffprobe may lack its execute permission; it is set, or a copy is made where that is not allowed.
 */
import { createHash } from 'node:crypto'
import { chmod, copyFile, mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../server/contract/errors.ts'
import type { ToolPaths } from '../protocol.ts'
import { findBundled, type ToolName } from './bundled.ts'
import { canRun } from './confine.ts'
import { runTool } from './run-tool.ts'

export interface LocatedTools {
  readonly paths: ToolPaths
  /** SHA-256 of both version texts: the same build has the same fingerprint after a restart or reinstall. */
  readonly fingerprint: string
  /** Both version lines, for people. */
  readonly version: string
}

export interface ToolOptions {
  /** Configured path; null: the bundled build. */
  readonly ffmpeg: string | null
  readonly ffprobe: string | null
  /** Folder for a runnable copy when the bundled file cannot be made executable. */
  readonly fallbackFolder: string
}

/** Names as the tool lists them. */
export interface Capabilities {
  readonly encoders: ReadonlySet<string>
  readonly decoders: ReadonlySet<string>
  readonly filters: ReadonlySet<string>
  /** Ways to decode on a graphics card. */
  readonly hwaccels: ReadonlySet<string>
}

/** Finds both tools and runs them once. Throws INVALID_CONFIGURATION with the name of the tool and the remedy. */
export async function locateTools(options: ToolOptions): Promise<LocatedTools> {
  const ffmpeg = options.ffmpeg ?? (await bundled('ffmpeg', options.fallbackFolder))
  const ffprobe = options.ffprobe ?? (await bundled('ffprobe', options.fallbackFolder))
  const versions = [await versionOf('ffmpeg', ffmpeg), await versionOf('ffprobe', ffprobe)]
  return {
    paths: { ffmpeg, ffprobe },
    fingerprint: createHash('sha256').update(versions.join('\0')).digest('hex'),
    version: versions.map(formatVersionLine).join('; '),
  }
}

/** Calls `read` once per executable and process, and again if it failed. */
export function rememberByTool<T>(read: (executable: string) => Promise<T>): typeof read {
  const known = new Map<string, Promise<T>>()
  return (executable) => {
    const result = known.get(executable) ?? read(executable)
    known.set(executable, result)
    result.catch(() => known.delete(executable))
    return result
  }
}

/** Features of this ffmpeg build. A hardware encoder may be listed and still not work. */
export const readCapabilities = rememberByTool(async (ffmpeg): Promise<Capabilities> => {
  const list = async (what: string): Promise<string> => {
    const { stdout } = await runTool({ executable: ffmpeg, args: ['-hide_banner', what], timeoutSeconds: 30 })
    return stdout.toString('utf8')
  }
  const [encoders, decoders, filters, hwaccels] = await Promise.all([
    list('-encoders').then(parseNameTable),
    list('-decoders').then(parseNameTable),
    list('-filters').then(parseNameTable),
    list('-hwaccels').then(parseNames),
  ])
  return { encoders, decoders, filters, hwaccels }
})

/**
 * Rows have the form ` FLAGS name description`; headings and the legend (`V..... = Video`) are skipped. Filters have three flags,
 * and two since ffmpeg 8.
 */
export function parseNameTable(text: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const line of text.split('\n')) {
    const name = /^ [A-Z.|]{2,8} +(\S+)/.exec(line)?.[1]
    if (name !== undefined && name !== '=') names.add(name)
  }
  return names
}

/** A heading, and a name a line. */
const parseNames = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .split('\n')
      .slice(1)
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  )

async function bundled(name: ToolName, fallbackFolder: string): Promise<string> {
  const path = packagedPath(name)
  if (await canRun(path)) return path
  try {
    await chmod(path, 0o755)
    if (await canRun(path)) return path
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw missing(name, `it is not at ${path}`, error)
  }
  return copyToRun(name, path, fallbackFolder)
}

function packagedPath(name: ToolName): string {
  const path = findBundled(name)
  if (path === null) throw missing(name, 'this platform has no bundled build', null)
  return path
}

/** Copies to a temporary name and renames, so that two processes doing the same end with one complete file. */
async function copyToRun(name: ToolName, path: string, folder: string): Promise<string> {
  const { size, mtimeMs } = await stat(path)
  const target = join(folder, `${name}-${size}-${Math.round(mtimeMs)}`)
  if (await canRun(target)) return target
  const partial = `${target}.${process.pid}`
  try {
    await mkdir(folder, { recursive: true })
    await copyFile(path, partial)
    await chmod(partial, 0o755)
    await rename(partial, target)
    return target
  } catch (cause) {
    await rm(partial, { force: true })
    throw missing(name, `${path} is not executable and could not be copied to ${folder}`, cause)
  }
}

async function versionOf(name: ToolName, path: string): Promise<string> {
  try {
    const text = await runVersion(path)
    if (!text.startsWith(`${name} version`)) throw new Error('it does not answer -version as expected')
    return text
  } catch (cause) {
    throw missing(name, `${path} does not run (${cause instanceof Error ? cause.message : 'unknown'})`, cause)
  }
}

/** Why a tool cannot be used, as a phrase; null where `error` is not what locateTools throws. */
export function whyUnusable(error: unknown): string | null {
  const why = error instanceof AppError ? error.details?.['why'] : undefined
  return typeof why === 'string' ? why : null
}

function missing(name: ToolName, why: string, cause: unknown): AppError {
  const setting = `CUTROOM_${name.toUpperCase()}`
  const message = `${name} cannot be used: ${why}. Run "npm ci" again, or point ${setting} at a working ${name}.`
  return new AppError('INVALID_CONFIGURATION', { message, cause, details: { why } })
}

async function runVersion(executable: string): Promise<string> {
  const { stdout } = await runTool({ executable, args: ['-version'], timeoutSeconds: 30 })
  return stdout.toString('utf8')
}

/** The output of `-version`: the version, the build configuration, and the versions of the libraries. */
export const readVersionText = rememberByTool(runVersion)

/** The first line of that output without the copyright notice. */
export function formatVersionLine(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/ Copyright.*/, '').trim()
}
