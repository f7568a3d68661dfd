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

/** How light is coded in an HDR picture: by absolute luminance (SMPTE ST 2084), or as broadcasters' hybrid log-gamma (BT.2100). */
export const HdrTransfer = choice(['pq', 'hlg'])
export type HdrTransfer = Static<typeof HdrTransfer>

const TRANSFERS: Readonly<Record<string, HdrTransfer>> = { smpte2084: 'pq', 'arib-std-b67': 'hlg' }

/** Of a probed stream, by ffmpeg's names; undefined: it is not HDR. */
export const hdrTransferOf = (colourTransfer: string): HdrTransfer | undefined =>
  Object.hasOwn(TRANSFERS, colourTransfer) ? TRANSFERS[colourTransfer] : undefined

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

const MATRICES: Readonly<Record<string, ColourMatrix>> = {
  bt709: 'bt709',
  smpte170m: 'bt601',
  bt470bg: 'bt601',
  bt2020nc: 'bt2020',
  bt2020c: 'bt2020',
}

/** The matrix of a probed stream; undefined where the file gives none, or another one. */
export const colourMatrixOf = (colourSpace = ''): ColourMatrix | undefined =>
  Object.hasOwn(MATRICES, colourSpace) ? MATRICES[colourSpace] : undefined

/** Set where the pictures are not YCbCr; pixel formats by ffmpeg's names. */
export function rgbPicture(video: { readonly pixelFormat: string; readonly colourSpace: string }): {
  rgb?: true
} {
  const named = /^(x2|0)?(rgb|bgr)|^(gbr|argb|abgr|pal8|bayer)/.test(video.pixelFormat)
  return named || video.colourSpace === 'gbr' ? { rgb: true } : {}
}
