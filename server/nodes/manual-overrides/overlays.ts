import type { ImageLayer, Layer, TitleLayer, VideoLayer } from '../../contract/composition.ts'
import type { ManualOverlay } from '../../contract/manual-overrides/overlays.ts'
import { rationalToNumber } from '../../contract/time.ts'
import { normaliseColour, seeThrough } from '../compose/colours.ts'
import { languageOf } from '../compose/language.ts'
import { referenceSize } from '../compose/read-config.ts'
import { withBreaks } from '../compose/script-words.ts'
import type { ComposeContext } from '../declare.ts'
import { assetNeed, readyAt } from '../pictures/asset.ts'
import { fullRect, pictureFocus, pictureMotion } from '../pictures/place.ts'
import { declareOverridePart } from './declare.ts'
import { playedFrames } from '../../contract/time-map/frames.ts'
import { warnTo, type RenderRemark, type Warn } from '../../contract/render-remarks.ts'

type Media = Extract<ManualOverlay, { kind: 'media' }>
type Text = Extract<ManualOverlay, { kind: 'text' }>
type Shown = NonNullable<ReturnType<typeof playedFrames>>

/** Percent of the width; text that is wider is broken into lines. */
const TEXT_WIDTH = 90
/** Of the font size: air between the letters and the edge of what is behind them, and its corners. */
const PADDING = { x: 0.4, y: 0.2, radius: 0.2 }
/** Default outline that keeps letters legible on any picture. */
const SHADOW = { colour: '#00000099', blur: 16, offsetX: 0, offsetY: 4 }

/** Pictures, videos and texts that are laid over stretches of the clip. */
export const manualOverlays = declareOverridePart({
  name: 'overlays',
  check(overlays) {
    const ids = new Set<string>()
    for (const [index, { id, start, end }] of overlays.entries()) {
      if (end <= start) return { path: `overlays.${index}.end`, expected: 'after its start' }
      if (ids.has(id)) return { path: `overlays.${index}.id`, expected: 'an id that no other overlay has' }
      ids.add(id)
    }
    return null
  },
  assets: (overlays) =>
    overlays.flatMap((overlay) => (overlay.kind === 'media' ? assetNeed(overlay.url, 'media') : [])),
  compile(overlays, context) {
    const warnings: RenderRemark[] = []
    const warn = warnTo(warnings)
    const layers = overlays.flatMap((overlay): Layer[] => {
      const shown = playedFrames(overlay, context.timeMap)
      if (shown === null) return []
      const layer =
        overlay.kind === 'text'
          ? textLayer(overlay, shown, context, warn)
          : mediaLayer(overlay, shown, context, warn)
      return layer === null ? [] : [layer]
    })
    return { layers, warnings }
  },
})

/** Frames that coming and going take, each half of what is shown at most. */
function fadeFrames(
  { fadeSeconds }: ManualOverlay,
  { startFrame, endFrame }: Shown,
  context: ComposeContext,
) {
  const wanted = Math.round(fadeSeconds * rationalToNumber(context.output.frameRate))
  return Math.min(wanted, Math.floor((endFrame - startFrame) / 2))
}

function mediaLayer(
  overlay: Media,
  shown: Shown,
  context: ComposeContext,
  warn: Warn,
): ImageLayer | VideoLayer | null {
  const need = {
    label: 'An overlay',
    field: 'overlays',
    wanted: ['image', 'video'],
    noun: 'picture to show',
  } as const
  const ready = readyAt(context.assets, overlay.url, need, warn)
  if (ready?.kind !== 'image' && ready?.kind !== 'video') return null
  const asset = ready.kind === 'image' ? ready.picture : ready.video
  const canvas = referenceSize(context.output)
  const width = (overlay.widthPercent / 100) * canvas.width
  const height = (width * asset.height) / asset.width
  const sized = {
    x: (overlay.xPercent / 100) * canvas.width - width / 2,
    y: (overlay.yPercent / 100) * canvas.height - height / 2,
    width,
    height,
  }
  const focus = overlay.fit === undefined ? {} : pictureFocus(overlay.xPercent, overlay.yPercent)
  const frames = fadeFrames(overlay, shown, context)
  const move = frames === 0 ? ({ kind: 'none', frames: 0 } as const) : ({ kind: 'fade', frames } as const)
  const common = {
    id: `overlay:${overlay.id}`,
    rect: overlay.fit === undefined ? sized : fullRect(context.output),
    fit: overlay.fit ?? ('fill' as const),
    background: null,
    opacity: overlay.opacity,
    ...shown,
    intro: move,
    outro: move,
  }
  const moves = pictureMotion(overlay.motion ?? 'still')
  if (ready.kind === 'image') {
    return { kind: 'image', asset: ready.picture, ...common, ...focus, ...moves }
  }
  const playing = { sourceStart: 0, loop: true, focusX: 50, focusY: 50, ...focus }
  return { kind: 'video', asset: ready.video, ...playing, ...common, ...moves }
}

function textLayer(overlay: Text, shown: Shown, context: ComposeContext, warn: Warn): TitleLayer | null {
  const text = overlay.text.replaceAll(/\s+/gu, ' ').trim()
  if (text === '') return null
  const { fontFamily, fontSize, fontWeight, opacity } = overlay
  const read = (given: string, fallback: string): string => {
    const colour = normaliseColour(given)
    if (colour === null)
      warn(
        'VALUE_IGNORED',
        'overlays',
        `"${given.slice(0, 60)}" is no colour; an overlay's text takes another.`,
      )
    return colour ?? fallback
  }
  const filled = overlay.background.trim() !== ''
  const language = languageOf(text.split(' '), context.document.language)
  return {
    kind: 'title',
    id: `overlay:${overlay.id}`,
    text: withBreaks(text),
    ...(language === 'und' ? {} : { language }),
    ...shown,
    fadeFrames: fadeFrames(overlay, shown, context),
    face: {
      fontFamily,
      fontSize,
      fontWeight,
      italic: false,
      lineHeight: 1.2,
      letterSpacing: 0,
      textCase: 'none',
      outline: null,
      colour: seeThrough(read(overlay.colour, '#ffffff'), opacity),
      shadow: filled ? null : { ...SHADOW, colour: seeThrough(SHADOW.colour, opacity) },
    },
    backdrop: {
      fill: filled ? 'wrap' : 'none',
      colour: filled ? read(overlay.background, '#000000') : '#000000',
      opacity,
      paddingX: fontSize * PADDING.x,
      paddingY: fontSize * PADDING.y,
      radius: fontSize * PADDING.radius,
    },
    align: 'center',
    xPercent: overlay.xPercent,
    yPercent: overlay.yPercent,
    maxWidthPercent: TEXT_WIDTH,
    targetHeightPercent: 0,
  }
}
