/** Every setting, in the shape of the configuration: its two names, its default, what it takes. */
import { HARDWARE_SETTINGS } from '../../workers/media/arguments/hardware-encoders.ts'
import { PROVIDER_SETTINGS } from '../contract/inference.ts'
import {
  backupPlace,
  bucketPlace,
  baseUrl,
  byteCount,
  choice,
  EXPECTED_PROVIDERS,
  existingFile,
  existingFolder,
  ffmpegPlace,
  filePath,
  flag,
  folderList,
  hostList,
  integer,
  optional,
  originList,
  parseProviders,
  redisAddress,
  secret,
  seconds,
  setting,
  text,
  token,
  whole,
} from './settings.ts'

const GIGABYTE = 1024 ** 3
const MEGABYTE = 1024 ** 2
const BASE_ADDRESS = 'an http or https address, without a query or a password'
const WEEK_SECONDS = 7 * 86_400
const MONTH_SECONDS = 30 * 86_400

const ytDlp = optional('CUTROOM_YT_DLP', 'ytDlp', existingFile, 'a file that exists')
const keptDays = (env: string, key: string) => optional(env, key, integer(1, 36_500), 'days, 1 to 36500')

export const SETTINGS = {
  port: whole('CUTROOM_PORT', 'port', 4810, [0, 65_535], 'a port number, 0 to 65535'),
  host: setting('CUTROOM_HOST', 'host', '127.0.0.1', text, 'an address to listen on'),
  /** Base of media addresses; null: as the request came. */
  publicUrl: optional('CUTROOM_PUBLIC_URL', 'publicUrl', baseUrl, BASE_ADDRESS),
  /** Whether addresses of media open by themselves, or are signed and end. */
  mediaLinks: choice('CUTROOM_MEDIA_LINKS', 'mediaLinks', ['open', 'signed'], '"open" or "signed"'),
  /** How long a signed address opens, at least. */
  mediaLinkSeconds: whole(
    'CUTROOM_MEDIA_LINK_SECONDS',
    'mediaLinkSeconds',
    86_400,
    [60, MONTH_SECONDS],
    'seconds, 60 to 2592000',
  ),
  models: optional('CUTROOM_MODELS', 'models', existingFolder, 'a folder that exists'),
  /** A file, or `bundled`; null: the best one that is here. */
  ffmpeg: optional('CUTROOM_FFMPEG', 'ffmpeg', ffmpegPlace, 'a file that exists, or "bundled"'),
  ffprobe: optional('CUTROOM_FFPROBE', 'ffprobe', existingFile, 'a file that exists'),
  /** How finished clips are encoded: `auto` takes the first hardware encoder that works, or else software. */
  encoder: choice('CUTROOM_ENCODER', 'encoder', ['auto', 'software', ...HARDWARE_SETTINGS]),
  /** What models run on: `auto` takes the graphics card if there is one, or else the processor. */
  inference: choice('CUTROOM_INFERENCE', 'inference', PROVIDER_SETTINGS),
  /** The speech model to use; null: chosen by what the machine can do. */
  speechModel: optional('CUTROOM_SPEECH_MODEL', 'speechModel', text, 'the name of a model'),
  allowedHosts: setting(
    'CUTROOM_ALLOWED_HOSTS',
    'allowedHosts',
    [],
    hostList,
    'host names with commas between, without http:// and *',
  ),
  /** Pages of other sites that may call the APIs, by key (http/cross-origin.ts). */
  corsOrigins: setting(
    'CUTROOM_CORS_ORIGINS',
    'corsOrigins',
    [],
    originList,
    'origins such as https://app.example with commas between, without a path and *',
  ),
  /** Folders below which the studio may name folders to watch and to write clips to (domain/watch/folder-paths.ts). */
  watchRoots: setting(
    'CUTROOM_WATCH_ROOTS',
    'watchRoots',
    [],
    folderList,
    'whole paths of folders with commas between',
  ),
  sources: choice('CUTROOM_SOURCES', 'sources', ['any', 'public'], '"any" or "public"'),
  /** `off`: nothing but this machine is contacted, and no name is looked up (server/reachable.ts, docs/network.md). */
  network: choice('CUTROOM_NETWORK', 'network', ['on', 'off'], '"on" or "off"'),
  /** The user's own keys to services that have pictures; null: not given. Never logged, never part of an error. */
  pictureServices: {
    google_images: {
      key: secret('CUTROOM_GOOGLE_IMAGES_KEY', 'googleImagesKey'),
      engine: optional('CUTROOM_GOOGLE_IMAGES_ENGINE', 'googleImagesEngine', text, 'a search engine id'),
    },
    youtube: { key: secret('CUTROOM_YOUTUBE_KEY', 'youtubeKey'), ytDlp },
    getty: {
      key: secret('CUTROOM_GETTY_KEY', 'gettyKey'),
      secret: secret('CUTROOM_GETTY_SECRET', 'gettySecret'),
      /** For accounts whose downloads need a signed-in user. */
      user: optional('CUTROOM_GETTY_USER', 'gettyUser', text, 'a user name'),
      password: secret('CUTROOM_GETTY_PASSWORD', 'gettyPassword'),
    },
  },
  /** The user's own yt-dlp, for videos on web pages: as configured, else the first on the PATH; null: none. */
  ytDlp,
  /** The user's own language model, which reads what clips say; used only when an address is set. */
  languageModel: {
    /** Base address of an API compatible with OpenAI's chat completions; null: no language model. A bad value may hold a password. */
    url: secret('CUTROOM_LLM_URL', 'llmUrl', baseUrl, BASE_ADDRESS),
    model: optional('CUTROOM_LLM_MODEL', 'llmModel', text, 'the name of a model'),
    /** Never logged, never part of an error. */
    key: secret('CUTROOM_LLM_KEY', 'llmKey'),
    timeoutSeconds: seconds('CUTROOM_LLM_TIMEOUT', 'llmTimeoutSeconds', 180, 3600),
  },
  /** The studio's own speech server, which transcribes in place of a local model; used only when an address is set. */
  speechServer: {
    /** Base address of an API compatible with OpenAI's audio transcriptions. A bad value may hold a password. */
    url: secret('CUTROOM_ASR_URL', 'asrUrl', baseUrl, BASE_ADDRESS),
    model: optional('CUTROOM_ASR_MODEL', 'asrModel', text, 'the name of a model'),
    /** Never logged, never part of an error. */
    key: secret('CUTROOM_ASR_KEY', 'asrKey', token, 'a text without spaces'),
    /** For one window of sound, which is at most 27 s long. */
    timeoutSeconds: seconds('CUTROOM_ASR_TIMEOUT', 'asrTimeoutSeconds', 300, 3600),
  },
  /** Issuers whose ID tokens open `/internal/...`, in addition to the appliance's own. */
  serviceIdentity: setting(
    'CUTROOM_SERVICE_IDENTITY',
    'serviceIdentity',
    [],
    parseProviders,
    EXPECTED_PROVIDERS,
  ),
  /** `off`: the tenant API queues no renders here and answers RENDER_QUEUE_UNAVAILABLE. */
  renderQueue: choice('CUTROOM_RENDER_QUEUE', 'renderQueue', ['on', 'off'], '"on" or "off"'),
  /** `bullmq`: stages are done by worker nodes, which take them from Redis; `sqlite`: by this machine. */
  queue: choice('CUTROOM_QUEUE', 'queue', ['sqlite', 'bullmq'], '"sqlite" or "bullmq"'),
  /** May hold a password: never logged whole. */
  redisUrl: secret('CUTROOM_REDIS_URL', 'redisUrl', redisAddress, 'an address such as redis://host:6379'),
  /** Where the encryption key is stored: a file in the home, or the operating system's keychain. */
  secretKey: choice('CUTROOM_SECRET_KEY', 'secretKey', ['file', 'keychain'], '"file" or "keychain"'),
  /** A file outside the home with the key, as service managers provide it; null: `secretKey` decides. */
  secretKeyFile: optional('CUTROOM_SECRET_KEY_FILE', 'secretKeyFile', filePath, 'the path of a file'),
  /** Backups that are made by themselves, of the database and the files of the home. */
  backups: {
    /** A folder that is there, best on another disk, or a bucket; null: none are made. */
    to: optional('CUTROOM_BACKUP_TO', 'backupTo', backupPlace, 'the path of a folder, or s3://BUCKET/PREFIX'),
    /** How long what was changed may be missing from them. */
    everySeconds: whole('CUTROOM_BACKUP_SECONDS', 'backupSeconds', 60, [5, 86_400], 'seconds, 5 to 86400'),
    /** A file with a text of 16 characters and more, with which they are sealed; null: they are not. */
    keyFile: optional('CUTROOM_BACKUP_KEY_FILE', 'backupKeyFile', filePath, 'the path of a file'),
  },
  /** Where footage and results lie, with the home as a copy to work with; null: in the home alone. */
  store: optional('CUTROOM_STORE', 'store', bucketPlace, 's3://BUCKET/PREFIX'),
  /** `on`: what is stored is shipped to the store as it happens, for another appliance that takes over. */
  standby: choice('CUTROOM_STANDBY', 'standby', ['off', 'on'], '"on" or "off"'),
  /** The store of buckets that `s3://` names. */
  s3: {
    /** Null: Amazon's, of the region. */
    endpoint: optional('CUTROOM_S3_ENDPOINT', 's3Endpoint', baseUrl, BASE_ADDRESS),
    region: setting('CUTROOM_S3_REGION', 's3Region', 'us-east-1', text, 'the name of a region'),
    keyId: optional('CUTROOM_S3_KEY_ID', 's3KeyId', token, 'a text without spaces'),
    /** Never logged, never part of an error. */
    secret: secret('CUTROOM_S3_SECRET', 's3Secret', token, 'a text without spaces'),
    /** How the store encrypts what CUTROOM_STORE puts there; `bucket`: as the bucket is set. */
    encryption: choice('CUTROOM_S3_ENCRYPTION', 's3Encryption', ['bucket', 'AES256', 'aws:kms']),
  },
  log: { ...choice('CUTROOM_LOG', 'log', ['debug', 'info', 'warn', 'error']), fallback: 'info' as const },
  operate: {
    /** Size of one file of the log in the home; 0: none is written. */
    logFileBytes: whole(
      'CUTROOM_LOG_FILE_BYTES',
      'logFileBytes',
      10 * MEGABYTE,
      [0, 2 ** 40],
      'a byte count; 0 writes none',
    ),
    /** How many full log files are stored. */
    logFilesKept: whole('CUTROOM_LOG_FILES', 'logFilesKept', 5, [1, 1000], 'files, 1 to 1000'),
    /** With which `/metrics` may be read; null: there is no such address. */
    metricsToken: secret('CUTROOM_METRICS_TOKEN', 'metricsToken', token, 'a text without spaces'),
  },
  traces: {
    /** Collector of OpenTelemetry traces; null: none are made. */
    endpoint: optional('CUTROOM_OTLP_ENDPOINT', 'otlpEndpoint', baseUrl, BASE_ADDRESS),
  },
  /** Days; null: for good. */
  storage: {
    /** Sources that no clip, library item or post needs, counted from the last run that used them. */
    sourceDays: keptDays('CUTROOM_KEEP_SOURCES_DAYS', 'keepSourcesDays'),
    /** Intermediate results that nobody is shown (sound, shots, faces), counted from the end of the run. */
    resultDays: keptDays('CUTROOM_KEEP_RESULTS_DAYS', 'keepResultsDays'),
    /** Uploads of runs that ended in Error and may go on; those of finished runs go after a day in any case. */
    uploadDays: keptDays('CUTROOM_KEEP_UPLOADS_DAYS', 'keepUploadsDays'),
    /** Most bytes of one company's sources, media, library and uploads; 0: no limit. */
    companyQuotaBytes: byteCount(
      'CUTROOM_COMPANY_QUOTA_BYTES',
      'companyQuotaBytes',
      0,
      'a byte count; 0: no limit',
    ),
  },
  /** Whether models may be downloaded when a run needs one. */
  allowModelDownloads: setting(
    'CUTROOM_ALLOW_DOWNLOADS',
    'allowModelDownloads',
    false,
    flag,
    'true or false',
  ),
  /** A source may be as large as this, however it comes. */
  maxSourceBytes: whole(
    'CUTROOM_MAX_SOURCE_BYTES',
    'maxSourceBytes',
    200 * GIGABYTE,
    [1, 2 ** 53 - 1],
    'a byte count',
  ),
  sourceIdleTimeoutSeconds: seconds('CUTROOM_SOURCE_IDLE_TIMEOUT', 'sourceIdleTimeoutSeconds', 30, 3600),
  sourceTotalTimeoutSeconds: seconds(
    'CUTROOM_SOURCE_TOTAL_TIMEOUT',
    'sourceTotalTimeoutSeconds',
    6 * 3600,
    WEEK_SECONDS,
  ),
  /** How livestreams are recorded. */
  streams: {
    /** Clips are looked for in each chunk as soon as it is full. */
    chunkSeconds: seconds('CUTROOM_STREAM_CHUNK', 'streamChunkSeconds', 600, 7200),
    /** A recording ends after this long, with what is there. */
    maxSeconds: seconds('CUTROOM_STREAM_MAX', 'streamMaxSeconds', 12 * 3600, WEEK_SECONDS),
    /** A stream that brings nothing new for so long is over. */
    stallSeconds: seconds('CUTROOM_STREAM_STALL', 'streamStallSeconds', 60, 3600),
  },
  /** Runs and renders are refused below this much free space. */
  minFreeBytes: byteCount('CUTROOM_MIN_FREE_BYTES', 'minFreeBytes', 256 * MEGABYTE, 'a byte count'),
  /** Of a worker node: what it keeps of what it fetched and made. */
  workerCacheBytes: byteCount(
    'CUTROOM_WORKER_CACHE_BYTES',
    'workerCacheBytes',
    100 * GIGABYTE,
    'a byte count',
  ),
  /** How many requests are taken; a bucket holds `burst` and fills by `perSecond`. */
  rateLimits: {
    /** `auto`: on, unless the appliance listens on loopback only and has no public address. */
    mode: choice('CUTROOM_RATE_LIMITS', 'rateLimits', ['auto', 'on', 'off'], 'auto, on or off'),
    /** Of one key, session or client. */
    perSecond: whole(
      'CUTROOM_RATE_LIMIT',
      'rateLimitPerSecond',
      100,
      [1, 100_000],
      'requests a second, 1 to 100000',
    ),
    burst: whole('CUTROOM_RATE_BURST', 'rateLimitBurst', 400, [1, 1_000_000], 'requests, 1 to 1000000'),
    /** Requests of one address with invalid credentials, per minute. */
    failuresPerMinute: whole(
      'CUTROOM_FAILURES_PER_MINUTE',
      'failuresPerMinute',
      60,
      [1, 100_000],
      'refusals a minute, 1 to 100000',
    ),
    /** Sign-in links of one address that do not work. */
    signInsPerMinute: whole(
      'CUTROOM_SIGN_INS_PER_MINUTE',
      'signInsPerMinute',
      10,
      [1, 10_000],
      'failed sign-ins a minute, 1 to 10000',
    ),
  },
  /** Days for which rows of the audit log are stored. */
  auditDays: whole('CUTROOM_AUDIT_DAYS', 'auditDays', 365, [1, 36_500], 'days, 1 to 36500'),
}
