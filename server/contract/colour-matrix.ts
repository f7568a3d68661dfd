/** The YCbCr matrices that are distinguished, by ffmpeg's names. */
import { Type, type Static } from '@sinclair/typebox'
import { omitUndefined } from './omit-undefined.ts'
import { choice } from './config-fields.ts'

export const ColourMatrix = choice(['bt709', 'bt601', 'bt2020'])
export type ColourMatrix = Static<typeof ColourMatrix>

/** Known colour properties of an HDR picture; either may be missing where the other is given. */
export const HDR_COLOURS = {
  colourMatrix: Type.Optional(ColourMatrix),
  /** The file does not give its colour primaries. */
  unknownPrimaries: Type.Optional(Type.Literal(true)),
} as const

export interface HdrColours {
  readonly colourMatrix?: ColourMatrix | undefined
  readonly unknownPrimaries?: true | undefined
}

/** Colour parameters of a stage for HDR; empty for other pictures. */
export function hdrColours(video: {
  readonly hdr: boolean
  readonly colourSpace: string
  readonly colourPrimaries: string
}): { colourMatrix?: ColourMatrix; unknownPrimaries?: true } {
  const colourMatrix = colourMatrixOf(video.colourSpace)
  return video.hdr ? { ...omitUndefined({ colourMatrix }), ...unknownPrimaries(video) } : {}
}

/** Set only where it matters: in HDR. */
export function unknownPrimaries(video: { readonly hdr: boolean; readonly colourPrimaries: string }): {
  unknownPrimaries?: true
} {
  return video.hdr && video.colourPrimaries === 'unknown' ? { unknownPrimaries: true } : {}
}

/** The matrix of a probed stream; undefined where the file gives none, or another one. */
export function colourMatrixOf(colourSpace: string | undefined): ColourMatrix | undefined {
  switch (colourSpace) {
    case 'bt709':
      return 'bt709'
    case 'smpte170m':
    case 'bt470bg':
      return 'bt601'
    case 'bt2020nc':
    case 'bt2020c':
      return 'bt2020'
    default:
      return undefined
  }
}

/** Set where the pictures are not YCbCr; pixel formats by ffmpeg's names. */
export function rgbPicture(video: { readonly pixelFormat: string; readonly colourSpace: string }): {
  rgb?: true
} {
  const named = /^(x2|0)?(rgb|bgr)|^(gbr|argb|abgr|pal8|bayer)/.test(video.pixelFormat)
  return named || video.colourSpace === 'gbr' ? { rgb: true } : {}
}
