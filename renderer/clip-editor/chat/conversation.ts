/** The chat about a clip, stored in this browser. */
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
  /** What the model answered, or why it did not. */
  readonly notes: readonly string[]
  readonly differences: readonly Difference[]
  /** Null: nothing was changed. */
  readonly change: { readonly before: ClipEdit; readonly after: ClipEdit } | null
  /** It was undone since. */
  readonly undone: boolean
  /** Lists the commands. */
  readonly help: boolean
}

export type Message = PersonMessage | AnswerMessage

const MAX_MESSAGES = 40
/** Characters; pictures may be written into an edit. */
const MAX_STORED = 400_000
const key = (clipId: string): string => `cutroom-chat:${clipId}`

/** Of a chat that is too large, first its undo and then its oldest messages are dropped. */
export function storeConversation(clipId: string, messages: readonly Message[]): void {
  const recent = messages.slice(-MAX_MESSAGES)
  const light = recent.map((one) => (one.kind === 'answer' ? { ...one, change: null } : one))
  const fitting = [recent, light, light.slice(-8)].find((one) => JSON.stringify(one).length <= MAX_STORED)
  // A full storage loses the chat, not the clip.
  if (!storeJson(localStorage, key(clipId), fitting ?? []))
    console.warn('The chat about this clip is not stored: the storage of the browser is full.')
}

export function loadConversation(clipId: string): Message[] {
  const stored = loadJson(localStorage, key(clipId))
  return Array.isArray(stored) ? (stored as Message[]) : []
}

/** The last few messages as a language model gets them. */
export function formatForModel(messages: readonly Message[]): { role: 'user' | 'assistant'; text: string }[] {
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
