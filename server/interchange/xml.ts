/** XML as a tree of values, written with everything escaped that must be. PURE. */

export interface XmlElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string | number>>
  readonly children: readonly XmlNode[]
}
export type XmlNode = XmlElement | string

export type Attributes = Readonly<Record<string, string | number | undefined>>

/** An element; attributes that are undefined are left out. */
export function xml(
  name: string,
  attributes: Attributes = {},
  children: readonly XmlNode[] = [],
): XmlElement {
  const given = Object.entries(attributes).flatMap(([key, value]): [string, string | number][] =>
    value === undefined ? [] : [[key, value]],
  )
  return { name, attributes: Object.fromEntries(given), children }
}

/** An element that holds text. */
export const xmlText = (name: string, text: string | number): XmlElement => xml(name, {}, [String(text)])

/** A whole document. */
export function xmlDocument(doctype: string, root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE ${doctype}>\n${write(root, '')}\n`
}

function write({ name, attributes, children }: XmlElement, indent: string): string {
  const open = [
    name,
    ...Object.entries(attributes).map(([key, value]) => `${key}="${escapeXml(String(value))}"`),
  ]
  if (children.length === 0) return `${indent}<${open.join(' ')}/>`
  const inline = children.every((child) => typeof child === 'string')
  if (inline) return `${indent}<${open.join(' ')}>${children.map(escapeXml).join('')}</${name}>`
  const inner = children.map((child) =>
    typeof child === 'string' ? `${indent}  ${escapeXml(child)}` : write(child, `${indent}  `),
  )
  return [`${indent}<${open.join(' ')}>`, ...inner, `${indent}</${name}>`].join('\n')
}

/** Text for content and attributes; what XML 1.0 cannot hold at all (most control characters) is left out. */
function escapeXml(text: string): string {
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
