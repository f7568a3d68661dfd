/**
 * Copies a text; false where the browser refuses. Plain HTTP pages, as a studio in a local network may be, have no
 * `navigator.clipboard`: there a selected text area is copied.
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
  // While a dialog is open, nothing outside of it can be selected.
  ;(before?.closest('dialog') ?? document.body).append(box)
  box.select()
  const done = document.execCommand('copy')
  box.remove()
  if (before instanceof HTMLElement) before.focus()
  return done
}

/** Downloads what is at an address, under a name. */
export function downloadFile(href: string, name: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = name
  link.click()
}
