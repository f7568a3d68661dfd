/** Whose a key is: of the thing that has the focus, or of the page. */
export type Focus = 'text' | 'list' | 'range' | 'choice' | 'pick' | 'button' | 'slider' | 'none'

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey'>

const ARROWS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown']
const ENDS = ['Home', 'End']

/** The keys that each has of its own. A text has them all, and its own undo. */
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
  // A letter goes to what begins with it.
  return focus === 'list' || OWN[focus].includes(key)
}

/** Whether a key is not for the page: a dialog is open before it, or it is for the thing that has the focus. */
export const isForFocusedElement = (event: KeyboardEvent): boolean =>
  document.querySelector('dialog:modal') !== null || isFor(focusOf(event.target), event)
