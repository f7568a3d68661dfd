/** The language model of the user's own, as the settings show and try it. Its key is never shown. */
import { listRemoteModels, type ModelServer } from '../../adapters/language-model.ts'
import { AppError } from '../../contract/errors.ts'
import type { LanguageModelFacts, LanguageModelTried } from '../../contract/settings.ts'
import type { Services } from '../services.ts'
import type { Config } from '../../config/config.ts'
import { reachableByAdministrator } from '../../reachable.ts'
import type { JudgeState } from '../runs/plan/plan-input.ts'

/** Without name, password and query: there may be secrets in them. */
function shown(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname === '/' ? '' : pathname}`
}

/** The language model as configured, without calling it. Leaves out its key and secrets in its address. */
export function describeLanguageModel({ config }: Pick<Services, 'config'>): LanguageModelFacts {
  const { url, model, key, timeoutSeconds } = config.languageModel
  const judge = languageModelState(config)
  return {
    state: judge.state,
    model,
    hasKey: key !== null,
    timeoutSeconds,
    why: judge.state === 'refused' ? judge.why : null,
    address: url === null ? null : shown(url),
  }
}

type Verdict = Omit<LanguageModelTried, 'milliseconds'>

/** The settings of which server: CUTROOM_LLM_..., CUTROOM_ASR_... */
type Settings = 'LLM' | 'ASR'

function verdict(status: number, names: readonly string[], model: string, settings: Settings): Verdict {
  if (status === 401 || status === 403)
    return { works: false, said: `It refuses the key (HTTP ${status}); check CUTROOM_${settings}_KEY.` }
  if (status === 404) return { works: true, said: 'It answers, and does not say which models it has.' }
  if (status !== 200) return { works: false, said: `It answers with an error (HTTP ${status}).` }
  if (names.length === 0) return { works: true, said: 'It answers, and does not say which models it has.' }
  return names.includes(model)
    ? { works: true, said: `It answers, and has ${model}.` }
    : {
        works: false,
        said: `It answers, and has no ${model}: it has ${names.slice(0, 5).join(', ')}. Check CUTROOM_${settings}_MODEL.`,
      }
}

/** Requests the models of a server. `onError` gets what went wrong when it cannot be reached. */
export function tryModelServer(
  server: ModelServer,
  settings: Settings,
  onError: (error: unknown) => void = () => undefined,
): Promise<Verdict> {
  return listRemoteModels(server).then(
    ({ status, names }) => verdict(status, names, server.model, settings),
    (error: unknown) => {
      onError(error)
      return { works: false, said: notReached(error, settings) }
    },
  )
}

/** Requests its list of models. INVALID_STATE where none is configured. */
export async function tryLanguageModel({
  config,
  log,
}: Pick<Services, 'config' | 'log'>): Promise<LanguageModelTried> {
  const judge = languageModelState(config)
  if (judge.state !== 'ready')
    throw new AppError('INVALID_STATE', {
      message: judge.state === 'off' ? 'No language model is configured (CUTROOM_LLM_URL).' : judge.why,
    })
  const begun = performance.now()
  const outcome = await tryModelServer(judge.access, 'LLM', (error) =>
    log.warn('the language model could not be asked', { error }),
  )
  return { ...outcome, milliseconds: Math.round(performance.now() - begun) }
}

function notReached(error: unknown, settings: Settings): string {
  if (error instanceof AppError) return error.message
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'TimeoutError') return 'It did not answer within 10 s.'
  return `It cannot be reached${code === undefined ? '' : ` (${code})`}. Check CUTROOM_${settings}_URL, and that it runs.`
}

/** With the network off only a model on this machine is used; the socket enforces it, whatever the host name. */
export function languageModelState(config: Pick<Config, 'languageModel' | 'network'>): JudgeState {
  const { url, model, key, timeoutSeconds } = config.languageModel
  if (url === null) return { state: 'off' }
  if (model === null)
    return {
      state: 'refused',
      why: 'The language model at CUTROOM_LLM_URL was not asked: CUTROOM_LLM_MODEL ("llmModel" in config.json) does not say which.',
    }
  const addresses = reachableByAdministrator(config)
  return { state: 'ready', access: { address: apiBase(url), model, key, addresses, timeoutSeconds } }
}

/** Most servers use the path /v1, so an address without a path means that one. */
export const apiBase = (url: string): string => (new URL(url).pathname === '/' ? `${url}/v1` : url)
