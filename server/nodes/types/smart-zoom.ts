import { middleSecond, spanOfFrame } from '../../contract/time-map/frames.ts'
import { Type, type Static } from '@sinclair/typebox'
import {
  booleanField,
  choiceField,
  closedObject,
  describedObject,
  numberField,
} from '../../contract/config-fields.ts'
import { declareNode, type ComposeContext, type NodeEdits } from '../declare.ts'
import type { Zoom, TimeSpan } from '../../contract/composition.ts'
import { rationalToNumber, type Rational, type FrameRange } from '../../contract/time.ts'
import { sourceSize } from '../compose/layout.ts'
import { percentOf, speakingFace, type Percent } from '../layout/view-at.ts'
import type { ClipSound } from '../../contract/clip-measurements.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { keywordMatcher, placeWords, type PlacedWord } from '../compose/placed-words.ts'
import { levelAround } from '../speech/sound-levels.ts'
import { remark } from '../../contract/render-remarks.ts'

const ZoomConfig = describedObject('How it zooms', {
  enabled: booleanField('Zoom', true),
  intensity: numberField('Largest zoom, 1 is none', { minimum: 1, maximum: 1.5, default: 1.15 }),
  frequency: choiceField('How often', ['low', 'medium', 'high'], 'medium'),
  mode: choiceField('`punch` cuts in, `smooth` moves in', ['punch', 'smooth'], 'punch'),
})

/** Moves the frame closer at moments that deserve it. */
export const smartZoom = declareNode({
  type: 'smart_zoom',
  label: 'Smart zoom',
  config: closedObject({
    enabled: booleanField('Zoom', true),
    smart_zoom_config: Type.Optional(ZoomConfig),
  }),
  innerSwitch: 'smart_zoom_config',
  measures: () => ['sound-levels', 'faces'],
  compile: (config, context) => smartZooms(config.smart_zoom_config ?? {}, context),
})

/** Assumed position of faces when they were not measured. */
const USUAL: Percent = { xPercent: 50, yPercent: 45 }
/** Closer to the edge the picture would seem to slide away. */
const RIM = 15
const GROW_SECONDS = 0.8
const SHRINK_SECONDS = 0.6

function smartZooms(settings: Static<typeof ZoomConfig>, context: ComposeContext): NodeEdits {
  const { intensity = 1.15, frequency = 'medium', mode = 'punch' } = settings
  if (context.facts.video === null)
    return {
      warnings: [
        remark(
          'NOTHING_FOUND',
          'smart_zoom',
          'smart_zoom found no picture to zoom into: the source has only sound.',
        ),
      ],
    }
  if (intensity <= 1) return {}
  const { frameRate } = context.output
  const frames = (seconds: number): number => Math.round(seconds * rationalToNumber(frameRate))
  const [easeInFrames, easeOutFrames] =
    mode === 'smooth' ? [frames(GROW_SECONDS), frames(SHRINK_SECONDS)] : [0, 0]
  const moments = zoomMoments({
    words: context.words,
    keywords: context.document.keywords,
    sound: context.document.sound ?? null,
    timeMap: context.timeMap,
    frameRate,
    frequency,
    eases: easeOutFrames,
  })
  if (moments.length === 0)
    return {
      warnings: [
        remark(null, 'smart_zoom', 'smart_zoom found no moment in this clip that deserves a closer look.'),
      ],
    }
  const zooms = moments.map(({ startFrame, endFrame }): Zoom => ({
    startFrame,
    endFrame,
    scale: intensity,
    ...centreOf(context, startFrame + easeInFrames),
    easeInFrames,
    easeOutFrames,
  }))
  return { zooms }
}

function centreOf(context: ComposeContext, frame: number): Percent {
  const { faces } = context.document
  const layout = context.layout.find((span) => span.startFrame <= frame && frame < span.endFrame)
  const played = spanOfFrame(context.timeMap, frame)
  if (faces === undefined || layout === undefined || played === null) return USUAL
  const second = middleSecond(played, frame)
  const face = speakingFace(faces, second, sourceSize(context))
  const seen = face === null ? null : percentOf(layout, frame, face, context.output)
  if (seen === null) return USUAL
  const inside = (percent: number): number =>
    Math.round(Math.min(100 - RIM, Math.max(RIM, percent)) * 10) / 10
  return { xPercent: inside(seen.xPercent), yPercent: inside(seen.yPercent) }
}

interface MomentsRequest {
  readonly words: readonly TranscriptWord[]
  readonly keywords: readonly string[]
  readonly sound: ClipSound | null
  readonly timeMap: readonly TimeSpan[]
  readonly frameRate: Rational
  readonly frequency: 'low' | 'medium' | 'high'
  /** Frames of a zoom besides the speech: growing and shrinking. */
  readonly eases: number
}

/** From one start to the next at least, seconds. */
const APART = { low: 9, medium: 5.5, high: 3.5 } as const
/** Kept free of zooms at the start (the hook) and the end of a clip. Seconds. */
const NOT_BEFORE = 1
const NOT_AFTER = 0.5
const SHORTEST = 0.9
const LONGEST = 2.2
/** A look starts this early, so that the first sound is seen closer. Seconds. */
const LEAD = 0.06
const WEIGHTS = { keyword: 3, exclamation: 2.5, number: 2, loud: 2, opening: 1 } as const
const PAUSE = 0.4
/** Above the usual speech, dB. */
const LOUD = 4
/** Less is not worth it: a sentence that merely starts is not, unless more comes together or looks are wanted often. */
const LEAST = { low: 2.5, medium: 2, high: 1 } as const

/** Moments sorted by start, spaced by the frequency; the same request gives the same moments. */
function zoomMoments(request: MomentsRequest): FrameRange[] {
  const { timeMap, frequency } = request
  const perSecond = request.frameRate.numerator / request.frameRate.denominator
  const frames = (seconds: number): number => Math.round(seconds * perSecond)
  const last = (timeMap.at(-1)?.endFrame ?? 0) - frames(NOT_AFTER)
  const placed = placeWords(request.words, timeMap)
  const found = scored(placed, request, perSecond)
    .filter(({ score }) => score >= LEAST[frequency])
    .toSorted((a, b) => b.score - a.score || a.at - b.at)
  const chosen: FrameRange[] = []
  for (const { at } of found) {
    const word = placed[at]
    if (word === undefined) continue
    const startFrame = Math.max(frames(NOT_BEFORE), word.startFrame - frames(LEAD))
    const endFrame = endOf(placed, at, startFrame, frames) + request.eases
    const clash = chosen.some((other) => Math.abs(other.startFrame - startFrame) < frames(APART[frequency]))
    if (word.startFrame >= frames(NOT_BEFORE) && endFrame <= last && !clash)
      chosen.push({ startFrame, endFrame })
  }
  return chosen.toSorted((a, b) => a.startFrame - b.startFrame)
}

function scored(placed: readonly PlacedWord[], request: MomentsRequest, perSecond: number) {
  const keywords = keywordMatcher(request.keywords)(placed)
  return placed.map((word, at) => {
    const before = placed[at - 1]
    const opens =
      before !== undefined &&
      endsSentence(before.text) &&
      word.startFrame - before.endFrame >= PAUSE * perSecond
    const first = before?.index !== word.index
    const reasons = [
      keywords.has(word.index) && first ? WEIGHTS.keyword : 0,
      /!["'”’»)\]]*$/u.test(word.text) ? WEIGHTS.exclamation : 0,
      /\p{N}/u.test(word.text) ? WEIGHTS.number : 0,
      isLoud(request, word) ? WEIGHTS.loud : 0,
      opens ? WEIGHTS.opening : 0,
    ]
    return { at, score: reasons.reduce((sum, weight) => sum + weight, 0) }
  })
}

function endsSentence(text: string): boolean {
  return /[.!?…。！？]["'”’»)\]]*$/u.test(text)
}

function isLoud({ sound, words }: MomentsRequest, { index }: PlacedWord): boolean {
  const word = words[index]
  if (sound === null || word === undefined) return false
  const levels = [0.25, 0.5, 0.75].flatMap(
    (share) => levelAround(sound, word.start + (word.end - word.start) * share) ?? [],
  )
  return levels.length > 0 && Math.max(...levels) >= sound.speechLevelDb + LOUD
}

/** The sentence's end, where that is soon enough; otherwise the end of a word. */
function endOf(
  placed: readonly PlacedWord[],
  at: number,
  startFrame: number,
  frames: (seconds: number) => number,
): number {
  const least = startFrame + frames(SHORTEST)
  const most = startFrame + frames(LONGEST)
  const following = placed.slice(at).filter(({ endFrame }) => endFrame <= most)
  const sentence = following.find(({ endFrame, text }) => endFrame >= least && endsSentence(text))
  return Math.max(least, sentence?.endFrame ?? following.at(-1)?.endFrame ?? least)
}
