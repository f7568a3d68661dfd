/** B-roll as an editor arranged it; it replaces what was chosen when the clip was made. */
import { Type } from '@sinclair/typebox'
import { BrollInsert } from '../clip-broll.ts'

/** Sorted, without overlap; none: the clip has no b-roll. */
export const ManualBroll = Type.Array(BrollInsert, { maxItems: 200 })
