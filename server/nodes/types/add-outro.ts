import { Type } from '@sinclair/typebox'
import { OutroMusicOption, EndCardOption } from '../../contract/media-configs.ts'
import { booleanField, closedObject } from '../../contract/config-fields.ts'
import { withoutOldFileIn } from '../merge.ts'
import { declareNode, type ComposeContext, type NodeEdits } from '../declare.ts'
import { assetNeed, readyAt } from '../pictures/asset.ts'
import { musicEdits } from '../sound/music.ts'
import type { AssetNeed, ReadyAsset } from '../../contract/asset.ts'
import type { ImageLayer, SoundTrack, VideoLayer } from '../../contract/composition.ts'
import { rationalToNumber, ticksToSeconds, type FrameRange } from '../../contract/time.ts'
import { fullRect } from '../pictures/place.ts'
import { warnTo, type RenderRemark, type Warn } from '../../contract/render-remarks.ts'

/** Closes the clip with a card. */
export const addOutro = declareNode({
  type: 'add_outro',
  label: 'Add outro',
  config: closedObject({
    enabled: booleanField('Add the end card', true),
    end_card_option: Type.Optional(EndCardOption),
    outro_music_option: Type.Optional(OutroMusicOption),
  }),
  settle: (layers) => withoutOldFileIn('end_card_option', 'endCardOption', layers),
  assets: (config) => {
    const music = assetNeed(config.outro_music_option?.url, 'audio')
    return [...endCardNeed(config.end_card_option ?? {}), ...music]
  },
  compile(config, context) {
    const card = compileEndCard(config.end_card_option ?? {}, context)
    const placement = { place: 'closing', label: 'add_outro.outro_music_option.url', ducking: true } as const
    const { music, warnings } = musicEdits(config.outro_music_option, placement, context)
    return { ...card, music, warnings: [...(card.warnings ?? []), ...warnings] }
  },
})

type Card = Extract<ReadyAsset, { kind: 'image' | 'video' }>

/** Seconds. */
const SHOWN = 3
const LONGEST = 60
const FADE = 0.4
/** Milliseconds of fading a card's sound in and out, to avoid clicks. */
const SOUND_FADES = { fadeInMs: 30, fadeOutMs: 200 } as const

/** The file of the card. Without a declared type its bytes decide. */
function endCardNeed({ url, isVideo }: EndCardOption): AssetNeed[] {
  return assetNeed(url, isVideo === undefined ? 'media' : isVideo ? 'video' : 'image')
}

function compileEndCard(card: EndCardOption, context: ComposeContext): NodeEdits {
  // An editor has taken the card off.
  if (Object.keys(card).length === 0) return {}
  const warnings: RenderRemark[] = []
  const warn = warnTo(warnings)
  const ready = cardAt(card, context, warn)
  if (ready === null) return { warnings }
  const framesPerSecond = rationalToNumber(context.output.frameRate)
  const clipEnd = context.durationFrames
  const before = card.secondsBeforeEnd ?? 0
  const startFrame = Math.max(0, clipEnd - Math.round(before * framesPerSecond))
  const usual =
    ready.kind === 'video'
      ? Math.min(card.videoDuration ?? Infinity, ticksToSeconds(ready.video.duration))
      : before > 0
        ? (clipEnd - startFrame) / framesPerSecond
        : SHOWN
  const wanted = card.duration ?? usual
  if (wanted > LONGEST)
    warn('SHORTENED', 'endCardOption.duration', `endCardOption: the card was cut to ${LONGEST} s.`)
  const frames = Math.round(Math.min(LONGEST, wanted) * framesPerSecond)
  if (frames < 1) {
    const setting = 'endCardOption.duration'
    warn('NEVER_SHOWN', setting, `${setting} is 0, so the clip has no end card.`)
    return { warnings }
  }
  const endFrame = startFrame + frames
  const tracks = soundOf(ready, card.volume ?? 1, { startFrame, endFrame })
  return {
    tailFrames: Math.max(0, endFrame - clipEnd),
    closing: { startFrame, heard: tracks.length > 0 },
    layers: [layerOf(ready, card, { startFrame, endFrame }, context)],
    tracks,
    warnings,
  }
}

function cardAt(card: EndCardOption, context: ComposeContext, warn: Warn): Card | null {
  const wanted = ['image', 'video'] as const
  const need = {
    label: 'endCardOption.url',
    wanted: card.isVideo === undefined ? wanted : ([card.isVideo ? 'video' : 'image'] as const),
    noun: 'picture to show',
  }
  const ready = readyAt(context.assets, card.url, need, warn)
  return ready?.kind === 'image' || ready?.kind === 'video' ? ready : null
}

function layerOf(
  ready: Card,
  card: EndCardOption,
  range: FrameRange,
  context: ComposeContext,
): ImageLayer | VideoLayer {
  const framesPerSecond = rationalToNumber(context.output.frameRate)
  const half = Math.floor((range.endFrame - range.startFrame) / 2)
  const shared = {
    id: 'end-card',
    rect: fullRect(context.output),
    // Whole, over black: a card's words must not be cut off where its shape is not the clip's.
    fit: 'contain' as const,
    background: '#000000',
    opacity: card.opacity ?? 1,
    ...range,
    intro: { kind: 'fade' as const, frames: Math.min(Math.round(FADE * framesPerSecond), half) },
    outro: { kind: 'none' as const, frames: 0 },
  }
  return ready.kind === 'image'
    ? { kind: 'image', asset: ready.picture, ...shared }
    : { kind: 'video', asset: ready.video, sourceStart: 0, loop: false, focusX: 50, focusY: 50, ...shared }
}

/** Sound of a video card: at volume 1 as loud as the clip's speech, at 0.5 6 dB less. */
function soundOf(ready: Card, volume: number, range: FrameRange): SoundTrack[] {
  if (ready.kind !== 'video' || ready.sound === null || volume <= 0) return []
  const levelDb = Math.round(2000 * Math.log10(Math.min(1, volume))) / 100
  const track = { id: 'end-card', asset: ready.sound, sourceStart: 0, ...range, loop: false, levelDb }
  return [{ ...track, duckDb: 0, ...SOUND_FADES }]
}
