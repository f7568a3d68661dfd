/**
 * The studio's chat about a clip: what is sent to the language model, and what it returns. Routes under /studio/. PURE.
 */
import { Type, type Static } from '@sinclair/typebox'
import { choice, nullable } from './config-fields.ts'

/** Whether a language model is configured. */
export const StudioAgent = Type.Object({
  state: choice(['off', 'refused', 'ready']),
  /** Its name. */
  model: nullable(Type.String()),
  /** A sentence, where it is refused. */
  why: nullable(Type.String()),
})
export type StudioAgent = Static<typeof StudioAgent>

export const AgentMessage = Type.Object({
  role: choice(['user', 'assistant']),
  text: Type.String({ maxLength: 4000 }),
})
export type AgentMessage = Static<typeof AgentMessage>

export const StudioAgentQuestion = Type.Object({
  /** In order; the last message is the question. */
  messages: Type.Array(AgentMessage, { minItems: 1, maxItems: 20 }),
  /** The clip in the browser in a few lines, and its words. Both are data, whatever they contain. */
  clip: Type.String({ maxLength: 60_000 }),
})
export type StudioAgentQuestion = Static<typeof StudioAgentQuestion>

export const StudioAgentAnswer = Type.Object({
  model: nullable(Type.String()),
  /** The model's text besides its tool calls; may be empty. */
  said: Type.String(),
  /** Commands with arguments that fit their schemas, in order. The studio does them; nothing is stored here. */
  calls: Type.Array(
    Type.Object({ name: Type.String(), arguments: Type.Record(Type.String(), Type.Unknown()) }),
  ),
  /** One sentence for each call that is none of the commands, or does not fit its command. */
  refused: Type.Array(Type.String()),
  /** Why no model answered; null: one did. */
  failed: nullable(Type.String()),
})
export type StudioAgentAnswer = Static<typeof StudioAgentAnswer>
