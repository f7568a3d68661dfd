/** What the render benchmark measures: a name, what is laid over the same cut, crop, scale and encode, and how much it may cost. */
import type {
  Composition,
  ImageLayer,
  LayoutSpan,
  PictureAsset,
  SoundAsset,
  TimeSpan,
} from '../../server/contract/composition.ts'
import { frameToTicks } from '../../server/contract/time.ts'
import { captionLayer, sampleComposition, TITLE } from '../support/sample-composition.ts'

export const RATE = { numerator: 30, denominator: 1 }
export const FROM_SECONDS = 5
const CUTS = 50
/** Frames left out at each cut. */
const GAP_FRAMES = 6
/** Seconds of source that cuts leave out. */
export const LEFT_OUT_SECONDS = (CUTS * GAP_FRAMES) / RATE.numerator
export const CARD_SECONDS = 3
/** While the card comes, the picture is seen through it. */
export const CARD_FADE_FRAMES = 12
const TALK =
  'the first thing that everybody asks me is why we never wrote any of this down and the honest answer is that'

export interface StackMaterial {
  readonly width: number
  readonly height: number
  readonly clipSeconds: number
  readonly logo: PictureAsset
  readonly card: PictureAsset
  readonly music: SoundAsset
}

type Part = (composition: Composition, material: StackMaterial) => Composition

/**
 * What a stack is held against: bare ffmpeg encoding the same pictures. A still card is cheaper to encode than the noise that it
 * covers, and what moves costs more than what stands, so that a stack with either is held against an encode that has it too, the
 * card's fade included.
 */
export const FLOORS = {
  bare: { moves: false, hasCard: false },
  bareCard: { moves: false, hasCard: true },
  bareMoving: { moves: true, hasCard: false },
  bareMovingCard: { moves: true, hasCard: true },
} as const
export type Floor = keyof typeof FLOORS
export const FLOOR_NAMES = Object.keys(FLOORS) as Floor[]

interface Stack {
  readonly floor: Floor
  /** Wall time over its floor's that it may take; null: shown only. */
  readonly limit: number | null
  readonly parts: readonly Part[]
}

const over =
  (...layers: Composition['layers']): Part =>
  (composition) => ({ ...composition, layers: [...composition.layers, ...layers] })

/** Three words a second, as people talk; cues of four words. */
const captions: Part = (composition, { clipSeconds }) => {
  const talk = TALK.split(' ')
  const words = Array.from({ length: clipSeconds * 3 }, (_, index) => talk[index % talk.length] ?? '')
  return { ...composition, layers: [...composition.layers, captionLayer(words.join(' '), 10, 4)] }
}

function picture(id: string, asset: PictureAsset, more: Partial<ImageLayer>): ImageLayer {
  const still = { kind: 'none', frames: 0 } as const
  return {
    kind: 'image',
    id,
    asset,
    fit: 'fill',
    background: null,
    opacity: 1,
    intro: still,
    outro: still,
    rect: { x: 820, y: 80, width: 200, height: 100 },
    startFrame: 0,
    endFrame: 0,
    ...more,
  }
}

const watermark: Part = (composition, { logo }) => {
  const endFrame = composition.durationFrames
  const layer = picture('watermark', logo, { endFrame, opacity: 0.8, intro: { kind: 'fade', frames: 15 } })
  return { ...composition, layers: [...composition.layers, layer] }
}

const endCard: Part = (composition, { card }) => {
  const endFrame = composition.durationFrames
  const startFrame = endFrame - CARD_SECONDS * RATE.numerator
  const rect = { x: 0, y: 0, width: 1080, height: 1920 }
  const layer = picture('end-card', card, {
    startFrame,
    endFrame,
    rect,
    intro: { kind: 'fade', frames: CARD_FADE_FRAMES },
  })
  return { ...composition, layers: [...composition.layers, layer] }
}

/** Frames of one move from a place to the next. */
const MOVE_FRAMES = 2 * RATE.numerator

/**
 * The left edge of the moving crop for ffmpeg's `crop`, by the number of the frame. `room`: pixels of the source beside the crop.
 */
export function movingEdge(room: number): string {
  const move = `floor(n/${MOVE_FRAMES})`
  const share = `mod(n\\,${MOVE_FRAMES})/${MOVE_FRAMES}`
  return `${room / 2}*(1-cos(${move}*PI/4)*(1-${share})-cos((${move}+1)*PI/4)*${share})`
}

/** From side to side of the source, evenly, in pieces of two seconds, as following a speaker makes them. */
const movingCrop: Part = (composition, { width }) => {
  const [first] = composition.layout
  if (first?.kind !== 'crop') throw new Error('the sample is cropped')
  const piece = MOVE_FRAMES
  const count = Math.ceil(composition.durationFrames / piece)
  const at = (index: number) => ({
    ...first.crop,
    x: ((width - first.crop.width) * (1 - Math.cos((index * Math.PI) / 4))) / 2,
  })
  const layout = Array.from({ length: count }, (_, index): LayoutSpan => ({
    kind: 'crop',
    startFrame: index * piece,
    endFrame: Math.min(composition.durationFrames, (index + 1) * piece),
    crop: at(index),
    cropTo: at(index + 1),
  }))
  return { ...composition, layout }
}

/** The same played length in pieces, a few frames left out between them. */
const cuts: Part = (composition) => {
  const { durationFrames } = composition
  const edge = (index: number): number => Math.round((index * durationFrames) / (CUTS + 1))
  const timeMap = Array.from({ length: CUTS + 1 }, (_, index): TimeSpan => {
    const startFrame = edge(index)
    const endFrame = edge(index + 1)
    const from = FROM_SECONDS * RATE.numerator + index * GAP_FRAMES
    const [sourceStart, sourceEnd] = [startFrame, endFrame].map((frame) => frameToTicks(from + frame, RATE))
    return { startFrame, endFrame, sourceStart: sourceStart ?? 0, sourceEnd: sourceEnd ?? 0, playbackRate: 1 }
  })
  return { ...composition, timeMap }
}

const loudness: Part = (composition) => ({
  ...composition,
  audio: { ...composition.audio, integratedLufs: -14 },
})

const music: Part = (composition, { music: asset }) => ({
  ...composition,
  audio: {
    ...composition.audio,
    tracks: [
      {
        id: 'music',
        asset,
        sourceStart: 0,
        startFrame: 0,
        endFrame: composition.durationFrames,
        loop: true,
        levelDb: -12,
        duckDb: 9,
        fadeInMs: 500,
        fadeOutMs: 1500,
      },
    ],
  },
})

/** In the order of the table. `loudness`: brought to -14 LUFS, which takes a first pass over the sound. */
export const STACKS = {
  captions: { floor: 'bare', limit: 1.05, parts: [captions] },
  title: { floor: 'bare', limit: null, parts: [over(TITLE)] },
  watermark: { floor: 'bare', limit: null, parts: [watermark] },
  movingCrop: { floor: 'bareMoving', limit: null, parts: [movingCrop] },
  cuts50: { floor: 'bare', limit: 1.1, parts: [cuts, loudness] },
  music: { floor: 'bare', limit: null, parts: [music, loudness] },
  endCard: { floor: 'bareCard', limit: null, parts: [endCard] },
  full: {
    floor: 'bareMovingCard',
    limit: 1.15,
    parts: [movingCrop, captions, over(TITLE), watermark, endCard, music, loudness],
  },
} as const satisfies Readonly<Record<string, Stack>>
export type StackName = keyof typeof STACKS
export const STACK_NAMES = Object.keys(STACKS) as StackName[]

/** The floor's composition: one stretch, a steady crop, nothing drawn, the sound as it is. */
export function bareComposition(
  material: Pick<StackMaterial, 'width' | 'height' | 'clipSeconds'>,
): Composition {
  const composition = sampleComposition({
    durationFrames: material.clipSeconds * RATE.numerator,
    fromFrame: FROM_SECONDS * RATE.numerator,
    source: { width: material.width, height: material.height },
  })
  return { ...composition, audio: { ...composition.audio, integratedLufs: null } }
}

export function stackComposition(name: StackName, material: StackMaterial): Composition {
  const parts: readonly Part[] = STACKS[name].parts
  return parts.reduce((made, part) => part(made, material), bareComposition(material))
}
