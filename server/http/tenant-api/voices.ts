/** /voices: voices that the organization has named. Whether it may is decided in its own studio or by command, not here. */
import { Type } from '@sinclair/typebox'
import { closedObject } from '../../contract/config-fields.ts'
import { list, NextCursor, single } from '../../contract/tenant-api/envelope.ts'
import { NamedVoice, VoiceChange, VoiceRequest } from '../../contract/voices.ts'
import { requireCompany } from '../../domain/people/companies.ts'
import { forgetVoice, listVoices, nameVoice, renameVoice } from '../../domain/voices/voices.ts'
import { tenantRoute } from './declare.ts'

const VoicesMeta = Type.Object({
  ...NextCursor.properties,
  recognise: Type.Boolean({ description: 'Whether voices may be named and are recognised' }),
})

export const voiceRoutes = [
  tenantRoute('GET /voices', {
    operationId: 'listVoices',
    summary: 'Named voices: their names, never the voiceprints',
    answer: list(NamedVoice, VoicesMeta),
    success: 'Every named voice, oldest first',
    handle: (services, { caller: { companyId } }) => ({
      data: listVoices(services, companyId),
      meta: { nextCursor: null, recognise: requireCompany(services, companyId).recogniseVoices },
    }),
  }),
  tenantRoute('POST /voices', {
    operationId: 'nameVoice',
    summary: 'Name the voice of a speaker of a clip or a run, so that it is recognised in later sources',
    description:
      'A voiceprint is biometric data. An owner turns this on for the organization; until then, and where too little of the voice was measured, the answer is INVALID_STATE. A voice that has this name is replaced.',
    body: VoiceRequest,
    idempotent: 'atomic',
    status: 201,
    answer: single(NamedVoice),
    success: 'The voice is named',
    errors: ['NOT_FOUND', 'INVALID_STATE', 'SECRETS_KEY_UNAVAILABLE'],
    handle: (services, { caller: { companyId }, body }) => ({
      data: nameVoice(services, { ...body, companyId }),
    }),
  }),
  tenantRoute('PATCH /voices/{voiceId}', {
    operationId: 'renameVoice',
    summary: 'Give a named voice another name; clips that exist keep theirs',
    body: VoiceChange,
    idempotent: 'atomic',
    answer: single(NamedVoice),
    success: 'The voice as it is now',
    errors: ['INVALID_STATE', 'SECRETS_KEY_UNAVAILABLE'],
    handle: (services, { caller: { companyId }, params, body }) => ({
      data: renameVoice(services, { companyId, id: params.voiceId, name: body.name }),
    }),
  }),
  tenantRoute('DELETE /voices/{voiceId}', {
    operationId: 'forgetVoice',
    summary: 'Delete a named voice; names that clips have of it stay, as text',
    answer: single(closedObject({ id: Type.String(), deleted: Type.Literal(true) })),
    success: 'The voice is deleted',
    handle: (services, { caller: { companyId }, params: { voiceId: id } }) => {
      forgetVoice(services, { companyId, id })
      return { data: { id, deleted: true } }
    },
  }),
]
