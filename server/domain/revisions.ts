/** Revisions as ETags: quoted and opaque, so that clients do not rely on their being numbers. */
import { createHash } from 'node:crypto'
import { AppError } from '../contract/errors.ts'

/** `kind`: clip, transcript, post; a revision of one is none of another. */
export function etagOf(kind: string, id: string, revision: number): string {
  const digest = createHash('sha256').update(`${kind}\n${id}\n${revision}`).digest('base64url')
  return `"${digest.slice(0, 22)}"`
}

/** Throws PRECONDITION_FAILED unless If-Match names the present revision. */
export function requireMatch(ifMatch: string, present: string): void {
  if (ifMatch !== present) throw new AppError('PRECONDITION_FAILED')
}

/** Revision of a clip. */
export const clipEtag = ({ id, revision }: { readonly id: string; readonly revision: number }): string =>
  etagOf('clip', id, revision)

/** The same of an If-Match as HTTP has it: several, or `*` for any. */
export function requireOneMatch(ifMatch: string, present: string): void {
  const named = ifMatch.split(',').map((tag) => tag.trim())
  if (!named.includes('*') && !named.includes(present)) throw new AppError('PRECONDITION_FAILED')
}
