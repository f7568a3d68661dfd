/** Whether the user's own language model judges clips, by the configuration. */
import type { Config } from '../../config/config.ts'
import { reachableByAdministrator } from '../../reachable.ts'
import type { JudgeState } from './plan/plan-input.ts'

/** With the network off only a model on this machine is used; the socket enforces it, whatever the host name. */
export function languageModelState(config: Pick<Config, 'languageModel' | 'network'>): JudgeState {
  const { url, model, key, timeoutSeconds } = config.languageModel
  if (url === null) return { state: 'off' }
  if (model === null)
    return {
      state: 'refused',
      why: 'The language model at CUTROOM_LLM_URL was not asked: CUTROOM_LLM_MODEL ("llmModel" in config.json) does not say which.',
    }
  // Most servers use the path /v1, so an address without a path means that one.
  const address = new URL(url).pathname === '/' ? `${url}/v1` : url
  const addresses = reachableByAdministrator(config)
  return { state: 'ready', access: { address, model, key, addresses, timeoutSeconds } }
}
