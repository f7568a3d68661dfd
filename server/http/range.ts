/** Range and conditional requests, decided purely (RFC 9110). */

export type RangeDecision =
  | { readonly kind: 'all' }
  /** Inclusive byte positions. */
  | { readonly kind: 'part'; readonly start: number; readonly end: number }
  | { readonly kind: 'unsatisfiable' }

/** One range of bytes, or all: several ranges and malformed headers are answered in full, as the standard allows. */
export function decideRange(header: string | undefined, size: number): RangeDecision {
  const match = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? '')
  const first = match?.[1] ?? ''
  const last = match?.[2] ?? ''
  if (match === null || (first === '' && last === '')) return { kind: 'all' }
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? { kind: 'unsatisfiable' } : { kind: 'part', start: size - length, end: size - 1 }
  }
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return { kind: 'all' }
  return start >= size ? { kind: 'unsatisfiable' } : { kind: 'part', start, end }
}

interface Validators {
  /** Strong, quoted. */
  readonly etag: string
  /** Epoch milliseconds. */
  readonly modified: number
}

const toSeconds = (milliseconds: number): number => Math.floor(milliseconds / 1000)

/** Whether the client's copy is still good (304). If-None-Match outranks If-Modified-Since. */
export function isNotModified(
  headers: { 'if-none-match'?: string | undefined; 'if-modified-since'?: string | undefined },
  { etag, modified }: Validators,
): boolean {
  const tags = headers['if-none-match']
  if (tags !== undefined) {
    return tags.trim() === '*' || tags.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)
  }
  const since = Date.parse(headers['if-modified-since'] ?? '')
  return !Number.isNaN(since) && toSeconds(modified) <= toSeconds(since)
}

/** Whether a range still applies: If-Range must name exactly what we have, by strong tag or by date. */
export function rangeApplies(ifRange: string | undefined, { etag, modified }: Validators): boolean {
  if (ifRange === undefined) return true
  const condition = ifRange.trim()
  if (condition.startsWith('"') || condition.startsWith('W/')) return condition === etag
  const date = Date.parse(condition)
  return !Number.isNaN(date) && toSeconds(date) === toSeconds(modified)
}
