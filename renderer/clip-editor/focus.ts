/** Decides whether a key press belongs to the focused control or to the editor. */
export type Focus = 'text' | 'list' | 'range' | 'choice' | 'pick' | 'button' | 'slider' | 'none'

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>

const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
const ENDS = ['Home', 'End']

/** Keys that each kind of control handles itself. A text field handles all, with its own undo. */
const OWN: Readonly<Record<Exclude<Focus, 'text' | 'list' | 'none'>, readonly string[]>> = {
  range: [...ARROWS, ...ENDS, 'PageUp', 'PageDown'],
  choice: [' ', ...ARROWS],
  pick: [' ', 'Enter', ...ARROWS],
  button: [' '],
  slider: ENDS,
}

const INPUTS: Readonly<Record<string, Focus>> = {
  range: 'range',
  checkbox: 'choice',
  radio: 'choice',
  color: 'pick',
  file: 'pick',
  button: 'button',
  submit: 'button',
  reset: 'button',
  image: 'button',
}

/** What has the focus, as far as keys go. */
function focusOf(target: EventTarget | null): Focus {
  if (!(target instanceof HTMLElement)) return 'none'
  if (target instanceof HTMLInputElement) return INPUTS[target.type] ?? 'text'
  if (target instanceof HTMLTextAreaElement || target.isContentEditable) return 'text'
  if (target instanceof HTMLSelectElement) return 'list'
  if (target.matches('button, summary, [role="tab"], a')) return 'button'
  return target.matches('[role="slider"]') ? 'slider' : 'none'
}

/** Whether a key pressed there is for the thing that has the focus. PURE. */
export function isFor(focus: Focus, { key, ctrlKey, metaKey }: Pressed): boolean {
  if (focus === 'text') return true
  if (focus === 'none' || ctrlKey || metaKey) return false
  // In a list, a letter jumps to the entry that begins with it.
  return focus === 'list' || OWN[focus].includes(key)
}

/** Whether a dialog is open before the editor. */
export const isBehindDialog = (): boolean => document.querySelector('dialog:modal') !== null

/** Whether a key is not for the editor: a dialog is open, or the focused control handles it. */
export const isForFocusedElement = (event: KeyboardEvent): boolean =>
  isBehindDialog() || isFor(focusOf(event.target), event)
