/** The title layer: a headline over the first seconds of a clip. */
import type { Shadow, TitleLayer } from '../../contract/composition.ts'
import type { TitleConfig } from '../../contract/text-configs.ts'
import { rationalToNumber } from '../../contract/time.ts'
import type { ComposeContext, NodeEdits, TextPlaces } from '../declare.ts'
import { DEFAULT_TITLE_PRESET, titlePreset, type TitlePalette, type TitlePreset } from '../presets/titles.ts'
import { fontAt } from '../pictures/asset.ts'
import { inFile } from './caption-style.ts'
import { languageOf } from './language.ts'
import {
  alignment,
  pictureShape,
  presetOr,
  reader,
  referenceSize,
  type PictureShape,
  type Reader,
} from './read-config.ts'
import { withBreaks, estimateWidth } from './script-words.ts'
import { normaliseColour } from './colours.ts'
import { warnTo, type RenderRemark, type Warn } from '../../contract/render-remarks.ts'

/** Seconds. */
const SHOWN = 5
const FADE = 0.3
const SIZE: Readonly<Record<PictureShape, number>> = { vertical: 1, square: 0.9, horizontal: 0.85 }
const TEXT_SHADOW = { colour: '#00000099', blur: 16, offsetX: 0, offsetY: 5 }
const BOX_SHADOW = { colour: '#00000080', blur: 32, offsetX: 0, offsetY: 10 }
/** Percent of the height: below the platforms' own controls, above and below faces, above theirs at the bottom. */
const OTHER_PLACES = [16, 26, 36, 60, 70]

/** What of a clip its headline depends on. */
export type TitleContext = Pick<ComposeContext, 'output' | 'durationFrames' | 'assets'> & {
  readonly document: Pick<ComposeContext['document'], 'title' | 'language' | 'faces'>
}

/** The headline's layer; none when its text is empty. */
export function compileTitle(config: TitleConfig, context: TitleContext): NodeEdits {
  const warnings: RenderRemark[] = []
  const warn = warnTo(warnings)
  warnAboutUndrawn(config, warn)
  const text = (headline(config, context.document.title) ?? '').replaceAll(/\s+/gu, ' ').trim()
  if (text === '') return { warnings }
  const layer = titleLayer(config, text, context, warn)
  const places = placesOf(config, layer, context)
  return { layers: [layer], ...(places.length === 0 ? {} : { places }), warnings }
}

function headline(config: TitleConfig, clipTitle: string): string | undefined {
  const given = config.text?.trim() ?? ''
  return given === '' ? clipTitle : given
}

function titleLayer(config: TitleConfig, text: string, context: TitleContext, warn: Warn): TitleLayer {
  const read = reader('titleConfig', warn)
  const preset = presetOf(config.titlePresetId, warn)
  const palette = paletteOf(preset, config.titlePaletteId, warn)
  const size = SIZE[pictureShape(context.output)]
  const seconds = config.duration ?? SHOWN
  const framesPerSecond = rationalToNumber(context.output.frameRate)
  const wanted = Math.round(seconds * framesPerSecond)
  const endFrame = wanted === 0 ? context.durationFrames : Math.min(wanted, context.durationFrames)
  const fontFile = fontAt(context.assets, config.fontUrl, 'titleConfig.fontUrl', warn)
  const language = languageOf(text.split(' '), context.document.language)
  return {
    kind: 'title',
    id: 'title',
    text: withBreaks(text),
    ...(language === 'und' ? {} : { language }),
    startFrame: 0,
    endFrame,
    fadeFrames: Math.min(
      Math.round((config.fadeDuration ?? FADE) * framesPerSecond),
      Math.floor(endFrame / 2),
    ),
    face: inFile(faceOf(config, preset, palette, size, read), fontFile),
    backdrop: backdropOf(config, preset, palette, size, read),
    align: alignment(config.textAlign, preset.align),
    xPercent: config.xPosition === undefined ? preset.xPercent : config.xPosition * 100,
    yPercent: config.yPosition === undefined ? preset.yPercent : config.yPosition * 100,
    maxWidthPercent: percent(config.maxWidthPercent) ?? preset.maxWidthPercent,
    targetHeightPercent: percent(config.targetHeightPercent) ?? preset.targetHeightPercent,
  }
}

/** Callers also send a fraction; a percentage that small means nothing. */
function percent(value: number | undefined): number | undefined {
  return value === undefined || value === 0 ? undefined : value <= 1 ? value * 100 : value
}

const presetOf = (id: string | undefined, warn: Warn): TitlePreset =>
  presetOr(titlePreset, id, DEFAULT_TITLE_PRESET, (unknown) =>
    warn(
      'NAME_UNKNOWN',
      'titleConfig.titlePresetId',
      `There is no title preset "${unknown}"; "${DEFAULT_TITLE_PRESET}" is used in its place.`,
    ),
  )

function paletteOf(preset: TitlePreset, id: string | undefined, warn: Warn): TitlePalette {
  const [first] = preset.palettes
  if (first === undefined) throw new Error(`The title preset "${preset.id}" has no palette.`)
  if (id === undefined || id.trim() === '') return first
  const found = preset.palettes.find((palette) => palette.id === id.trim().toLowerCase())
  if (found === undefined) {
    warn(
      'NAME_UNKNOWN',
      'titleConfig.titlePaletteId',
      `The title preset "${preset.id}" has no palette "${id}"; "${first.id}" is used in its place.`,
    )
  }
  return found ?? first
}

function faceOf(config: TitleConfig, preset: TitlePreset, palette: TitlePalette, size: number, read: Reader) {
  const { face } = preset
  const family = config.fontFamily?.trim() ?? ''
  const base = read.length('fontSize', config.fontSize, Math.round(face.fontSize * size))
  const fontSize = Math.min(1080, Math.max(8, base * (config.fontScale ?? 1)))
  // A line height this large was meant in units, not as a multiple.
  const given = read.length('lineHeight', config.lineHeight, face.lineHeight)
  const lineHeight = given > 4 ? given / fontSize : given > 0 ? given : face.lineHeight
  return {
    ...face,
    fontFamily: family === '' ? face.fontFamily : family,
    fontSize,
    fontWeight: read.weight(config.fontWeight, face.fontWeight),
    lineHeight: Math.max(0.5, lineHeight + read.length('lineMargin', config.lineMargin, 0) / fontSize),
    letterSpacing: read.length('characterSpacing', config.characterSpacing, face.letterSpacing),
    textCase: config.allCaps === undefined ? face.textCase : config.allCaps ? 'upper' : 'none',
    colour: read.colour('fontColor', config.fontColor, palette.text),
    outline: face.outline === null ? null : { ...face.outline, colour: palette.background },
    shadow: readShadow(config.textShadow, glowing(face.shadow, palette), TEXT_SHADOW),
  }
}

function glowing(shadow: Shadow | null, { glow }: TitlePalette): Shadow | null {
  return shadow === null || glow === undefined ? shadow : { ...shadow, colour: glow }
}

function backdropOf(
  config: TitleConfig,
  preset: TitlePreset,
  palette: TitlePalette,
  size: number,
  read: Reader,
): TitleLayer['backdrop'] {
  const { backdrop } = preset
  const hasBackground = config.backgroundColor !== undefined || (config.backgroundOpacity ?? 0) > 0
  const fallback = backdrop.fill === 'none' && hasBackground ? 'wrap' : backdrop.fill
  const fill = read.fill('backgroundStyle', config.backgroundStyle, fallback)
  const opacity = config.backgroundOpacity ?? backdrop.opacity
  const paddingX = read.length('padding', config.padding, Math.round(backdrop.paddingX * size))
  const vertical =
    config.padding === undefined ? Math.round(backdrop.paddingY * size) : Math.round(paddingX / 2)
  const shadow = readShadow(config.boxShadow, backdrop.shadow ?? null, BOX_SHADOW)
  return {
    ...(shadow === null ? {} : { shadow }),
    fill: opacity === 0 ? 'none' : fill,
    colour: read.colour('backgroundColor', config.backgroundColor, palette.background),
    opacity,
    paddingX: Math.max(0, paddingX),
    paddingY: Math.max(0, read.length('verticalPadding', config.verticalPadding, vertical)),
    radius: Math.max(0, read.length('borderRadius', config.borderRadius, Math.round(backdrop.radius * size))),
  }
}

function warnAboutUndrawn(config: TitleConfig, warn: Warn): void {
  if ((config.prompt?.trim() ?? '') !== '' && (config.text?.trim() ?? '') === '') {
    warn(
      'PROMPT_NOT_FOLLOWED',
      'titleConfig.prompt',
      'titleConfig.prompt was not followed: no language model wrote this headline (CUTROOM_LLM_URL) when the clip was made. The title of the clip is shown; `text` sets another.',
    )
  }
}

/** Positions that the title may move to when it avoids faces; its own is first. */
function placesOf(config: TitleConfig, layer: TitleLayer, context: TitleContext): TextPlaces[] {
  const hasBackground = (['positionDynamically', 'avoidFaces'] as const).filter(
    (name) => config[name] === true,
  )
  // An explicit position is kept; otherwise known faces are avoided, requested or not.
  const unplaced = config.xPosition === undefined && config.yPosition === undefined
  const byItself = unplaced && config.avoidFaces !== false && context.document.faces !== undefined
  const names = hasBackground.length === 0 && byItself ? (['avoidFaces'] as const) : hasBackground
  if (names.length === 0) return []
  const { face, backdrop, text } = layer
  const reference = referenceSize(context.output)
  const padding = backdrop.fill === 'none' ? 0 : 2 * backdrop.paddingY
  const room = (layer.maxWidthPercent / 100) * reference.width
  const width = estimateWidth(text, face) * face.fontSize
  const lines = Math.max(1, Math.ceil((width * 1.1) / room))
  const tallest = layer.targetHeightPercent === 0 ? Infinity : layer.targetHeightPercent
  const height = Math.min((lines * face.fontSize * face.lineHeight * 100) / reference.height, tallest)
  return [
    {
      layer: layer.id,
      settings: names.map((name) => `titleConfig.${name}`),
      xPercent: layer.xPercent,
      widthPercent: Math.min(layer.maxWidthPercent, (width * 100) / reference.width),
      heightPercent: height + (padding * 100) / reference.height,
      yPercents: [layer.yPercent, ...OTHER_PLACES],
    },
  ]
}

/** A length of its own; the digits of `#123`, `rgba(1, 2, 3)` and `50%` are none. */
const LENGTH = /(?<![\w#(.,%]|,\s)-?\d+(?:\.\d+)?(?:px)?(?=\s|$)/gu

/** A CSS shadow: lengths are x, y and blur, the rest is the colour. `usual`: for `true` where the preset has none. */
function readShadow(value: boolean | string | undefined, fallback: Shadow | null, usual: Shadow) {
  if (value === undefined || value === '') return fallback
  if (value === false || value === 'none') return null
  if (value === true) return fallback ?? usual
  const lengths = [...value.matchAll(LENGTH)].map((match) => parseFloat(match[0]))
  const colour = normaliseColour(value.replaceAll(LENGTH, ' '))
  if (lengths.length < 2) return colour === null ? usual : { ...usual, colour }
  const [offsetX = 0, offsetY = 0, blur = 0] = lengths
  return { colour: colour ?? usual.colour, blur: Math.max(0, blur), offsetX, offsetY }
}
