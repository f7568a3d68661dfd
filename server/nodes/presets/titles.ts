/** Title presets and their palettes: what `titlePresetId` and `titlePaletteId` name. */
import type { TitleLayer } from '../../contract/composition.ts'

export interface TitlePalette {
  readonly id: string
  readonly name: string
  readonly text: string
  readonly background: string
  /** Colour of a glow around the letters, for presets that have one. */
  readonly glow?: string
}

export interface TitlePreset {
  /** Small letters and digits: what a caller writes is found by these alone. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly face: TitleLayer['face']
  /** Colours come from the palette. */
  readonly backdrop: TitleLayer['backdrop']
  readonly align: TitleLayer['align']
  readonly xPercent: number
  readonly yPercent: number
  readonly maxWidthPercent: number
  readonly targetHeightPercent: number
  readonly palettes: readonly TitlePalette[]
}

const PALETTES = {
  light: { id: 'light', name: 'Light', text: '#111114', background: '#ffffff' },
  dark: { id: 'dark', name: 'Dark', text: '#ffffff', background: '#111114' },
  yellow: { id: 'yellow', name: 'Yellow', text: '#111114', background: '#ffd60a' },
  red: { id: 'red', name: 'Red', text: '#ffffff', background: '#d92d20' },
  blue: { id: 'blue', name: 'Blue', text: '#ffffff', background: '#1d4ed8' },
  green: { id: 'green', name: 'Green', text: '#08120c', background: '#38e07b' },
  violet: { id: 'violet', name: 'Violet', text: '#ffffff', background: '#6d3bf5' },
} as const satisfies Record<string, TitlePalette>

const face = (over: Partial<TitleLayer['face']>): TitleLayer['face'] => ({
  fontFamily: 'Montserrat',
  fontSize: 60,
  fontWeight: 800,
  italic: false,
  lineHeight: 1.36,
  letterSpacing: 0,
  textCase: 'none',
  colour: '#111114',
  outline: null,
  shadow: null,
  ...over,
})

const backdrop = (over: Partial<TitleLayer['backdrop']>): TitleLayer['backdrop'] => ({
  fill: 'wrap',
  colour: '#ffffff',
  opacity: 1,
  paddingX: 28,
  paddingY: 14,
  radius: 18,
  ...over,
})

const preset = (
  over: Pick<TitlePreset, 'id' | 'name' | 'description'> & Partial<TitlePreset>,
): TitlePreset => ({
  face: face({}),
  backdrop: backdrop({}),
  align: 'center',
  xPercent: 50,
  yPercent: 17,
  maxWidthPercent: 84,
  targetHeightPercent: 15,
  palettes: [PALETTES.light, PALETTES.dark, PALETTES.yellow, PALETTES.red, PALETTES.blue, PALETTES.violet],
  ...over,
})

export const DEFAULT_TITLE_PRESET = 'clean'

export const TITLE_PRESETS: readonly TitlePreset[] = [
  preset({ id: 'clean', name: 'Clean', description: 'Dark letters on joined white boxes' }),
  preset({
    id: 'headline',
    name: 'Headline',
    description: 'Tall capitals on a coloured band per line',
    face: face({
      fontFamily: 'Anton',
      fontWeight: 400,
      fontSize: 76,
      lineHeight: 1.34,
      textCase: 'upper',
      letterSpacing: 1,
    }),
    backdrop: backdrop({ fill: 'line', radius: 6, paddingX: 24, paddingY: 8 }),
    palettes: [PALETTES.yellow, PALETTES.red, PALETTES.light, PALETTES.dark, PALETTES.green],
  }),
  preset({
    id: 'card',
    name: 'Card',
    description: 'One rounded card behind the whole headline',
    face: face({ fontFamily: 'Poppins', fontWeight: 700, fontSize: 58, lineHeight: 1.24 }),
    backdrop: backdrop({ fill: 'block', radius: 30, paddingX: 40, paddingY: 28 }),
    maxWidthPercent: 80,
    palettes: [
      PALETTES.violet,
      PALETTES.light,
      PALETTES.dark,
      PALETTES.blue,
      PALETTES.green,
      PALETTES.yellow,
    ],
  }),
  preset({
    id: 'bare',
    name: 'Bare',
    description: 'White letters with a dark edge, no box',
    face: face({
      fontSize: 66,
      lineHeight: 1.16,
      outline: { colour: '#0b0b0f', width: 8 },
      shadow: { colour: '#00000099', blur: 18, offsetX: 0, offsetY: 6 },
    }),
    backdrop: backdrop({ fill: 'none' }),
    palettes: [
      { id: 'white', name: 'White', text: '#ffffff', background: '#0b0b0f' },
      { id: 'yellow', name: 'Yellow', text: '#ffd60a', background: '#0b0b0f' },
      { id: 'green', name: 'Green', text: '#38e07b', background: '#0b0b0f' },
    ],
  }),
  preset({
    id: 'editorial',
    name: 'Editorial',
    description: 'A serif headline on a translucent band',
    face: face({ fontFamily: 'Lora', fontWeight: 700, fontSize: 62, lineHeight: 1.26 }),
    backdrop: backdrop({ fill: 'block', opacity: 0.82, radius: 0, paddingX: 36, paddingY: 24 }),
    palettes: [PALETTES.dark, PALETTES.light, PALETTES.red],
  }),
  preset({
    id: 'poster',
    name: 'Poster',
    description: 'Very tall narrow capitals in colour, like a film poster; no box',
    face: face({
      fontFamily: 'Bebas Neue',
      fontWeight: 400,
      fontSize: 112,
      lineHeight: 1.02,
      letterSpacing: 2,
      textCase: 'upper',
      outline: { colour: '#0b0b0f', width: 5 },
      shadow: { colour: '#000000b3', blur: 26, offsetX: 0, offsetY: 8 },
    }),
    backdrop: backdrop({ fill: 'none' }),
    palettes: [
      { id: 'white', name: 'White', text: '#ffffff', background: '#0b0b0f' },
      { id: 'amber', name: 'Amber', text: '#ffb703', background: '#160d00' },
      { id: 'ice', name: 'Ice', text: '#a8e8ff', background: '#04151c' },
      { id: 'red', name: 'Red', text: '#ff4539', background: '#140403' },
    ],
  }),
  preset({
    id: 'sticker',
    name: 'Sticker',
    description: 'Heavy letters on coloured labels with a hard shadow',
    face: face({ fontFamily: 'Poppins', fontWeight: 900, fontSize: 62, lineHeight: 1.3 }),
    backdrop: backdrop({
      fill: 'line',
      radius: 16,
      paddingX: 26,
      paddingY: 4,
      shadow: { colour: '#0b0b0f', blur: 0, offsetX: 9, offsetY: 9 },
    }),
    palettes: [
      PALETTES.yellow,
      { id: 'pink', name: 'Pink', text: '#2a0315', background: '#ff7ab6' },
      PALETTES.green,
      PALETTES.light,
      PALETTES.violet,
    ],
  }),
  preset({
    id: 'neon',
    name: 'Neon',
    description: 'Letters that glow like a sign; no box',
    face: face({
      fontWeight: 700,
      fontSize: 64,
      lineHeight: 1.2,
      outline: { colour: '#12061f', width: 5 },
      shadow: { colour: '#c04bff', blur: 48, offsetX: 0, offsetY: 0 },
    }),
    backdrop: backdrop({ fill: 'none' }),
    palettes: [
      { id: 'violet', name: 'Violet', text: '#ffffff', background: '#12061f', glow: '#c04bff' },
      { id: 'cyan', name: 'Cyan', text: '#eaffff', background: '#02181c', glow: '#19d3ff' },
      { id: 'green', name: 'Green', text: '#f0fff4', background: '#04170b', glow: '#2bff88' },
      { id: 'red', name: 'Red', text: '#fff1f0', background: '#1d0404', glow: '#ff3b30' },
    ],
  }),
  preset({
    id: 'whisper',
    name: 'Whisper',
    description: 'Small and quiet on a translucent pill',
    face: face({ fontFamily: 'Inter', fontWeight: 600, fontSize: 46, lineHeight: 1.3 }),
    backdrop: backdrop({ fill: 'wrap', opacity: 0.72, radius: 30, paddingX: 30, paddingY: 12 }),
    maxWidthPercent: 78,
    palettes: [PALETTES.dark, PALETTES.light],
  }),
  preset({
    id: 'quote',
    name: 'Quote',
    description: 'An italic serif on a paper card with a soft shadow',
    face: face({ fontFamily: 'Lora', fontWeight: 700, italic: true, fontSize: 60, lineHeight: 1.28 }),
    backdrop: backdrop({
      fill: 'block',
      radius: 10,
      paddingX: 44,
      paddingY: 34,
      shadow: { colour: '#00000080', blur: 40, offsetX: 0, offsetY: 14 },
    }),
    maxWidthPercent: 80,
    palettes: [
      { id: 'paper', name: 'Paper', text: '#2b2118', background: '#fbf3e2' },
      { id: 'ink', name: 'Ink', text: '#f7ecd6', background: '#1b1712' },
      { id: 'sage', name: 'Sage', text: '#14231a', background: '#d8e6d5' },
    ],
  }),
]

/** The preset of that id, whatever its case and separators; undefined when there is none. */
export function titlePreset(id: string): TitlePreset | undefined {
  const key = id.toLowerCase().replaceAll(/[^a-z0-9]/gu, '')
  return TITLE_PRESETS.find((entry) => entry.id === key)
}
