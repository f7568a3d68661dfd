/**
 * Servers of the studio's own: a language model, and one that transcribes. An owner enters them in the studio, or whoever
 * runs the appliance sets them, who wins. Their keys are never shown.
 */
import { listRemoteModels, type ModelServer } from '../../adapters/language-model.ts'
import type { Config } from '../../config/config.ts'
import { AppError, invalidRequest, refuse } from '../../contract/errors.ts'
import type {
  ModelServerFacts,
  ModelServerName,
  ModelServerRequest,
  ModelServerTried,
} from '../../contract/settings.ts'
import { deleteSetting, getSetting, setSetting } from '../../db/settings.ts'
import { isThisMachine, reachableByAdministrator } from '../../reachable.ts'
import { openSecret, recordKey, sealSecret } from '../../secrets.ts'
import type { JudgeState, SpeechServerState } from '../runs/plan/plan-input.ts'
import type { HomeServices, Services } from '../services.ts'

type Deps = Pick<Services, 'config' | 'db' | 'home'>
type Servers = Pick<Config, 'languageModel' | 'speechServer'>
type Server = Config['languageModel']

interface Kind {
  /** Its member of Config. */
  readonly member: keyof Servers
  /** Begins the names of its settings: CUTROOM_LLM_URL, "llmModel" in config.json. */
  readonly prefix: string
  readonly label: string
  readonly timeoutSeconds: number
}

const KINDS: Readonly<Record<ModelServerName, Kind>> = {
  'language-model': {
    member: 'languageModel',
    prefix: 'LLM',
    label: 'The language model',
    timeoutSeconds: 180,
  },
  'speech-server': {
    member: 'speechServer',
    prefix: 'ASR',
    label: 'The speech server',
    timeoutSeconds: 300,
  },
}

/** As it is stored, under the server's name; `sealedSecret` is its key, null where it wants none. */
interface Stored {
  readonly url: string
  readonly model: string
  readonly sealedSecret: string | null
}

function readStored({ db }: Pick<HomeServices, 'db'>, name: ModelServerName): Stored | null {
  const stored = getSetting(db, name)
  return stored === null ? null : (JSON.parse(stored) as Stored)
}

/** Whoever runs the appliance has set it, so nothing that is stored counts. */
const isSetByMachine = ({ config }: Pick<Deps, 'config'>, name: ModelServerName): boolean =>
  config[KINDS[name].member].url !== null

function serverOf(services: Deps, name: ModelServerName): Server {
  const { member, timeoutSeconds } = KINDS[name]
  const stored = isSetByMachine(services, name) ? null : readStored(services, name)
  if (stored === null) return services.config[member]
  const { url, model, sealedSecret } = stored
  const key = sealedSecret === null ? null : openSecret(services.home, name, sealedSecret)
  // A key that cannot be read any more: better no server than one that refuses every call.
  if (sealedSecret !== null && key === null) return { url, model: null, key: null, timeoutSeconds }
  return { url, model, key, timeoutSeconds }
}

/** The configuration with the servers that hold now: read anew for each use, so that a change holds without a restart. */
export const withModelServers = (services: Deps): Config => ({
  ...services.config,
  languageModel: serverOf(services, 'language-model'),
  speechServer: serverOf(services, 'speech-server'),
})

/** Most servers use the path /v1, so an address without a path means that one. */
const apiBase = (url: string): string => (new URL(url).pathname === '/' ? `${url}/v1` : url)

/** With the network off only a server on this machine is used; the socket enforces it, whatever the host name. */
const accessOf = (url: string, model: string, server: Server, config: Pick<Config, 'network'>) => ({
  address: apiBase(url),
  model,
  key: server.key,
  addresses: reachableByAdministrator(config),
  timeoutSeconds: server.timeoutSeconds,
})

/** Without calling it. */
export function languageModelState(config: Pick<Config, 'languageModel' | 'network'>): JudgeState {
  const { url, model } = config.languageModel
  if (url === null) return { state: 'off' }
  if (model === null)
    return {
      state: 'refused',
      why: 'The language model at CUTROOM_LLM_URL was not asked: CUTROOM_LLM_MODEL ("llmModel" in config.json) does not say which.',
    }
  return { state: 'ready', access: accessOf(url, model, config.languageModel, config) }
}

/** Without calling it. */
export function speechServerState(config: Pick<Config, 'speechServer' | 'network'>): SpeechServerState {
  const { url, model } = config.speechServer
  if (url === null) return { state: 'off' }
  if (model === null)
    return {
      state: 'refused',
      why: 'The speech server at CUTROOM_ASR_URL cannot be used: CUTROOM_ASR_MODEL ("asrModel" in config.json) does not name its model.',
    }
  return { state: 'server', access: accessOf(url, model, config.speechServer, config) }
}

/** Without name, password and query: there may be secrets in them. */
function shown(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname === '/' ? '' : pathname}`
}

/** What is wrong with a server before it is called; null: nothing. */
function troubleOf(services: Deps, name: ModelServerName, { model }: Server): string | null {
  if (model !== null) return null
  if (!isSetByMachine(services, name))
    return 'Its key cannot be read here (a restored home has another key). Enter it again.'
  const { label, prefix } = KINDS[name]
  return `${label} at CUTROOM_${prefix}_URL cannot be used: CUTROOM_${prefix}_MODEL does not say which model.`
}

/** A server as it is set, without calling it. Leaves out its key and secrets in its address. */
export function describeModelServer(services: Deps, name: ModelServerName): ModelServerFacts {
  const server = serverOf(services, name)
  const { url, model, key, timeoutSeconds } = server
  if (url === null)
    return { setBy: null, address: null, model: null, hasKey: false, timeoutSeconds, why: null }
  return {
    setBy: isSetByMachine(services, name) ? 'machine' : 'studio',
    address: shown(url),
    model: model ?? readStored(services, name)?.model ?? null,
    hasKey: key !== null,
    timeoutSeconds,
    why: troubleOf(services, name, server),
  }
}

function addressOf(given: string): string {
  const text = given.trim().replace(/\/+$/, '')
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !['https:', 'http:'].includes(url.protocol) || url.search !== '' || url.hash !== '')
    throw invalidRequest('url', 'The address is one such as http://127.0.0.1:11434/v1.')
  if (url.username !== '' || url.password !== '')
    throw invalidRequest('url', 'Leave name and password out of the address, and enter the key below.')
  return text
}

/**
 * Stores a server. An absent key stays where the address is the same; an empty one is none. INVALID_REQUEST, INVALID_STATE
 * where whoever runs the appliance has set it.
 */
export function saveModelServer(
  services: Deps,
  name: ModelServerName,
  request: ModelServerRequest,
): ModelServerFacts {
  requireOwn(services, name)
  const url = addressOf(request.url)
  const model = request.model.trim()
  if (model === '') throw invalidRequest('model', 'Name the model, as the server calls it.')
  const { hostname } = new URL(url)
  if (services.config.network === 'off' && !isThisMachine(hostname))
    throw invalidRequest(
      'url',
      'The network of this appliance is off: only servers on this machine are used.',
    )
  const before = readStored(services, name)
  const key = request.key?.trim()
  // A key goes only to the server that it was entered for.
  if (key === undefined && before?.sealedSecret != null && before.url !== url)
    throw invalidRequest('key', 'Enter the key again: it was for another address.')
  const sealedSecret =
    key === undefined
      ? (before?.sealedSecret ?? null)
      : key === ''
        ? null
        : sealSecret(services.home, name, key)
  setSetting(services.db, name, JSON.stringify({ url, model, sealedSecret } satisfies Stored))
  recordKey(services.home, services.db)
  return describeModelServer(services, name)
}

function requireOwn(services: Deps, name: ModelServerName): void {
  if (isSetByMachine(services, name))
    refuse('INVALID_STATE', `${KINDS[name].label} is set by whoever runs the appliance.`)
}

/** Takes the server away: what it did is done on this machine, or left out. INVALID_STATE. */
export function removeModelServer(services: Deps, name: ModelServerName): ModelServerFacts {
  requireOwn(services, name)
  deleteSetting(services.db, name)
  return describeModelServer(services, name)
}

type Verdict = Omit<ModelServerTried, 'milliseconds'>

/** How what may be wrong is called: by the names of the environment, or as the form calls it. */
interface Names {
  readonly url: string
  readonly model: string
  readonly key: string
}
const environmentNames = ({ prefix }: Kind): Names => ({
  url: `CUTROOM_${prefix}_URL`,
  model: `CUTROOM_${prefix}_MODEL`,
  key: `CUTROOM_${prefix}_KEY`,
})
const FORM_NAMES: Names = { url: 'the address', model: 'the model', key: 'the key' }

function verdict(status: number, found: readonly string[], model: string, names: Names): Verdict {
  if (status === 401 || status === 403)
    return { works: false, said: `It refuses the key (HTTP ${status}). Check ${names.key}.` }
  if (status === 404) return { works: true, said: 'It answers, and does not say which models it has.' }
  if (status !== 200) return { works: false, said: `It answers with an error (HTTP ${status}).` }
  if (found.length === 0) return { works: true, said: 'It answers, and does not say which models it has.' }
  return found.includes(model)
    ? { works: true, said: `It answers, and has ${model}.` }
    : {
        works: false,
        said: `It answers, and has no ${model}: it has ${found.slice(0, 5).join(', ')}. Check ${names.model}.`,
      }
}

function notReached(error: unknown, names: Names): string {
  if (error instanceof AppError) return error.message
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'TimeoutError') return 'It did not answer within 10 s.'
  return `It cannot be reached${code === undefined ? '' : ` (${code})`}. Check ${names.url}, and that it runs.`
}

async function askModels(
  server: ModelServer,
  names: Names,
  onError: (error: unknown) => void,
): Promise<Verdict> {
  return listRemoteModels(server).then(
    ({ status, names: found }) => verdict(status, found, server.model, names),
    (error: unknown) => {
      onError(error)
      return { works: false, said: notReached(error, names) }
    },
  )
}

/** Asks a speech server of the environment for its models. */
export const trySpeechServer = (server: ModelServer): Promise<Verdict> =>
  askModels(server, environmentNames(KINDS['speech-server']), () => undefined)

/** Asks a server for its list of models. INVALID_STATE where none is set, or it cannot be used as it is set. */
export async function tryModelServer(
  services: Deps & Pick<Services, 'log'>,
  name: ModelServerName,
): Promise<ModelServerTried> {
  const server = serverOf(services, name)
  const { url, model } = server
  if (url === null) throw new AppError('INVALID_STATE', `${KINDS[name].label} is not set.`)
  if (model === null)
    throw new AppError('INVALID_STATE', troubleOf(services, name, server) ?? 'It cannot be used.')
  const begun = performance.now()
  const names = isSetByMachine(services, name) ? environmentNames(KINDS[name]) : FORM_NAMES
  const access = accessOf(url, model, server, services.config)
  const outcome = await askModels(access, names, (error) =>
    services.log.warn('a model server could not be asked', { server: name, error }),
  )
  return { ...outcome, milliseconds: Math.round(performance.now() - begun) }
}
