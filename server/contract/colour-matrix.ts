/** YCbCr matrices that are told apart, by ffmpeg's names of them. */
import { Type, type Static } from '@sinclair/typebox'
import { omitUndefined } from './omit-undefined.ts'

export const ColourMatrix = Type.Union([Type.Literal('bt709'), Type.Literal('bt601'), Type.Literal('bt2020')])
export type ColourMatrix = Static<typeof ColourMatrix>

/** What of an HDR picture's colours is known; either may be unsaid where the other is said. */
export const HDR_COLOURS = {
  colourMatrix: Type.Optional(ColourMatrix),
  /** The file does not say what its red, green and blue are. */
  unknownPrimaries: Type.Optional(Type.Literal(true)),
} as const

export interface HdrColours {
  readonly colourMatrix?: ColourMatrix | undefined
  readonly unknownPrimaries?: true | undefined
}

/** What a stage is told of the colours of HDR; nothing of another picture. */
export function hdrColours(video: {
  readonly hdr: boolean
  readonly colourSpace: string
  readonly colourPrimaries: string
}): { colourMatrix?: ColourMatrix; unknownPrimaries?: true } {
  const colourMatrix = colourMatrixOf(video.colourSpace)
  return video.hdr ? { ...omitUndefined({ colourMatrix }), ...unknownPrimaries(video) } : {}
}

/** Told where it matters: in HDR. */
export function unknownPrimaries(video: { readonly hdr: boolean; readonly colourPrimaries: string }): {
  unknownPrimaries?: true
} {
  return video.hdr && video.colourPrimaries === 'unknown' ? { unknownPrimaries: true } : {}
}

/** The matrix of a probed stream; undefined where the file does not say, or says something else. */
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

/** Told where the pictures are no YCbCr; pixel formats by ffmpeg's names. */
export function rgbPicture(video: { readonly pixelFormat: string; readonly colourSpace: string }): {
  rgb?: true
} {
  const named = /^(x2|0)?(rgb|bgr)|^(gbr|argb|abgr|pal8|bayer)/.test(video.pixelFormat)
  return named || video.colourSpace === 'gbr' ? { rgb: true } : {}
}
