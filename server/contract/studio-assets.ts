/**
 * Fetch state of the files that a clip references by address: a watermark, music, an end card. Route under /studio/.
 */
import { Type, type Static } from '@sinclair/typebox'
import { choice } from './config-fields.ts'

const url = Type.String({ description: 'As the clip names it' })

export const StudioAssets = Type.Object({
  assets: Type.Array(
    Type.Union([
      Type.Object({ url, state: Type.Literal('waiting') }),
      Type.Object({
        url,
        state: Type.Literal('ready'),
        kind: choice(['image', 'video', 'audio', 'font']),
      }),
      Type.Object({ url, state: Type.Literal('failed'), message: Type.String() }),
    ]),
  ),
  /** Null: the file is needed, and is fetched on request or when the clip is rendered. */
  fetching: Type.Union([
    Type.Object({
      /** Of what is waited for now, 0 to 1. */
      progress: Type.Number({ minimum: 0, maximum: 1 }),
      /** Cancelling, not yet ended. */
      stopping: Type.Boolean(),
    }),
    Type.Null(),
  ]),
})
export type StudioAssets = Static<typeof StudioAssets>
