/** ffmpeg and ffprobe of this appliance: found once, then remembered. */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { lacking } from '../../workers/media/arguments/needs.ts'
import { readCapabilities, locateTools, type LocatedTools } from '../../workers/media/tools.ts'
import type { Config } from '../config/config.ts'
import { AppError } from '../contract/errors.ts'

type Settings = Pick<Config, 'home' | 'ffmpeg' | 'ffprobe'>

const found = new Map<string, Promise<LocatedTools>>()

/**
 * Where the tools are and what build they are. Throws INVALID_CONFIGURATION that names the tool and the mend, also for a
 * configured ffmpeg that was built without something that clips need.
 */
export function mediaTools(config: Settings): Promise<LocatedTools> {
  const { home, ffmpeg, ffprobe } = config
  const name = JSON.stringify([home, ffmpeg, ffprobe])
  const known = found.get(name)
  if (known !== undefined) return known
  const pending = findTools(config)
  found.set(name, pending)
  // A mended installation is found without a restart.
  pending.catch(() => found.delete(name))
  return pending
}

async function findTools(config: Settings): Promise<LocatedTools> {
  const { home, ffmpeg, ffprobe } = config
  const tools = await locateTools({ ffmpeg, ffprobe, fallbackFolder: join(home, 'tools') })
  // The bundled build is the one that everything is tested with.
  if (ffmpeg !== null) await refuseIfLacking(config, tools)
  return tools
}

/** Probed once per build of ffmpeg; a good result is remembered in the home. */
async function refuseIfLacking({ home }: Settings, { paths, fingerprint }: LocatedTools): Promise<void> {
  const note = join(home, 'tools', 'checked-ffmpeg')
  if ((await readFile(note, 'utf8').catch(() => '')).trim() === fingerprint) return
  const missing = lacking(await readCapabilities(paths.ffmpeg))
  if (missing.length > 0)
    throw new AppError('INVALID_CONFIGURATION', {
      message: `${paths.ffmpeg} cannot make clips: it was built without ${missing.join(', ')}. Point CUTROOM_FFMPEG at a full build, or unset it for the bundled one.`,
      details: { missing },
    })
  await remember(note, fingerprint)
}

/** Only saves probing again, so errors are ignored: a home that cannot be written is reported where it matters. */
async function remember(file: string, text: string): Promise<void> {
  const partial = `${file}.${process.pid}`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(partial, `${text}\n`)
    await rename(partial, file)
  } catch {
    await rm(partial, { force: true }).catch(() => undefined)
  }
}
