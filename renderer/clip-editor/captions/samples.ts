/**
 * Small compositions that show a style: a few of the clip's own words, or its headline, in the middle of a square. What
 * draws the clip draws these. PURE.
 */
import type { CaptionLayer, Composition, TitleLayer } from '../../../server/contract/composition.ts'
import type { PublicWord } from '../../../server/contract/clip-transcript.ts'
import { type SpeakerStyle, type TitleConfig } from '../../../server/contract/text-configs.ts'
import { TICKS_PER_SECOND } from '../../../server/contract/time.ts'
import { resolveCueStyle } from '../../../server/nodes/compose/caption-style.ts'
import { groupWords } from '../../../server/nodes/compose/cues.ts'
import { languageOf } from '../../../server/nodes/compose/language.ts'
import type { PlacedWord } from '../../../server/nodes/compose/placed-words.ts'
import { compileTitle } from '../../../server/nodes/compose/title.ts'
import { samples as messages } from '../../messages/captions.ts'

type Output = { readonly width: number; readonly height: number }

/** Frames a second of samples. */
export const SAMPLE_RATE = 30
const MAX_WORDS = 7
/** Seconds. */
const MAX_PAUSE = 0.25
const MAX_WORD = 0.8
const LINGER = 0.6
const NO_WORDS = ['Your', 'words', 'will', 'look', 'like', 'this']

export interface Sample {
  readonly composition: Composition
  /** Shown while nothing moves. */
  readonly stillFrame: number
}

/** The first audible words, one after the other without long pauses. */
export function sampleWords(
  words: readonly Pick<PublicWord, 'word' | 'start' | 'end' | 'isDeleted' | 'visible'>[],
): PlacedWord[] {
  const audible = words.filter(({ isDeleted, visible, word }) => visible && !isDeleted && word.trim() !== '')
  const given = audible.slice(0, MAX_WORDS)
  const spoken =
    given.length > 0
      ? given.map(({ word, start, end }) => ({ word: word.trim(), start, end }))
      : NO_WORDS.map((word, at) => ({ word, start: at * 0.4, end: at * 0.4 + 0.35 }))
  let now = 0
  let before = spoken[0]?.start ?? 0
  return spoken.map(({ word, start, end }, index) => {
    now += Math.min(MAX_PAUSE, Math.max(0, start - before))
    const startFrame = Math.round(now * SAMPLE_RATE)
    now += Math.min(MAX_WORD, Math.max(0.12, end - start))
    before = end
    const endFrame = Math.max(startFrame + 1, Math.round(now * SAMPLE_RATE))
    return { text: word, startFrame, endFrame, speaker: 0, endsCue: false, joinsNext: false, index }
  })
}

/** The words in a style, as large as on a picture of this shape. `output`: the clip's. */
export function captionSample(
  config: SpeakerStyle,
  words: readonly PlacedWord[],
  output: Output,
  side: number,
): Sample {
  const { style, measure } = resolveCueStyle(config, output, SAMPLE_RATE, () => undefined)
  const durationFrames = (words.at(-1)?.endFrame ?? 0) + Math.round(LINGER * SAMPLE_RATE)
  const groups = groupWords(words, {
    framesPerSecond: SAMPLE_RATE,
    durationFrames,
    measureOf: () => measure,
  })
  const layer: CaptionLayer = {
    kind: 'captions',
    id: 'captions',
    language: languageOf(words.map(({ text }) => text)),
    styles: [{ ...style, xPercent: 50, yPercent: 50 }],
    cues: groups.map(({ startFrame, endFrame, words: own }) => ({
      startFrame,
      endFrame,
      style: 0,
      words: own.map(({ text, startFrame: start, endFrame: end }) => ({
        text,
        startFrame: start,
        endFrame: end,
      })),
    })),
  }
  const last = groups[0]?.words.at(-1)
  const stillFrame =
    last === undefined ? 0 : Math.round(last.startFrame + 0.7 * (last.endFrame - last.startFrame))
  return { composition: squareOf(layer, durationFrames, side), stillFrame }
}

/** The headline in a style. */
export function titleSample(config: TitleConfig, title: string, output: Output, side: number): Sample {
  const layer = titleOf({ ...config, fadeDuration: 0.4 }, title === '' ? messages.headline : title, output)
  const shown = { ...layer, xPercent: 50, yPercent: 50, startFrame: 0, endFrame: 3 * SAMPLE_RATE }
  return { composition: squareOf(shown, 3 * SAMPLE_RATE, side), stillFrame: SAMPLE_RATE }
}

/** The layer of a config for a clip of this title and shape. */
export function titleOf(config: TitleConfig, title: string, output: Output): TitleLayer {
  const { layers = [] } = compileTitle(config, {
    document: { title },
    output: { ...output, frameRate: { numerator: SAMPLE_RATE, denominator: 1 } },
    durationFrames: 100 * SAMPLE_RATE,
    assets: new Map(),
  })
  const [layer] = layers
  if (layer?.kind === 'title') return layer
  // An empty headline has no layer.
  return titleOf({ ...config, text: messages.plainHeadline }, messages.plainHeadline, output)
}

function squareOf(layer: CaptionLayer | TitleLayer, durationFrames: number, side: number): Composition {
  const ticks = Math.round((durationFrames * TICKS_PER_SECOND) / SAMPLE_RATE)
  const whole = { x: 0, y: 0, width: side, height: side }
  return {
    formatVersion: 1,
    output: { width: side, height: side, frameRate: { numerator: SAMPLE_RATE, denominator: 1 } },
    durationFrames,
    source: {
      digest: '',
      width: side,
      height: side,
      hasVideo: false,
      hasAudio: false,
      hdr: false,
      interlaced: false,
      videoStream: 0,
      audioStream: 0,
    },
    timeMap: [{ startFrame: 0, endFrame: durationFrames, sourceStart: 0, sourceEnd: ticks, playbackRate: 1 }],
    layout: [{ kind: 'crop', startFrame: 0, endFrame: durationFrames, crop: whole }],
    layers: [layer],
    audio: { integratedLufs: null, truePeakDb: -1.5, crossfadeMs: 0, edgeFadeMs: 0 },
  }
}
