/** Two takes becoming one another on a canvas, by the numbers that the export's filters have. */
import type { Composition, Transition } from '../../server/contract/composition.ts'
import { transitionFrames, transitionOn } from '../../server/contract/time-map/transitions.ts'
import { transitionKind } from '../../server/contract/transitions/registry.ts'
import { heldView } from '../../workers/compositor/held-view.ts'
import type { VideoPicture } from '../../workers/compositor/layers/layer.ts'
import { closerView, looksOf, slidTaps } from '../../workers/compositor/transition-looks.ts'
import { openContext } from './canvas.ts'

type Surface = OffscreenCanvasRenderingContext2D
type Target = CanvasRenderingContext2D | Surface
/** Paints one take on a surface of the output's size. */
export type TakePainter = (target: Target, frame: number, picture: VideoPicture) => void

/**
 * Paints the takes around a cut, where the frame belongs to a transition, and says whether it did. `beside`: the picture that is
 * seen besides the frame's own; null: there is none yet, and the frame's own is painted alone.
 */
export function transitionPainter(
  composition: Composition,
  painterOf: (composition: Composition) => TakePainter,
) {
  const { width, height } = composition.output
  const own = painterOf(composition)
  const held = new Map<string, TakePainter>()
  let surfaces: readonly [Surface, Surface] | null = null
  /** How material beside the cut is looked at: as the frame on its other side is. */
  const besidePainter = ({ cutFrame, frames }: Transition, isBefore: boolean): TakePainter => {
    const frame = isBefore ? cutFrame : cutFrame - 1
    const known = held.get(String(frame))
    if (known !== undefined) return known
    const painter = painterOf(heldView(composition, frame, frames / 2))
    held.set(String(frame), painter)
    return painter
  }
  return (target: Target, frame: number, picture: VideoPicture, beside: VideoPicture | null): boolean => {
    const transition = transitionOn(composition, frame)
    if (transition === null) return false
    const at = frame - transitionFrames(transition).startFrame
    const look = looksOf(transition)[at]
    if (look === undefined) return false
    if (!transitionKind(transition.kind).overlaps || beside === null) own(target, frame, picture)
    else {
      surfaces ??= [surface(width, height), surface(width, height)]
      const isBefore = frame < transition.cutFrame
      const [outgoing, incoming] = surfaces
      own(isBefore ? outgoing : incoming, frame, picture)
      besidePainter(transition, isBefore)(isBefore ? incoming : outgoing, 0, beside)
      target.save()
      if (look.slide === undefined) {
        drawCloser(target, outgoing, look.outgoingScale ?? 1)
        target.globalAlpha = Math.round(255 * look.mix) / 255
        drawCloser(target, incoming, look.incomingScale ?? 1)
      } else
        slidTaps(transition, width).forEach((lefts, tap) => {
          const left = lefts[at] ?? 0
          target.globalAlpha = 1 / (tap + 1)
          target.drawImage(outgoing.canvas, -left, 0)
          target.drawImage(incoming.canvas, width - left, 0)
        })
      target.restore()
    }
    const { wash = 0 } = look
    if (wash > 0) {
      target.save()
      target.globalAlpha = Math.round(255 * wash) / 255
      target.fillStyle = transition.colour
      target.fillRect(0, 0, width, height)
      target.restore()
    }
    return true
  }
}

function surface(width: number, height: number): Surface {
  return openContext(new OffscreenCanvas(width, height))
}

function drawCloser(target: Target, { canvas }: Surface, scale: number): void {
  const { width, height } = canvas
  const across = closerView(width, scale)
  const down = closerView(height, scale)
  target.imageSmoothingEnabled = true
  target.imageSmoothingQuality = 'high'
  target.drawImage(canvas, across.from, down.from, across.length, down.length, 0, 0, width, height)
}
