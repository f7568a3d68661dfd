/**
 * The only reader of the environment. Environment beats HOME/config.json beats the default; a bad value stops the start
 * with one line that names it. The result is frozen.
 */
import { existsSync, readFileSync } from 'node:fs'
import { homedir, platform } from 'node:os'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  readAuditDays,
  readRateLimits,
  type RateLimits,
  readOperate,
  type OperateSettings,
  readStorage,
  type StorageSettings,
} from './operate.ts'
import type { ServiceIdentityProvider } from './providers.ts'
import { readConfigFile, readSetting, secret, text, type Setting, type Sources } from './settings.ts'
import { readSocialConfig, type SocialConfig } from './social.ts'
import { SETTINGS, type LogLevel } from './table.ts'
import { NO_TELEMETRY } from '../../models/no-telemetry.ts'
import { AppError } from '../contract/errors.ts'
import { withSteadyMemory } from '../steady-memory.mjs'
import type { ProviderSetting } from '../contract/inference.ts'
import type { EncoderSetting } from '../../workers/media/arguments/hardware-encoders.ts'

export type { LogLevel, RateLimits, ServiceIdentityProvider }
export type SourcesPolicy = 'any' | 'public'

/** The user's own keys to services that have pictures; null: not given. Never logged, never part of an error. */
export interface PictureServices {
  readonly google_images: {
    readonly key: string | null
    readonly engine: string | null
    readonly address: string
  }
  readonly youtube: { readonly key: string | null; readonly ytDlp: string | null; readonly address: string }
  readonly getty: {
    readonly key: string | null
    readonly secret: string | null
    /** For accounts whose downloads need a signed-in user. */
    readonly user: string | null
    readonly password: string | null
    readonly address: string
  }
}

/** The user's own language model, which reads what clips say; used only when an address is set. */
export interface LanguageModel {
  /** Base address of an API compatible with OpenAI's chat completions; null: no language model. */
  readonly url: string | null
  readonly model: string | null
  /** Never logged, never part of an error. */
  readonly key: string | null
  readonly timeoutSeconds: number
}

/** How livestreams are recorded; seconds. */
export interface StreamSettings {
  /** Clips are looked for in each chunk as soon as it is full. */
  readonly chunkSeconds: number
  /** A recording ends after this long, with what is there. */
  readonly maxSeconds: number
  /** A stream that brings nothing new for so long is over. */
  readonly stallSeconds: number
}

export interface Config {
  readonly home: string
  readonly port: number
  readonly host: string
  /** Base of media addresses; null: as the request came. */
  readonly publicUrl: string | null
  /** Folders searched for models, first match wins; the home's own is last. */
  readonly modelFolders: readonly string[]
  readonly ffmpeg: string | null
  readonly ffprobe: string | null
  /** How finished clips are encoded: `auto` takes the first hardware encoder that works, or else software. */
  readonly encoder: 'auto' | 'software' | EncoderSetting
  /** What models run on: `auto` takes the graphics card if there is one, or else the processor. */
  readonly inference: ProviderSetting
  /** The speech model to use; null: chosen by what the machine can do. */
  readonly speechModel: string | null
  readonly allowedHosts: readonly string[]
  readonly sources: SourcesPolicy
  /** `off`: nothing but this machine is contacted, and no name is looked up (server/reachable.ts, docs/network.md). */
  readonly network: 'on' | 'off'
  readonly pictureServices: PictureServices
  /** The user's own yt-dlp, for videos on web pages: as configured, else the first on the PATH; null: none. */
  readonly ytDlp: string | null
  readonly languageModel: LanguageModel
  /** Issuers whose ID tokens open `/internal/...`, in addition to the appliance's own. */
  readonly serviceIdentity: readonly ServiceIdentityProvider[]
  readonly social: SocialConfig
  /** `off`: the tenant API queues no renders here and answers RENDER_QUEUE_UNAVAILABLE. */
  readonly renderQueue: 'on' | 'off'
  /** `bullmq`: stages are done by worker nodes, which take them from Redis; `sqlite`: by this machine. */
  readonly queue: 'sqlite' | 'bullmq'
  /** May hold a password: never logged whole. */
  readonly redisUrl: string | null
  /** Where the encryption key is stored: a file in the home, or the operating system's keychain. */
  readonly secretKey: 'file' | 'keychain'
  /** A file outside the home with the key, as service managers provide it; null: `secretKey` decides. */
  readonly secretKeyFile: string | null
  readonly log: LogLevel
  /** Whether models may be downloaded when a run needs one. */
  readonly allowModelDownloads: boolean
  /** A source may be as large as this, however it comes. */
  readonly maxSourceBytes: number
  readonly sourceIdleTimeoutSeconds: number
  readonly sourceTotalTimeoutSeconds: number
  /** How livestreams are recorded. */
  readonly streams: StreamSettings
  /** Runs and renders are refused below this much free space. */
  readonly minFreeBytes: number
  readonly rateLimits: RateLimits
  readonly operate: OperateSettings
  readonly storage: StorageSettings
  /** Days for which rows of the audit log are stored. */
  readonly auditDays: number
  /** Bundled files: fonts, presets, the sample. */
  readonly resources: string
}

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
    if (parent === folder) throw new AppError('INVALID_CONFIGURATION', { message: 'package.json not found' })
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

/** Addresses are the services' own; only tests put others in their place. */
function pictureServices(read: <T>(wanted: Setting<T>) => T): PictureServices {
  return {
    google_images: {
      key: read(SETTINGS.googleKey),
      engine: read(SETTINGS.googleEngine),
      address: 'https://www.googleapis.com',
    },
    youtube: {
      key: read(SETTINGS.youtubeKey),
      ytDlp: read(SETTINGS.ytDlp),
      address: 'https://www.googleapis.com',
    },
    getty: {
      key: read(SETTINGS.gettyKey),
      secret: read(SETTINGS.gettySecret),
      user: read(SETTINGS.gettyUser),
      password: read(SETTINGS.gettyPassword),
      address: 'https://api.gettyimages.com',
    },
  }
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
  const models = read(SETTINGS.models)
  const config: Config = {
    home,
    port: read(SETTINGS.port, overrides.port),
    host: read(SETTINGS.host, overrides.host),
    publicUrl: read(SETTINGS.publicUrl),
    modelFolders: [...(models === null ? [] : [models]), join(home, 'models')],
    ffmpeg: read(SETTINGS.ffmpeg),
    ffprobe: read(SETTINGS.ffprobe),
    encoder: read(SETTINGS.encoder),
    inference: read(SETTINGS.inference),
    speechModel: read(SETTINGS.speechModel),
    allowedHosts: read(SETTINGS.allowedHosts),
    sources: read(SETTINGS.sources),
    network: read(SETTINGS.network),
    pictureServices: pictureServices(read),
    ytDlp: read(SETTINGS.ytDlp) ?? onSearchPath('yt-dlp', environment),
    languageModel: {
      url: read(SETTINGS.llmUrl),
      model: read(SETTINGS.llmModel),
      key: read(SETTINGS.llmKey),
      timeoutSeconds: read(SETTINGS.llmTimeout),
    },
    serviceIdentity: read(SETTINGS.serviceIdentity),
    social: readSocialConfig((env, key) => read(secret(env, key))),
    renderQueue: read(SETTINGS.renderQueue),
    queue: read(SETTINGS.queue),
    redisUrl: read(SETTINGS.redisUrl),
    secretKey: read(SETTINGS.secretKey),
    secretKeyFile: read(SETTINGS.secretKeyFile),
    log: read(SETTINGS.log),
    operate: readOperate(read),
    storage: readStorage(read),
    allowModelDownloads: read(SETTINGS.downloads),
    maxSourceBytes: read(SETTINGS.maxSource),
    sourceIdleTimeoutSeconds: read(SETTINGS.idleTimeout),
    sourceTotalTimeoutSeconds: read(SETTINGS.totalTimeout),
    streams: {
      chunkSeconds: read(SETTINGS.streamChunk),
      maxSeconds: read(SETTINGS.streamMax),
      stallSeconds: read(SETTINGS.streamStall),
    },
    minFreeBytes: read(SETTINGS.minFree),
    rateLimits: readRateLimits(read),
    auditDays: readAuditDays(read),
    resources: join(applicationRoot(), 'resources'),
  }
  if (config.queue === 'bullmq' && config.redisUrl === null)
    throw new AppError('INVALID_CONFIGURATION', {
      message:
        'CUTROOM_QUEUE is bullmq: CUTROOM_REDIS_URL has to say where Redis is, such as redis://host:6379.',
    })
  return Object.freeze(config)
}
