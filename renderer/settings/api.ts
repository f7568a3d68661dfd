/** Requests of the settings. Errors carry the server's message. */
import type { AuditPage } from '../../server/contract/audit.ts'
import type { Invitation, People, Person, PersonChanges } from '../../server/contract/people.ts'
import type {
  Account,
  InvitationRequest,
  MadeInvitation,
  OpenInvitation,
  ProviderPage,
  ProviderRequest,
  ProviderTried,
} from '../../server/contract/sign-in.ts'
import type {
  About,
  Cleanable,
  CleanPlan,
  Environment,
  Hardware,
  RenderLimit,
  WebVideos,
  WebVideosTried,
  ModelServerFacts,
  ModelServerName,
  ModelServerRequest,
  ModelServerTried,
  RetentionPlan,
  RetentionRequest,
  SearchIndexState,
  AutomaticBackups,
  SettingsBackup,
  SettingsClient,
  GrantRequest,
  KeyRequest,
  SettingsKey,
  SettingsModels,
  SettingsTask,
  SetUp,
  SetUpEnd,
  Storage,
} from '../../server/contract/settings.ts'
import type { Deliveries, Delivery, Webhook, WebhookMade, Webhooks } from '../../server/contract/events.ts'
import type { NamedVoices } from '../../server/contract/voices.ts'
import type {
  WatchedFile,
  WatchFolder,
  WatchFolderRequest,
  WatchFolders,
} from '../../server/contract/watch.ts'
import type { WorkflowSummary } from '../../server/contract/workflow.ts'
import type { StudioWorkers, WorkerTokenMade } from '../../server/contract/workers.ts'
import { call, json } from '../state/api.ts'

const at = (...parts: readonly string[]): string => `/studio/${parts.map(encodeURIComponent).join('/')}`
const remove = <T>(path: string) => call<T>(path, { method: 'DELETE' })
const post = <T>(path: string) => call<T>(path, { method: 'POST' })

export const loadPeople = () => call<People>(at('people'))
export const loadInvitations = () => call<{ invitations: OpenInvitation[] }>(at('invitations'))
export const createInvitation = (given: InvitationRequest) =>
  call<MadeInvitation>(at('invitations'), json('POST', given))
export const revokeInvitation = (id: string) => remove<unknown>(at('invitations', id))
export const changePerson = (id: string, changes: PersonChanges) =>
  call<{ person: Person }>(at('people', id), json('PATCH', changes))
export const anotherLink = (id: string) => post<Invitation>(at('people', id, 'link'))
export const signOutEverywhere = (id: string) => remove<{ ended: number }>(at('people', id, 'sessions'))
export const removePerson = (id: string) => remove<unknown>(at('people', id))

export const loadAccount = () => call<Account>(at('account'))
export const changePassword = (given: { email?: string; current?: string; password: string }) =>
  call<Account>(at('account', 'password'), json('PUT', given))
export const ownPasskeyOptions = <Options>() =>
  post<{ flow: string; options: Options }>(at('account', 'passkey-options'))
export const addPasskey = (given: { flow: string; name: string; response: unknown }) =>
  call<Account>(at('account', 'passkeys'), json('POST', given))
export const renamePasskey = (id: string, name: string) =>
  call<unknown>(at('account', 'passkeys', id), json('PATCH', { name }))
export const removePasskey = (id: string) => remove<unknown>(at('account', 'passkeys', id))
export const endSession = (id: string) => remove<unknown>(at('account', 'sessions', id))
export const endOtherSessions = () => remove<{ ended: number }>(at('account', 'sessions'))
export const connectProvider = (desktop: boolean) =>
  call<{ address: string; flow: string }>(at('account', 'provider'), json('POST', { desktop }))
export const disconnectProvider = () => remove<unknown>(at('account', 'provider'))
export const signOut = () => post<unknown>(at('sign-out'))

export const loadProvider = () => call<ProviderPage>(at('sign-in-provider'))
export const saveProvider = (given: ProviderRequest) =>
  call<ProviderPage>(at('sign-in-provider'), json('PUT', given))
export const removeProvider = () => remove<ProviderPage>(at('sign-in-provider'))
export const tryProvider = () => post<ProviderTried>(at('sign-in-provider', 'test'))

export const loadAudit = (query: Readonly<Record<string, string>>) =>
  call<AuditPage>(
    `/studio/audit?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')).toString()}`,
  )

export const loadKeys = () => call<{ keys: SettingsKey[] }>(at('keys'))
export const makeKey = (given: KeyRequest) =>
  call<{ id: string; key: string }>(at('keys'), json('POST', given))
export const revokeKey = (id: string) => remove<unknown>(at('keys', id))

export const loadClients = () => call<{ clients: SettingsClient[] }>(at('clients'))
export const registerClient = (client: { id: string; name?: string; companyId: string }) =>
  call<{ clients: SettingsClient[] }>(at('clients'), json('POST', client))
export const grant = (id: string, given: GrantRequest) =>
  call<unknown>(at('clients', id, 'grant'), json('PUT', given))
export const takeGrantBack = (id: string, companyId: string) =>
  remove<unknown>(`${at('clients', id, 'grant')}?companyId=${encodeURIComponent(companyId)}`)

export const loadWebhooks = () => call<Webhooks>(at('webhooks'))
export const makeWebhook = (webhook: { url: string; companyId: string; events: string[] }) =>
  call<WebhookMade>(at('webhooks'), json('POST', webhook))
export const changeWebhook = (id: string, state: Webhook['state']) =>
  call<{ webhook: Webhook }>(at('webhooks', id), json('PATCH', { state }))
export const deleteWebhook = (id: string) => remove<unknown>(at('webhooks', id))
export const loadDeliveries = (id: string, state: Delivery['state'] | '') =>
  call<Deliveries>(`${at('webhooks', id, 'deliveries')}${state === '' ? '' : `?state=${state}`}`)
export const sendAgain = (id: string, deliveryId: string) =>
  post<unknown>(at('webhooks', id, 'deliveries', deliveryId, 'replay'))

const voicesOf = (companyId: string, ...parts: readonly string[]): string =>
  `${at('voices', ...parts)}?companyId=${encodeURIComponent(companyId)}`
export const loadVoices = (companyId: string) => call<NamedVoices>(voicesOf(companyId))
export const recogniseVoices = (companyId: string, recognise: boolean) =>
  call<NamedVoices>(voicesOf(companyId), json('PUT', { recognise }))
export const renameVoice = (companyId: string, id: string, name: string) =>
  call<unknown>(voicesOf(companyId, id), json('PATCH', { name }))
export const forgetVoice = (companyId: string, id: string) => remove<unknown>(voicesOf(companyId, id))

export const loadWatchFolders = () => call<WatchFolders>(at('watch-folders'))
export const loadWatchedFiles = (id: string) => call<{ files: WatchedFile[] }>(at('watch-folders', id))
export const addWatchFolder = (folder: WatchFolderRequest) =>
  call<{ folder: WatchFolder }>(at('watch-folders'), json('POST', folder))
export const changeWatchFolder = (id: string, state: WatchFolder['state']) =>
  call<unknown>(at('watch-folders', id), json('PATCH', { state }))
export const removeWatchFolder = (id: string) => remove<unknown>(at('watch-folders', id))
/** One file, or every one that could not be taken (null). */
export const retryWatched = (id: string, fileId: string | null) =>
  post<{ retried: number }>(
    fileId === null ? at('watch-folders', id, 'retry') : at('watch-folders', id, 'files', fileId, 'retry'),
  )
export const loadWorkflowsOf = (companyId: string) =>
  call<{ workflows: WorkflowSummary[] }>(`${at('workflows')}?companyId=${encodeURIComponent(companyId)}`)

interface Started {
  readonly task: SettingsTask
}
export const loadSearchIndex = () => call<SearchIndexState>(at('search-index'))
export const resumeSearchIndex = () => post<unknown>(at('search-index', 'resume'))
export const loadTasks = () => call<{ tasks: SettingsTask[] }>(at('tasks'))
export const cancelTask = (id: string) => remove<Started>(at('tasks', id))

export const loadModels = () => call<SettingsModels>(at('models'))
export const installModel = (name: string) => post<Started>(at('models', name, 'install'))
export const removeModel = (name: string) => remove<unknown>(at('models', name))
export const installFrom = (entry: string) =>
  call<Started>(at('models-inbox', 'install'), json('POST', { entry }))

export const loadHardware = (again: boolean) => call<Hardware>(`${at('hardware')}?again=${again}`)

export const loadStorage = () => call<Storage>(at('storage'))
/** Days that are not saved yet may be named; 0: forever. */
export const loadRetention = (supposed: RetentionRequest = {}) =>
  call<RetentionPlan>(
    `${at('storage', 'retention')}?${new URLSearchParams(Object.entries(supposed).map(([kind, days]) => [kind, String(days)])).toString()}`,
  )
export const saveRetention = (days: RetentionRequest) =>
  call<RetentionPlan>(at('storage', 'retention'), json('PUT', days))
export const planCleanUp = (kinds: readonly Cleanable[]) =>
  call<CleanPlan>(at('storage', 'plan'), json('POST', { kinds }))
export const cleanUp = (kinds: readonly Cleanable[]) =>
  call<Started>(at('storage', 'clean'), json('POST', { kinds }))

export interface FoundBackups {
  readonly backups: readonly SettingsBackup[]
  readonly folder: string
  /** Null: none are made by themselves. */
  readonly automatic: AutomaticBackups | null
}
export const loadBackups = () => call<FoundBackups>(at('backups'))
export const startBackup = () => post<Started>(at('backups'))
export const deleteBackup = (name: string) => remove<unknown>(at('backups', name))
export const backupAddress = (name: string): string => at('backups', name)

export const loadModelServer = (name: ModelServerName) => call<ModelServerFacts>(at('model-servers', name))
export const saveModelServer = (name: ModelServerName, server: ModelServerRequest) =>
  call<ModelServerFacts>(at('model-servers', name), json('PUT', server))
export const removeModelServer = (name: ModelServerName) =>
  call<ModelServerFacts>(at('model-servers', name), { method: 'DELETE' })
export const tryModelServer = (name: ModelServerName) =>
  post<ModelServerTried>(at('model-servers', name, 'try'))

export const loadEnvironment = () => call<Environment>(at('environment'))
export const loadWebVideos = () => call<WebVideos>(at('web-videos'))
export const useWebVideos = (use: boolean) => call<WebVideos>(at('web-videos'), json('PUT', { use }))
export const tryWebVideos = () => post<WebVideosTried>(at('web-videos', 'try'))
export const loadRenderLimit = () => call<RenderLimit>(at('render-limit'))
/** Null: as usual. */
export const setRenderLimit = (chosen: number | null) =>
  call<RenderLimit>(at('render-limit'), json('PUT', chosen === null ? {} : { chosen }))

export const loadSetUp = () => call<SetUp>(at('set-up'))
export const endSetUp = (state: SetUpEnd['state']) => call<SetUp>(at('set-up'), json('PUT', { state }))

export const loadAbout = () => call<About>(at('about'))

/** npm packages that are shipped, as the build has listed them. */
export interface ShippedPackage {
  readonly name: string
  readonly version: string
  readonly licence: string
}
export const loadPackages = () => call<readonly ShippedPackage[]>('/licences.json')

export const loadWorkers = () => call<StudioWorkers>(at('workers'))
export const inviteWorker = (name: string) =>
  call<WorkerTokenMade>(at('workers', 'tokens'), json('POST', { name }))
export const revokeWorker = (id: string) => call<StudioWorkers>(at('workers', id), { method: 'DELETE' })
