/** What a node's `compile` reads: ten seconds of a source, from second 10 on, upright, at ten frames a second. */
import type { Assets, AssetState } from '../../server/contract/asset.ts'
import type { Layer, PictureAsset, SoundAsset, VideoAsset } from '../../server/contract/composition.ts'
import { secondsToTicks } from '../../server/contract/time.ts'
import type { ComposeContext } from '../../server/nodes/declare.ts'
import { documentOf, factsOf } from './node-values.ts'

export const PICTURE: PictureAsset = { digest: 'a'.repeat(64), width: 400, height: 200, opaque: true }
export const SOUND: SoundAsset = {
  digest: 'b'.repeat(64),
  audioStream: 0,
  duration: secondsToTicks(8),
  integratedLufs: -14,
}
export const VIDEO: VideoAsset = {
  digest: 'c'.repeat(64),
  videoStream: 0,
  width: 640,
  height: 360,
  opaque: true,
  duration: secondsToTicks(6),
  frameRate: { numerator: 30, denominator: 1 },
  hasAudio: true,
  hdr: false,
  interlaced: false,
}
const files: Record<string, AssetState> = {
  'https://x/picture.png': { state: 'ready', kind: 'image', picture: PICTURE },
  'https://x/video.mp4': { state: 'ready', kind: 'video', video: VIDEO, sound: SOUND },
  'https://x/silent.mp4': { state: 'ready', kind: 'video', video: VIDEO, sound: null },
  'https://x/sound.mp3': { state: 'ready', kind: 'audio', sound: SOUND },
  'https://x/font.ttf': { state: 'ready', kind: 'font', digest: 'd'.repeat(64) },
  'https://x/gone.png': { state: 'failed', message: 'There is no file at this address.' },
}
const FILES: Assets = new Map(Object.entries(files))

export function contextOf({
  document = {},
  facts = factsOf(),
  ...over
}: Partial<Omit<ComposeContext, 'document'>> & {
  document?: Partial<ComposeContext['document']>
} = {}): ComposeContext {
  return {
    document: documentOf([], { startTimestamp: 10, endTimestamp: 20, ...document }, facts),
    words: [],
    facts,
    output: { width: 1080, height: 1920, frameRate: { numerator: 10, denominator: 1 } },
    timeMap: [
      {
        startFrame: 0,
        endFrame: 100,
        sourceStart: secondsToTicks(10),
        sourceEnd: secondsToTicks(20),
        playbackRate: 1,
      },
    ],
    durationFrames: 100,
    layout: [],
    masks: [],
    assets: FILES,
    ...over,
  }
}

/** `0-100`: the frames on which a layer is shown. */
export const framesOf = (layer: Layer): string =>
  'startFrame' in layer ? `${layer.startFrame}-${layer.endFrame}` : 'all'
