/** XML as a tree of values, written with everything escaped that must be. PURE. */

/** Attributes that are undefined are left out. */
type Attributes = Readonly<Record<string, string | number | undefined>>

export interface XmlElement {
  readonly name: string
  readonly attributes: Attributes
  /** Text, or elements: no document here mixes them. */
  readonly content: string | readonly XmlElement[]
}

export function xml(
  name: string,
  attributes: Attributes = {},
  content: string | readonly XmlElement[] = [],
): XmlElement {
  return { name, attributes, content }
}

/** An element that holds text. */
export const xmlText = (name: string, text: string | number): XmlElement => xml(name, {}, String(text))

/** A whole document. */
export function xmlDocument(doctype: string, root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE ${doctype}>\n${write(root, '')}\n`
}

function write({ name, attributes, content }: XmlElement, indent: string): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined)
  const open = [name, ...given.map(([key, value]) => `${key}="${escapeXml(String(value))}"`)].join(' ')
  if (typeof content === 'string') return `${indent}<${open}>${escapeXml(content)}</${name}>`
  if (content.length === 0) return `${indent}<${open}/>`
  const inner = content.map((child) => write(child, `${indent}  `))
  return [`${indent}<${open}>`, ...inner, `${indent}</${name}>`].join('\n')
}

/** Text for content and attributes; what XML 1.0 cannot hold at all (most control characters) is left out. */
export function escapeXml(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex -- these are exactly the ones that must not be written
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
  )
}
