/**
 * The build of ffmpeg that `cutroom ffmpeg install` fetches: one file for each kind of machine, known by its checksum. The
 * address names a commit, so that what lies there cannot change. Newer builds exist; the addresses of those that were
 * looked at do not stay (docs/decisions/0106).
 */
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { checkModelFile } from '../../models/check-file.ts'
import { download } from '../../models/download.ts'
import { megabytes } from '../../models/install.ts'
import type { Config } from '../config/config.ts'
import { AppError } from '../contract/errors.ts'
import { installFfmpeg, type InstalledRecord } from './ffmpeg-install.ts'
import { toolsFolder } from './tool-notes.ts'

export interface PinnedFfmpeg {
  /** As `ffmpeg -version` says it: `7.0.2`. */
  readonly version: string
  readonly url: string
  readonly bytes: number
  readonly sha256: string
}

const PLACE =
  'https://raw.githubusercontent.com/imageio/imageio-binaries/f8f64710ea88e7e4a352c0f7d8c0deac9f5fd685/ffmpeg'

/** By `process.platform` and `process.arch`. All are free software under the GPL, version 3. */
const PINNED: Readonly<Record<string, PinnedFfmpeg>> = {
  'linux-x64': {
    version: '7.0.2',
    url: `${PLACE}/ffmpeg-linux-x86_64-v7.0.2`,
    bytes: 79_826_272,
    sha256: 'e7e7fb30477f717e6f55f9180a70386c62677ef8a4d4d1a5d948f4098aa3eb99',
  },
  'linux-arm64': {
    version: '7.0.2',
    url: `${PLACE}/ffmpeg-linux-aarch64-v7.0.2`,
    bytes: 51_134_160,
    sha256: '6bb182d0d75d23028db82e9e4f723ca69b853d055698486e6984ddb2c06fb8ce',
  },
  'darwin-x64': {
    version: '7.1',
    url: `${PLACE}/ffmpeg-macos-x86_64-v7.1`,
    bytes: 75_991_688,
    sha256: '4a4a968b98859588e98500ae25973d80a5ca5eed0724222b9f76360dcb72a001',
  },
  'darwin-arm64': {
    version: '7.1',
    url: `${PLACE}/ffmpeg-macos-aarch64-v7.1`,
    bytes: 49_368_728,
    sha256: '6d175a4743ca50256e89a8cdd731100f9cee33bd79aeea46894d209410dc6617',
  },
  'win32-x64': {
    version: '7.1',
    url: `${PLACE}/ffmpeg-win-x86_64-v7.1.exe`,
    bytes: 87_638_016,
    sha256: '2ce797a0f88d7f067180338fb227f7b1928ea727bd9a4d7a1d022f7c52af71a3',
  },
}

/** The one for this kind of machine, or another; null: none is pinned for it. */
export const pinnedFfmpeg = (platform: string = process.platform, arch: string = process.arch) =>
  PINNED[`${platform}-${arch}`] ?? null

export interface FetchOptions {
  readonly signal?: AbortSignal
  /** Fraction from 0 to 1, and a note about the current step. */
  readonly onProgress?: (fraction: number, note: string) => void
}

/**
 * Fetches a pinned build, holds it against its size and checksum, and takes it into the home as `installFfmpeg` does. A
 * download that broke off goes on where it was. Throws FFMPEG_NOT_INSTALLED, DISK_FULL or CANCELLED, and what
 * `installFfmpeg` throws; then everything is as before.
 */
export async function fetchFfmpeg(
  config: Pick<Config, 'home' | 'ffprobe' | 'resources' | 'network'>,
  pinned: PinnedFfmpeg,
  { signal = new AbortController().signal, onProgress = () => undefined }: FetchOptions = {},
): Promise<InstalledRecord> {
  if (config.network === 'off') throw refuse('It is not fetched: the network is off (CUTROOM_NETWORK).')
  const partial = join(
    toolsFolder(config.home),
    '.partial',
    `ffmpeg-${pinned.version}-${pinned.sha256.slice(0, 8)}`,
  )
  await download({
    url: pinned.url,
    partial,
    signal,
    // The trial takes the rest.
    onBytes: (done) =>
      onProgress(0.9 * Math.min(1, done / pinned.bytes), `${megabytes(done)} of ${megabytes(pinned.bytes)}`),
    failure: refuse,
  })
  try {
    const checked = await checkModelFile(partial, { path: basename(pinned.url), ...pinned })
    if (!checked.ok)
      throw refuse(`What ${new URL(pinned.url).host} delivered is not the pinned file: ${checked.why}.`)
    onProgress(0.9, 'Trying it')
    return await installFfmpeg(config, { from: partial })
  } finally {
    await rm(partial, { force: true })
  }
}

const refuse = (why: string, cause?: unknown): AppError =>
  new AppError('FFMPEG_NOT_INSTALLED', {
    message: `${why} Try again, or bring an ffmpeg that you have: cutroom ffmpeg install --from FILE. One that the system installs on the PATH is found without this command.`,
    cause,
  })
