/** Queries of named voices. */
import { deleteBy, findBy, insertInto, listBy, updateBy } from './rows.ts'
import { namedVoices } from './schema.ts'

export type NamedVoiceRow = typeof namedVoices.$inferSelect

export const insertNamedVoice = insertInto(namedVoices)

export const findNamedVoice = findBy(namedVoices, 'companyId', 'id')

/** Oldest first. */
export const listNamedVoices = listBy(namedVoices, ['companyId'], 'createdAt', 'id')

export const updateNamedVoice = updateBy(namedVoices, 'id')

export const deleteNamedVoice = deleteBy(namedVoices, 'id')

/** All of a company. */
export const deleteNamedVoices = deleteBy(namedVoices, 'companyId')
