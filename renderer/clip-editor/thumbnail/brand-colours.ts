/** Colours to choose from: those of the clip's styles, then those used last in this browser. */
import { TITLE_PRESETS } from '../../../server/nodes/index.ts'
import { storeJson, loadJson } from '../../state/stored-json.ts'
import { pickedColour, writtenColour } from '../captions/colours.ts'
import type { ClipEdit } from '../../../server/nodes/editing/clip-edit.ts'

const KEY = 'cutroom.thumbnail.colours'
const MAX_USED = 6
const PLAIN = ['#ffd60a', '#1d4ed8', '#ffffff', '#111114']

const isColour = (value: unknown): value is string =>
  typeof value === 'string' && writtenColour(value) !== null

/** As `#rrggbb`, once each. */
const plain = (colours: readonly unknown[]): string[] => [
  ...new Set(colours.filter(isColour).map((colour) => pickedColour(colour).hex)),
]

export function usedColours(): string[] {
  const kept = loadJson(localStorage, KEY)
  return Array.isArray(kept) ? plain(kept).slice(0, MAX_USED) : []
}

/** Without storage, only the clip's own colours are offered. */
export function rememberColour(colour: string): void {
  storeJson(localStorage, KEY, plain([colour, ...usedColours()]).slice(0, MAX_USED))
}

/** Colours of the title and of the captions as they are set, the most telling ones first. */
export function brandColours({ titleConfig, subtitleConfig }: ClipEdit): string[] {
  const preset = TITLE_PRESETS.find(({ id }) => id === titleConfig['titlePresetId'])
  const palette =
    preset?.palettes.find(({ id }) => id === titleConfig['titlePaletteId']) ?? preset?.palettes[0]
  const set = [
    titleConfig['backgroundColor'],
    palette?.background,
    subtitleConfig['highlightColor'],
    subtitleConfig['amplifiedColor'],
    titleConfig['fontColor'],
    palette?.text,
    subtitleConfig['fontColor'],
  ]
  const own = plain(set)
  // White and black are no brand colours, so that they come last.
  const loud = own.filter((colour) => !['#ffffff', '#000000', '#111114'].includes(colour))
  return plain([...loud, ...PLAIN, ...own])
}
