/** Logos that are burned into the source, as they were looked for when the clip was made. */
import { Type, type Static } from '@sinclair/typebox'

/** Percent of the source picture. */
export const LogoPlace = Type.Object(
  { x: Type.Number(), y: Type.Number(), width: Type.Number(), height: Type.Number() },
  { additionalProperties: false },
)
export type LogoPlace = Static<typeof LogoPlace>

/** `unsure`: too little of the picture changes to tell a logo from a static background. */
export const ClipLogos = Type.Object(
  { places: Type.Array(LogoPlace), unsure: Type.Boolean() },
  { additionalProperties: false },
)
export type ClipLogos = Static<typeof ClipLogos>
