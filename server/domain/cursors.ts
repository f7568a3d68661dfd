/**
 * Cursors of lists: a place in one list, opaque to the caller. A cursor holds a digest of the query it came from and of
 * the place, so that one of another query, or one that was altered, is refused rather than giving a wrong page.
 */
import { AppError } from '../contract/errors.ts'
import { digestOf } from '../../workers/artefacts.ts'

type Position = readonly (string | number)[]

const tagOf = (query: unknown, position: Position): string => digestOf({ query, position }).slice(0, 24)

/** `query` is everything that decides which rows there are, and their order. */
export function encodeCursor(query: unknown, position: Position): string {
  return Buffer.from(JSON.stringify([tagOf(query, position), ...position])).toString('base64url')
}

/** The place that a cursor names: `length` values. Throws INVALID_CURSOR. */
export function decodeCursor(query: unknown, cursor: string, length: number): Position {
  const [tag, ...position] = parse(cursor)
  const sound =
    position.length === length && position.every((part) => typeof part === 'string' || Number.isFinite(part))
  if (!sound || tag !== tagOf(query, position as Position)) throw new AppError('INVALID_CURSOR')
  return position as Position
}

function parse(cursor: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(value) ? (value as unknown[]) : []
  } catch (cause) {
    throw new AppError('INVALID_CURSOR', { cause })
  }
}
