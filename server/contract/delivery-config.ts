/** Which finished file is made of a clip by itself. Every field is optional. */
import { type Static } from '@sinclair/typebox'
import { booleanField, choiceField, describedObject } from './config-fields.ts'
import { PROFILES } from './profiles/registry.ts'

/** Profiles whose file has to be made; words are there at once. */
const MADE = PROFILES.filter(({ delivery }) => delivery.kind !== 'words').map(({ name }) => name)

/** Where nothing else is chosen. */
export const DEFAULT_PROFILE = 'social-1080'

export const DeliveryConfig = describedObject('The finished file that is made of a clip by itself', {
  enabled: booleanField('Make the file', true),
  profile: choiceField('Delivery profile of the file', MADE, DEFAULT_PROFILE),
})
export type DeliveryConfig = Static<typeof DeliveryConfig>
