/** What was said about a clip, kept in this browser. */
import { storeJson, loadJson } from '../../state/stored-json.ts'
import type { ClipEdit } from '../../../server/nodes/editing/clip-edit.ts'
import type { Difference } from './differences.ts'
import type { Line } from '../../../server/nodes/commands/do-calls.ts'

export interface PersonMessage {
  readonly kind: 'person'
  readonly id: string
  readonly text: string
}

export interface AnswerMessage {
  readonly kind: 'answer'
  readonly id: string
  readonly lines: readonly Line[]
  /** Beside the lines: what the model says, or why none answered. */
  readonly notes: readonly string[]
  readonly differences: readonly Difference[]
  /** What was changed into what; null: nothing was. */
  readonly change: { readonly before: ClipEdit; readonly after: ClipEdit } | null
  /** Taken back since. */
  readonly undone: boolean
  /** Lists what can be asked for. */
  readonly help: boolean
}

export type Message = PersonMessage | AnswerMessage

const MAX_MESSAGES = 40
/** Characters; pictures may be written into an edit. */
const MAX_KEPT = 400_000
const key = (clipId: string): string => `cutroom-chat:${clipId}`

/** What is too much to keep loses what can be undone first, then its oldest. */
export function keepConversation(clipId: string, messages: readonly Message[]): void {
  const recent = messages.slice(-MAX_MESSAGES)
  const light = recent.map((one) => (one.kind === 'answer' ? { ...one, change: null } : one))
  const kept = [recent, light, light.slice(-8)].find((one) => JSON.stringify(one).length <= MAX_KEPT)
  // A full store loses the chat, not the clip.
  if (!storeJson(localStorage, key(clipId), kept ?? []))
    console.warn('The chat about this clip is not kept: the browser has no room for it.')
}

export function keptConversation(clipId: string): Message[] {
  const kept = loadJson(localStorage, key(clipId))
  return Array.isArray(kept) ? (kept as Message[]) : []
}

/** As a language model is told of it: the last few messages, in words. */
export function inWords(messages: readonly Message[]): { role: 'user' | 'assistant'; text: string }[] {
  return messages.slice(-8).map((one) => {
    if (one.kind === 'person') return { role: 'user', text: one.text.slice(0, 4000) }
    const text = [
      ...one.lines.map((line) => line.text),
      ...one.notes,
      one.undone ? '(Taken back since.)' : '',
    ].join(' ')
    return { role: 'assistant', text: text.trim().slice(0, 4000) || 'Nothing was done.' }
  })
}
