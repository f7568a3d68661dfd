/** The keys of Review. */
import { keys as messages } from '../messages/review.ts'

export type ReviewAction =
  | 'keep'
  | 'reject'
  | 'edit'
  | 'pick'
  | 'shorten'
  | 'select'
  | 'all'
  | 'none'
  | 'merge'
  | 'play'
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'undo'
  | 'start'
  | 'end'
  | 'help'

interface Key {
  readonly keys: readonly string[]
  readonly command?: true
  readonly action: ReviewAction
}

const REVIEW_KEYS: readonly Key[] = [
  { keys: ['k'], action: 'keep' },
  { keys: ['x'], action: 'reject' },
  { keys: ['e'], action: 'edit' },
  { keys: ['r'], action: 'pick' },
  { keys: ['t'], action: 'shorten' },
  { keys: ['s'], action: 'select' },
  { keys: ['a'], command: true, action: 'all' },
  { keys: ['Escape'], action: 'none' },
  { keys: ['m'], action: 'merge' },
  { keys: [' '], action: 'play' },
  { keys: ['ArrowLeft'], action: 'left' },
  { keys: ['ArrowRight'], action: 'right' },
  { keys: ['ArrowUp'], action: 'up' },
  { keys: ['ArrowDown'], action: 'down' },
  { keys: ['u'], action: 'undo' },
  { keys: ['z'], command: true, action: 'undo' },
  { keys: ['i'], action: 'start' },
  { keys: ['o'], action: 'end' },
  { keys: ['?'], action: 'help' },
]

/** What the list of keys shows: names of keys, and what they do. */
export const KEY_HELP: readonly (readonly [keys: string, does: string])[] = [
  ['K', messages.keep],
  ['X', messages.reject],
  ['E', messages.edit],
  ['T', messages.shorten],
  ['R', messages.pick],
  [messages.space, messages.play],
  ['← → ↑ ↓', messages.move],
  ['S', messages.select],
  [`${messages.ctrl}A`, messages.all],
  [messages.escape, messages.none],
  ['M', messages.merge],
  [`U, ${messages.ctrl}Z`, messages.undo],
  ['I', messages.start],
  ['O', messages.end],
  ['?', messages.help],
]

/** What a pressed key does; null for others, and while something is typed. */
export function actionOf(event: KeyboardEvent): ReviewAction | null {
  const command = event.ctrlKey || event.metaKey
  if (event.altKey || event.defaultPrevented) return null
  const pressed = event.key.length === 1 ? event.key.toLowerCase() : event.key
  const found = REVIEW_KEYS.find((one) => one.keys.includes(pressed) && (one.command === true) === command)
  return found?.action ?? null
}
