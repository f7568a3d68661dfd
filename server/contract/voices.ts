/** Voices that a company has named, as the studio, the tenant API and the command line show them: never the voice itself. */
import { Type, type Static } from '@sinclair/typebox'
import { closedObject, nullable } from './config-fields.ts'

export const NamedVoice = closedObject({
  id: Type.String(),
  name: nullable(Type.String(), { description: 'Null: it cannot be opened, because its key is not here' }),
  model: Type.String({
    description: 'The model that measured it; only sources measured with the same one can match',
  }),
  seconds: nullable(Type.Number(), { description: 'Speech that it was measured on' }),
  createdAt: Type.String({ format: 'date-time' }),
})
export type NamedVoice = Static<typeof NamedVoice>

const Name = Type.String({ minLength: 1, maxLength: 200 })
const Id = Type.String({ minLength: 1, maxLength: 200 })

/** Either a clip or a run. */
export const VoiceRequest = closedObject({
  clipId: Type.Optional(Id),
  runId: Type.Optional(Id),
  speaker: Type.Integer({ minimum: 0, description: 'As words have it, from 0' }),
  name: Name,
})
export type VoiceRequest = Static<typeof VoiceRequest>

export const VoiceChange = closedObject({ name: Name })
export const VoiceRecognition = closedObject({ recognise: Type.Boolean() })

/** Named voices with the company's setting. */
export const NamedVoices = Type.Object({ recognise: Type.Boolean(), voices: Type.Array(NamedVoice) })
export type NamedVoices = Static<typeof NamedVoices>
