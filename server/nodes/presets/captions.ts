/** Caption presets: what `styleId` names. Sizes are for a vertical picture; other shapes are set smaller. */
import type { CaptionStyle } from '../../contract/composition.ts'

export interface CaptionPreset {
  /** Small letters and digits: what a caller writes is found by these alone. */
  readonly id: string
  readonly name: string
  readonly description: string
  readonly face: CaptionStyle['face']
  readonly backdrop: CaptionStyle['backdrop']
  /** `transitionSeconds` in place of frames: a preset knows no frame rate. */
  readonly spoken: Omit<CaptionStyle['spoken'], 'transitionFrames'> & { readonly transitionSeconds: number }
  readonly animation: CaptionStyle['animation']
  readonly align: CaptionStyle['align']
  /** Percent to the block's centre by shape of the picture. */
  readonly xPercent: number
  readonly yPercent: { readonly vertical: number; readonly square: number; readonly horizontal: number }
  readonly wrapWidthPercent: number
  readonly maxLines: number
  readonly maxCharsPerLine: number
  readonly maxWords: number
  /** Words of a cue at its best. */
  readonly idealWords: number
}

const OUTLINE = { colour: '#0b0b0f', width: 9 }
const SOFT_SHADOW = { colour: '#00000099', blur: 14, offsetX: 0, offsetY: 5 }
const YELLOW = '#ffd60a'

const face = (over: Partial<CaptionStyle['face']>): CaptionStyle['face'] => ({
  fontFamily: 'Montserrat',
  fontSize: 76,
  fontWeight: 800,
  italic: false,
  lineHeight: 1.16,
  letterSpacing: 0,
  textCase: 'none',
  colour: '#ffffff',
  outline: OUTLINE,
  shadow: SOFT_SHADOW,
  ...over,
})

const backdrop = (over: Partial<CaptionStyle['backdrop']> = {}): CaptionStyle['backdrop'] => ({
  fill: 'none',
  colour: '#000000',
  opacity: 0.75,
  paddingX: 26,
  paddingY: 14,
  radius: 16,
  ...over,
})

const spoken = (over: Partial<CaptionPreset['spoken']>): CaptionPreset['spoken'] => ({
  mode: 'colour',
  colour: YELLOW,
  opacity: 1,
  restOpacity: 1,
  pillColour: '#6d3bf5',
  scale: 1.1,
  transitionSeconds: 0.07,
  ...over,
})

/** A preset of the spoken-word kind: a few words, large, two short lines. */
const large = (
  preset: Pick<CaptionPreset, 'id' | 'name' | 'description'> & Partial<CaptionPreset>,
): CaptionPreset => ({
  face: face({}),
  backdrop: backdrop(),
  spoken: spoken({}),
  animation: 'pop',
  align: 'center',
  xPercent: 50,
  yPercent: { vertical: 72, square: 80, horizontal: 84 },
  wrapWidthPercent: 84,
  maxLines: 2,
  maxCharsPerLine: 20,
  maxWords: 5,
  idealWords: 3.5,
  ...preset,
})

export const DEFAULT_CAPTION_PRESET = 'pop'

export const CAPTION_PRESETS: readonly CaptionPreset[] = [
  large({
    id: 'pop',
    name: 'Pop',
    description: 'White letters with a dark edge; the spoken word turns yellow, cues pop in',
  }),
  large({
    id: 'bounce',
    name: 'Bounce',
    description: 'Round letters that bounce in; the spoken word swells in pink',
    face: face({
      fontFamily: 'Poppins',
      fontWeight: 900,
      fontSize: 80,
      outline: { colour: '#ffffff', width: 9 },
      colour: '#1d1235',
      shadow: { colour: '#1d123566', blur: 4, offsetX: 0, offsetY: 9 },
    }),
    spoken: spoken({ mode: 'scale', colour: '#f0116b', scale: 1.08, transitionSeconds: 0.1 }),
    animation: 'bounce',
    maxWords: 4,
    idealWords: 3,
  }),
  large({
    id: 'karaoke',
    name: 'Karaoke sweep',
    description: 'Colour runs through each word as it is spoken',
    spoken: spoken({ mode: 'sweep', colour: '#38e07b', restOpacity: 1, transitionSeconds: 0 }),
    animation: 'fade',
  }),
  large({
    id: 'pill',
    name: 'Filled pill',
    description: 'The spoken word sits on a filled pill',
    face: face({ fontWeight: 800, outline: { colour: '#0b0b0f', width: 6 } }),
    spoken: spoken({ mode: 'pill', colour: '#ffffff', pillColour: '#6d3bf5', transitionSeconds: 0.05 }),
    animation: 'none',
  }),
  large({
    id: 'spotlight',
    name: 'One-word spotlight',
    description: 'One word at a time, very large, in capitals',
    face: face({ fontFamily: 'Anton', fontWeight: 400, fontSize: 150, textCase: 'upper', lineHeight: 1.1 }),
    spoken: spoken({ mode: 'none', colour: '#ffffff' }),
    maxLines: 1,
    maxWords: 1,
    idealWords: 1,
    maxCharsPerLine: 18,
  }),
  large({
    id: 'reveal',
    name: 'Progressive reveal',
    description: 'Words appear as they are spoken and stay',
    face: face({ fontFamily: 'Poppins', fontWeight: 700, outline: { colour: '#0b0b0f', width: 7 } }),
    spoken: spoken({ mode: 'reveal', colour: '#ffffff', transitionSeconds: 0.1 }),
    animation: 'none',
    maxWords: 7,
    idealWords: 5,
  }),
  large({
    id: 'focus',
    name: 'Focus',
    description: 'The spoken word is bright, the others are dimmed',
    face: face({
      fontFamily: 'Poppins',
      fontWeight: 800,
      textCase: 'lower',
      outline: { colour: '#0b0b0f', width: 6 },
    }),
    spoken: spoken({ mode: 'spotlight', colour: '#ffffff', restOpacity: 0.5, transitionSeconds: 0.1 }),
    animation: 'fade',
  }),
  large({
    id: 'impact',
    name: 'Impact',
    description: 'Tall capitals; the spoken word grows and turns red',
    face: face({ fontFamily: 'Anton', fontWeight: 400, fontSize: 96, textCase: 'upper', letterSpacing: 1 }),
    spoken: spoken({ mode: 'scale', colour: '#ff4539', scale: 1.06 }),
    animation: 'bounce',
    wrapWidthPercent: 76,
    maxWords: 4,
    idealWords: 3,
  }),
  large({
    id: 'neon',
    name: 'Neon',
    description: 'Glowing letters; the spoken word turns cyan',
    face: face({
      fontWeight: 700,
      outline: { colour: '#1a0b2e', width: 5 },
      shadow: { colour: '#c04bff', blur: 44, offsetX: 0, offsetY: 0 },
    }),
    spoken: spoken({ colour: '#5ff4ff' }),
    animation: 'fade',
  }),
  large({
    id: 'minimal',
    name: 'Minimal',
    description: 'Small, quiet, no edge; nothing moves',
    face: face({
      fontFamily: 'Inter',
      fontWeight: 600,
      fontSize: 54,
      lineHeight: 1.25,
      outline: null,
      shadow: { colour: '#000000e6', blur: 16, offsetX: 0, offsetY: 3 },
    }),
    spoken: spoken({ mode: 'none', colour: '#ffffff' }),
    animation: 'none',
    maxCharsPerLine: 30,
    maxWords: 9,
    idealWords: 6,
  }),
  large({
    id: 'documentary',
    name: 'Documentary lower third',
    description: 'Two full lines of a serif on a dark band, set from the left, low on the picture',
    face: face({
      fontFamily: 'Lora',
      fontWeight: 700,
      fontSize: 50,
      lineHeight: 1.3,
      outline: null,
      shadow: null,
    }),
    backdrop: backdrop({
      fill: 'wrap',
      colour: '#0b0b0f',
      opacity: 0.68,
      paddingX: 26,
      paddingY: 10,
      radius: 4,
    }),
    spoken: spoken({ mode: 'none', colour: '#ffffff' }),
    animation: 'fade',
    align: 'left',
    yPercent: { vertical: 74, square: 86, horizontal: 87 },
    maxCharsPerLine: 37,
    maxWords: 14,
    idealWords: 10,
  }),
  large({
    id: 'quote',
    name: 'Serif quote',
    description: 'A cream italic serif, set like a quotation; unspoken words wait in the shade',
    face: face({
      fontFamily: 'Lora',
      fontWeight: 700,
      italic: true,
      fontSize: 72,
      lineHeight: 1.24,
      colour: '#fff4dc',
      outline: null,
      shadow: { colour: '#000000e6', blur: 20, offsetX: 0, offsetY: 4 },
    }),
    spoken: spoken({ mode: 'spotlight', colour: '#fff4dc', restOpacity: 0.8, transitionSeconds: 0.16 }),
    animation: 'slide',
    maxCharsPerLine: 24,
    maxWords: 8,
    idealWords: 6,
  }),
  large({
    id: 'box',
    name: 'Full box',
    description: 'All lines on one dark box; the spoken word turns yellow',
    face: face({
      fontFamily: 'Inter',
      fontWeight: 700,
      fontSize: 58,
      lineHeight: 1.24,
      outline: null,
      shadow: null,
    }),
    backdrop: backdrop({
      fill: 'block',
      colour: '#0b0b0f',
      opacity: 0.78,
      paddingX: 34,
      paddingY: 22,
      radius: 22,
    }),
    animation: 'fade',
    wrapWidthPercent: 80,
    maxCharsPerLine: 26,
    maxWords: 8,
    idealWords: 5.5,
  }),
]

/** Names that other tools use for the same looks. */
const ALIASES: Readonly<Record<string, string>> = {
  default: DEFAULT_CAPTION_PRESET,
  classic: 'minimal',
  clean: 'minimal',
  highlight: 'pill',
  word: 'spotlight',
  oneword: 'spotlight',
  onewordspotlight: 'spotlight',
  karaokesweep: 'karaoke',
  filledpill: 'pill',
  progressivereveal: 'reveal',
  typewriter: 'reveal',
  lowerthird: 'documentary',
  documentarylowerthird: 'documentary',
  fullbox: 'box',
  boxed: 'box',
  outlineimpactcaps: 'impact',
  impactcaps: 'impact',
  bouncy: 'bounce',
  serifquote: 'quote',
  serif: 'quote',
  neonglow: 'neon',
  glow: 'neon',
}

/** The preset of that id or usual name, whatever its case and separators; undefined when there is none. */
export function captionPreset(id: string): CaptionPreset | undefined {
  const key = id.toLowerCase().replaceAll(/[^a-z0-9]/gu, '')
  const wanted = Object.hasOwn(ALIASES, key) ? ALIASES[key] : key
  return CAPTION_PRESETS.find((preset) => preset.id === wanted)
}
