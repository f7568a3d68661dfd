/** The studio's chat about one clip, where a language model is given: it answers calls of commands, and changes nothing. */
import type { StudioAgent, StudioAgentAnswer, StudioAgentQuestion } from '../../contract/studio.ts'
import { callChatModel } from '../../adapters/chat-model.ts'
import { agentQuestion, checkCalls, plainWords } from './agent-calls.ts'
import { requireClip } from '../clips/get-clip.ts'
import { languageModelState } from '../runs/language-model.ts'
import type { Services } from '../services.ts'

/** A person waits for it. Seconds. */
const PATIENCE = 90

/** Whether there is a model to ask. */
export function agentState({ config }: Pick<Services, 'config'>): StudioAgent {
  const model = languageModelState(config)
  if (model.state === 'ready') return { state: 'ready', model: model.access.model, why: null }
  return { state: model.state, model: null, why: model.state === 'refused' ? model.why : null }
}

/** Throws CLIP_NOT_FOUND, and CANCELLED when nobody waits any more. */
export async function askAgent(
  services: Pick<Services, 'config' | 'db'>,
  input: { readonly companyId: string; readonly clipId: string } & StudioAgentQuestion,
  signal: AbortSignal,
): Promise<StudioAgentAnswer> {
  requireClip(services, input)
  const nothing = { said: '', calls: [], refused: [] }
  const state = languageModelState(services.config)
  if (state.state !== 'ready')
    return {
      ...nothing,
      model: null,
      failed: state.state === 'refused' ? state.why : 'No language model is given.',
    }
  const { access } = state
  const limited = { ...access, timeoutSeconds: Math.min(PATIENCE, access.timeoutSeconds) }
  const answer = await callChatModel(limited, agentQuestion(input.messages, input.clip), signal)
  if (answer.kind === 'failed') return { ...nothing, model: access.model, failed: answer.why }
  return { model: access.model, said: plainWords(answer.text), ...checkCalls(answer.calls), failed: null }
}
