/** Compositions for tests and benchmarks: a clip of a tiny source with captions and a title. */
import type { CaptionStyle, Composition, Layer, TitleLayer } from '../../server/contract/composition.ts'
import { frameToTicks, type Rational } from '../../server/contract/time.ts'

export const CAPTION_STYLE: CaptionStyle = {
  face: {
    fontFamily: 'Montserrat',
    fontSize: 76,
    fontWeight: 800,
    italic: false,
    lineHeight: 1.16,
    letterSpacing: 0,
    textCase: 'none',
    colour: '#ffffff',
    outline: { colour: '#0b0b0f', width: 9 },
    shadow: { colour: '#00000099', blur: 14, offsetX: 0, offsetY: 5 },
  },
  backdrop: { fill: 'none', colour: '#000000', opacity: 0.75, paddingX: 26, paddingY: 14, radius: 16 },
  spoken: {
    mode: 'colour',
    colour: '#ffd60a',
    opacity: 1,
    restOpacity: 1,
    pillColour: '#6d3bf5',
    scale: 1.1,
    transitionFrames: 2,
  },
  animation: 'pop',
  align: 'center',
  xPercent: 50,
  yPercent: 72,
  maxLines: 2,
  wrapWidthPercent: 84,
}

export const TITLE: TitleLayer = {
  kind: 'title',
  id: 'title',
  text: 'Why nobody reads the manual twice',
  startFrame: 0,
  endFrame: 120,
  fadeFrames: 8,
  face: {
    fontFamily: 'Montserrat',
    fontSize: 60,
    fontWeight: 800,
    italic: false,
    lineHeight: 1.36,
    letterSpacing: 0,
    textCase: 'none',
    colour: '#111114',
    outline: null,
    shadow: null,
  },
  backdrop: { fill: 'wrap', colour: '#ffffff', opacity: 1, paddingX: 28, paddingY: 14, radius: 18 },
  align: 'center',
  xPercent: 50,
  yPercent: 17,
  maxWidthPercent: 80,
  targetHeightPercent: 0,
}

/** Cues of a few words each, every word `framesPerWord` long, one cue after the other. */
function cuesFor(
  text: string,
  framesPerWord: number,
  wordsPerCue: number,
  style = 0,
): Extract<Layer, { kind: 'captions' }>['cues'] {
  const words = text.split(' ').map((word, index) => ({
    text: word,
    startFrame: index * framesPerWord,
    endFrame: (index + 1) * framesPerWord,
  }))
  const cues = []
  for (let at = 0; at < words.length; at += wordsPerCue) {
    const own = words.slice(at, at + wordsPerCue)
    cues.push({ startFrame: own[0]?.startFrame ?? 0, endFrame: own.at(-1)?.endFrame ?? 0, style, words: own })
  }
  return cues
}

export function captionLayer(
  text: string,
  framesPerWord: number,
  wordsPerCue: number,
  style = CAPTION_STYLE,
): Layer {
  const cues = cuesFor(text, framesPerWord, wordsPerCue)
  return { kind: 'captions', id: 'captions', language: 'en', styles: [style], cues }
}

export interface SampleOptions {
  readonly width?: number
  readonly height?: number
  readonly frameRate?: Rational
  readonly durationFrames?: number
  readonly source?: Partial<Composition['source']>
  readonly layers?: Layer[]
  /** First source frame, at the output's rate. */
  readonly fromFrame?: number
}

/** One span at natural speed, a centred crop that fills the output. */
export function sampleComposition(options: SampleOptions = {}): Composition {
  const { width = 1080, height = 1920, durationFrames = 90, fromFrame = 0 } = options
  const frameRate = options.frameRate ?? { numerator: 30, denominator: 1 }
  const source = {
    digest: '0'.repeat(64),
    width: 1920,
    height: 1080,
    hasVideo: true,
    hasAudio: true,
    hdr: false,
    interlaced: false,
    videoStream: 0,
    audioStream: 1,
    ...options.source,
  }
  const cropWidth = Math.min(source.width, (source.height * width) / height)
  const cropHeight = Math.min(source.height, (source.width * height) / width)
  return {
    formatVersion: 1,
    output: { width, height, frameRate },
    durationFrames,
    source,
    timeMap: [
      {
        startFrame: 0,
        endFrame: durationFrames,
        sourceStart: frameToTicks(fromFrame, frameRate),
        sourceEnd: frameToTicks(fromFrame + durationFrames, frameRate),
        playbackRate: 1,
      },
    ],
    layout: [
      {
        kind: 'crop',
        startFrame: 0,
        endFrame: durationFrames,
        crop: {
          x: (source.width - cropWidth) / 2,
          y: (source.height - cropHeight) / 2,
          width: cropWidth,
          height: cropHeight,
        },
      },
    ],
    layers: options.layers ?? [],
    audio: { integratedLufs: -14, truePeakDb: -1, crossfadeMs: 10, edgeFadeMs: 15 },
  }
}
