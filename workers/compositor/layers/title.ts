/** The title layer: a headline with fades, a backdrop, and text that shrinks to a wanted height. */
import type { TitleLayer } from '../../../server/contract/composition.ts'
import { backdropBoxes, backdropReach, drawBackdrop, textArea } from '../backdrop.ts'
import { unionBox } from '../box.ts'
import { paintWords } from '../draw-text.ts'
import { inkReach, setText, textInk } from '../set-text.ts'
import { joinRanges, readColour, type LayoutContext, type PreparedLayer } from './layer.ts'

export function prepareTitle(layer: TitleLayer, context: LayoutContext): PreparedLayer {
  const { face, backdrop } = layer
  const { unit } = context
  const { words, joinsNext } = titleWords(layer.text)
  const startFrame = Math.max(0, layer.startFrame)
  const endFrame = Math.min(context.durationFrames, layer.endFrame)
  const nothing = words.length === 0 || endFrame <= startFrame
  const filled = backdrop.fill !== 'none'
  const wantedReach = inkReach(face, unit, face.fontSize * unit)
  const set = setText(
    {
      words,
      joinsNext,
      language: layer.language,
      wordGap: 0,
      face,
      align: layer.align,
      xPercent: layer.xPercent,
      yPercent: layer.yPercent,
      maxWidthPercent: layer.maxWidthPercent,
      maxLines: 0,
      maxHeightPercent: layer.targetHeightPercent,
      marginX: filled ? backdrop.paddingX * unit : 0,
      marginY: Math.max(wantedReach.top, wantedReach.bottom, filled ? backdrop.paddingY * unit : 0),
    },
    context,
  )
  const boxes = backdropBoxes(backdrop, set.lines, { lineHeight: set.lineHeight, unit })
  const colour = readColour(face.colour, context)
  const box = nothing
    ? null
    : unionBox(backdropReach(backdrop, boxes, unit), textInk(set, inkReach(face, unit, set.pixels)))

  const alphaAt = (frame: number): number => {
    if (nothing || frame < startFrame || frame >= endFrame) return 0
    const { opacity = 1 } = layer
    if (layer.fadeFrames === 0) return opacity
    const inside = Math.min(frame - layer.startFrame + 1, layer.endFrame - frame)
    return opacity * Math.min(1, inside / (layer.fadeFrames + 1))
  }
  const stateAt = (frame: number): string => {
    const alpha = alphaAt(frame)
    return alpha === 0 ? '' : alpha.toFixed(3)
  }
  return {
    id: layer.id,
    box,
    shown: nothing ? [] : joinRanges([{ startFrame, endFrame }]),
    stateAt,
    paintedAt: (frame) => (alphaAt(frame) === 0 ? null : box),
    damage: (from, to) => (stateAt(from) === stateAt(to) ? null : box),
    draw: (canvas, frame) => {
      const alpha = alphaAt(frame)
      if (alpha === 0) return
      drawBackdrop(canvas, backdrop, boxes, unit, alpha)
      const painted = set.words.map((word) => ({
        word,
        colour,
        alpha,
        edge: 1,
        scale: 1,
        sweep: 0,
        sweepColour: colour,
      }))
      paintWords(canvas, set, face, painted, unit)
    },
    blockAt: () => {
      const area = nothing ? null : textArea(boxes, set.lines, set)
      const { centreX, centreY } = set
      return area === null ? null : { startFrame, endFrame, box: area, centreX, centreY }
    },
  }
}

/** Words between spaces; a zero-width space parts words that are written without one. */
function titleWords(text: string): { words: string[]; joinsNext: boolean[] } {
  const parts = text.split(/\s+/u).map((word) => word.split('\u200b').filter((part) => part !== ''))
  return {
    words: parts.flat(),
    joinsNext: parts.flatMap((word) => word.map((_, index) => index < word.length - 1)),
  }
}
