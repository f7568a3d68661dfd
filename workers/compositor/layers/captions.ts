/** The caption layer: cues of words, the one being spoken standing out. Layout once, then everything by frame. */
import type { CaptionCue, CaptionLayer, CaptionStyle } from '../../../server/contract/composition.ts'
import { backdropBoxes, backdropReach, drawBackdrop, fillRounded, textArea } from '../backdrop.ts'
import { growBox, scaleBox, unionBox, type Box } from '../box.ts'
import type { DrawingContext } from '../canvas.ts'
import { cssColour, mixColour, type Rgba } from '../colour.ts'
import { paintWords, type PaintedWord } from '../draw-text.ts'
import { emphasisAt, poseAt, REACH, type Pose } from '../motion.ts'
import { inkReach, setText, wordInk, type InkReach, type SetText } from '../set-text.ts'
import {
  joinRanges,
  nearestRange,
  readColour,
  type LayoutContext,
  type PreparedLayer,
  type TextBlock,
} from './layer.ts'

/** A pause between two words shorter than this keeps the first one highlighted, so that emphasis does not flicker. */
const HOLD_SECONDS = 0.3
/** Number of distinguishable steps of emphasis; finer differences are invisible. */
const STEPS = 48
/** A pill's reach around the capitals, in font sizes. */
const PILL = { x: 0.15, y: 0.23, radius: 0.2 } as const

/** More space between words that grow while they are spoken, in font sizes. */
const GROWING_GAP = 0.12

interface PlacedCueWord {
  readonly startFrame: number
  /** When the emphasis ends: the next word's start, or the end of speech. */
  readonly endFrame: number
  readonly base: Rgba
}

interface PlacedCue {
  readonly startFrame: number
  readonly endFrame: number
  readonly style: CaptionStyle
  readonly spokenColour: Rgba
  readonly pillColour: Rgba
  readonly set: SetText
  readonly reach: InkReach
  readonly words: readonly PlacedCueWord[]
  readonly backdrop: readonly Box[]
  /** Everything it paints at rest. */
  readonly rest: Box
}

/** The state of one frame, in distinguishable steps. */
interface CueState {
  readonly cue: PlacedCue
  readonly index: number
  readonly pose: Pose
  /** Per word, 0 to 1. */
  readonly emphasis: readonly number[]
  /** Per word, 0 to 1: how much of it has been spoken. */
  readonly spoken: readonly number[]
}

export function prepareCaptions(layer: CaptionLayer, context: LayoutContext): PreparedLayer {
  const cues = layer.cues
    .map((cue) => placeCue(cue, layer, context))
    .filter((cue) => cue !== null)
    .sort((a, b) => a.startFrame - b.startFrame)
  const cueStateAt = (frame: number): CueState | null => findCueState(cues, frame, context.framesPerSecond)
  const box = cues.map(boxInMotion).reduce<Box | null>(unionBox, null)
  return {
    id: layer.id,
    box,
    shown: joinRanges(cues),
    stateAt: (frame) => keyOf(cueStateAt(frame)),
    paintedAt: (frame) => paintedBox(cueStateAt(frame)),
    damage: (from, to) => damageBetween(cueStateAt(from), cueStateAt(to)),
    draw: (canvas, frame) => {
      const now = cueStateAt(frame)
      if (now !== null) drawCueState(canvas, now, context.unit)
    },
    blockAt: (frame) => blockOf(nearestRange(cues, frame)),
  }
}

function blockOf(cue: PlacedCue | null): TextBlock | null {
  if (cue === null) return null
  const { startFrame, endFrame, set, backdrop } = cue
  const box = textArea(backdrop, set.lines, set)
  return box === null ? null : { startFrame, endFrame, box, centreX: set.centreX, centreY: set.centreY }
}

function placeCue(cue: CaptionCue, { styles, language }: CaptionLayer, context: LayoutContext) {
  const style = styles[cue.style] ?? styles[0]
  const spokenWords = cue.words.filter((word) => word.text.trim() !== '')
  if (style === undefined || spokenWords.length === 0 || cue.endFrame <= cue.startFrame) return null
  const { face, backdrop, spoken } = style
  const colour = (text: string): Rgba => readColour(text, context)
  const wanted = face.fontSize * context.unit
  const wantedReach = inkReach(face, context.unit, wanted)
  const set = setText(
    {
      words: spokenWords.map((word) => word.text.trim()),
      joinsNext: spokenWords.map((word) => word.joinsNext === true),
      language,
      wordGap: spoken.mode === 'scale' ? GROWING_GAP : 0,
      face,
      align: style.align,
      xPercent: style.xPercent,
      yPercent: style.yPercent,
      maxWidthPercent: style.wrapWidthPercent,
      maxLines: style.maxLines,
      maxHeightPercent: 0,
      marginX: backdrop.fill === 'none' ? 0 : backdrop.paddingX * context.unit,
      marginY: Math.max(wantedReach.top, wantedReach.bottom),
    },
    context,
  )
  const reach = inkReach(face, context.unit, set.pixels)
  const boxes = backdropBoxes(backdrop, set.lines, { lineHeight: set.lineHeight, unit: context.unit })
  const holdFrames = Math.round(HOLD_SECONDS * context.framesPerSecond)
  const words = spokenWords.map((word, index) => {
    const next = spokenWords[index + 1]
    const gap = next === undefined ? Infinity : next.startFrame - word.endFrame
    return {
      startFrame: word.startFrame,
      endFrame: next !== undefined && gap <= holdFrames ? next.startFrame : word.endFrame,
      base: word.highlight === undefined ? colour(face.colour) : colour(word.highlight),
    }
  })
  const { startFrame, endFrame } = cue
  const laid = { startFrame, endFrame, style, set, reach, words, backdrop: boxes }
  const spokenColour = colour(spoken.colour)
  const pillColour = colour(spoken.pillColour)
  const ink = set.words.map((_, index) => wordReach(laid, index)).reduce<Box | null>(unionBox, null)
  const rest = unionBox(backdropReach(backdrop, boxes, context.unit), ink)
  return rest === null ? null : { ...laid, spokenColour, pillColour, rest }
}

/** Where a word may paint, emphasis included. */
function wordReach(cue: Pick<PlacedCue, 'style' | 'set' | 'reach'>, index: number): Box | null {
  const word = cue.set.words[index]
  if (word === undefined) return null
  const ink = wordInk(cue.set, word, cue.reach)
  const { mode, scale } = cue.style.spoken
  if (mode === 'pill') return unionBox(ink, growBox(pillBox(cue.set, index), 2))
  if (mode !== 'scale') return ink
  return scaleBox(ink, scale, word.left + word.width / 2, word.baseline - cue.set.capHeight / 2)
}

function boxInMotion(cue: PlacedCue): Box {
  const { scale, shift } = REACH[cue.style.animation]
  const grown = scaleBox(cue.rest, scale, cue.set.centreX, cue.set.centreY)
  return growBox(grown, 0, 0, 0, shift * cue.set.pixels)
}

function findCueState(cues: readonly PlacedCue[], frame: number, framesPerSecond: number): CueState | null {
  // The later cue wins where two overlap.
  const index = cues.findLastIndex((cue) => cue.startFrame <= frame && frame < cue.endFrame)
  const cue = cues[index]
  if (cue === undefined) return null
  const { mode, transitionFrames } = cue.style.spoken
  const step = (value: number): number => Math.round(value * STEPS) / STEPS
  const emphasis = cue.words.map((word) =>
    mode === 'none' ? 0 : step(emphasisAt(frame, word.startFrame, word.endFrame, transitionFrames)),
  )
  const spoken = cue.words.map((word) => {
    if (mode !== 'sweep' && mode !== 'reveal') return 0
    if (frame < word.startFrame) return 0
    const length = mode === 'sweep' ? word.endFrame - word.startFrame : transitionFrames + 1
    return step(Math.min(1, (frame - word.startFrame + 1) / Math.max(1, length)))
  })
  return {
    cue,
    index,
    pose: poseAt(cue.style.animation, frame - cue.startFrame, framesPerSecond),
    emphasis,
    spoken,
  }
}

function keyOf(now: CueState | null): string {
  if (now === null) return ''
  const { alpha, scale, shift } = now.pose
  const pose = [alpha, scale, shift].map((value) => value.toFixed(3)).join()
  return `${now.index}|${pose}|${now.emphasis.join()}|${now.spoken.join()}`
}

function paintedBox(now: CueState | null): Box | null {
  if (now === null) return null
  const { cue, pose } = now
  const scaled =
    pose.scale === 1 ? cue.rest : scaleBox(cue.rest, pose.scale, cue.set.centreX, cue.set.centreY)
  return { ...scaled, y: scaled.y + pose.shift * cue.set.pixels }
}

function damageBetween(from: CueState | null, to: CueState | null): Box | null {
  if (keyOf(from) === keyOf(to)) return null
  const still = (now: CueState) => now.pose.scale === 1 && now.pose.alpha === 1 && now.pose.shift === 0
  if (from === null || to === null || from.cue !== to.cue || !still(from) || !still(to)) {
    return unionBox(paintedBox(from), paintedBox(to))
  }
  return to.cue.words
    .map((_, index) =>
      from.emphasis[index] === to.emphasis[index] && from.spoken[index] === to.spoken[index]
        ? null
        : wordReach(to.cue, index),
    )
    .reduce<Box | null>(unionBox, null)
}

function drawCueState(canvas: DrawingContext, now: CueState, unit: number): void {
  const { cue, pose } = now
  canvas.save()
  if (pose.scale !== 1 || pose.shift !== 0) {
    canvas.translate(cue.set.centreX, cue.set.centreY + pose.shift * cue.set.pixels)
    canvas.scale(pose.scale, pose.scale)
    canvas.translate(-cue.set.centreX, -cue.set.centreY)
  }
  drawBackdrop(canvas, cue.style.backdrop, cue.backdrop, unit, pose.alpha)
  if (cue.style.spoken.mode === 'pill') drawPills(canvas, now)
  const painted = cue.set.words.map((_, index) => paintedWord(now, index)).filter((word) => word !== null)
  paintWords(canvas, cue.set, cue.style.face, painted, unit)
  canvas.restore()
}

function pillBox(set: SetText, index: number): Box {
  const word = set.words[index]
  if (word === undefined) return { x: 0, y: 0, width: 0, height: 0 }
  const padX = PILL.x * set.pixels
  const padY = PILL.y * set.pixels
  return {
    x: word.left - padX,
    y: word.baseline - set.capHeight - padY,
    width: word.width + 2 * padX,
    height: set.capHeight + 2 * padY,
  }
}

function drawPills(canvas: DrawingContext, now: CueState): void {
  const { cue, pose } = now
  now.emphasis.forEach((amount, index) => {
    if (amount === 0) return
    const box = pillBox(cue.set, index)
    // It opens from a little smaller, so that the eye follows it.
    const grown = scaleBox(box, 0.86 + 0.14 * amount, box.x + box.width / 2, box.y + box.height / 2)
    canvas.fillStyle = cssColour(cue.pillColour, pose.alpha * amount)
    fillRounded(canvas, grown, PILL.radius * cue.set.pixels)
  })
}

function paintedWord(now: CueState, index: number): PaintedWord | null {
  const { cue, pose } = now
  const word = cue.set.words[index]
  const laid = cue.words[index]
  if (word === undefined || laid === undefined) return null
  const { mode, opacity, restOpacity, scale } = cue.style.spoken
  const amount = now.emphasis[index] ?? 0
  const spoken = now.spoken[index] ?? 0
  const plain = {
    word,
    colour: laid.base,
    alpha: pose.alpha,
    edge: 1,
    scale: 1,
    sweep: 0,
    sweepColour: cue.spokenColour,
  }
  const alpha = pose.alpha * (restOpacity + (opacity - restOpacity) * amount)
  const colour = mixColour(laid.base, cue.spokenColour, amount)
  switch (mode) {
    case 'none':
      return plain
    case 'colour':
    case 'spotlight':
      return { ...plain, colour, alpha }
    case 'pill':
      return { ...plain, colour, alpha, edge: 1 - amount }
    case 'scale':
      return { ...plain, colour, alpha, scale: 1 + (scale - 1) * amount }
    case 'sweep':
      return { ...plain, alpha: spoken > 0 ? pose.alpha * opacity : pose.alpha * restOpacity, sweep: spoken }
    case 'reveal':
      return { ...plain, colour, alpha: alpha * spoken }
  }
}
