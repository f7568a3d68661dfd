/**
 * What a build of ffmpeg is made to do before it is used: a small clip with what real ones have, a picture through a pipe, and
 * films to decode, measured. PURE.
 */
import type { Composition } from '../../../server/contract/composition.ts'
import { frameToTicks, secondsToTicks } from '../../../server/contract/time.ts'
import type { Dialect } from './dialect.ts'
import { ffmpegStart, inputGuard, listArguments } from './input.ts'
import { renderArguments } from './render.ts'
import type { CardReading } from './card-reading.ts'
import { softwareEncoder, type VideoEncoder } from './render-encoder.ts'

/** Another number when trials or what they are judged by change: what was found before is found again. */
export const TRIAL_VERSION = 1

const RATE = { numerator: 25, denominator: 1 }
/** Of resources/ffmpeg-trial/h264.mkv. */
const SOURCE = { width: 640, height: 360 }
/** Of the clip that is made of it. */
export const TRIAL_CLIP = { width: 180, height: 320, frames: 40 } as const
/** Of each file in resources/ffmpeg-trial. */
export const TRIAL_FRAMES = 50

/** Cuts, another speed, a held end, a moving crop, a picture over its blur, a patch, a beep, a limiter. */
const COMPOSITION: Composition = {
  formatVersion: 1,
  output: { width: TRIAL_CLIP.width, height: TRIAL_CLIP.height, frameRate: RATE },
  durationFrames: TRIAL_CLIP.frames,
  tailFrames: 5,
  source: {
    digest: '',
    ...SOURCE,
    hasVideo: true,
    hasAudio: true,
    hdr: false,
    interlaced: false,
    videoStream: 0,
    audioStream: 1,
    patches: [{ rect: { x: 500, y: 20, width: 80, height: 40 }, startFrame: 0, endFrame: 20 }],
  },
  timeMap: [
    { startFrame: 0, endFrame: 20, ...span(2, 22), playbackRate: 1 },
    { startFrame: 20, endFrame: 35, ...span(20, 50), playbackRate: 2 },
  ],
  layout: [
    {
      kind: 'crop',
      startFrame: 0,
      endFrame: 20,
      crop: { x: 100, y: 0, width: 202.5, height: 360 },
      cropTo: { x: 300, y: 0, width: 202.5, height: 360 },
      eased: true,
    },
    {
      kind: 'fit',
      startFrame: 20,
      endFrame: TRIAL_CLIP.frames,
      crop: { x: 0, y: 0, ...SOURCE },
      zoom: 1,
      background: 'blur',
    },
  ],
  layers: [],
  audio: {
    integratedLufs: null,
    truePeakDb: -1,
    crossfadeMs: 10,
    edgeFadeMs: 15,
    masks: [{ start: secondsToTicks(0.2), end: secondsToTicks(0.4), kind: 'beep' }],
  },
}

function span(from: number, to: number) {
  return { sourceStart: frameToTicks(from, RATE), sourceEnd: frameToTicks(to, RATE) }
}

/** Makes a clip of 40 frames out of the H.264 trial film, by the builder of all renders. `by`: absent: by the processor alone. */
export function trialClipArguments(
  film: string,
  outputFile: string,
  dialect: Dialect,
  by: { readonly encoder?: VideoEncoder; readonly reading?: CardReading } = {},
): string[] {
  return renderArguments({
    composition: COMPOSITION,
    sourceFile: film,
    outputFile,
    stillFile: null,
    bands: [],
    gain: { gainDb: 6, ceilingDb: -1 },
    encoder: by.encoder ?? softwareEncoder({ preset: 'ultrafast', crf: 20 }, RATE),
    reading: by.reading ?? null,
    dialect,
  })
}

/** Lays a film that comes through file descriptor 3 over grey, and prints a line per frame. */
export function trialPipeArguments(): string[] {
  const graph = 'color=c=gray:s=64x64:r=25[below];[below][0:v]overlay=eof_action=endall:format=yuv420[out]'
  return listArguments`
    ${ffmpegStart()} -protocol_whitelist file,pipe,fd -f matroska -i pipe:3 -filter_complex ${graph} -map [out]
    -f framecrc pipe:1
  `
}

/** Decodes every picture of a film `times` over and drops it; prints how long the processor worked for that. */
export function trialDecodeArguments(film: string, times: number): string[] {
  return listArguments`
    -hide_banner -nostdin -nostats -loglevel info -benchmark ${inputGuard()} -stream_loop ${times - 1}
    -i file:${film} -map 0:v:0 -f null -
  `
}

/** Seconds of the processor out of what `-benchmark` prints; null: it printed none. */
export function processorSeconds(stderr: string): number | null {
  const user = /^bench: utime=([\d.]+)s/m.exec(stderr)?.[1]
  const system = /^bench: .*stime=([\d.]+)s/m.exec(stderr)?.[1]
  return user === undefined ? null : Number(user) + Number(system ?? 0)
}

/** How often a film is decoded, so that it takes longer than the start of a program. */
export const TRIAL_TIMES = { av1: 1, h264: 4 } as const
