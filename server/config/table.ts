/** Every setting that has no file of its own: its two names, its default, what it takes. */
import { EXPECTED_PROVIDERS, parseProviders } from './providers.ts'
import {
  baseUrl,
  existingFile,
  existingFolder,
  filePath,
  flag,
  hostList,
  httpUrl,
  integer,
  oneOf,
  optional,
  redisAddress,
  secret,
  setting,
  text,
} from './settings.ts'
import { PROVIDER_SETTINGS } from '../contract/inference.ts'
import { HARDWARE_SETTINGS } from '../../workers/media/arguments/hardware-encoders.ts'

const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

const GIGABYTE = 1024 ** 3
const MEGABYTE = 1024 ** 2
const bytes = integer(0, 2 ** 53 - 1)
const atLeastOne = integer(1, 2 ** 53 - 1)

export const SETTINGS = {
  port: setting('CUTROOM_PORT', 'port', 4810, integer(0, 65_535), 'a port number, 0 to 65535'),
  host: setting('CUTROOM_HOST', 'host', '127.0.0.1', text, 'an address to listen on'),
  publicUrl: optional(
    'CUTROOM_PUBLIC_URL',
    'publicUrl',
    baseUrl,
    'an http or https address, without a query or a password',
  ),
  models: optional('CUTROOM_MODELS', 'models', existingFolder, 'a folder that exists'),
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
  allowedHosts: setting(
    'CUTROOM_ALLOWED_HOSTS',
    'allowedHosts',
    [],
    hostList,
    'host names with commas between, without http:// and *',
  ),
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
  secretKey: setting(
    'CUTROOM_SECRET_KEY',
    'secretKey',
    'file',
    oneOf('file', 'keychain'),
    '"file" or "keychain"',
  ),
  secretKeyFile: optional('CUTROOM_SECRET_KEY_FILE', 'secretKeyFile', filePath, 'the path of a file'),
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
