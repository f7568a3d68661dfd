/** Logos that are burned into the source, as they were looked for when the clip was made. */
import { Type, type Static } from '@sinclair/typebox'
import { closedObject } from './config-fields.ts'

/** Percent of the source picture. */
export const LogoPlace = closedObject({
  x: Type.Number(),
  y: Type.Number(),
  width: Type.Number(),
  height: Type.Number(),
})
export type LogoPlace = Static<typeof LogoPlace>

/** `unsure`: too little of the picture changes to tell a logo from a static background. */
export const ClipLogos = closedObject({ places: Type.Array(LogoPlace), unsure: Type.Boolean() })
export type ClipLogos = Static<typeof ClipLogos>
