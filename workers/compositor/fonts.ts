/**
 * Which fonts there are and how a face names them. The list is resources/fonts/fonts.json, read by whoever prepares a
 * composition; Node registers the files by path, the studio by @font-face, both under the alias that `fontAlias`
 * gives, so that a font of the same name installed on the machine can never take its place.
 */
import { Type, type Static } from '@sinclair/typebox'

export const FontTable = Type.Object({
  /** Family that stands in for one that is not here. */
  fallbackFamily: Type.String(),
  /** Families asked in turn for letters that the face lacks: other scripts, then emoji. */
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
})
export type FontTable = Static<typeof FontTable>

/** The name that a family is registered under. */
export function fontAlias(family: string): string {
  return `Cutroom ${family}`
}

export interface ResolvedFamily {
  /** Family list for a CSS font, best first. */
  readonly cssFamilies: string
  readonly known: boolean
  readonly family: string
}

/** The font list for a family's name (case-insensitive; the first known one of a comma list). */
export function resolveFamily(table: FontTable, requested: string): ResolvedFamily {
  const families = new Map(table.fonts.map((font) => [font.family.toLowerCase(), font.family]))
  const wanted = requested.split(',').map((name) =>
    name
      .trim()
      .replace(/^['"]|['"]$/g, '')
      .toLowerCase(),
  )
  const found = wanted.map((name) => families.get(name)).find((family) => family !== undefined)
  const family = found ?? table.fallbackFamily
  const chain = [...new Set([family, table.fallbackFamily, ...table.scriptFamilies])]
  return {
    cssFamilies: chain.map((name) => `"${fontAlias(name)}"`).join(', '),
    known: found !== undefined,
    family,
  }
}
