/** Asks the appliance's language model, where there is one. */
import { Value } from '@sinclair/typebox/value'
import type { StudioAgent, StudioAgentAnswer, StudioAgentQuestion } from '../../../server/contract/studio.ts'
import { commandOf, type CommandCall } from '../../../server/nodes/commands/index.ts'
import { call, json } from '../../state/api.ts'

export const agentState = (): Promise<StudioAgent> => call<StudioAgent>('/studio/agent')

/** Rejects with an AbortError when `signal` is aborted, with RequestRefused where the appliance refuses. */
export const askAgent = (
  clipId: string,
  question: StudioAgentQuestion,
  signal: AbortSignal,
): Promise<StudioAgentAnswer> =>
  call<StudioAgentAnswer>(`/studio/clips/${encodeURIComponent(clipId)}/agent`, {
    ...json('POST', question),
    signal,
  })

/** The calls of an answer that are commands, held against their schemas here too: this is where they are done. */
export const commandCalls = (answer: StudioAgentAnswer): CommandCall[] =>
  answer.calls.flatMap(({ name, arguments: given }) => {
    const command = commandOf(name)
    const fits = command !== undefined && Value.Check(command.params, given)
    return fits ? [{ name, arguments: given } as CommandCall] : []
  })
