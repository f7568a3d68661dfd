/** Uploads of the public API: files that come in pieces and become the source of a run. */
import { Type, type Static } from '@sinclair/typebox'

export const UploadQuery = Type.Object({
  companyId: Type.Optional(
    Type.String({ minLength: 1, description: 'The company of the key, where it is named at all' }),
  ),
})

export const UploadState = Type.Object({
  id: Type.String(),
  url: Type.String({ description: 'Its address: where pieces go, and what a trigger takes as `url`' }),
  title: Type.String({ description: 'The name of the file, as `filename` of Upload-Metadata gave it' }),
  bytes: Type.Integer({ description: 'Of the whole file' }),
  offset: Type.Integer({
    description: 'How many of the bytes are there, and so where the next piece begins',
  }),
  complete: Type.Boolean({ description: 'All bytes are there: a trigger can name it' }),
  expiresAt: Type.String({
    description: 'When it can no longer be continued or named: a day after its last piece',
  }),
})
export type UploadState = Static<typeof UploadState>
