/** Any valid Composition of a tiny source, for property tests: every kind of layout, layer, cut and sound together. */
import fc from 'fast-check'
import type {
  AudiogramLayer,
  Composition,
  ImageLayer,
  Layer,
  LayoutSpan,
  PictureAsset,
  Rect,
  ShapeLayer,
  SoundAsset,
  SoundTrack,
  SourcePatch,
  TimeSpan,
  TitleLayer,
  VideoAsset,
  VideoLayer,
  Zoom,
} from '../../server/contract/composition.ts'
import {
  frameToTicks,
  rationalToNumber,
  TICKS_PER_SECOND,
  type Rational,
} from '../../server/contract/time.ts'
import { TRANSITION_COLOURS, TRANSITION_NAMES } from '../../server/contract/transitions/registry.ts'
import { withOpening } from '../../server/nodes/compose/opening.ts'
import { keepWordsOut, placeTransitions } from '../../server/nodes/motion/transitions.ts'
import { CAPTION_STYLE, captionLayer, TITLE } from './sample-composition.ts'

/** The files that generated compositions are made of. */
export interface AnyMaterial {
  readonly digest: string
  readonly width: number
  readonly height: number
  readonly seconds: number
  readonly picture: PictureAsset
  readonly video: VideoAsset
  readonly sound: SoundAsset
}

type Ranged = { readonly startFrame: number; readonly endFrame: number }

const RATES: readonly Rational[] = [
  { numerator: 30, denominator: 1 },
  { numerator: 25, denominator: 1 },
  { numerator: 30_000, denominator: 1001 },
  { numerator: 24, denominator: 1 },
  { numerator: 60, denominator: 1 },
]
const SIZES = [
  { width: 64, height: 112 },
  { width: 112, height: 64 },
  { width: 80, height: 80 },
  { width: 64, height: 80 },
]
const TEXTS = ['Nobody reads it twice', 'لا أحد يقرأ', 'so 🔥 good', "it's 100%: [a;b],c\\d"]
const STYLES = ['none', 'colour', 'pill', 'scale', 'sweep', 'spotlight', 'reveal'] as const
const ENTRANCES = ['none', 'fade', 'pop', 'bounce', 'slide'] as const
const MOVES = ['none', 'fade', 'left', 'right', 'top', 'bottom', 'small', 'large'] as const

const real = (min: number, max: number): fc.Arbitrary<number> =>
  fc.integer({ min: 0, max: 1000 }).map((share) => min + ((max - min) * share) / 1000)

/** A rectangle inside `width` x `height`, at least `least` wide and high. */
function rectIn(width: number, height: number, least: number): fc.Arbitrary<Rect> {
  return fc.tuple(real(0, 1), real(0, 1), real(0, 1), real(0, 1)).map(([a, b, c, d]) => {
    const w = least + (width - least) * a
    const h = least + (height - least) * b
    return { x: (width - w) * c, y: (height - h) * d, width: w, height: h }
  })
}

/** A source rectangle of the shape `ratio` (width over height). */
function cropIn(material: AnyMaterial, ratio: number): fc.Arbitrary<Rect> {
  const widest = Math.min(material.width, material.height * ratio)
  return fc.tuple(real(0.3, 1), real(0, 1), real(0, 1)).map(([size, across, down]) => {
    const width = widest * size
    const height = (widest * size) / ratio
    return { x: (material.width - width) * across, y: (material.height - height) * down, width, height }
  })
}

const range = (frames: number, least = 1): fc.Arbitrary<Ranged> =>
  fc.tuple(fc.nat(Math.max(0, frames - least)), fc.nat(frames)).map(([startFrame, length]) => ({
    startFrame,
    endFrame: Math.min(frames, startFrame + Math.max(least, length)),
  }))

/** Pieces that follow each other without gap from 0 to `frames`. */
function stretches(frames: number): fc.Arbitrary<Ranged[]> {
  return fc
    .uniqueArray(fc.integer({ min: 1, max: Math.max(1, frames - 1) }), { maxLength: 3 })
    .map((cuts) => {
      const edges = [0, ...cuts.filter((cut) => cut < frames).toSorted((a, b) => a - b), frames]
      return edges.slice(0, -1).map((startFrame, at) => ({ startFrame, endFrame: edges[at + 1] ?? frames }))
    })
}

function timeMap(material: AnyMaterial, rate: Rational): fc.Arbitrary<TimeSpan[]> {
  const piece = fc.record({
    frames: fc.integer({ min: 1, max: 14 }),
    playbackRate: fc.oneof(fc.constant(1), fc.constantFrom(0.25, 0.5, 1.5, 2, 4), real(0.25, 4)),
    at: real(0, 1),
  })
  return fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => {
    let from = 0
    return pieces.map(({ frames, playbackRate, at }) => {
      const length = Math.round((frames * playbackRate * TICKS_PER_SECOND) / rationalToNumber(rate))
      const room = Math.round(material.seconds * TICKS_PER_SECOND) - length
      const sourceStart = Math.floor(Math.max(0, room) * at)
      const span = { startFrame: from, endFrame: from + frames }
      from += frames
      return { ...span, sourceStart, sourceEnd: sourceStart + length, playbackRate }
    })
  })
}

interface Canvas {
  readonly width: number
  readonly height: number
  /** Reference units. */
  readonly across: number
  readonly down: number
}

function layoutOf(material: AnyMaterial, canvas: Canvas, part: Ranged): fc.Arbitrary<LayoutSpan> {
  const ratio = canvas.width / canvas.height
  const background = fc.constantFrom('blur' as const, 'black' as const)
  const crop = fc
    .tuple(cropIn(material, ratio), fc.option(fc.tuple(real(0, 1), real(0, 1), fc.boolean())))
    .map(([rect, to]): LayoutSpan => ({
      kind: 'crop',
      ...part,
      crop: rect,
      ...(to === null
        ? {}
        : {
            cropTo: {
              ...rect,
              x: (material.width - rect.width) * to[0],
              y: (material.height - rect.height) * to[1],
            },
            ...(to[2] ? { eased: true as const } : {}),
          }),
    }))
  const fit = fc.record({
    kind: fc.constant('fit' as const),
    startFrame: fc.constant(part.startFrame),
    endFrame: fc.constant(part.endFrame),
    crop: rectIn(material.width, material.height, 16),
    zoom: real(1, 2),
    background,
    yOffsetPercent: real(-40, 40),
  })
  const pane = rectIn(canvas.across, canvas.down, 200).chain((rect) =>
    cropIn(material, rect.width / rect.height).map((from) => ({ crop: from, rect })),
  )
  const panes = fc
    .tuple(fc.array(pane, { minLength: 1, maxLength: 4 }), background)
    .map(([list, behind]): LayoutSpan => ({ kind: 'panes', ...part, panes: list, background: behind }))
  return fc.oneof(crop, fit, panes)
}

const move = fc.record({ kind: fc.constantFrom(...MOVES), frames: fc.nat(8) })
const fitting = fc.constantFrom('contain' as const, 'cover' as const, 'fill' as const)
const ground = fc.option(fc.constantFrom('#204060', '#ffffff80'))

function layer(material: AnyMaterial, canvas: Canvas, frames: number): fc.Arbitrary<Layer> {
  const place = rectIn(canvas.across * 1.4, canvas.down * 1.4, 80).map((rect) => ({
    ...rect,
    x: rect.x - canvas.across * 0.2,
    y: rect.y - canvas.down * 0.2,
  }))
  const shown = <T extends object>(fields: T) =>
    fc.tuple(range(frames), place).map(([when, rect]) => ({ ...fields, ...when, rect }))
  const picture = fc
    .tuple(shown({ kind: 'image' as const, id: 'picture', asset: material.picture }), fitting, ground)
    .chain(([base, fit, background]) =>
      fc
        .record({ intro: move, outro: move, opacity: real(0, 1) })
        .map((rest): ImageLayer => ({ ...base, fit, background, ...rest })),
    )
  const video = fc
    .tuple(shown({ kind: 'video' as const, id: 'video', asset: material.video }), fitting, ground)
    .chain(([base, fit, background]) =>
      fc
        .record({
          intro: move,
          outro: move,
          opacity: real(0, 1),
          loop: fc.boolean(),
          focusX: real(0, 100),
          focusY: real(0, 100),
          sourceStart: fc.nat(Math.floor(material.video.duration * 0.9)),
        })
        .map((rest): VideoLayer => ({ ...base, fit, background, ...rest })),
    )
  const wave = fc.tuple(
    shown({
      kind: 'audiogram' as const,
      id: 'wave',
      colour: '#38e07b',
      levels: '0AZ5Z91',
      framesPerLevel: 1.5,
    }),
    fc.constantFrom('bars' as const, 'line' as const, 'mirror' as const),
  )
  return fc.oneof(
    fc
      .record({
        text: fc.constantFrom(...TEXTS),
        mode: fc.constantFrom(...STYLES),
        animation: fc.constantFrom(...ENTRANCES),
        framesPerWord: fc.integer({ min: 1, max: 6 }),
      })
      .map(({ text, mode, animation, framesPerWord }) =>
        captionLayer(text, framesPerWord, 3, {
          ...CAPTION_STYLE,
          animation,
          spoken: { ...CAPTION_STYLE.spoken, mode },
        }),
      ),
    fc
      .tuple(range(frames), fc.constantFrom(...TEXTS), fc.nat(6))
      .map(([when, text, fadeFrames]): TitleLayer => ({ ...TITLE, ...when, text, fadeFrames })),
    picture,
    video,
    wave.map(([base, style]): AudiogramLayer => ({ ...base, style })),
    shown({ kind: 'shape' as const, id: 'shape', colour: '#20304acc', radius: 30 }).map(
      (base): ShapeLayer => base,
    ),
  )
}

/** Sorted, apart from each other. */
function apart<T extends Ranged>(list: readonly T[]): T[] {
  const kept: T[] = []
  for (const one of list.toSorted((a, b) => a.startFrame - b.startFrame)) {
    if (one.startFrame >= (kept.at(-1)?.endFrame ?? 0)) kept.push(one)
  }
  return kept
}

function zooms(frames: number): fc.Arbitrary<Zoom[]> {
  const one = range(frames).chain((when) =>
    fc.record({
      startFrame: fc.constant(when.startFrame),
      endFrame: fc.constant(when.endFrame),
      scale: real(1, 3),
      xPercent: real(0, 100),
      yPercent: real(0, 100),
      easeInFrames: fc.nat(Math.floor((when.endFrame - when.startFrame) / 2)),
      easeOutFrames: fc.nat(Math.floor((when.endFrame - when.startFrame) / 2)),
    }),
  )
  return fc.array(one, { maxLength: 3 }).map(apart)
}

function patches(material: AnyMaterial, frames: number): fc.Arbitrary<SourcePatch[]> {
  const one = fc
    .tuple(range(frames), rectIn(material.width, material.height, 6))
    .map(([when, rect]) => ({ ...when, rect }))
  return fc.array(one, { maxLength: 2 })
}

function audio(
  material: AnyMaterial,
  frames: number,
  total: number,
  rate: Rational,
): fc.Arbitrary<Composition['audio']> {
  const mask = fc.tuple(range(frames), fc.constantFrom('silence' as const, 'beep' as const))
  const track = range(total).chain((when) =>
    fc.record({
      id: fc.constant('music'),
      asset: fc.constant(material.sound),
      startFrame: fc.constant(when.startFrame),
      endFrame: fc.constant(when.endFrame),
      sourceStart: fc.nat(Math.floor(material.sound.duration * 0.9)),
      loop: fc.boolean(),
      levelDb: real(-30, 0),
      duckDb: real(0, 15),
      fadeInMs: real(0, 500),
      fadeOutMs: real(0, 500),
    }),
  )
  return fc
    .tuple(
      fc.constantFrom(-14, null),
      fc.constantFrom(0, 10),
      fc.constantFrom(0, 15),
      fc.option(fc.array(mask, { maxLength: 2 })),
      fc.option(fc.array(track, { maxLength: 2 })),
    )
    .map(([integratedLufs, crossfadeMs, edgeFadeMs, masks, tracks]) => ({
      integratedLufs,
      truePeakDb: -1.5,
      crossfadeMs,
      edgeFadeMs,
      ...(masks === null
        ? {}
        : {
            masks: apart(masks.map(([when, kind]) => ({ ...when, kind }))).map((one) => ({
              start: frameToTicks(one.startFrame, rate),
              end: frameToTicks(one.endFrame, rate),
              kind: one.kind,
            })),
          }),
      ...(tracks === null ? {} : { tracks: tracks satisfies SoundTrack[] }),
    }))
}

/** Compositions of up to some fifty frames. */
export function anyComposition(material: AnyMaterial): fc.Arbitrary<Composition> {
  const outline = fc
    .record({
      size: fc.constantFrom(...SIZES),
      frameRate: fc.constantFrom(...RATES),
      tailFrames: fc.oneof(fc.constant(0), fc.nat(10)),
      headFrames: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 10 })),
      has: fc.constantFrom(
        'both' as const,
        'both' as const,
        'both' as const,
        'picture' as const,
        'sound' as const,
      ),
    })
    .chain((given) => timeMap(material, given.frameRate).map((map) => ({ ...given, map })))
  return outline.chain(({ size, frameRate, headFrames, tailFrames, has, map }) => {
    const frames = map.at(-1)?.endFrame ?? 1
    const total = frames + tailFrames
    const unit = 1080 / Math.min(size.width, size.height)
    const canvas = { ...size, across: size.width * unit, down: size.height * unit }
    return fc
      .record({
        layout: stretches(frames).chain((parts) =>
          fc.tuple(...parts.map((part) => layoutOf(material, canvas, part))),
        ),
        layers: fc.array(layer(material, canvas, total), { maxLength: 4 }),
        zooms: zooms(frames),
        patches: patches(material, frames),
        audio: audio(material, frames, total, frameRate),
        motion: fc.record({
          transition: fc.constantFrom('none' as const, ...TRANSITION_NAMES),
          transitionSeconds: real(0.1, 1),
          transitionColor: fc.constantFrom(...TRANSITION_COLOURS),
        }),
      })
      .map((rest): Composition => ({
        formatVersion: 1,
        output: { ...size, frameRate },
        durationFrames: total,
        ...(tailFrames === 0 ? {} : { tailFrames }),
        source: {
          digest: material.digest,
          width: material.width,
          height: material.height,
          hasVideo: has !== 'sound',
          hasAudio: has !== 'picture',
          hdr: false,
          interlaced: false,
          videoStream: 0,
          audioStream: 1,
          ...(rest.patches.length === 0 ? {} : { patches: rest.patches }),
        },
        timeMap: map,
        layout: rest.layout,
        ...(rest.zooms.length === 0 ? {} : { zooms: rest.zooms }),
        layers: rest.layers,
        audio: rest.audio,
        ...keepWordsOut(
          placeTransitions(rest.motion, { timeMap: map, output: { ...size, frameRate } }),
          [],
          map,
          frameRate,
        ),
      }))
      .map((composition) => {
        const opening = { frames: headFrames, layers: [], tracks: [] }
        return withOpening(composition, headFrames === 0 ? null : opening, 0)
      })
  })
}
