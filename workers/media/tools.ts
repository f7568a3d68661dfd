/**
 * Where ffmpeg and ffprobe are, that they run, and what they can do. Configured paths come first, then the bundled
 * builds. The bundled ffprobe may arrive without its execute bit; it is set, or a copy is made where it cannot be.
 */
import { createHash } from 'node:crypto'
import { access, chmod, constants, copyFile, mkdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { AppError } from '../../server/contract/errors.ts'
import type { ToolPaths } from '../protocol.ts'
import { runTool } from './run-tool.ts'

export interface LocatedTools {
  readonly paths: ToolPaths
  /** SHA-256 over what both say of themselves: the same build gives the same one after a restart or a reinstall. */
  readonly fingerprint: string
  /** For people: both version lines. */
  readonly version: string
}

export interface ToolOptions {
  /** Configured path; null: the bundled one. */
  readonly ffmpeg: string | null
  readonly ffprobe: string | null
  /** Where a runnable copy may be put when the bundled file cannot be made executable. */
  readonly fallbackFolder: string
}

/** Names as the tool lists them. */
export interface Capabilities {
  readonly encoders: ReadonlySet<string>
  readonly decoders: ReadonlySet<string>
  readonly filters: ReadonlySet<string>
}

type ToolName = 'ffmpeg' | 'ffprobe'

/** Finds both tools and runs them once. Throws INVALID_CONFIGURATION that names the tool and the mend. */
export async function locateTools(options: ToolOptions): Promise<LocatedTools> {
  const ffmpeg = options.ffmpeg ?? (await bundled('ffmpeg', options.fallbackFolder))
  const ffprobe = options.ffprobe ?? (await bundled('ffprobe', options.fallbackFolder))
  const said = [await versionOf('ffmpeg', ffmpeg), await versionOf('ffprobe', ffprobe)]
  return {
    paths: { ffmpeg, ffprobe },
    fingerprint: createHash('sha256').update(said.join('\0')).digest('hex'),
    version: said
      .map(
        (text) =>
          text
            .split('\n')[0]
            ?.replace(/ Copyright.*/, '')
            .trim() ?? '',
      )
      .join('; '),
  }
}

const known = new Map<string, Promise<Capabilities>>()

/** What this ffmpeg was built with; asked once per process. Hardware encoders may be listed and still not work. */
export function readCapabilities(ffmpeg: string): Promise<Capabilities> {
  const asked = known.get(ffmpeg) ?? askCapabilities(ffmpeg)
  known.set(ffmpeg, asked)
  asked.catch(() => known.delete(ffmpeg))
  return asked
}

async function askCapabilities(ffmpeg: string): Promise<Capabilities> {
  const ask = async (what: string): Promise<ReadonlySet<string>> => {
    const { stdout } = await runTool({ executable: ffmpeg, args: ['-hide_banner', what], timeoutSeconds: 30 })
    return parseNameTable(stdout.toString('utf8'))
  }
  const [encoders, decoders, filters] = await Promise.all([
    ask('-encoders'),
    ask('-decoders'),
    ask('-filters'),
  ])
  return { encoders, decoders, filters }
}

/** Rows are ` FLAGS name description`; headings and the legend (`V..... = Video`) are not rows. */
export function parseNameTable(text: string): ReadonlySet<string> {
  const names = new Set<string>()
  for (const line of text.split('\n')) {
    const name = /^ [A-Z.|]{3,8} +(\S+)/.exec(line)?.[1]
    if (name !== undefined && name !== '=') names.add(name)
  }
  return names
}

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
  try {
    const require = createRequire(import.meta.url)
    const found = require(`@${name}-installer/${name}`) as { path: string }
    // Inside a packed application the file itself lies beside the archive.
    return found.path.replace(/app\.asar([/\\])/, 'app.asar.unpacked$1')
  } catch (cause) {
    throw missing(name, 'this platform has no bundled build', cause)
  }
}

async function canRun(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Copies beside and renames, so that two processes doing the same at once end with one whole file. */
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
    const { stdout } = await runTool({ executable: path, args: ['-version'], timeoutSeconds: 30 })
    const text = stdout.toString('utf8')
    if (!text.startsWith(`${name} version`)) throw new Error('it does not answer -version as expected')
    return text
  } catch (cause) {
    throw missing(name, `${path} does not run (${cause instanceof Error ? cause.message : 'unknown'})`, cause)
  }
}

function missing(name: ToolName, why: string, cause: unknown): AppError {
  const setting = `CUTROOM_${name.toUpperCase()}`
  const message = `${name} cannot be used: ${why}. Run "npm ci" again, or point ${setting} at a working ${name}.`
  return new AppError('INVALID_CONFIGURATION', { message, cause })
}
