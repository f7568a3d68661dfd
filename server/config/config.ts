/**
 * The only reader of the environment. Environment beats HOME/config.json beats the default; a bad value stops the start
 * with one line that names it. The result is frozen.
 */
import { existsSync, readFileSync } from 'node:fs'
import { homedir, platform } from 'node:os'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  readConfigFile,
  readSetting,
  readTable,
  secret,
  text,
  type ServiceIdentityProvider,
  type Setting,
  type SettingValues,
  type Sources,
} from './settings.ts'
import { readSocialConfig } from './social.ts'
import { SETTINGS } from './table.ts'
import { NO_TELEMETRY } from '../../models/no-telemetry.ts'
import { AppError } from '../contract/errors.ts'
import { withSteadyMemory } from '../steady-memory.mjs'

export type { ServiceIdentityProvider }

/** Of services that have pictures; only tests put others in their place. */
const GOOGLE = 'https://www.googleapis.com'
const GETTY = 'https://api.gettyimages.com'

type Table = typeof SETTINGS
type PictureKeys = SettingValues<Table['pictureServices']>

export interface Config extends Omit<SettingValues<Table>, 'models' | 'pictureServices'> {
  readonly home: string
  /** The first one on the PATH; null: none. */
  readonly ffmpegOnPath: string | null
  /** Folders searched for models, first match wins; the home's own is last. */
  readonly modelFolders: readonly string[]
  readonly pictureServices: {
    readonly [Name in keyof PictureKeys]: PictureKeys[Name] & { readonly address: string }
  }
  readonly social: ReturnType<typeof readSocialConfig>
  /** Bundled files: fonts, presets, the sample. */
  readonly resources: string
}
export type LogLevel = Config['log']
export type RateLimits = Config['rateLimits']

export function defaultHome(environment: Readonly<Record<string, string | undefined>>): string {
  switch (platform()) {
    case 'darwin':
      return join(homedir(), 'Library', 'Application Support', 'Cutroom')
    case 'win32':
      return join(environment['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'Cutroom')
    default:
      return join(environment['XDG_DATA_HOME'] ?? join(homedir(), '.local', 'share'), 'cutroom')
  }
}

/** The folder that holds package.json, found from this file upwards: the same in source, built and packaged form. */
export function applicationRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new AppError('INVALID_CONFIGURATION', 'package.json not found')
    folder = parent
  }
  return folder
}

/** The version of this appliance, from its package.json. */
export function applicationVersion(): string {
  const text = readFileSync(join(applicationRoot(), 'package.json'), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}

/** Environment of the engine process: this process's own, plus settings that limit its memory and its model cache. */
export function engineEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string | undefined> {
  return { ...withSteadyMemory(environment), ...NO_TELEMETRY }
}

/** The first program of this name in the folders that the environment lists, or null. */
function onSearchPath(
  name: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | null {
  const file = platform() === 'win32' ? `${name}.exe` : name
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => isAbsolute(folder))
  return folders.map((folder) => join(folder, file)).find((path) => existsSync(path)) ?? null
}

type Overrides = Readonly<{ home?: string; port?: string; host?: string }>
type Environment = Readonly<Record<string, string | undefined>>

const sourcesOf = (overrides: Overrides, environment: Environment): Sources => {
  const home = resolve(overrides.home ?? text(environment['CUTROOM_HOME']) ?? defaultHome(environment))
  return { environment, home, file: readConfigFile(home) }
}

/** Reads and checks everything. `overrides` are command-line options, they win over the environment. */
export function loadConfig(overrides: Overrides = {}, environment: Environment = process.env): Config {
  return readAll(sourcesOf(overrides, environment), overrides, () => undefined)
}

/**
 * Variables read outside this file: location of the home, single-file executable, parent process, requester of a
 * command, nohup.
 */
const NOT_READ_HERE: ReadonlySet<string> = new Set([
  'CUTROOM_HOME',
  'CUTROOM_CACHE',
  'CUTROOM_DIES_WITH_PARENT',
  'CUTROOM_ASKED_BY',
  'CUTROOM_IGNORES_HANGUP',
])

/**
 * Names that look like settings but are none, in the environment and in config.json (`"name" in config.json`): a
 * misspelled setting would silently do nothing. Throws like loadConfig.
 */
export function unknownSettings(
  overrides: Overrides = {},
  environment: Environment = process.env,
): readonly string[] {
  const sources = sourcesOf(overrides, environment)
  const known = { env: new Set(NOT_READ_HERE), key: new Set<string>() }
  readAll(sources, overrides, ({ env, key }) => {
    known.env.add(env)
    known.key.add(key)
  })
  return [
    ...Object.keys(environment).filter((name) => name.startsWith('CUTROOM_') && !known.env.has(name)),
    ...Object.keys(sources.file)
      .filter((name) => !known.key.has(name))
      .map((name) => `${JSON.stringify(name)} in config.json`),
  ].sort()
}

/** `onRead` is called for each setting that is looked up. */
function readAll(
  sources: Sources,
  overrides: Overrides,
  onRead: (wanted: Pick<Setting<unknown>, 'env' | 'key'>) => void,
): Config {
  const { home, environment } = sources
  const read = <T>(wanted: Setting<T>, override?: string): T => {
    onRead(wanted)
    return readSetting(sources, wanted, override)
  }
  const overridden: Readonly<Record<string, string | undefined>> = {
    port: overrides.port,
    host: overrides.host,
  }
  const values = readTable(SETTINGS, (wanted) => read(wanted, overridden[wanted.key]))
  const { models, pictureServices: keys, ...rest } = values
  const config: Config = {
    ...rest,
    home,
    modelFolders: [...(models === null ? [] : [models]), join(home, 'models')],
    pictureServices: {
      google_images: { ...keys.google_images, address: GOOGLE },
      youtube: { ...keys.youtube, address: GOOGLE },
      getty: { ...keys.getty, address: GETTY },
    },
    ffmpegOnPath: onSearchPath('ffmpeg', environment),
    ytDlp: values.ytDlp ?? onSearchPath('yt-dlp', environment),
    social: readSocialConfig((env, key) => read(secret(env, key))),
    resources: join(applicationRoot(), 'resources'),
  }
  if (config.queue === 'bullmq' && config.redisUrl === null)
    throw new AppError(
      'INVALID_CONFIGURATION',
      'CUTROOM_QUEUE is bullmq: CUTROOM_REDIS_URL has to say where Redis is, such as redis://host:6379.',
    )
  return Object.freeze(config)
}
