/** Clips as they are exported, for the tests of exports. */
import type {
  Composition,
  ImageLayer,
  SoundTrack,
  TimeSpan,
  VideoLayer,
} from '../../server/contract/composition.ts'
import { frameToTicks, secondsToTicks, type Rational } from '../../server/contract/time.ts'
import { FORMATS, type ClipForExport, type ExportFormat } from '../../server/interchange/index.ts'
import { withOpening } from '../../server/nodes/compose/opening.ts'
import { captionLayer, sampleComposition, TITLE } from './sample-composition.ts'

export const rate = (numerator: number, denominator = 1): Rational => ({ numerator, denominator })
export const NTSC = rate(30000, 1001)
export const RATES = [
  rate(24000, 1001),
  rate(24),
  rate(25),
  NTSC,
  rate(30),
  rate(50),
  rate(60000, 1001),
  rate(60),
]

export type Piece = readonly [from: number, frames: number, playbackRate?: number]
export const PIECES: readonly Piece[] = [[90, 41], [300, 17, 2], [400, 50, 0.5], [1900, 33], [120, 9]] // prettier-ignore

function spansOf(pieces: readonly Piece[], fps: Rational): TimeSpan[] {
  let at = 0
  return pieces.map(([from, frames, playbackRate = 1]) => {
    const span = {
      startFrame: at,
      endFrame: at + frames,
      playbackRate,
      sourceStart: frameToTicks(from, fps),
      sourceEnd: frameToTicks(from + Math.round(frames * playbackRate), fps),
    }
    at += frames
    return span
  })
}

const asset: VideoLayer['asset'] = {
  digest: 'b'.repeat(64),
  width: 1280,
  height: 720,
  duration: secondsToTicks(2),
  frameRate: rate(30),
  hasAudio: false,
  videoStream: 0,
  hdr: false,
  interlaced: false,
  opaque: true,
}
const STILL: VideoLayer['intro'] = { kind: 'none', frames: 0 }
/** City at night, 2 s, over frames 30 to 130. */
export const BROLL: VideoLayer = {
  kind: 'video',
  id: 'broll',
  asset,
  sourceStart: 0,
  loop: true,
  rect: { x: 0, y: 0, width: 1080, height: 1920 },
  fit: 'cover',
  focusX: 50,
  focusY: 50,
  background: null,
  opacity: 1,
  startFrame: 30,
  endFrame: 130,
  intro: STILL,
  outro: STILL,
}

/** A picture of 400 x 200 over frames 5 to 15. */
export const IMAGE: ImageLayer = {
  kind: 'image',
  id: 'logo',
  asset: { digest: 'd'.repeat(64), width: 400, height: 200, opaque: false },
  rect: { x: 0, y: 0, width: 400, height: 200 },
  fit: 'contain',
  background: null,
  opacity: 1,
  startFrame: 5,
  endFrame: 15,
  intro: STILL,
  outro: STILL,
}
/** A song of 3 s, from its second second on, over frames 0 to 20. */
export const MUSIC: SoundTrack = {
  id: 'music',
  asset: { digest: 'c'.repeat(64), audioStream: 0, duration: secondsToTicks(3), integratedLufs: -20 },
  sourceStart: secondsToTicks(1),
  startFrame: 0,
  endFrame: 20,
  loop: true,
  levelDb: -12,
  duckDb: 9,
  fadeInMs: 0,
  fadeOutMs: 0,
}

/** A clip with everything: cuts, changes of speed, a tail, b-roll, music, title, captions, a beep, a zoom. */
export function fullClip(fps: Rational, pieces = PIECES, tailFrames = 15): ClipForExport {
  const timeMap = spansOf(pieces, fps)
  const durationFrames = (timeMap.at(-1)?.endFrame ?? 0) + tailFrames
  const captions = captionLayer('One & two <three> "four"', 8, 2)
  const composition: Composition = {
    ...sampleComposition({ frameRate: fps, durationFrames }),
    timeMap,
    tailFrames,
    layers: [BROLL, { ...TITLE, endFrame: 60 }, captions],
    zooms: [
      {
        startFrame: 60,
        endFrame: 80,
        scale: 1.2,
        xPercent: 50,
        yPercent: 50,
        easeInFrames: 0,
        easeOutFrames: 0,
      },
    ],
    audio: {
      integratedLufs: -14,
      truePeakDb: -1,
      crossfadeMs: 10,
      edgeFadeMs: 15,
      masks: [{ start: frameToTicks(45, fps), end: frameToTicks(50, fps), kind: 'beep' }],
      tracks: [{ ...MUSIC, endFrame: durationFrames }],
    },
  }
  return {
    composition,
    title: 'Why "R&D" <never> ends',
    language: 'en',
    speakers: ['Ann', 'Bo'],
    source: {
      name: 'My long talk.mp4',
      url: 'file:///data/sources/ab%20c',
      duration: secondsToTicks(3600),
      frameRate: fps,
      audioChannels: 2,
    },
    assets: new Map([
      [asset.digest, { name: 'city.mp4', url: 'city night.mp4' }],
      [MUSIC.asset.digest, { name: 'song.mp3', url: 'file:///data/song.mp3' }],
      [IMAGE.asset.digest, { name: 'logo.png', url: 'file:///data/logo.png' }],
    ]),
    words: [
      { text: 'Hello', startFrame: 0, endFrame: 10, speaker: 0, joinsNext: false },
      { text: 's***,', startFrame: 10, endFrame: 20, speaker: 0, joinsNext: false },
      { text: '今', startFrame: 90, endFrame: 95, speaker: 1, joinsNext: true },
      { text: '日', startFrame: 95, endFrame: 99, speaker: 1, joinsNext: false },
    ],
  }
}

export const write = (format: ExportFormat, clip: ClipForExport) => FORMATS[format].write(clip)

/** A clip without layers, sounds or marks, at 25 frames a second. */
export function plainClip(pieces: readonly Piece[], source: Partial<ClipForExport['source']> = {}, tail = 0) {
  const full = fullClip(rate(25), pieces, tail)
  const composition: Composition = { ...full.composition, layers: [], zooms: [] }
  composition.audio = { ...composition.audio, integratedLufs: null, masks: [], tracks: [] }
  composition.layout = [
    {
      kind: 'fit',
      startFrame: 0,
      endFrame: composition.durationFrames,
      zoom: 1,
      background: 'black',
      crop: { x: 0, y: 0, width: 1920, height: 1080 },
    },
  ]
  return { ...full, title: 'Two\n cuts ', composition, source: { ...full.source, ...source } }
}

/** A clip with other parts of its composition; of its sound only what is given. */
export function withParts(
  clip: ClipForExport,
  { audio, ...parts }: Partial<Omit<Composition, 'audio'>> & { audio?: Partial<Composition['audio']> },
): ClipForExport {
  const { composition } = clip
  return { ...clip, composition: { ...composition, ...parts, audio: { ...composition.audio, ...audio } } }
}

/** Fills the whole time of a clip of 1080 x 1920 with the middle of a source of 1920 x 1080. */
export function cropped(endFrame: number, startFrame = 0): Composition['layout'][number] {
  return { kind: 'crop', startFrame, endFrame, crop: { x: 656.25, y: 0, width: 607.5, height: 1080 } }
}

/** The same clip after so many frames of a video with nothing else. */
export function withHead(clip: ClipForExport, frames: number): ClipForExport {
  const intro = { ...BROLL, id: 'brand-intro', startFrame: 0, endFrame: frames }
  const opening = frames === 0 ? null : { frames, layers: [intro], tracks: [] }
  return { ...clip, composition: withOpening(clip.composition, opening, 0) }
}
