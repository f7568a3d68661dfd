/**
 * The card that closes a clip. It starts `secondsBeforeEnd` before the clip's end (0 when left out: right at the end) and
 * is shown for `duration`; what reaches past the clip's end makes the output longer, with the last picture held under
 * it. Without a duration it is shown to the clip's end, or for three seconds when it starts there.
 */
import { rationalToNumber } from '../../contract/time.ts'
import type { EndCardOption } from '../../contract/end-card-option.ts'
import type { ComposeContext, NodeEdits } from '../declare.ts'
import { pictureAt } from './asset.ts'
import { fullRect } from './place.ts'

/** Seconds. */
const SHOWN = 3
const LONGEST = 60
const FADE = 0.4

export function compileEndCard(card: EndCardOption, context: ComposeContext): NodeEdits {
  const warnings: string[] = []
  const warn = (message: string): void => void warnings.push(message)
  if (card.isVideo === true) {
    warn('endCardOption.isVideo: video cards are not rendered by this version, so the clip has no end card.')
    return { warnings }
  }
  const asset = pictureAt(context.assets, card.url, 'endCardOption.url', warn)
  if (asset === null) return { warnings }
  const framesPerSecond = rationalToNumber(context.output.frameRate)
  const clipEnd = context.durationFrames
  const before = card.secondsBeforeEnd ?? 0
  const startFrame = Math.max(0, clipEnd - Math.round(before * framesPerSecond))
  const wanted = card.duration ?? (before > 0 ? (clipEnd - startFrame) / framesPerSecond : SHOWN)
  if (wanted > LONGEST) warn(`endCardOption.duration was cut to ${LONGEST} s.`)
  const frames = Math.round(Math.min(LONGEST, wanted) * framesPerSecond)
  if (frames < 1) {
    warn('endCardOption.duration is 0, so the clip has no end card.')
    return { warnings }
  }
  const endFrame = startFrame + frames
  return {
    tailFrames: Math.max(0, endFrame - clipEnd),
    closing: { startFrame, heard: false },
    layers: [
      {
        kind: 'image',
        id: 'end-card',
        asset,
        rect: fullRect(context.output),
        // Whole, over black: a card's words must not be cut off where its shape is not the clip's.
        fit: 'contain',
        background: '#000000',
        opacity: card.opacity ?? 1,
        startFrame,
        endFrame,
        intro: { kind: 'fade', frames: Math.min(Math.round(FADE * framesPerSecond), Math.floor(frames / 2)) },
        outro: { kind: 'none', frames: 0 },
      },
    ],
    warnings,
  }
}
