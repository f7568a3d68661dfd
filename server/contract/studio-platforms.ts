/** GET /studio/platforms: what each social platform takes, and how an account of it is connected. */
import { Type, type Static } from '@sinclair/typebox'
import { Platform } from './post.ts'
import { TextUnit } from './text-length.ts'
import { choice, nullable } from './config-fields.ts'

const most = Type.Integer({ minimum: 0 })

export const PlatformFacts = Type.Object({
  platform: Platform,
  /** For people. */
  label: Type.String(),
  text: Type.Object({ most, unit: TextUnit }),
  title: nullable(Type.Object({ most, required: Type.Boolean() }), {
    description: 'Null: posts have no title there',
  }),
  firstComment: nullable(Type.Object({ most })),
  visibilities: Type.Array(Type.String()),
  videoRequired: Type.Boolean(),
  /** Length of its videos. */
  seconds: Type.Object({ least: Type.Number(), most: Type.Number() }),
  removable: Type.Boolean({ description: 'Whether an app may take back what is published' }),
  connect: Type.Object({
    way: choice(['browser', 'password']),
    appConfigured: Type.Boolean({
      description: 'Whether the appliance knows the app that the platform wants',
    }),
    command: Type.String({ description: 'To be run on the appliance’s machine' }),
  }),
})
export type PlatformFacts = Static<typeof PlatformFacts>

export const PlatformsAnswer = Type.Object({ platforms: Type.Array(PlatformFacts) })
