/** Fields of forms change when they are left; here also when typing pauses, so that the preview follows. */

const PAUSE_MS = 100

/** Whether what has been typed so far is a value: half a number and a space at the end are none: setting them would delete them. */
const isWhole = (field: HTMLInputElement | HTMLTextAreaElement): boolean =>
  field.type === 'number'
    ? field.value !== '' && !field.validity.badInput
    : field.value === field.value.trim()

/** For `{@attach}` on an element around fields. */
export function commitWhileTyping(around: HTMLElement): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  function typed({ target }: Event): void {
    clearTimeout(timer)
    const isText =
      target instanceof HTMLTextAreaElement ||
      (target instanceof HTMLInputElement && ['text', 'number'].includes(target.type))
    if (!isText) return
    timer = setTimeout(() => {
      if (target.isConnected && isWhole(target)) target.dispatchEvent(new Event('change', { bubbles: true }))
    }, PAUSE_MS)
  }
  around.addEventListener('input', typed)
  return () => {
    clearTimeout(timer)
    around.removeEventListener('input', typed)
  }
}
