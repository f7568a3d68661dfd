/** POST /render: synchronous; a failed render is an answer, not an HTTP error. */
import { Type, type Static } from '@sinclair/typebox'
import { choice } from './config-fields.ts'

export const RenderRequest = Type.Object({
  companyId: Type.String({ minLength: 1, maxLength: 200 }),
  clipId: Type.String({ minLength: 1, maxLength: 200 }),
})
export type RenderRequest = Static<typeof RenderRequest>

export const RenderResponse = Type.Object({
  status: choice(['finished', 'failed', 'rendering']),
  /** Address of the finished video; from the domain it may be a path (`/media/...`), made absolute on the way out. */
  renderUrl: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  code: Type.Optional(Type.String()),
})
export type RenderResponse = Static<typeof RenderResponse>
