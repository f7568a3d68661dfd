/**
 * Finds the encoder that works on this machine, by trying on first use. The result is remembered in the home until
 * ffmpeg changes or the machine restarts, because drivers and cards may change with a restart.
 */
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { uptime } from 'node:os'
import { dirname, join } from 'node:path'
import { HARDWARE_WAYS } from '../../workers/media/arguments/hardware-encoders.ts'
import { SOFTWARE, type EncoderChoice } from '../../workers/media/arguments/render-encoder.ts'
import { chooseEncoder, tryEncoders } from '../../workers/media/encoder-probe.ts'
import type { Config } from '../config/config.ts'
import { mediaTools } from './media-tools.ts'

type Settings = Pick<Config, 'home' | 'ffmpeg' | 'ffprobe' | 'encoder'>

/** What the choice was made for: another of these, and it is made again. */
interface Circumstances {
  readonly fingerprint: string
  readonly boot: string
  readonly preference: string
}

const known = new Map<string, Promise<EncoderChoice>>()

/** How finished clips are encoded here. Throws INVALID_CONFIGURATION when ffmpeg cannot be used at all. */
export function workingEncoder(config: Settings): Promise<EncoderChoice> {
  const { home, ffmpeg, ffprobe, encoder } = config
  if (encoder === 'software') return Promise.resolve(SOFTWARE)
  const name = JSON.stringify([home, ffmpeg, ffprobe, encoder])
  const pending = known.get(name) ?? findEncoder(config)
  known.set(name, pending)
  pending.catch(() => known.delete(name))
  return pending
}

/** An encoder broke in the middle of its work: it is tried again before the next clip. */
export async function doubtEncoder(config: Settings): Promise<void> {
  known.clear()
  await rm(memoryFile(config), { force: true })
}

async function findEncoder(config: Settings): Promise<EncoderChoice> {
  const { paths, fingerprint } = await mediaTools(config)
  const circumstances: Circumstances = { fingerprint, boot: bootName(), preference: config.encoder }
  const before = await remembered(config, circumstances)
  if (before !== null) return before
  const choice = chooseEncoder(config.encoder, await tryEncoders(paths.ffmpeg, config.encoder))
  await remember(config, circumstances, choice)
  return choice
}

const memoryFile = ({ home }: Settings): string => join(home, 'tools', 'encoder.json')

async function remembered(config: Settings, wanted: Circumstances): Promise<EncoderChoice | null> {
  try {
    const stored = JSON.parse(await readFile(memoryFile(config), 'utf8')) as Partial<
      Circumstances & { choice: EncoderChoice }
    >
    const same =
      stored.fingerprint === wanted.fingerprint &&
      stored.boot === wanted.boot &&
      stored.preference === wanted.preference
    const way = stored.choice?.way ?? ''
    return same && stored.choice !== undefined && (way === 'software' || way in HARDWARE_WAYS)
      ? stored.choice
      : null
  } catch {
    return null // never written, or not whole: found out again
  }
}

/** Only saves time, so errors are ignored: a home that cannot be written is reported where it matters. */
async function remember(
  config: Settings,
  circumstances: Circumstances,
  choice: EncoderChoice,
): Promise<void> {
  const file = memoryFile(config)
  const partial = `${file}.${process.pid}`
  try {
    await mkdir(dirname(file), { recursive: true })
    await writeFile(partial, JSON.stringify({ ...circumstances, choice }))
    await rename(partial, file)
  } catch {
    await rm(partial, { force: true }).catch(() => undefined)
  }
}

/** Another one after each start of the machine. */
function bootName(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    // On other systems the boot time, rounded to ten minutes because clocks are adjusted now and then.
    return String(Math.round((Date.now() / 1000 - uptime()) / 600))
  }
}
