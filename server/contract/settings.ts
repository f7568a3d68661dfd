/** What the studio's settings show: routes of owners, but for models and what is going on, which everybody may read. */
import { Type, type Static } from '@sinclair/typebox'
import { choice, closedObject, nullable } from './config-fields.ts'
import { SCOPES, ScopeSchema } from './scopes.ts'

const Nullable = nullable(Type.String())
const Bytes = Type.Integer({ minimum: 0 })

const TASK_KINDS = ['install-model', 'install-folder', 'backup', 'clean-up', 'search-index'] as const

/** A task started in the settings. Held in memory: a restart ends it, and starting it again resumes. */
export const SettingsTask = Type.Object({
  id: Type.String(),
  kind: choice(TASK_KINDS),
  /** What it is about: a model, an entry of the inbox, a file. */
  subject: Type.String(),
  state: choice(['running', 'done', 'failed', 'cancelled']),
  /** 0 to 1 */
  progress: Type.Number(),
  /** What it is doing, or has done. */
  note: Type.String(),
  /** A sentence when it failed. */
  error: Nullable,
  startedAt: Type.String(),
  finishedAt: Nullable,
})
export type SettingsTask = Static<typeof SettingsTask>

/** How far search by meaning is, over all companies. */
export const SearchIndexState = Type.Object({
  /** Runs with a transcript, and how many of them are indexed by the model that is installed now. */
  runs: Type.Integer(),
  indexed: Type.Integer(),
  /** Name of the model of meaning; null: none is installed, so words are searched alone. */
  model: Nullable,
  /** Somebody has cancelled it. */
  paused: Type.Boolean(),
  /** Runs whose transcript could not be read by the model. */
  problems: Type.Integer(),
})
export type SearchIndexState = Static<typeof SearchIndexState>

export const SettingsModel = Type.Object({
  name: Type.String(),
  task: Type.String(),
  title: Type.String(),
  goodFor: Type.String(),
  hardware: Type.String(),
  licence: Type.String(),
  source: Type.String(),
  bytes: nullable(Type.Integer()),
  installed: Type.Boolean(),
  /** What is wrong with it, so that it is used for nothing. */
  problem: Nullable,
  inUse: Type.Boolean(),
  recommended: Type.Boolean(),
  downloadable: Type.Boolean(),
  /** In the home, so it can be deleted here. */
  removable: Type.Boolean(),
})
export type SettingsModel = Static<typeof SettingsModel>
export const SettingsModels = Type.Object({
  models: Type.Array(SettingsModel),
  /** This machine in words. */
  machine: Type.String(),
  /** Whether anything may be fetched from outside. */
  network: choice(['on', 'off']),
  /** The folder that is searched for folders and archives; entries are names in it. */
  inbox: Type.Object({ folder: Type.String(), entries: Type.Array(Type.String()) }),
})
export type SettingsModels = Static<typeof SettingsModels>
export const InboxRequest = closedObject({ entry: Type.String({ minLength: 1, maxLength: 255 }) })

/** `none`: a home from before there was a set-up. `due`: waits for the first owner. `open`: it was shown to one. */
const SET_UP_STATES = ['none', 'due', 'open', 'done', 'skipped'] as const
/** Whether owners were led through the set-up, and since when. */
export const SetUp = Type.Object({ state: choice(SET_UP_STATES), since: Nullable })
export type SetUp = Static<typeof SetUp>
export const SetUpEnd = closedObject({ state: choice(['done', 'skipped']) })
export type SetUpEnd = Static<typeof SetUpEnd>

/** A setting of the environment or of config.json, as it is in force; it holds from a start of the appliance on. */
const EnvironmentValue = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
const EnvironmentSetting = Type.Object({
  key: Type.String(),
  env: Type.String(),
  /** Other than usual. */
  isSet: Type.Boolean(),
  /** It may hold a secret, so its value is not shown. */
  secret: Type.Boolean(),
  value: EnvironmentValue,
  usual: EnvironmentValue,
})
export type EnvironmentSetting = Static<typeof EnvironmentSetting>
export const Environment = Type.Object({ settings: Type.Array(EnvironmentSetting) })
export type Environment = Static<typeof Environment>

/** Videos on web pages, which the user's own yt-dlp fetches. */
export const WebVideos = Type.Object({
  /** Where it is; null: it is not installed. */
  program: Nullable,
  use: Type.Boolean(),
  network: choice(['on', 'off']),
})
export type WebVideos = Static<typeof WebVideos>
export const WebVideosRequest = closedObject({ use: Type.Boolean() })
export const WebVideosTried = Type.Object({ works: Type.Boolean(), version: Nullable })
export type WebVideosTried = Static<typeof WebVideosTried>

/** How many renders go on at once on this machine. */
export const RenderLimit = Type.Object({
  /** Null: as usual. */
  chosen: nullable(Type.Integer()),
  /** By the cores of the machine. */
  usual: Type.Integer(),
  most: Type.Integer(),
})
export type RenderLimit = Static<typeof RenderLimit>
/** Without a number: as usual. */
export const RenderLimitRequest = closedObject({ chosen: Type.Optional(Type.Integer({ minimum: 1 })) })

const HardwareCheck = Type.Object({
  name: Type.String(),
  state: choice(['ok', 'warning', 'failure']),
  found: Type.String(),
  mend: Type.Optional(Type.String()),
})
export const Hardware = Type.Object({ checks: Type.Array(HardwareCheck), lookedAt: Type.String() })
export type Hardware = Static<typeof Hardware>

const StorageKind = Type.Object({
  kind: Type.String(),
  label: Type.String(),
  /** What it is, and what becomes of it. */
  about: Type.String(),
  bytes: Bytes,
  files: Type.Integer(),
})
export const Storage = Type.Object({
  kinds: Type.Array(StorageKind),
  freeBytes: Bytes,
  /** Runs and renders are refused below this. */
  minFreeBytes: Bytes,
  /** The folder of the home, which everything above lies in. */
  folder: Type.String(),
})
export type Storage = Static<typeof Storage>

export const CLEANABLE = ['uploads', 'cache', 'partial-models'] as const
export type Cleanable = (typeof CLEANABLE)[number]
export const CleanRequest = closedObject({
  kinds: Type.Array(choice(CLEANABLE), { minItems: 1, maxItems: 10 }),
})
export const CleanPlan = Type.Object({
  items: Type.Array(
    Type.Object({
      kind: choice(CLEANABLE),
      label: Type.String(),
      about: Type.String(),
      bytes: Bytes,
      files: Type.Integer(),
    }),
  ),
})
export type CleanPlan = Static<typeof CleanPlan>

const RETENTION_KINDS = ['sources', 'results', 'uploads'] as const
export type RetentionKind = (typeof RETENTION_KINDS)[number]
export const RetentionItem = Type.Object({
  kind: choice(RETENTION_KINDS),
  label: Type.String(),
  about: Type.String(),
  /** Null: stored indefinitely, so nothing would be deleted. */
  days: nullable(Type.Integer()),
  /** Null: by nobody, so it is stored indefinitely. */
  setBy: nullable(choice(['studio', 'machine'])),
  bytes: Bytes,
  files: Type.Integer(),
  /** The largest of what would be deleted. */
  largest: Type.Array(Type.Object({ name: Type.String(), bytes: Bytes })),
  /** How many more there are than these. */
  others: Type.Integer(),
})
export type RetentionItem = Static<typeof RetentionItem>

/** Days of each kind that is named; 0: indefinitely. */
const Days = Type.Optional(Type.Integer({ minimum: 0, maximum: 36_500 }))
const RETENTION_DAYS = { sources: Days, results: Days, uploads: Days }
/** To be looked at before it is stored. */
export const RetentionQuery = Type.Object(RETENTION_DAYS)
export const RetentionRequest = closedObject(RETENTION_DAYS)
export type RetentionRequest = Static<typeof RetentionRequest>
/** Retention rules, and what they would delete now. */
export const RetentionPlan = Type.Object({
  items: Type.Array(RetentionItem),
  companies: Type.Array(
    Type.Object({
      id: Type.String(),
      name: Type.String(),
      bytes: Bytes,
      /** Null: no limit. */
      quotaBytes: nullable(Type.Integer()),
    }),
  ),
})
export type RetentionPlan = Static<typeof RetentionPlan>

export const SettingsKey = Type.Object({
  id: Type.String(),
  companyId: Type.String(),
  name: Type.String(),
  createdAt: Type.String(),
  lastUsedAt: Nullable,
  revokedAt: Nullable,
  /** Null: from before there were scopes. */
  scopes: nullable(Type.Array(ScopeSchema)),
  /** Null: it does not end by itself. */
  expiresAt: Nullable,
})
export type SettingsKey = Static<typeof SettingsKey>

export const KeyRequest = closedObject({
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  name: Type.String({ minLength: 1, maxLength: 200 }),
  scopes: Type.Array(ScopeSchema, { minItems: 1, maxItems: SCOPES.length }),
  expiresAt: Type.Optional(Type.String({ maxLength: 40 })),
})
export type KeyRequest = Static<typeof KeyRequest>

const SettingsGrant = Type.Object({
  companyId: Type.String(),
  expiresAt: Type.String(),
  /** Null: everything. */
  scopes: nullable(Type.Array(ScopeSchema)),
})
export const SettingsClient = Type.Object({
  id: Type.String(),
  companyId: Type.String(),
  name: Type.String(),
  createdAt: Type.String(),
  grants: Type.Array(SettingsGrant),
})
export type SettingsClient = Static<typeof SettingsClient>

export const ClientRequest = closedObject({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  name: Type.Optional(Type.String({ maxLength: 200 })),
})
export const GrantRequest = closedObject({
  companyId: Type.Optional(Type.String({ minLength: 1 })),
  days: Type.Integer({ minimum: 1, maximum: 3650 }),
  /** Left out: as they are. A new grant needs some. */
  scopes: Type.Optional(Type.Array(ScopeSchema, { minItems: 1, maxItems: SCOPES.length })),
})
export type GrantRequest = Static<typeof GrantRequest>

export const SettingsBackup = Type.Object({ name: Type.String(), bytes: Bytes, madeAt: Type.String() })
export type SettingsBackup = Static<typeof SettingsBackup>

/** Backups that are made by themselves, of database and files; where they go only the machine's settings say. */
export const AutomaticBackups = Type.Object({
  folder: Type.String(),
  sealed: Type.Boolean(),
  everySeconds: Type.Integer(),
  /** When the newest was made; null: never. */
  madeAt: Nullable,
  /** When the newest was begun that was read back and found sound; null: never. */
  verifiedAt: Nullable,
})
export type AutomaticBackups = Static<typeof AutomaticBackups>

export const MODEL_SERVERS = ['language-model', 'speech-server'] as const
export type ModelServerName = (typeof MODEL_SERVERS)[number]
export const ModelServerPath = Type.Object({ server: choice(MODEL_SERVERS) })

/** A server of the studio's own, without its key. */
export const ModelServerFacts = Type.Object({
  /** Null: none is set. */
  setBy: nullable(choice(['studio', 'machine'])),
  /** Without what may be secret in it. */
  address: Nullable,
  model: Nullable,
  hasKey: Type.Boolean(),
  timeoutSeconds: Type.Integer(),
  /** Why it cannot be used as it is set; null: it can be tried. */
  why: Nullable,
})
export type ModelServerFacts = Static<typeof ModelServerFacts>
export const ModelServerRequest = closedObject({
  url: Type.String({ minLength: 1, maxLength: 2000 }),
  model: Type.String({ minLength: 1, maxLength: 300 }),
  /** Left out: as it is. Empty: the server wants none. */
  key: Type.Optional(Type.String({ maxLength: 2000 })),
})
export type ModelServerRequest = Static<typeof ModelServerRequest>
export const ModelServerTried = Type.Object({
  works: Type.Boolean(),
  /** The outcome, in one sentence. */
  said: Type.String(),
  milliseconds: Type.Integer(),
})
export type ModelServerTried = Static<typeof ModelServerTried>

export const About = Type.Object({
  version: Type.String(),
  node: Type.String(),
  ffmpeg: Type.Object({ version: Nullable, licence: Type.String() }),
  fonts: Type.Array(Type.Object({ family: Type.String(), licence: Type.String() })),
  models: Type.Array(Type.Object({ title: Type.String(), licence: Type.String(), source: Type.String() })),
})
export type About = Static<typeof About>

/** `dead`: failed, worth another try, and nothing was queued after it. The others are the queue's own states. */
export const OPERATION_FILTERS = ['dead', 'queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type OperationFilter = (typeof OPERATION_FILTERS)[number]

export const ListedOperation = Type.Object({
  id: Type.String(),
  companyId: Type.String(),
  kind: Type.String({ description: 'run, render, thumbnail; dispatch: a confirmed run that is not started' }),
  /** The run or clip that it is about. */
  subjectId: Type.String(),
  state: Type.String(),
  attempts: Type.Integer(),
  progress: Type.Number(),
  /** Why it failed; null where it did not. */
  failure: nullable(Type.Object({ code: Type.String(), message: Type.String() })),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})
export type ListedOperation = Static<typeof ListedOperation>
