/**
 * What preview and export are compared on: for each kind of layer the looks that it can have. A new kind is one entry
 * here; preview.test.ts fails while a kind of the contract has none.
 */
import type {
  AudiogramLayer,
  Composition,
  ImageLayer,
  Layer,
  ShapeLayer,
} from '../../../server/contract/composition.ts'
import { encodeWave } from '../../../server/contract/clip-measurements.ts'
import type { EasingName } from '../../../server/contract/keyframes/easings.ts'
import { CAPTION_PRESETS, TITLE_PRESETS } from '../../../server/nodes/index.ts'
import { GOLDEN_CASES, GOLDEN_PICTURE } from '../../golden/cases.ts'
import { compile, subtitled, vertical } from '../../support/compiled.ts'
import { captionLayer, sampleComposition, TITLE } from '../../support/sample-composition.ts'
import { VIDEO_CASES } from './video-cases.ts'

export interface PreviewCase {
  readonly name: string
  readonly composition: Composition
  readonly frames: readonly number[]
}

type Kind = Layer['kind']

const SIZE = { width: 540, height: 960 }

function golden(kind: Kind): PreviewCase[] {
  // The presets have entries of their own below.
  return GOLDEN_CASES.filter(
    ({ name, composition }) => composition.layers[0]?.kind === kind && !name.startsWith('preset-'),
  ).map(({ name, frame, composition }) => ({ name, composition, frames: [frame] }))
}

/** Half the size: every place and length is relative, and a quarter of the pixels is compared in a quarter of the time. */
function half(composition: Composition, kind: Kind): Composition {
  const layers = composition.layers.filter((layer) => layer.kind === kind)
  return { ...composition, output: { ...composition.output, ...SIZE }, layers }
}

/** Each preset as a saved workflow makes it: while a cue comes in, and in the middle of its second word. */
function captionPresets(): PreviewCase[] {
  return CAPTION_PRESETS.map(({ id }) => {
    const { composition, captions } = subtitled({ styleId: id })
    const cue = captions?.cues.find(({ words }) => words.length > 1) ?? captions?.cues[0]
    if (cue === undefined) throw new Error(`${id} shows nothing`)
    const word = cue.words[1] ?? cue.words[0]
    const middle = Math.round(((word?.startFrame ?? 0) + (word?.endFrame ?? 0)) / 2)
    return {
      name: `caption preset ${id}`,
      composition: half(composition, 'captions'),
      frames: [cue.startFrame + 1, middle],
    }
  })
}

function titlePresets(): PreviewCase[] {
  return TITLE_PRESETS.map(({ id, palettes }) => {
    const titleConfig = { titlePresetId: id, titlePaletteId: palettes.at(-1)?.id ?? '' }
    const { composition, title } = compile(vertical, { titleConfig })
    if (title === undefined) throw new Error(`${id} shows nothing`)
    return {
      name: `title preset ${id}`,
      composition: half(composition, 'title'),
      frames: [title.startFrame + 2, title.startFrame + 30],
    }
  })
}

/** As large as clips are, words of two scripts and an emoji. */
function fullSize(): PreviewCase {
  const layer = captionLayer('Nobody reads מדריך the 🔥 manual', 10, 6)
  return { name: 'full size', composition: sampleComposition({ layers: [layer] }), frames: [3, 27] }
}

/** Letters that come in parts of large fonts. */
function scripts(): PreviewCase[] {
  const texts = {
    ja: '誰も 説明書を 二度は 読みません',
    'zh-Hans': '没有人 会把 说明书 读两遍',
    ko: '아무도 두 번 읽지 않지만',
  }
  return Object.entries(texts).map(([language, text]) => {
    const layer = { ...captionLayer(text, 10, 5), language }
    return {
      name: `captions in ${language}`,
      composition: sampleComposition({ ...SIZE, layers: [layer] }),
      frames: [27],
    }
  })
}

const WAVE = encodeWave(Array.from({ length: 120 }, (_, index) => Math.abs(Math.sin(index / 5)) * 0.9))

function wave(name: string, over: Partial<AudiogramLayer>): PreviewCase {
  const layer: AudiogramLayer = {
    kind: 'audiogram',
    id: 'wave',
    colour: '#38e07b',
    style: 'bars',
    levels: WAVE,
    framesPerLevel: 1,
    rect: { x: 90, y: 700, width: 900, height: 320 },
    startFrame: 0,
    endFrame: 90,
    ...over,
  }
  return { name, composition: sampleComposition({ ...SIZE, layers: [layer] }), frames: [7, 40] }
}

function shape(name: string, over: Partial<ShapeLayer>): PreviewCase {
  const layer: ShapeLayer = {
    kind: 'shape',
    id: 'shape',
    colour: '#20304acc',
    radius: 0,
    startFrame: 0,
    endFrame: 90,
    rect: { x: 90, y: 700, width: 900, height: 320 },
    ...over,
  }
  return { name, composition: sampleComposition({ ...SIZE, layers: [layer] }), frames: [7] }
}

/** As b-roll is shown: over all of it, by its fit, its place and its slow motion. */
function picture(name: string, over: Partial<ImageLayer>): PreviewCase {
  const layer: ImageLayer = {
    kind: 'image',
    id: 'picture',
    asset: { digest: GOLDEN_PICTURE, width: 300, height: 150, opaque: false },
    rect: { x: 0, y: 0, width: 1080, height: 1920 },
    fit: 'cover',
    background: '#000000',
    opacity: 1,
    startFrame: 0,
    endFrame: 90,
    intro: { kind: 'none', frames: 0 },
    outro: { kind: 'none', frames: 0 },
    ...over,
  }
  return {
    name: `picture ${name}`,
    composition: sampleComposition({ ...SIZE, layers: [layer] }),
    frames: [7, 60],
  }
}

type Points = [frame: number, value: number, easing?: EasingName][]

/** The case with properties that move, looked at in the middle of their ways. */
function moving(
  one: PreviewCase,
  properties: Readonly<Record<string, Points>>,
  frames: number[],
): PreviewCase {
  const keyframes = Object.entries(properties).map(([property, points]) => ({
    property,
    points: points.map(([frame, value, easing = 'linear']) => ({ frame, value, easing })),
  }))
  const layers = one.composition.layers.map((layer) => ({ ...layer, keyframes }))
  return { name: `${one.name} with keyframes`, composition: { ...one.composition, layers }, frames }
}

const titled: PreviewCase = {
  name: 'title',
  composition: sampleComposition({ ...SIZE, layers: [TITLE] }),
  frames: [],
}
const spoken: PreviewCase = {
  name: 'captions',
  composition: sampleComposition({ ...SIZE, layers: [captionLayer('Nobody reads the manual', 10, 4)] }),
  frames: [],
}

/** By kind of layer; the compiler requires every kind, and the test every kind of the schema. */
export const PREVIEW_CASES: { readonly [K in Kind]: readonly PreviewCase[] } = {
  captions: [
    ...golden('captions'),
    ...captionPresets(),
    ...scripts(),
    fullSize(),
    moving(
      spoken,
      {
        'styles.yPercent': [
          [5, 80],
          [30, 20, 'hold'],
        ],
        'styles.face.fontSize': [
          [5, 60],
          [30, 110],
        ],
      },
      [17, 33],
    ),
  ],
  title: [
    ...golden('title'),
    ...titlePresets(),
    moving(
      titled,
      {
        xPercent: [
          [10, 30, 'ease_in'],
          [40, 60],
        ],
        'face.fontSize': [
          [10, 40],
          [40, 80],
        ],
        opacity: [
          [10, 0.2],
          [40, 1],
        ],
      },
      [15, 28, 50],
    ),
  ],
  image: [
    ...golden('image'),
    picture('zooming out', { drift: 0.12, driftTo: 'out', focusX: 20 }),
    picture('panned, half opaque', { drift: 0.12, driftTo: 'right', focusX: 80, opacity: 0.5 }),
    picture('whole, at the top', { fit: 'contain', focusY: 0, drift: 0.12 }),
    moving(
      picture('moved', {}),
      {
        'rect.x': [
          [5, -400, 'ease_out'],
          [45, 300],
        ],
        opacity: [
          [5, 0.1],
          [45, 0.9],
        ],
      },
      [12, 40],
    ),
  ],
  audiogram: [
    wave('wave of bars', {}),
    wave('wave as a line', { style: 'line' }),
    wave('wave mirrored', { style: 'mirror', halo: { colour: '#000000aa', width: 8 } }),
    moving(
      wave('wave', {}),
      {
        'rect.y': [
          [0, 100],
          [60, 900, 'ease_in_out'],
        ],
      },
      [20],
    ),
  ],
  shape: [
    shape('plain shape', {}),
    shape('round shape', { radius: 60, colourTo: '#d92d20' }),
    moving(
      shape('shape', {}),
      {
        'rect.width': [
          [0, 100],
          [60, 900, 'ease_in_out'],
        ],
        radius: [
          [0, 0],
          [60, 120],
        ],
      },
      [33],
    ),
  ],
  // Held against a rendered file: preview-videos.test.ts.
  video: VIDEO_CASES,
}
