/**
 * The studio's chat about a clip: what is sent to the language model, and what it returns. Routes under /studio/. PURE.
 */
import { Type, type Static } from '@sinclair/typebox'

/** Whether a language model is configured. */
export const StudioAgent = Type.Object({
  state: Type.Union([Type.Literal('off'), Type.Literal('refused'), Type.Literal('ready')]),
  /** Its name. */
  model: Type.Union([Type.String(), Type.Null()]),
  /** A sentence, where it is refused. */
  why: Type.Union([Type.String(), Type.Null()]),
})
export type StudioAgent = Static<typeof StudioAgent>

export const AgentMessage = Type.Object({
  role: Type.Union([Type.Literal('user'), Type.Literal('assistant')]),
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
  model: Type.Union([Type.String(), Type.Null()]),
  /** The model's text besides its tool calls; may be empty. */
  said: Type.String(),
  /** Commands with arguments that fit their schemas, in order. The studio does them; nothing is stored here. */
  calls: Type.Array(
    Type.Object({ name: Type.String(), arguments: Type.Record(Type.String(), Type.Unknown()) }),
  ),
  /** One sentence for each call that is none of the commands, or does not fit its command. */
  refused: Type.Array(Type.String()),
  /** Why no model answered; null: one did. */
  failed: Type.Union([Type.String(), Type.Null()]),
})
export type StudioAgentAnswer = Static<typeof StudioAgentAnswer>
