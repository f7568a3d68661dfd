/** Shape of resources/fonts/fonts.json: the fonts that there are. PURE. */
import { Type, type Static } from '@sinclair/typebox'

export const FontTable = Type.Object({
  /** Family used in place of one that is not available. */
  fallbackFamily: Type.String(),
  /** Families tried in turn for letters that the face lacks: other scripts; the last is the emoji font. */
  scriptFamilies: Type.Array(Type.String()),
  fonts: Type.Array(
    Type.Object({
      family: Type.String(),
      weight: Type.Integer(),
      style: Type.Union([Type.Literal('normal'), Type.Literal('italic')]),
      file: Type.String(),
      licence: Type.String({ description: 'SPDX name' }),
      licenceFile: Type.String(),
    }),
  ),
  /** Fonts of thousands of letters, in files of some hundred each: only those that a text needs are loaded. */
  parts: Type.Array(
    Type.Object({
      family: Type.String(),
      language: Type.String({ description: 'Primary tag of the language that it is drawn for' }),
      weight: Type.Integer(),
      folder: Type.String(),
      licence: Type.String(),
      licenceFile: Type.String(),
      files: Type.Record(Type.String(), Type.String(), {
        description: 'Name of the file: its letters as hexadecimal code points and ranges, "4e00-4e8f,4f11"',
      }),
    }),
  ),
})
export type FontTable = Static<typeof FontTable>

/** A file that is to be registered under a name of its own. */
export interface FontFile {
  /** The name in CSS. */
  readonly alias: string
  /** Inside resources/fonts. */
  readonly file: string
  readonly weight: number
  readonly style: 'normal' | 'italic'
}
