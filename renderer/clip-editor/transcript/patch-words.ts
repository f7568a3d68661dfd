/** Corrections of a clip's words, as the appliance takes them. */
import { call, json } from '../../state/api.ts'
import { newKey } from '../../state/new-key.ts'

/** Puts words in the place of the word with this index; none takes it out of the captions. */
export interface WordOperation {
  readonly index: number
  readonly to: string
}

/** All in one request, made on the words with this ETag; RequestRefused with status 412 when there are newer ones. */
export const patchWords = (
  id: string,
  { operations, etag }: { readonly operations: readonly WordOperation[]; readonly etag: string },
): Promise<unknown> =>
  call(
    `/clips/${encodeURIComponent(id)}/transcript`,
    json('PATCH', { operations }, { 'if-match': etag, 'idempotency-key': newKey() }),
  )
