/** Reads responses of external services: what does not match their documentation is left out. PURE. */

type Json = Readonly<Record<string, unknown>>

/** The object under a name, empty when there is none. */
export function objectAt(value: unknown, name: string): Json {
  const found = asObject(value)[name]
  return asObject(found)
}

/** The objects of the list under a name. */
export function listAt(value: unknown, name: string): Json[] {
  const found = asObject(value)[name]
  return Array.isArray(found) ? found.map(asObject) : []
}

/** The text under a name without control characters, at most 300 characters; empty when there is none. */
export function textAt(value: unknown, name: string): string {
  const found = asObject(value)[name]
  return typeof found === 'string'
    ? found
        .replaceAll(/\p{Cc}/gu, ' ')
        .trim()
        .slice(0, 300)
    : ''
}

/** An http or https address under a name; empty when there is none. */
export function addressAt(value: unknown, name: string): string {
  const found = asObject(value)[name]
  if (typeof found !== 'string' || found.length > 4000 || !URL.canParse(found)) return ''
  return /^https?:$/u.test(new URL(found).protocol) ? found : ''
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&quot;': '"',
  '&#39;': "'",
  '&lt;': '<',
  '&gt;': '>',
}

/** Titles of some services contain the five HTML entities. */
export function withoutEntities(text: string): string {
  return text.replaceAll(/&(?:amp|quot|#39|lt|gt);/gu, (entity) => ENTITIES[entity] ?? entity)
}
