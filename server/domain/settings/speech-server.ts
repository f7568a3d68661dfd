/** The studio's own speech server, as the settings name it. */
import type { Config } from '../../config/config.ts'
import { reachableByAdministrator } from '../../reachable.ts'
import type { SpeechServerState } from '../runs/plan/plan-input.ts'
import { apiBase } from './language-model.ts'

/** With the network off only a server on this machine is used; the socket enforces it, whatever the host name. */
export function speechServerState(config: Pick<Config, 'speechServer' | 'network'>): SpeechServerState {
  const { url, model, key, timeoutSeconds } = config.speechServer
  if (url === null) return { state: 'off' }
  if (model === null)
    return {
      state: 'refused',
      why: 'The speech server at CUTROOM_ASR_URL cannot be used: CUTROOM_ASR_MODEL ("asrModel" in config.json) does not name its model.',
    }
  const addresses = reachableByAdministrator(config)
  return { state: 'server', access: { address: apiBase(url), model, key, addresses, timeoutSeconds } }
}
