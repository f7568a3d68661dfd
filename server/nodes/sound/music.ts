/** A clip's music. Background music loops from first to last frame; where closing music starts, it fades out. */
import type { SoundTrack } from '../../contract/composition.ts'
import { frameToTicks, rationalToNumber, type Rational } from '../../contract/time.ts'
import type { MusicRequest, Closing, JsonObject, NodeEdits, ComposeContext } from '../declare.ts'
import { own } from '../merge.ts'
import { soundAt } from '../pictures/asset.ts'
import { warnTo, type RenderRemark, type Warn } from '../../contract/render-remarks.ts'

/** dB. Speech stays easily intelligible and the music remains audible. */
const DUCKED_BY = 12
/** Default volume of music. */
export const DEFAULT_VOLUME = { clip: 0.3, closing: 0.6 } as const
/** Milliseconds. */
const COMES = { clip: 500, closing: 300 } as const
const FADE_OUT = { clip: 1500, closing: 1000 } as const
/** How long the clip's music takes to make way for what closes it. */
const MAKES_WAY = 1000

/** Level against the speech in dB: 0 for a volume of 1, 6 dB less for 0.5. Null: silent. */
export function musicLevel(volume: number | undefined, place: MusicRequest['place']): number | null {
  const given = volume ?? DEFAULT_VOLUME[place]
  return given <= 0 ? null : Math.round(2000 * Math.log10(Math.min(1, given))) / 100
}

/** Builds the music tracks. `durationFrames` includes the frames after the source's end. */
export function placeMusic(
  requests: readonly MusicRequest[],
  at: { readonly durationFrames: number; readonly frameRate: Rational; readonly closing: Closing | null },
  warn: Warn,
): SoundTrack[] {
  const { durationFrames, frameRate, closing } = at
  const clip = requests.findLast(({ place }) => place === 'clip')
  const last = requests.findLast(({ place }) => place === 'closing')
  if (last !== undefined && closing === null) {
    const why = 'the clip has no end card that it could be played under'
    warn('NEVER_SHOWN', last.label, `${last.label} is not heard: ${why}.`)
  }
  const tracks: SoundTrack[] = []
  const makesWay = closing !== null && (closing.heard || last !== undefined)
  if (clip !== undefined && !(makesWay && closing.startFrame === 0)) {
    const fade = Math.round((MAKES_WAY / 1000) * rationalToNumber(frameRate))
    const endFrame = makesWay ? Math.min(durationFrames, closing.startFrame + fade) : durationFrames
    tracks.push({
      ...track('music', clip, 0, endFrame),
      loop: true,
      fadeOutMs: makesWay ? MAKES_WAY : FADE_OUT.clip,
    })
  }
  if (last !== undefined && closing !== null) {
    // A jingle is played once.
    const frames = Math.max(1, Math.floor(last.asset.duration / (frameToTicks(1000, frameRate) / 1000)))
    const endFrame = Math.min(durationFrames, closing.startFrame + frames)
    tracks.push(track('outro-music', last, closing.startFrame, endFrame))
  }
  return tracks
}

function track(id: string, request: MusicRequest, startFrame: number, endFrame: number): SoundTrack {
  const { asset, levelDb, duckDb, place } = request
  const fades = { fadeInMs: COMES[place], fadeOutMs: FADE_OUT[place] }
  return { id, asset, sourceStart: 0, startFrame, endFrame, loop: false, levelDb, duckDb, ...fades }
}

/** Tracks beyond these are not picked: each one is fetched before it is known which clips there will be. */
export const MAX_OPTIONS = 25

/** The options that can be picked: those with an address. */
export function musicChoices<Option extends { readonly url?: unknown }>(
  options: readonly Option[],
): Option[] {
  return options.filter(({ url }) => typeof url === 'string' && url.trim() !== '').slice(0, MAX_OPTIONS)
}

/** Undefined when there is nothing to pick from. */
export function pickMusic(options: readonly JsonObject[], clipHash: string): JsonObject | undefined {
  const choices = musicChoices(options.map((option) => ({ option, url: own(option, 'url') })))
  let hash = 0
  for (const letter of clipHash) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003
  return choices[hash % Math.max(1, choices.length)]?.option
}

interface MusicOption {
  readonly url?: string
  readonly volume?: number
}

/** One option as edits of a node; nothing for an option without an address, or with a volume of 0. */
export function musicEdits(
  option: MusicOption | undefined,
  placement: { readonly place: MusicRequest['place']; readonly label: string; readonly ducking: boolean },
  context: Pick<ComposeContext, 'assets'>,
): Required<Pick<NodeEdits, 'music' | 'warnings'>> {
  const warnings: RenderRemark[] = []
  const { place, label, ducking } = placement
  const levelDb = musicLevel(option?.volume, place)
  if ((option?.url?.trim() ?? '') === '' || levelDb === null) return { music: [], warnings }
  const asset = soundAt(context.assets, option?.url, label, warnTo(warnings))
  const duckDb = ducking ? DUCKED_BY : 0
  return { music: asset === null ? [] : [{ place, label, asset, levelDb, duckDb }], warnings }
}
