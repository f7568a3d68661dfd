/** The effective values of a style, by the fields of its config: what controls show where a field is not set. PURE. */
import type { TextFace, TitleLayer } from '../../../server/contract/composition.ts'
import { type SpeakerStyle, type TitleConfig } from '../../../server/contract/text-configs.ts'
import { resolveCueStyle } from '../../../server/nodes/compose/caption-style.ts'
import { DEFAULT_CAPTION_PRESET, captionPreset } from '../../../server/nodes/presets/captions.ts'
import { DEFAULT_TITLE_PRESET, titlePreset } from '../../../server/nodes/presets/titles.ts'

type Output = { readonly width: number; readonly height: number }

const ignoreWarning = (): void => undefined

const CASES: Readonly<Record<TextFace['textCase'], string>> = {
  none: 'none',
  upper: 'uppercase',
  lower: 'lowercase',
  title: 'capitalize',
}
const hundredth = (value: number): number => Math.round(value * 100) / 100

/** By the fields of SubtitleConfig, speakers' own styles aside. */
export function effectiveCaption(
  config: SpeakerStyle,
  output: Output,
  framesPerSecond: number,
): Record<string, unknown> {
  const { style, measure, highlight } = resolveCueStyle(config, output, framesPerSecond, ignoreWarning)
  const { face, backdrop, spoken } = style
  return {
    styleId: captionPreset(config.styleId ?? '')?.id ?? DEFAULT_CAPTION_PRESET,
    fontFamily: face.fontFamily,
    fontSize: face.fontSize,
    fontWeight: config.fontUrl === undefined ? face.fontWeight : (config.fontWeight ?? 400),
    fontColor: face.colour,
    isItalic: face.italic,
    lineHeight: face.lineHeight,
    letterSpacing: face.letterSpacing,
    textCase: CASES[face.textCase],
    textAlign: style.align,
    backgroundColor: backdrop.colour,
    backgroundOpacity: backdrop.opacity,
    backgroundFillStyle: backdrop.fill,
    backgroundPadding: backdrop.paddingX,
    backgroundBorderRadius: backdrop.radius,
    outlineColor: face.outline?.colour ?? '#000000',
    outlineWidth: face.outline?.width ?? 0,
    shadowEnabled: face.shadow !== null,
    shadowColor: face.shadow?.colour ?? '#00000099',
    shadowBlur: face.shadow?.blur ?? 14,
    maxCharsPerLine: measure.maxCharsPerLine,
    maxLines: style.maxLines,
    wrapWidthPct: style.wrapWidthPercent,
    subtitleX: hundredth(style.xPercent),
    subtitleY: hundredth(style.yPercent),
    animationStyle: config.animationStyle ?? style.animation,
    amplifySpokenWords: spoken.mode !== 'none',
    amplifiedColor: spoken.mode === 'pill' ? spoken.pillColour : spoken.colour,
    amplifiedOpacity: spoken.opacity,
    amplifyOpacityTransitionDuration: hundredth(spoken.transitionFrames / framesPerSecond),
    emojis: config.emojis ?? false,
    highlightKeywords: config.highlightKeywords ?? false,
    highlightColor: highlight ?? config.highlightColor ?? '#38e07b',
    safeZone: config.safeZone ?? 'none',
  }
}

/** By the fields of TitleConfig; `layer` is what the config comes to. */
export function effectiveTitle(config: TitleConfig, layer: TitleLayer): Record<string, unknown> {
  const { face, backdrop } = layer
  const preset = titlePreset(config.titlePresetId ?? '') ?? titlePreset(DEFAULT_TITLE_PRESET)
  const scale = config.fontScale ?? 1
  return {
    titlePresetId: preset?.id,
    titlePaletteId: config.titlePaletteId ?? preset?.palettes[0]?.id,
    fontFamily: face.fontFamily,
    fontWeight: face.fontWeight,
    fontColor: face.colour,
    fontSize: hundredth(face.fontSize / scale),
    fontScale: scale,
    lineHeight: config.lineHeight ?? hundredth(face.lineHeight),
    lineMargin: config.lineMargin ?? 0,
    characterSpacing: face.letterSpacing,
    padding: backdrop.paddingX,
    verticalPadding: backdrop.paddingY,
    borderRadius: backdrop.radius,
    backgroundColor: backdrop.colour,
    backgroundOpacity: backdrop.opacity,
    backgroundStyle: backdrop.fill,
    textShadow: config.textShadow ?? face.shadow !== null,
    boxShadow: config.boxShadow ?? backdrop.shadow !== undefined,
    xPosition: hundredth(layer.xPercent / 100),
    yPosition: hundredth(layer.yPercent / 100),
    maxWidthPercent: layer.maxWidthPercent,
    targetHeightPercent: layer.targetHeightPercent,
    duration: config.duration ?? 5,
    fadeDuration: config.fadeDuration ?? 0.3,
    allCaps: face.textCase === 'upper',
    textAlign: layer.align,
    generateTitle: config.generateTitle ?? false,
    positionDynamically: config.positionDynamically ?? false,
  }
}
