/** Whether a language model of the user's own is asked about clips, by the configuration. */
import type { Config } from '../../config/config.ts'
import { reachableByAdministrator } from '../../reachable.ts'
import type { JudgeState } from './plan/plan-input.ts'

/** With the network off only a model on this machine is asked; that is held at the socket, whatever the name says. */
export function languageModelState(config: Pick<Config, 'languageModel' | 'network'>): JudgeState {
  const { url, model, key, timeoutSeconds } = config.languageModel
  if (url === null) return { state: 'off' }
  if (model === null)
    return {
      state: 'refused',
      why: 'The language model at CUTROOM_LLM_URL was not asked: CUTROOM_LLM_MODEL ("llmModel" in config.json) does not say which.',
    }
  // Most servers answer under /v1; an address without any path means that.
  const address = new URL(url).pathname === '/' ? `${url}/v1` : url
  const addresses = reachableByAdministrator(config)
  return { state: 'ready', access: { address, model, key, addresses, timeoutSeconds } }
}
