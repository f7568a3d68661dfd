/** Asks the appliance's language model, where there is one. */
import { Value } from '@sinclair/typebox/value'
import type { StudioAgent, StudioAgentAnswer, StudioAgentQuestion } from '../../../server/contract/agent.ts'
import { CLIP_COMMANDS, isCommandName, type CommandCall } from '../../../server/contract/clip-commands.ts'
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
  answer.calls.flatMap(({ name, arguments: given }) =>
    isCommandName(name) && Value.Check(CLIP_COMMANDS[name].arguments, given)
      ? [{ name, arguments: given } as CommandCall]
      : [],
  )
