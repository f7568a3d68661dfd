/** The title layer: a headline over the first seconds of a clip. */
import type { TitleLayer } from '../../contract/composition.ts'
import type { TitleConfig } from '../../contract/title-config.ts'
import { rationalToNumber } from '../../contract/time.ts'
import type { ComposeContext, NodeEdits } from '../declare.ts'
import {
  DEFAULT_TITLE_PRESET,
  titlePreset,
  TITLE_PRESETS,
  type TitlePalette,
  type TitlePreset,
} from '../presets/titles.ts'
import { normaliseColour } from './colours.ts'
import { alignment, pictureShape, reader, type PictureShape, type Reader, type Warn } from './read-config.ts'

/** Seconds. */
const SHOWN = 5
const FADE = 0.3
const SIZE: Readonly<Record<PictureShape, number>> = { vertical: 1, square: 0.9, horizontal: 0.85 }
const DEFAULT_SHADOW = { colour: '#00000099', blur: 16, offsetX: 0, offsetY: 5 }

/** The headline; no layer when there is nothing to say. */
export function compileTitle(config: TitleConfig, context: ComposeContext): NodeEdits {
  const warnings: string[] = []
  const warn: Warn = (message) => void warnings.push(message)
  warnAboutUndrawn(config, warn)
  const text = (headline(config, context.document.title) ?? '').replaceAll(/\s+/gu, ' ').trim()
  if (text === '') return { warnings }
  return { layers: [titleLayer(config, text, context, warn)], warnings }
}

function headline(config: TitleConfig, clipTitle: string): string | undefined {
  const given = config.text?.trim() ?? ''
  return given === '' ? clipTitle : given
}

function titleLayer(config: TitleConfig, text: string, context: ComposeContext, warn: Warn): TitleLayer {
  const read = reader('titleConfig', warn)
  const preset = presetOf(config.titlePresetId, warn)
  const palette = paletteOf(preset, config.titlePaletteId, warn)
  const size = SIZE[pictureShape(context.output)]
  const seconds = config.duration ?? SHOWN
  const framesPerSecond = rationalToNumber(context.output.frameRate)
  const wanted = Math.round(seconds * framesPerSecond)
  const endFrame = wanted === 0 ? context.durationFrames : Math.min(wanted, context.durationFrames)
  return {
    kind: 'title',
    id: 'title',
    text,
    startFrame: 0,
    endFrame,
    fadeFrames: Math.min(
      Math.round((config.fadeDuration ?? FADE) * framesPerSecond),
      Math.floor(endFrame / 2),
    ),
    face: faceOf(config, preset, palette, size, read),
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

function presetOf(id: string | undefined, warn: Warn): TitlePreset {
  const wanted = id === undefined || id.trim() === '' ? DEFAULT_TITLE_PRESET : id
  const found = titlePreset(wanted)
  if (found === undefined)
    warn(`There is no title preset "${wanted}"; "${DEFAULT_TITLE_PRESET}" is used in its place.`)
  const preset = found ?? titlePreset(DEFAULT_TITLE_PRESET) ?? TITLE_PRESETS[0]
  if (preset === undefined) throw new Error('There are no title presets.')
  return preset
}

function paletteOf(preset: TitlePreset, id: string | undefined, warn: Warn): TitlePalette {
  const [first] = preset.palettes
  if (first === undefined) throw new Error(`The title preset "${preset.id}" has no palette.`)
  if (id === undefined || id.trim() === '') return first
  const found = preset.palettes.find((palette) => palette.id === id.trim().toLowerCase())
  if (found === undefined) {
    warn(`The title preset "${preset.id}" has no palette "${id}"; "${first.id}" is used in its place.`)
  }
  return found ?? first
}

function faceOf(
  config: TitleConfig,
  preset: TitlePreset,
  palette: TitlePalette,
  size: number,
  read: Reader,
): TitleLayer['face'] {
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
    shadow: shadowOf(config.textShadow, face.shadow),
  }
}

function backdropOf(
  config: TitleConfig,
  preset: TitlePreset,
  palette: TitlePalette,
  size: number,
  read: Reader,
): TitleLayer['backdrop'] {
  const { backdrop } = preset
  const asked = config.backgroundColor !== undefined || (config.backgroundOpacity ?? 0) > 0
  const fallback = backdrop.fill === 'none' && asked ? 'wrap' : backdrop.fill
  const fill = read.fill('backgroundStyle', config.backgroundStyle, fallback)
  const opacity = config.backgroundOpacity ?? backdrop.opacity
  const paddingX = read.length('padding', config.padding, Math.round(backdrop.paddingX * size))
  const vertical =
    config.padding === undefined ? Math.round(backdrop.paddingY * size) : Math.round(paddingX / 2)
  return {
    fill: opacity === 0 ? 'none' : fill,
    colour: read.colour('backgroundColor', config.backgroundColor, palette.background),
    opacity,
    paddingX: Math.max(0, paddingX),
    paddingY: Math.max(0, read.length('verticalPadding', config.verticalPadding, vertical)),
    radius: Math.max(0, read.length('borderRadius', config.borderRadius, Math.round(backdrop.radius * size))),
  }
}

/** `true`, `false`, or CSS: lengths are x, y and blur, the rest is the colour. */
function shadowOf(
  value: boolean | string | undefined,
  fallback: TitleLayer['face']['shadow'],
): TitleLayer['face']['shadow'] {
  if (value === undefined || value === '') return fallback
  if (value === false || value === 'none') return null
  if (value === true) return fallback ?? DEFAULT_SHADOW
  const lengths = [...value.matchAll(/(?<![\w#(.,%]|,\s)-?\d+(?:\.\d+)?(?:px)?(?=\s|$)/gu)].map((match) =>
    parseFloat(match[0]),
  )
  const colour = normaliseColour(value.replaceAll(/(?<![\w#(.,%]|,\s)-?\d+(?:\.\d+)?(?:px)?(?=\s|$)/gu, ' '))
  if (lengths.length < 2) return colour === null ? DEFAULT_SHADOW : { ...DEFAULT_SHADOW, colour }
  const [offsetX = 0, offsetY = 0, blur = 0] = lengths
  return { colour: colour ?? DEFAULT_SHADOW.colour, blur: Math.max(0, blur), offsetX, offsetY }
}

function warnAboutUndrawn(config: TitleConfig, warn: Warn): void {
  const missing = [
    config.fontUrl === undefined || config.fontUrl === '' ? '' : 'fontUrl',
    config.boxShadow === undefined ||
    config.boxShadow === false ||
    ['', 'none'].includes(String(config.boxShadow))
      ? ''
      : 'boxShadow',
    config.positionDynamically === true ? 'positionDynamically' : '',
    config.avoidFaces === true ? 'avoidFaces' : '',
  ].filter((name) => name !== '')
  if (missing.length > 0)
    warn(`titleConfig.${missing.join(', titleConfig.')} is not rendered by this version.`)
  if ((config.prompt?.trim() ?? '') !== '' && (config.text?.trim() ?? '') === '') {
    warn('titleConfig.prompt is not used by this version: the title of the clip is shown.')
  }
}
