/** GET and POST /clips/{clipId}/exports: files of delivery profiles that are made of a clip. */
import { Type, type Static } from '@sinclair/typebox'
import { closedObject, nullable, oneOf } from '../config-fields.ts'
import { NullableMoment } from './envelope.ts'

export const NewExport = closedObject({
  profile: Type.String({ minLength: 1, maxLength: 60, description: 'Name of a delivery profile' }),
})

export const DeliveryProfile = Type.Object({
  name: Type.String(),
  label: Type.String(),
  description: Type.String(),
  extension: Type.String({ description: 'Of the file, without a dot' }),
})
export type DeliveryProfile = Static<typeof DeliveryProfile>

export const ExportedFile = Type.Object({
  operationId: Type.String(),
  profile: Type.String(),
  state: oneOf(['queued', 'running', 'succeeded', 'failed']),
  progress: Type.Number({ minimum: 0, maximum: 1 }),
  url: nullable(Type.String(), { description: 'Once succeeded' }),
  bytes: Type.Integer({ minimum: 0 }),
  warnings: Type.Array(Type.String(), { description: 'What the file lacks, a sentence each' }),
  error: nullable(Type.String(), { description: 'Why it failed, one sentence' }),
  outdated: Type.Boolean({ description: 'The clip was edited since' }),
  removedAt: NullableMoment,
})
export type ExportedFile = Static<typeof ExportedFile>

export const ExportsMeta = Type.Object({
  profiles: Type.Array(DeliveryProfile, {
    description: 'All that there are; not every appliance can make each',
  }),
  chosen: nullable(Type.String(), { description: 'The profile that the clip asks for by itself' }),
})
export type ExportsMeta = Static<typeof ExportsMeta>
