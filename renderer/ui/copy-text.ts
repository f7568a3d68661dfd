/**
 * Puts a text on the clipboard; false where the browser does not let it. Pages of plain HTTP, as a studio beyond one machine
 * may be, have no `navigator.clipboard`: there a text that is selected is copied.
 */
export async function copyText(text: string): Promise<boolean> {
  if (isSecureContext)
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  const before = document.activeElement
  const box = document.createElement('textarea')
  box.value = text
  box.style.cssText = 'position:fixed;opacity:0'
  // In an open dialog nothing outside of it can be selected.
  ;(before?.closest('dialog') ?? document.body).append(box)
  box.select()
  const done = document.execCommand('copy')
  box.remove()
  if (before instanceof HTMLElement) before.focus()
  return done
}
