/** From a SubtitleConfig to the style that captions are drawn with: preset, then the config's own fields. */
import type { CaptionStyle, TextFace } from '../../contract/composition.ts'
import type { SpeakerStyle, SubtitleConfig } from '../../contract/text-configs.ts'
import { captionPreset, DEFAULT_CAPTION_PRESET, type CaptionPreset } from '../presets/captions.ts'
import { contrasting } from './colours.ts'
import type { CueMeasure } from './cues.ts'
import {
  alignment,
  pictureShape,
  presetOr,
  reader,
  referenceSize,
  type PictureShape,
  type Reader,
} from './read-config.ts'
import { SAFE_ZONES, type SafeZone } from '../../contract/platforms/registry.ts'
import type { Size } from '../layout/seen.ts'
import type { Warn } from '../../contract/render-remarks.ts'

export interface CueStyle {
  readonly style: CaptionStyle
  readonly measure: CueMeasure
  /** Colour of highlighted keywords; null when they are not highlighted. */
  readonly highlight: string | null
}

/** Default sizes of presets are for vertical pictures. */
const SIZE: Readonly<Record<PictureShape, number>> = { vertical: 1, square: 0.84, horizontal: 0.78 }
const DEFAULT_SHADOW = { colour: '#00000099', blur: 14, offsetX: 0, offsetY: 5 }

/** The style fields of one speaker: the config's own, below entry 0, below the speaker's entry. */
export function speakerConfig(config: SubtitleConfig, speaker: number): SpeakerStyle {
  const { speakerStyles: styles, ...own } = config
  const entry = (index: number): SpeakerStyle => {
    const style = Array.isArray(styles) ? styles[index] : styles?.[String(index)]
    return style ?? {}
  }
  return { ...own, ...entry(0), ...(speaker === 0 ? {} : entry(speaker)) }
}

/** Style of one speaker's captions. */
export function resolveCueStyle(
  config: SpeakerStyle,
  output: Size,
  framesPerSecond: number,
  warn: Warn,
  fontFile?: string,
): CueStyle {
  const read = reader('subtitleConfig', warn)
  const preset = presetOf(config.styleId, warn)
  const shape = pictureShape(output)
  const face = faceOf(config, preset, SIZE[shape], read)
  const backdrop = backdropOf(config, preset, SIZE[shape], read)
  const spoken = spokenOf(config, preset, framesPerSecond, read)
  const { animation, mode } = animationOf(config.animationStyle, warn)
  const maxLines = Math.max(1, Math.round(config.maxLines ?? preset.maxLines))
  const wanted: CaptionStyle = {
    face: inFile(face, fontFile),
    backdrop,
    spoken: mode === undefined || config.amplifySpokenWords === false ? spoken : { ...spoken, mode },
    animation: animation ?? preset.animation,
    align: alignment(config.textAlign, preset.align),
    xPercent: config.subtitleX ?? preset.xPercent,
    yPercent: config.subtitleY ?? positionOf(config.captionPosition, preset, shape, warn),
    maxLines,
    wrapWidthPercent: config.wrapWidthPct ?? preset.wrapWidthPercent,
  }
  const style = clearOfControls(wanted, config.safeZone ?? 'none', output)
  return {
    style,
    measure: measureOf(config, preset, style, output),
    highlight:
      config.highlightKeywords === true
        ? read.colour('highlightColor', config.highlightColor, '#38e07b')
        : null,
  }
}

/** The face of a font file in its own weight: requesting bold of a bold file would thicken it again. */
export function inFile(face: TextFace, fontFile: string | undefined): TextFace {
  return fontFile === undefined ? face : { ...face, fontFile, fontWeight: 400 }
}

const presetOf = (id: string | undefined, warn: Warn): CaptionPreset =>
  presetOr(captionPreset, id, DEFAULT_CAPTION_PRESET, (unknown) =>
    warn(
      'NAME_UNKNOWN',
      'subtitleConfig.styleId',
      `There is no caption preset "${unknown}"; "${DEFAULT_CAPTION_PRESET}" is used in its place.`,
    ),
  )

function faceOf(config: SpeakerStyle, preset: CaptionPreset, size: number, read: Reader) {
  const { face } = preset
  const family = config.fontFamily?.trim() ?? ''
  const outlineWidth = read.length('outlineWidth', config.outlineWidth, outlineDefault(config, preset) * size)
  return {
    fontFamily: family === '' ? face.fontFamily : family,
    fontSize: Math.min(
      1080,
      Math.max(8, read.length('fontSize', config.fontSize, Math.round(face.fontSize * size))),
    ),
    fontWeight: read.weight(config.fontWeight, face.fontWeight),
    italic: config.isItalic ?? face.italic,
    lineHeight: config.lineHeight ?? face.lineHeight,
    letterSpacing: read.length('letterSpacing', config.letterSpacing, face.letterSpacing),
    textCase: read.textCase(config.textCase, face.textCase),
    colour: read.colour('fontColor', config.fontColor, face.colour),
    outline:
      outlineWidth <= 0
        ? null
        : {
            colour: read.colour('outlineColor', config.outlineColor, face.outline?.colour ?? '#000000'),
            width: outlineWidth,
          },
    shadow: shadowOf(config, preset, read),
  }
}

/** An outline colour without a width means a default outline. */
function outlineDefault(config: SpeakerStyle, preset: CaptionPreset): number {
  return preset.face.outline?.width ?? (config.outlineColor === undefined ? 0 : 8)
}

function shadowOf(config: SpeakerStyle, preset: CaptionPreset, read: Reader): CaptionStyle['face']['shadow'] {
  if (config.shadowEnabled === false) return null
  const hasBackground =
    config.shadowEnabled === true || config.shadowColor !== undefined || config.shadowBlur !== undefined
  const shadow = preset.face.shadow ?? (hasBackground ? DEFAULT_SHADOW : null)
  return shadow === null
    ? null
    : {
        ...shadow,
        colour: read.colour('shadowColor', config.shadowColor, shadow.colour),
        blur: Math.max(0, read.length('shadowBlur', config.shadowBlur, shadow.blur)),
      }
}

function backdropOf(config: SpeakerStyle, preset: CaptionPreset, size: number, read: Reader) {
  const { backdrop } = preset
  const hasBackground = config.backgroundColor !== undefined || config.backgroundOpacity !== undefined
  const fallback = backdrop.fill === 'none' && hasBackground ? 'wrap' : backdrop.fill
  const fill = read.fill('backgroundFillStyle', config.backgroundFillStyle, fallback)
  // A colour without an opacity is meant to be seen as it is.
  const opacity = config.backgroundOpacity ?? (config.backgroundColor === undefined ? backdrop.opacity : 1)
  const padding = config.backgroundPadding
  return {
    fill: opacity === 0 ? 'none' : fill,
    colour: read.colour('backgroundColor', config.backgroundColor, backdrop.colour),
    opacity,
    paddingX: Math.max(0, read.length('backgroundPadding', padding, Math.round(backdrop.paddingX * size))),
    paddingY: Math.max(
      0,
      padding === undefined
        ? Math.round(backdrop.paddingY * size)
        : Math.round(read.length('backgroundPadding', padding, backdrop.paddingY) * 0.6),
    ),
    radius: Math.max(
      0,
      read.length(
        'backgroundBorderRadius',
        config.backgroundBorderRadius,
        Math.round(backdrop.radius * size),
      ),
    ),
  }
}

function spokenOf(config: SpeakerStyle, preset: CaptionPreset, framesPerSecond: number, read: Reader) {
  const { transitionSeconds, ...spoken } = preset.spoken
  const off = config.amplifySpokenWords === false
  const mode = off
    ? 'none'
    : spoken.mode === 'none' && config.amplifySpokenWords === true
      ? 'colour'
      : spoken.mode
  const colour = config.amplifiedColor
  const filled = mode === 'pill' && colour !== undefined
  const pillColour = read.colour('amplifiedColor', filled ? colour : undefined, spoken.pillColour)
  // A preset that emphasises nothing has no colour for it.
  const plain = preset.spoken.mode === 'none' && mode === 'colour' ? '#ffd60a' : spoken.colour
  return {
    ...spoken,
    mode,
    pillColour,
    colour: filled ? contrasting(pillColour) : read.colour('amplifiedColor', colour, plain),
    opacity: config.amplifiedOpacity ?? spoken.opacity,
    transitionFrames: Math.round(
      (config.amplifyOpacityTransitionDuration ?? transitionSeconds) * framesPerSecond,
    ),
  }
}

type Spoken = CaptionStyle['spoken']['mode']
const ANIMATIONS: Readonly<Record<string, { animation?: CaptionStyle['animation']; mode?: Spoken }>> = {
  none: { animation: 'none' },
  static: { animation: 'none' },
  fade: { animation: 'fade' },
  fadein: { animation: 'fade' },
  pop: { animation: 'pop' },
  popin: { animation: 'pop' },
  bounce: { animation: 'bounce' },
  slide: { animation: 'slide' },
  slideup: { animation: 'slide' },
  karaoke: { mode: 'sweep' },
  sweep: { mode: 'sweep' },
  highlight: { mode: 'colour' },
  colour: { mode: 'colour' },
  color: { mode: 'colour' },
  pill: { mode: 'pill' },
  scale: { mode: 'scale' },
  spotlight: { mode: 'spotlight' },
  reveal: { mode: 'reveal', animation: 'none' },
  typewriter: { mode: 'reveal', animation: 'none' },
}

function animationOf(name: string | undefined, warn: Warn) {
  if (name === undefined || name.trim() === '') return {}
  const key = name.toLowerCase().replaceAll(/[^a-z]/gu, '')
  const found = Object.hasOwn(ANIMATIONS, key) ? ANIMATIONS[key] : undefined
  if (found === undefined) {
    warn(
      'NAME_UNKNOWN',
      'subtitleConfig.animationStyle',
      `There is no caption animation "${name}"; the preset's own is used. Known: ${Object.keys(ANIMATIONS).join(', ')}.`,
    )
  }
  return found ?? {}
}

function positionOf(position: string | undefined, preset: CaptionPreset, shape: PictureShape, warn: Warn) {
  const key = position?.toLowerCase().replaceAll(/[^a-z]/gu, '') ?? ''
  if (key.startsWith('top')) return 18
  if (key.startsWith('mid') || key.startsWith('cent')) return 50
  if (key !== '' && key !== 'auto' && key !== 'default' && !key.startsWith('bottom')) {
    warn(
      'NAME_UNKNOWN',
      'subtitleConfig.captionPosition',
      `There is no caption position "${position ?? ''}"; known are top, middle and bottom.`,
    )
  }
  return preset.yPercent[shape]
}

function measureOf(config: SpeakerStyle, preset: CaptionPreset, style: CaptionStyle, output: Size) {
  const { face, backdrop, maxLines } = style
  const room = (style.wrapWidthPercent / 100) * referenceSize(output).width
  const aside = 2 * (face.outline?.width ?? 0) + (backdrop.fill === 'none' ? 0 : 2 * backdrop.paddingX)
  // Letter spacing widens each letter, of about six tenths of the size, by its share.
  const spread = 1 + Math.max(0, face.letterSpacing) / (0.6 * face.fontSize)
  const maxCharsPerLine = Math.round(config.maxCharsPerLine ?? preset.maxCharsPerLine)
  const widened = (maxCharsPerLine * maxLines) / (preset.maxCharsPerLine * preset.maxLines)
  // Callers who change the width want more or fewer words per line; a one-word style stays as it is.
  const scale = preset.maxWords === 1 ? 1 : Math.max(0.3, widened)
  return {
    maxCharsPerLine,
    maxLines,
    maxWords: Math.max(1, Math.round(preset.maxWords * scale)),
    idealWords: Math.max(1, preset.idealWords * scale),
    lineWidth: Math.max(1, (room - aside) / face.fontSize / spread),
    face,
  }
}

/** The style moved and narrowed clear of the controls that platforms draw over vertical pictures. */
export function clearOfControls(style: CaptionStyle, zone: SafeZone, output: Size): CaptionStyle {
  const covered = SAFE_ZONES.find(({ name }) => name === zone)?.covered
  if (covered === undefined || pictureShape(output) !== 'vertical') return style
  const { top, right, bottom, left } = covered
  const { face, backdrop, maxLines } = style
  const blockUnits =
    face.fontSize * face.lineHeight * maxLines + (backdrop.fill === 'none' ? 0 : 2 * backdrop.paddingY)
  const halfHeight = (blockUnits / referenceSize(output).height) * 50
  const wrapWidthPercent = Math.min(style.wrapWidthPercent, 100 - left - right)
  return {
    ...style,
    wrapWidthPercent,
    xPercent: between(style.xPercent, left + wrapWidthPercent / 2, 100 - right - wrapWidthPercent / 2),
    yPercent: between(style.yPercent, top + halfHeight, 100 - bottom - halfHeight),
  }
}

/** The middle of the range when it is empty. */
function between(value: number, low: number, high: number): number {
  return low > high ? (low + high) / 2 : Math.min(high, Math.max(low, value))
}
