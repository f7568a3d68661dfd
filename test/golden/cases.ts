/** What the golden frames show: one case per look that captions, titles and pictures can have. */
import type {
  CaptionStyle,
  Composition,
  ImageLayer,
  Layer,
  TitleLayer,
} from '../../server/contract/composition.ts'
import { WAVE_CASES } from './wave-cases.ts'
import { PRESET_CASES } from './preset-cases.ts'
import { CAPTION_STYLE, captionLayer, sampleComposition, TITLE } from '../support/sample-composition.ts'

export interface GoldenCase {
  readonly name: string
  readonly frame: number
  readonly composition: Composition
}

const SENTENCE = 'Nobody reads the manual twice'
const FRAMES_PER_WORD = 10
/** A frame in the third word, with every transition over. */
const THIRD_WORD = 27

type Face = CaptionStyle['face']

function style(over: Partial<CaptionStyle>): CaptionStyle {
  return { ...CAPTION_STYLE, animation: 'none', ...over }
}

function face(over: Partial<Face>): Face {
  return { ...CAPTION_STYLE.face, ...over }
}

function spoken(over: Partial<CaptionStyle['spoken']>): CaptionStyle['spoken'] {
  return { ...CAPTION_STYLE.spoken, ...over }
}

function golden(name: string, frame: number, layer: Layer, size = { width: 540, height: 960 }): GoldenCase {
  return { name, frame, composition: sampleComposition({ ...size, durationFrames: 300, layers: [layer] }) }
}

function captions(
  name: string,
  over: Partial<CaptionStyle>,
  frame = THIRD_WORD,
  text = SENTENCE,
): GoldenCase {
  return golden(name, frame, captionLayer(text, FRAMES_PER_WORD, 5, style(over)))
}

function title(name: string, frame: number, over: Partial<TitleLayer>): GoldenCase {
  return golden(name, frame, { ...TITLE, ...over })
}

/** The test picture that draw.ts makes, at rest from frame 10 to 60. */
export const GOLDEN_PICTURE = 'golden-picture'
const STILL = { kind: 'none', frames: 0 } as const

function picture(name: string, frame: number, over: Partial<ImageLayer>): GoldenCase {
  return golden(name, frame, {
    kind: 'image',
    id: 'picture',
    fit: 'fill',
    background: null,
    opacity: 1,
    asset: { digest: GOLDEN_PICTURE, width: 300, height: 150, opaque: false },
    rect: { x: 500, y: 100, width: 400, height: 200 },
    startFrame: 10,
    endFrame: 60,
    intro: STILL,
    outro: STILL,
    ...over,
  })
}

function withHighlight(): GoldenCase {
  const layer = captionLayer(SENTENCE, FRAMES_PER_WORD, 5, style({ spoken: spoken({ mode: 'none' }) }))
  if (layer.kind !== 'captions') throw new Error('captionLayer makes captions')
  const cues = layer.cues.map((cue) => ({
    ...cue,
    words: cue.words.map((word) => (word.text === 'manual' ? { ...word, highlight: '#38e07b' } : word)),
  }))
  return golden('captions-highlight', THIRD_WORD, { ...layer, cues })
}

const BOX = { ...CAPTION_STYLE.backdrop, colour: '#101014', opacity: 0.8 }
const PLAIN = face({ outline: null, shadow: null })

export const GOLDEN_CASES: readonly GoldenCase[] = [
  captions('captions-colour', {}),
  captions('captions-pill', { spoken: spoken({ mode: 'pill', colour: '#ffffff' }) }),
  captions('captions-scale', { spoken: spoken({ mode: 'scale', colour: '#ff4539', scale: 1.14 }) }),
  captions('captions-sweep', { spoken: spoken({ mode: 'sweep', colour: '#38e07b' }) }, 25),
  captions('captions-spotlight', {
    spoken: spoken({ mode: 'spotlight', colour: '#ffffff', restOpacity: 0.45 }),
  }),
  captions('captions-reveal', { spoken: spoken({ mode: 'reveal', colour: '#ffd60a' }) }),
  captions('captions-transition', { spoken: spoken({ transitionFrames: 6 }) }, 21),
  captions('captions-pop-first-frame', { animation: 'pop' }, 0),
  captions('captions-pop-over', { animation: 'pop' }, 3),
  captions('captions-slide', { animation: 'slide' }, 1),
  captions('captions-fade', { animation: 'fade' }, 1),
  captions('captions-backdrop-line', { face: PLAIN, backdrop: { ...BOX, fill: 'line' } }),
  captions('captions-backdrop-block', { face: PLAIN, backdrop: { ...BOX, fill: 'block' } }),
  captions('captions-left', { align: 'left', wrapWidthPercent: 60, maxLines: 3 }),
  captions('captions-upper-anton', {
    face: face({ fontFamily: 'Anton', fontWeight: 400, fontSize: 96, textCase: 'upper', letterSpacing: 1 }),
  }),
  captions('captions-arabic', {}, THIRD_WORD, 'لا أحد يقرأ الدليل مرتين'),
  captions('captions-hebrew-mixed', {}, THIRD_WORD, 'אף אחד Node Canvas קורא'),
  captions('captions-emoji', {}, THIRD_WORD, 'This is 🔥 so good'),
  withHighlight(),
  title('title-wrap', 60, { text: 'A short line, then one that is quite a lot longer', maxWidthPercent: 62 }),
  title('title-fading-in', 3, {}),
  title('title-shrunk', 60, {
    text: 'This headline has far too many words for the little room that it was given up here',
    targetHeightPercent: 8,
  }),
  title('title-plain-shadow', 60, {
    backdrop: { ...TITLE.backdrop, fill: 'none' },
    face: {
      ...TITLE.face,
      colour: '#ffffff',
      fontFamily: 'Bebas Neue',
      fontSize: 96,
      shadow: CAPTION_STYLE.face.shadow,
    },
  }),
  picture('picture-at-rest', 30, {}),
  picture('picture-half-opaque', 30, { opacity: 0.5 }),
  picture('picture-fading-in', 12, { intro: { kind: 'fade', frames: 8 } }),
  picture('picture-from-the-right', 12, { intro: { kind: 'right', frames: 8 } }),
  picture('picture-leaving-over-the-top', 56, { outro: { kind: 'top', frames: 8 } }),
  picture('picture-growing', 12, { intro: { kind: 'small', frames: 8 } }),
  picture('picture-shrinking-in', 12, { intro: { kind: 'large', frames: 8 } }),
  picture('picture-contained-over-black', 30, {
    rect: { x: 100, y: 100, width: 400, height: 600 },
    fit: 'contain',
    background: '#000000',
  }),
  ...PRESET_CASES,
  picture('picture-covering', 30, { rect: { x: 100, y: 100, width: 300, height: 400 }, fit: 'cover' }),
  picture('picture-round', 30, { radius: 60 }),
  ...WAVE_CASES,
]
