/** YCbCr matrices that are told apart, by ffmpeg's names of them. */
import { Type, type Static } from '@sinclair/typebox'

export const ColourMatrix = Type.Union([Type.Literal('bt709'), Type.Literal('bt601'), Type.Literal('bt2020')])
export type ColourMatrix = Static<typeof ColourMatrix>

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
