/** Pages that services show before a shared file. PURE. */

/**
 * The target of a page's own download form ("too large to scan for viruses, download anyway"), relative to the page; null when
 * there is none. It is returned as action and fields, because building an address needs more than text.
 */
export function downloadForm(
  html: string,
): { readonly action: string; readonly fields: readonly (readonly [string, string])[] } | null {
  const form = /<form\b([^>]*\bid\s*=\s*["']download-form["'][^>]*)>([\s\S]*?)<\/form>/i.exec(html)
  const action = attribute(form?.[1] ?? '', 'action')
  const method = attribute(form?.[1] ?? '', 'method') ?? 'get'
  if (action === null || method.toLowerCase() !== 'get') return null
  const fields: [string, string][] = []
  for (const [, input = ''] of (form?.[2] ?? '').matchAll(/<input\b([^>]*)>/gi)) {
    const name = attribute(input, 'name')
    if (name !== null && name !== '') fields.push([name, attribute(input, 'value') ?? ''])
  }
  return { action, fields }
}

/** Whether a page says that a file was downloaded too often today. */
export function isQuotaExceeded(html: string): boolean {
  return /quota exceeded|too many users have viewed or downloaded this file/i.test(html)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', '#39': "'" }

function attribute(tag: string, name: string): string | null {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag)
  const value = found?.[1] ?? found?.[2]
  return value === undefined
    ? null
    : value.replace(/&(amp|quot|lt|gt|#39);/g, (whole, entity: string) => ENTITIES[entity] ?? whole)
}
