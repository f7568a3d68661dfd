/** Captions as an edit has them. PURE. */
import { CAPTION_PRESETS, type CaptionPreset } from '../../../../server/nodes/presets/captions.ts'
import type { ClipEdit } from '../../../../server/nodes/editing/clip-edit.ts'
import { omitUndefined } from '../../../../server/contract/omit-undefined.ts'

type Config = Readonly<Record<string, unknown>>

const isConfig = (value: unknown): value is Config =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const without = (config: Config, names: readonly string[]): Config =>
  Object.fromEntries(Object.entries(config).filter(([name]) => !names.includes(name)))

/** Sets fields for everybody: what a speaker has of their own in these fields goes. `null` leaves a field to the preset. */
export function withCaptions(edit: ClipEdit, fields: Readonly<Record<string, unknown>>): ClipEdit {
  const names = Object.keys(fields)
  const { speakerStyles, ...own } = edit.subtitleConfig
  const set = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
  const styles = isConfig(speakerStyles)
    ? Object.fromEntries(
        Object.entries(speakerStyles).map(([speaker, style]) => [
          speaker,
          isConfig(style) ? without(style, names) : style,
        ]),
      )
    : speakerStyles
  return {
    ...edit,
    subtitleConfig: {
      ...without(own, names),
      ...set,
      ...omitUndefined({ speakerStyles: styles }),
    },
  }
}

/** The preset that captions refine now. */
export function presetOf({ subtitleConfig: { styleId } }: ClipEdit): CaptionPreset | undefined {
  return CAPTION_PRESETS.find(({ id }) => id === styleId) ?? CAPTION_PRESETS[0]
}

/** A field that is a number, sent as a number or as text. */
export function numberField(config: Config, name: string, fallback: number): number {
  const value = config[name]
  const number = typeof value === 'string' ? Number.parseFloat(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : fallback
}

/** The one of a list that is called so, by id or by name, or by the beginning of its name. */
export function named<T extends { readonly id: string; readonly name: string }>(
  list: readonly T[],
  text: string,
): T | undefined {
  const plain = (given: string) => given.toLowerCase().replaceAll(/[^a-z0-9]/gu, '')
  const wanted = plain(text)
  if (wanted === '') return undefined
  return (
    list.find(({ id, name }) => plain(id) === wanted || plain(name) === wanted) ??
    list.find(({ name }) => plain(name).startsWith(wanted)) ??
    list.find(({ name }) => name.toLowerCase().split(/\s+/u).includes(text.trim().toLowerCase()))
  )
}
