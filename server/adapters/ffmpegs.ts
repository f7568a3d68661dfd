/**
 * The builds of ffmpeg on this machine, and the one that is used. Each is tried by what it does. What trials found is
 * remembered in the home for these very files, so that the choice stays what it was and a start does not wait for it.
 */
import { existsSync } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  chooseFfmpeg,
  type FfmpegAbilities,
  type FfmpegCandidate,
  type FfmpegChoice,
  type FfmpegOrigin,
} from '../../workers/media/arguments/choose-ffmpeg.ts'
import { TRIAL_VERSION } from '../../workers/media/arguments/ffmpeg-trials.ts'
import { findHardware, findProblem, measureAbilities } from '../../workers/media/ffmpeg-probe.ts'
import { findBundled } from '../../workers/media/bundled.ts'
import { locateTools, whyUnusable, type LocatedTools } from '../../workers/media/tools.ts'
import type { Config } from '../config/config.ts'
import { BUNDLED } from '../config/settings.ts'
import { AppError } from '../contract/errors.ts'
import { findInstalledFfmpeg } from './ffmpeg-install.ts'
import { bootName, readNote, toolsFolder, trialFilms, writeNote } from './tool-notes.ts'

export type FfmpegSettings = Pick<
  Config,
  'home' | 'ffmpeg' | 'ffprobe' | 'ffmpegOnPath' | 'encoder' | 'queue' | 'resources'
>

export interface FoundFfmpeg extends FfmpegCandidate {
  /** Null where it does not run. */
  readonly tools: LocatedTools | null
}

/** Where a build is; a null path is the bundled one. */
interface Place {
  readonly origin: FfmpegOrigin
  readonly ffmpeg: string | null
  readonly ffprobe: string | null
  /** What is known to be wrong with it before it is run. */
  readonly problem?: string | null
}

const NOTE = 'ffmpegs.json'
const FFPROBE = process.platform === 'win32' ? 'ffprobe.exe' : 'ffprobe'

/** The builds that are compared: the configured one alone, where one is named. */
export async function compareFfmpegs(config: FfmpegSettings): Promise<FoundFfmpeg[]> {
  const places = await placesOf(config)
  const configured = places.filter(({ origin }) => origin === 'configured')
  const compared = configured.length > 0 ? configured : places
  // What is alone has nobody to be compared with.
  return tryAll(config, compared, { measured: compared.length > 1 })
}

/** Every build, measured, for people. `again`: whatever was found before. */
export async function listFfmpegs(config: FfmpegSettings): Promise<FoundFfmpeg[]> {
  return tryAll(config, await placesOf(config), { measured: true, again: true })
}

/** The one that is used. Throws INVALID_CONFIGURATION with what is wrong and what to do. */
export function takeFfmpeg(
  config: FfmpegSettings,
  found: readonly FoundFfmpeg[],
): Extract<FfmpegChoice<FoundFfmpeg>, { reason: string }> & { tools: LocatedTools } {
  const choice = chooseFfmpeg(found)
  if (choice.taken !== null && choice.taken.tools !== null) return { ...choice, tools: choice.taken.tools }
  const problem = choice.taken === null ? choice.problem : 'it does not run'
  const { ffmpeg } = config
  const message =
    ffmpeg === null || ffmpeg === BUNDLED
      ? `No ffmpeg here can make clips: ${problem}. Run "npm ci" again, or point CUTROOM_FFMPEG at a full build.`
      : `${ffmpeg} cannot make clips: ${problem}. Point CUTROOM_FFMPEG at a full build, or unset it: then the best one here is taken.`
  throw new AppError('INVALID_CONFIGURATION', { message })
}

/** The build with this fingerprint, which another machine has; null: it is not here. */
export async function findSameFfmpeg(
  config: FfmpegSettings,
  fingerprint: string,
): Promise<LocatedTools | null> {
  for (const place of await placesOf({ ...config, queue: 'sqlite' })) {
    const tools = await locate(config, place).catch(() => null)
    if (tools?.fingerprint === fingerprint) return tools
  }
  return null
}

/** Without the system's where worker nodes have to have the same build: an update of the system would part them. */
async function placesOf(config: FfmpegSettings): Promise<Place[]> {
  const { ffmpeg, ffprobe, ffmpegOnPath, home, queue } = config
  const beside = (path: string): string | null => {
    const file = join(dirname(path), FFPROBE)
    return ffprobe ?? (existsSync(file) ? file : null)
  }
  const installed = await findInstalledFfmpeg(home)
  const own = queue === 'bullmq' ? null : ffmpegOnPath
  const isPinned = ffmpeg === BUNDLED
  const places: Place[] = [
    ...(ffmpeg === null || isPinned ? [] : [{ origin: 'configured' as const, ffmpeg, ffprobe }]),
    { origin: isPinned ? 'configured' : 'bundled', ffmpeg: null, ffprobe },
    ...(installed === null
      ? []
      : [{ origin: 'installed' as const, ...installed, ffprobe: beside(installed.ffmpeg) }]),
    ...(own === null ? [] : [{ origin: 'path' as const, ffmpeg: own, ffprobe: beside(own) }]),
  ]
  const files = await Promise.all(
    places.map(async ({ ffmpeg: file }) => {
      const path = file ?? findBundled('ffmpeg')
      return path === null ? null : await realpath(path).catch(() => path)
    }),
  )
  return places.filter((_, at) => files[at] == null || files.indexOf(files[at]) === at)
}

const locate = ({ home }: FfmpegSettings, { ffmpeg, ffprobe }: Place): Promise<LocatedTools> =>
  locateTools({ ffmpeg, ffprobe, fallbackFolder: toolsFolder(home) })

interface Wanted {
  /** Also how fast, and by which hardware; otherwise only whether it can be used. */
  readonly measured: boolean
  /** Not what is remembered. */
  readonly again?: boolean
}

/** What is remembered of one build. */
interface Memory {
  readonly boot: string
  readonly problem: string | null
  readonly abilities: FfmpegAbilities | null
  /** The encoders that were tried for its abilities. */
  readonly encoder: FfmpegSettings['encoder']
}

interface Notes {
  readonly version: number
  readonly found: Readonly<Record<string, Memory>>
}

/** More than a machine has, and old ones go. */
const REMEMBERED = 12

async function tryAll(
  config: FfmpegSettings,
  places: readonly Place[],
  wanted: Wanted,
): Promise<FoundFfmpeg[]> {
  const note = (await readNote(config.home, NOTE)) as Partial<Notes> | null
  const stored = note?.version === TRIAL_VERSION ? (note.found ?? {}) : {}
  const found: FoundFfmpeg[] = []
  const made: [name: string, memory: Memory][] = []
  // One after the other, because they are measured.
  for (const place of places) {
    const one = await tryOne(config, place, wanted, wanted.again === true ? {} : stored)
    found.push(one.found)
    if (one.memory !== null && one.memory !== stored[one.name]) made.push([one.name, one.memory])
  }
  if (made.length > 0) {
    const kept = Object.entries(stored).filter(([name]) => made.every(([other]) => other !== name))
    const all = Object.fromEntries([...kept, ...made].slice(-REMEMBERED))
    await writeNote(config.home, NOTE, { version: TRIAL_VERSION, found: all } satisfies Notes)
  }
  return found
}

async function tryOne(
  config: FfmpegSettings,
  place: Place,
  { measured }: Wanted,
  before: Notes['found'],
): Promise<{ found: FoundFfmpeg; name: string; memory: Memory | null }> {
  const { origin } = place
  let tools: LocatedTools
  try {
    if (place.problem != null) throw new Error(place.problem)
    tools = await locate(config, place)
  } catch (error) {
    const problem = whyUnusable(error) ?? (error instanceof Error ? error.message : String(error))
    const ffmpeg = place.ffmpeg ?? BUNDLED
    return { found: { origin, ffmpeg, problem, abilities: null, tools: null }, name: '', memory: null }
  }
  const { ffmpeg } = tools.paths
  // The bundled build is the one that everything is tested with.
  if (place.ffmpeg === null && !measured)
    return { found: { origin, ffmpeg, problem: null, abilities: null, tools }, name: '', memory: null }
  const name = JSON.stringify([tools.fingerprint, await stampOf(ffmpeg)])
  const memory = await look(config, tools, { place, measured }, before[name] ?? null)
  const { problem, abilities } = memory
  return { found: { origin, ffmpeg, problem, abilities, tools }, name, memory }
}

/** Another one when the file is replaced. */
async function stampOf(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path)
  return `${path} ${size} ${mtimeMs}`
}

async function look(
  { resources, encoder }: FfmpegSettings,
  { paths }: LocatedTools,
  { place: { origin, ffmpeg }, measured }: { readonly place: Place; readonly measured: boolean },
  known: Memory | null,
): Promise<Memory> {
  const boot = bootName()
  const trial = { films: trialFilms(resources), temporary: tmpdir() }
  // What failed may have been mended by a restart, or by whoever configured it.
  const holds = known !== null && (known.problem === null || (known.boot === boot && origin !== 'configured'))
  if (holds && (known.problem !== null || !measured)) return known
  const problem = holds || ffmpeg === null ? null : await findProblem(paths, trial)
  if (problem !== null || !measured) return { boot, problem, abilities: null, encoder }
  const before = holds ? known.abilities : null
  if (before === null)
    return { boot, problem, encoder, abilities: await measureAbilities(paths.ffmpeg, trial, encoder) }
  if (known?.boot === boot && known.encoder === encoder) return known
  return { boot, problem, encoder, abilities: { ...before, ...(await findHardware(paths.ffmpeg, encoder)) } }
}
