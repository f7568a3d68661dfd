/** What a render lost, as both APIs and webhooks tell it: remarks with a code, and of which clip. */
import { Type, type Static } from '@sinclair/typebox'
import { closedObject, nullable, oneOf } from './config-fields.ts'
import { LOSSES, type LossCode, type RenderRemark } from './render-remarks.ts'

const LOSS_CODES = Object.keys(LOSSES) as LossCode[]

/** As stages store it. */
export const StoredRemark = Type.Object({
  code: nullable(oneOf(LOSS_CODES)),
  field: nullable(Type.String()),
  message: Type.String(),
})

const EARLIER = 'what an earlier version of the appliance said; the sentence says what'
const MEANINGS = Object.entries({ ...LOSSES, OTHER: EARLIER }).map(([code, says]) => `\`${code}\`: ${says}`)

export const RenderWarning = closedObject({
  code: oneOf([...LOSS_CODES, 'OTHER'] as const, `For a program; stable. ${MEANINGS.join('. ')}.`),
  field: nullable(Type.String(), { description: 'The setting of the clip or node; null where it is none' }),
  message: Type.String({ description: 'A sentence for a person' }),
  clipId: Type.String(),
})
export type RenderWarning = Static<typeof RenderWarning>

export const RenderWarnings = Type.Array(RenderWarning, {
  description: 'What this render lost; left out where it lost nothing',
})

/**
 * The losses of one render, once each; without remarks by which nothing is lost. Sentences without a code are those of a
 * stage that an earlier version finished.
 */
export function renderWarnings(clipId: string, remarks: readonly (RenderRemark | string)[]): RenderWarning[] {
  const losses = remarks.flatMap((one): RenderWarning[] => {
    if (typeof one === 'string') return [{ code: 'OTHER', field: null, message: one, clipId }]
    const { code, field, message } = one
    return code === null ? [] : [{ code, field, message, clipId }]
  })
  return [...new Map(losses.map((loss) => [`${loss.field ?? ''} ${loss.message}`, loss])).values()]
}
