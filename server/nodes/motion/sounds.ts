/** Sound effects of a clip: at its transitions, and at moments that an editor chose. PURE. */
import type { AssetNeed } from '../../contract/asset.ts'
import type { SoundTrack, Transition } from '../../contract/composition.ts'
import type { MotionConfig } from '../../contract/motion-config.ts'
import { remark, warnTo, type RenderRemark } from '../../contract/render-remarks.ts'
import { soundAddress, soundEffect, type SoundName } from '../../contract/sounds.ts'
import { frameFrom } from '../../contract/time-map/frames.ts'
import { cutsOf } from '../../contract/time-map/transitions.ts'
import { rationalToNumber, ticksToSeconds } from '../../contract/time.ts'
import type { ComposeContext, NodeEdits } from '../declare.ts'
import { assetNeed, soundAt } from '../pictures/asset.ts'
import { musicLevel } from '../sound/music.ts'
import { ownAt } from './transitions.ts'

const VOLUME = 0.5
/** Milliseconds, so that neither end clicks. */
const FADES = { fadeInMs: 2, fadeOutMs: 10 } as const

/** The files of all sounds that may be played. */
export function soundNeeds({ enabled, transitionSound, cuts = [], sounds = [] }: MotionConfig): AssetNeed[] {
  if (enabled === false) return []
  const names = [transitionSound, ...cuts.map(({ sound }) => sound), ...sounds.map(({ sound }) => sound)]
  const used = new Set(names.filter((name) => name !== undefined && name !== 'none'))
  return [...used].flatMap((name) => assetNeed(soundAddress(name), 'audio'))
}

interface Placed {
  readonly id: string
  readonly sound: SoundName
  readonly frame: number
  readonly volume: number
  readonly field: string
}

export function placeSounds(
  config: MotionConfig,
  transitions: readonly Transition[],
  context: Pick<ComposeContext, 'assets' | 'timeMap' | 'output' | 'durationFrames'>,
): Pick<NodeEdits, 'tracks' | 'warnings'> {
  if (config.enabled === false) return {}
  const warnings: RenderRemark[] = []
  const placed = [...atTransitions(config, transitions, context), ...atMoments(config, context)]
  const tracks = placed.flatMap((one) => trackOf(one, context, warnings) ?? [])
  return { tracks, warnings }
}

function atTransitions(
  config: MotionConfig,
  transitions: readonly Transition[],
  { timeMap }: Pick<ComposeContext, 'timeMap'>,
): Placed[] {
  return cutsOf(timeMap).flatMap((cut): Placed[] => {
    if (!transitions.some(({ cutFrame }) => cutFrame === cut.frame)) return []
    const sound = ownAt(config, cut)?.sound ?? config.transitionSound ?? 'none'
    if (sound === 'none') return []
    const field = 'motionConfig.transitionSound'
    return [{ id: `transition-sound-${cut.frame}`, sound, frame: cut.frame, volume: VOLUME, field }]
  })
}

const atMoments = ({ sounds = [] }: MotionConfig, { timeMap }: Pick<ComposeContext, 'timeMap'>): Placed[] =>
  sounds.map(({ sound, at, volume = VOLUME }, index) => ({
    id: `sound-${index}`,
    sound,
    frame: frameFrom(timeMap, at),
    volume,
    field: `motionConfig.sounds.${index}`,
  }))

function trackOf(
  { id, sound, frame, volume, field }: Placed,
  { assets, output, durationFrames }: Pick<ComposeContext, 'assets' | 'output' | 'durationFrames'>,
  warnings: RenderRemark[],
): SoundTrack | null {
  const levelDb = musicLevel(volume, 'clip')
  if (levelDb === null) return null
  const asset = soundAt(assets, soundAddress(sound), field, warnTo(warnings))
  if (asset === null) return null
  const perSecond = rationalToNumber(output.frameRate)
  const startFrame = frame - Math.round(soundEffect(sound).moment * perSecond)
  const endFrame = startFrame + Math.ceil(ticksToSeconds(asset.duration) * perSecond)
  if (endFrame <= 0 || startFrame >= durationFrames) {
    warnings.push(remark('NEVER_SHOWN', field, `${field}: its moment is not played in this clip.`))
    return null
  }
  return { id, asset, sourceStart: 0, startFrame, endFrame, loop: false, levelDb, duckDb: 0, ...FADES }
}
