/**
 * The only reader of the environment. Environment beats HOME/config.json beats the default; a bad value stops the start
 * with one line that names it. The result is frozen.
 */
import { existsSync, readFileSync } from 'node:fs'
import { homedir, platform } from 'node:os'
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { EXPECTED_PROVIDERS, parseProviders, type ServiceIdentityProvider } from './config-providers.ts'
import { readSocialConfig, type SocialConfig } from './config-social.ts'
import { AppError } from './contract/errors.ts'
import { PROVIDER_SETTINGS, type ProviderSetting } from './contract/inference.ts'
import { HARDWARE_SETTINGS, type EncoderSetting } from '../workers/media/arguments/hardware-encoders.ts'

export type { ServiceIdentityProvider }
export type SourcesPolicy = 'any' | 'public'
const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

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

/** A language model of the user's own that reads what clips say; asked only where an address is given. */
export interface LanguageModel {
  /** Base of an API in the way of OpenAI's chat completions; null: none is asked. */
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
  /** `off`: no service outside is asked for pictures or for videos on web pages, and no language model but one on this machine. Files that a run names are fetched all the same. */
  readonly network: 'on' | 'off'
  readonly pictureServices: PictureServices
  /** The user's own yt-dlp, for videos on web pages: as configured, else the first on the PATH; null: none. */
  readonly ytDlp: string | null
  readonly languageModel: LanguageModel
  /** Whose ID tokens open `/internal/...`, besides the appliance's own. */
  readonly serviceIdentity: readonly ServiceIdentityProvider[]
  readonly social: SocialConfig
  /** `off`: the domain API queues no renders here, and says so. */
  readonly renderQueue: 'on' | 'off'
  /** `bullmq`: stages are done by worker nodes, which take them from Redis; `sqlite`: by this machine. */
  readonly queue: 'sqlite' | 'bullmq'
  /** May hold a password: never logged whole. */
  readonly redisUrl: string | null
  readonly log: LogLevel
  /** Whether models may be downloaded when a run needs one. */
  readonly allowModelDownloads: boolean
  /** Sources by `file:` in the API (off: only the command line and uploads take local files). */
  readonly maxSourceBytes: number
  readonly sourceIdleTimeoutSeconds: number
  readonly sourceTotalTimeoutSeconds: number
  /** How livestreams are recorded. */
  readonly streams: StreamSettings
  /** Runs and renders are refused below this much free space. */
  readonly minFreeBytes: number
  /** Bundled files: fonts, presets, the sample. */
  readonly resources: string
}

interface Setting<T> {
  readonly env: string
  readonly key: string
  readonly fallback: T
  readonly parse: (value: unknown) => T | undefined
  readonly expected: string
  /** Its value is not to be read in a message. */
  readonly secret?: true
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined
const integer =
  (min: number, max: number) =>
  (value: unknown): number | undefined => {
    const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value
    return typeof number === 'number' && Number.isInteger(number) && number >= min && number <= max
      ? number
      : undefined
  }
const oneOf =
  <T extends string>(...allowed: readonly T[]) =>
  (value: unknown): T | undefined =>
    allowed.find((item) => item === value)
const flag = (value: unknown): boolean | undefined =>
  value === true || value === 'true' || value === '1'
    ? true
    : value === false || value === 'false' || value === '0'
      ? false
      : undefined
const list = (value: unknown): readonly string[] | undefined =>
  Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? value
    : typeof value === 'string'
      ? value
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== '')
      : undefined
const httpUrl = (value: unknown): string | undefined => {
  const candidate = text(value)
  return candidate !== undefined && URL.canParse(candidate) && /^https?:$/.test(new URL(candidate).protocol)
    ? candidate.replace(/\/+$/, '')
    : undefined
}
const redisAddress = (value: unknown): string | undefined => {
  const candidate = text(value)
  return candidate !== undefined && URL.canParse(candidate) && /^rediss?:$/.test(new URL(candidate).protocol)
    ? candidate
    : undefined
}
const existingFile = (value: unknown): string | undefined => {
  const candidate = text(value)
  return candidate !== undefined && existsSync(candidate) ? resolve(candidate) : undefined
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

/**
 * What the engine's process is given. glibc keeps a heap for each thread and hardly gives back what is freed there: with a
 * pool of threads, two heaps instead of many keep memory from growing with the length of a source.
 */
export function engineEnvironment(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string | undefined> {
  return { MALLOC_ARENA_MAX: '2', ...environment }
}

function readConfigFile(home: string): Record<string, unknown> {
  const file = join(home, 'config.json')
  if (!existsSync(file)) return {}
  try {
    const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return parsed as Record<string, unknown>
    throw new Error('not a JSON object')
  } catch (cause) {
    throw new AppError('INVALID_CONFIGURATION', {
      message: `${file} is not readable as a JSON object; mend or remove it.`,
      cause,
    })
  }
}

const GIGABYTE = 1024 ** 3
const MEGABYTE = 1024 ** 2
const bytes = integer(0, 2 ** 53 - 1)
const atLeastOne = integer(1, 2 ** 53 - 1)

function setting<T>(
  env: string,
  key: string,
  fallback: T,
  parse: (value: unknown) => T | undefined,
  expected: string,
): Setting<T> {
  return { env, key, fallback, parse, expected }
}

/** A setting without a default. */
function optional<T>(
  env: string,
  key: string,
  parse: (value: unknown) => T | undefined,
  expected: string,
): Setting<T | null> {
  return { env, key, fallback: null, parse, expected }
}

/** A key or a password. */
function secret(env: string, key: string): Setting<string | null> {
  return { ...optional(env, key, text, 'a text'), secret: true }
}

const SETTINGS = {
  port: setting('CUTROOM_PORT', 'port', 4810, integer(0, 65_535), 'a port number, 0 to 65535'),
  host: setting('CUTROOM_HOST', 'host', '127.0.0.1', text, 'an address to listen on'),
  publicUrl: optional('CUTROOM_PUBLIC_URL', 'publicUrl', httpUrl, 'an http or https address'),
  models: optional('CUTROOM_MODELS', 'models', existingFile, 'a folder that exists'),
  ffmpeg: optional('CUTROOM_FFMPEG', 'ffmpeg', existingFile, 'a file that exists'),
  ffprobe: optional('CUTROOM_FFPROBE', 'ffprobe', existingFile, 'a file that exists'),
  encoder: setting(
    'CUTROOM_ENCODER',
    'encoder',
    'auto',
    oneOf('auto', 'software', ...HARDWARE_SETTINGS),
    `auto, software, ${HARDWARE_SETTINGS.join(', ')}`,
  ),
  inference: setting(
    'CUTROOM_INFERENCE',
    'inference',
    'auto',
    oneOf(...PROVIDER_SETTINGS),
    PROVIDER_SETTINGS.join(', '),
  ),
  speechModel: optional('CUTROOM_SPEECH_MODEL', 'speechModel', text, 'the name of a model'),
  allowedHosts: setting('CUTROOM_ALLOWED_HOSTS', 'allowedHosts', [], list, 'host names with commas between'),
  sources: setting('CUTROOM_SOURCES', 'sources', 'any', oneOf('any', 'public'), '"any" or "public"'),
  network: setting('CUTROOM_NETWORK', 'network', 'on', oneOf('on', 'off'), '"on" or "off"'),
  googleKey: secret('CUTROOM_GOOGLE_IMAGES_KEY', 'googleImagesKey'),
  googleEngine: optional('CUTROOM_GOOGLE_IMAGES_ENGINE', 'googleImagesEngine', text, 'a search engine id'),
  youtubeKey: secret('CUTROOM_YOUTUBE_KEY', 'youtubeKey'),
  ytDlp: optional('CUTROOM_YT_DLP', 'ytDlp', existingFile, 'a file that exists'),
  gettyKey: secret('CUTROOM_GETTY_KEY', 'gettyKey'),
  gettySecret: secret('CUTROOM_GETTY_SECRET', 'gettySecret'),
  gettyUser: optional('CUTROOM_GETTY_USER', 'gettyUser', text, 'a user name'),
  gettyPassword: secret('CUTROOM_GETTY_PASSWORD', 'gettyPassword'),
  llmUrl: optional('CUTROOM_LLM_URL', 'llmUrl', httpUrl, 'an http or https address'),
  llmModel: optional('CUTROOM_LLM_MODEL', 'llmModel', text, 'the name of a model'),
  llmKey: secret('CUTROOM_LLM_KEY', 'llmKey'),
  llmTimeout: setting(
    'CUTROOM_LLM_TIMEOUT',
    'llmTimeoutSeconds',
    180,
    integer(1, 3600),
    'seconds, 1 to 3600',
  ),
  serviceIdentity: setting(
    'CUTROOM_SERVICE_IDENTITY',
    'serviceIdentity',
    [],
    parseProviders,
    EXPECTED_PROVIDERS,
  ),
  renderQueue: setting('CUTROOM_RENDER_QUEUE', 'renderQueue', 'on', oneOf('on', 'off'), '"on" or "off"'),
  queue: setting('CUTROOM_QUEUE', 'queue', 'sqlite', oneOf('sqlite', 'bullmq'), '"sqlite" or "bullmq"'),
  redisUrl: {
    ...optional('CUTROOM_REDIS_URL', 'redisUrl', redisAddress, 'an address such as redis://host:6379'),
    secret: true as const,
  },
  log: setting('CUTROOM_LOG', 'log', 'info', oneOf(...LOG_LEVELS), LOG_LEVELS.join(', ')),
  downloads: setting('CUTROOM_ALLOW_DOWNLOADS', 'allowModelDownloads', false, flag, 'true or false'),
  maxSource: setting(
    'CUTROOM_MAX_SOURCE_BYTES',
    'maxSourceBytes',
    200 * GIGABYTE,
    atLeastOne,
    'a byte count',
  ),
  minFree: setting('CUTROOM_MIN_FREE_BYTES', 'minFreeBytes', 256 * MEGABYTE, bytes, 'a byte count'),
  idleTimeout: setting(
    'CUTROOM_SOURCE_IDLE_TIMEOUT',
    'sourceIdleTimeoutSeconds',
    30,
    integer(1, 3600),
    'seconds, 1 to 3600',
  ),
  streamChunk: setting(
    'CUTROOM_STREAM_CHUNK',
    'streamChunkSeconds',
    600,
    integer(1, 7200),
    'seconds, 1 to 7200',
  ),
  streamMax: setting(
    'CUTROOM_STREAM_MAX',
    'streamMaxSeconds',
    12 * 3600,
    integer(1, 7 * 86_400),
    'seconds, 1 to 604800',
  ),
  streamStall: setting(
    'CUTROOM_STREAM_STALL',
    'streamStallSeconds',
    60,
    integer(1, 3600),
    'seconds, 1 to 3600',
  ),
  totalTimeout: setting(
    'CUTROOM_SOURCE_TOTAL_TIMEOUT',
    'sourceTotalTimeoutSeconds',
    6 * 3600,
    integer(1, 7 * 86_400),
    'seconds, 1 to 604800',
  ),
}

interface Sources {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly file: Readonly<Record<string, unknown>>
}

/** The value of one setting from the place that wins. Throws INVALID_CONFIGURATION that names the place. */
function readSetting<T>({ environment, home, file }: Sources, wanted: Setting<T>, override?: string): T {
  const [value, where] =
    override !== undefined
      ? [override, `--${wanted.key}`]
      : text(environment[wanted.env]) !== undefined
        ? [environment[wanted.env], wanted.env]
        : [file[wanted.key], `"${wanted.key}" in ${join(home, 'config.json')}`]
  if (value === undefined || value === null) return wanted.fallback
  const parsed = wanted.parse(value)
  if (parsed !== undefined) return parsed
  throw new AppError('INVALID_CONFIGURATION', {
    message:
      wanted.secret === true
        ? `${where} is not ${wanted.expected}.`
        : `${where} is ${JSON.stringify(value)}; expected ${wanted.expected}.`,
  })
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

/** Reads and checks everything. `overrides` are command-line options, they win over the environment. */
export function loadConfig(
  overrides: Readonly<{ home?: string; port?: string; host?: string }> = {},
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Config {
  const home = resolve(overrides.home ?? text(environment['CUTROOM_HOME']) ?? defaultHome(environment))
  const sources: Sources = { environment, home, file: readConfigFile(home) }
  const read = <T>(wanted: Setting<T>, override?: string): T => readSetting(sources, wanted, override)
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
    log: read(SETTINGS.log),
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
    resources: join(applicationRoot(), 'resources'),
  }
  if (config.queue === 'bullmq' && config.redisUrl === null)
    throw new AppError('INVALID_CONFIGURATION', {
      message:
        'CUTROOM_QUEUE is bullmq: CUTROOM_REDIS_URL has to say where Redis is, such as redis://host:6379.',
    })
  return Object.freeze(config)
}
