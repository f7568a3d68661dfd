/** Plays the open clip on a canvas: the composited preview over the extended cut, with the sound that the export has. */
import type { StudioComposition, StudioClipSource } from '../../server/contract/studio-editor.ts'
import { sourceMoment } from '../../server/contract/time-map/frames.ts'
import type { TextBlock } from '../../workers/compositor/layers/layer.ts'
import { startOfFrame } from './timeline/automatic-zooms.ts'
import { frameAt } from '../../server/contract/time-map/play-position.ts'
import type { Mixed } from '../preview/sound/mixer.ts'
import { createPreview, type Preview } from '../preview/preview.ts'
import { openSound, type Sound } from './sound.svelte.ts'
import { createTransport } from './transport.svelte.ts'
import { openSourceFile, type PlayedFile, type SourceFile } from './played-file.ts'
import { fontUrl } from './captions/fonts.ts'
import { commonMessages } from '../messages/common.ts'
import { throughOutages } from '../state/outage.ts'
import { sentence } from '../ui/attempt.svelte.ts'
import type { OpenClip } from './open-clip.svelte.ts'
import type { Composition } from '../../server/contract/composition.ts'

export interface PlayerView {
  /** The frame of the output that is shown. */
  readonly frame: number
  readonly frames: number
  readonly framesPerSecond: number
  /** Second of the source that is shown: the middle of its frame. */
  readonly seconds: number
  /** Second of the source at which the shown frame begins: what is added here is shown from this frame on. */
  readonly frameStart: number
  readonly playing: boolean
  /** Times natural speed; negative: backwards. */
  readonly speed: number
  readonly problem: string | null
  readonly warnings: readonly string[]
  /** Digests of files that the browser cannot read, and that are not shown therefore. */
  readonly unreadable: readonly string[]
  readonly sound: Sound['view']
}

export type Player = ReturnType<typeof createPlayer>

const rateOf = ({ composition }: StudioComposition): number =>
  composition.output.frameRate.numerator / composition.output.frameRate.denominator

function sentenceOf(error: unknown): string | null {
  // Came to its end, or was paused before playing began.
  if (error === undefined || (error instanceof DOMException && error.name === 'AbortError')) return null
  return sentence(error)
}

const previewOf = (
  canvas: HTMLCanvasElement,
  given: StudioComposition,
  { file, videos }: SourceFile,
): Promise<Preview> =>
  createPreview(canvas, given.composition, {
    pictureUrl: (digest) => given.files[digest] ?? '',
    fontUrl,
    fontFileUrl: (digest) => given.files[digest] ?? '',
    videos,
    withSource: file.url !== null,
    sourceStart: file.startSeconds,
  })

const viewOf = (
  given: StudioComposition,
  preview: Preview | null,
  now: Pick<PlayerView, 'frame' | 'playing' | 'speed' | 'problem' | 'unreadable' | 'sound'>,
): PlayerView => ({
  ...now,
  frames: given.composition.durationFrames,
  framesPerSecond: rateOf(given),
  seconds: sourceMoment(given.composition, now.frame),
  frameStart: startOfFrame(given.composition, now.frame),
  warnings: [...(preview?.warnings ?? []), ...now.sound.warnings],
})

/** Queries of the current preview. */
const createQueries = (
  current: () => readonly [Preview | null, number, boolean],
  fail: (error: unknown) => void,
) => ({
  /** The player of the source's own picture, whole and as it is; null while there is none. */
  sourcePicture: (): HTMLVideoElement | null => current()[0]?.sourcePlayer ?? null,
  /** The text of a layer as the compositor lays it out, nearest to the frame that is shown; output pixels. */
  blockOf(layer: string): TextBlock | null {
    const [shown, frame] = current()
    return shown?.blockAt(layer, frame) ?? null
  },
  /** Shows a layer so many output pixels away from its place, until another composition is shown. */
  shift(layer: string, by: { readonly x: number; readonly y: number }): void {
    const [shown, frame, playing] = current()
    shown?.shift(layer, by)
    if (!playing) shown?.drawAt(frame).catch(fail)
  },
})

/** What the sound of a composition is mixed from. */
const mixedOf = ({ composition, files }: StudioComposition, { file }: SourceFile): Mixed => {
  const { url, startSeconds } = file
  const own = url === null ? null : { url, startSeconds }
  return { composition, own, addressOf: (digest) => files[digest] ?? '' }
}

const soundControls = ({ setVolume, toggleMute, levels, hearAsRecorded }: Sound) => ({
  setVolume,
  toggleMute,
  levels,
  hearAsRecorded,
})

/** What is shown. */
class Shown {
  given: StudioComposition
  preview = $state.raw<Preview | null>(null)
  frame = $state(0)

  constructor(first: StudioComposition) {
    this.given = $state.raw(first)
  }

  get composition(): Composition {
    return this.given.composition
  }
}

/** What is wrong with what is shown. */
class Trouble {
  problem = $state<string | null>(null)
  unreadable = $state.raw<readonly string[]>([])

  fail = (error: unknown): void => void (this.problem = sentenceOf(error) ?? this.problem)

  onAway = (): void => void (this.problem = commonMessages.applianceUnreachable)

  /** A preview whose frames are drawn later where the appliance is away, if they are still wanted then. */
  lasting(made: Preview, isShown: (preview: Preview) => boolean): Preview {
    let draws = 0
    const drawAt = async (frame: number): Promise<void> => {
      const draw = ++draws
      let wasAway = false
      const onAway = (): void => {
        wasAway = true
        this.onAway()
      }
      const isWanted = (): boolean => draw === draws && isShown(lasting)
      await throughOutages(() => made.drawAt(frame), { isWanted, onAway })
      if (wasAway) this.problem = null
      const found = made.unreadable()
      if (found.join(' ') !== this.unreadable.join(' ')) this.unreadable = found
    }
    const lasting: Preview = { ...made, drawAt }
    return lasting
  }
}

/** The frame of another composition at the same source time. Outside of the head, so that edits are seen, unless it plays. */
function frameIn(next: Composition, { composition, frame }: Shown, plays: boolean): number {
  const { headFrames = 0 } = next
  const inHead = plays && frame < (composition.headFrames ?? 0)
  return inHead ? Math.min(frame, headFrames) : frameAt(next, sourceMoment(composition, frame))
}

export function createPlayer(
  canvas: HTMLCanvasElement,
  source: StudioClipSource,
  first: StudioComposition,
  { muted }: { readonly muted?: () => boolean } = {},
) {
  const shown = new Shown(first)
  const trouble = new Trouble()
  const { fail, onAway } = trouble
  let shows = 0
  const sound = openSound(() => transport.takeMix())
  const mixSound = (): void => sound.follow(mixedOf(shown.given, own))
  const transport = createTransport(shown, {
    sound,
    mixSound,
    muted: muted ?? (() => false),
    startSeconds: () => own.file.startSeconds,
    onRest: () => own.rest(),
    fail,
  })
  const own = openSourceFile(source, {
    digest: first.composition.source.digest,
    fail,
    addressOf: (one) => shown.given.files[one] ?? '',
    playing: () => transport.playing,
    moment: () => {
      const { composition } = shown.given
      return composition.source.hasVideo ? sourceMoment(composition, shown.frame) : null
    },
    showAgain: () => show(shown.given),
  })

  async function show(next: StudioComposition): Promise<void> {
    const call = ++shows
    const isWanted = (): boolean => call === shows
    const drawn = await throughOutages(() => previewOf(canvas, next, own), { isWanted, onAway })
    if (!isWanted()) return drawn.close()
    const made = trouble.lasting(drawn, (preview) => preview === shown.preview)
    const goesOn = transport.playing
    transport.halt()
    shown.preview?.close()
    shown.preview = made
    // The current frame may have changed while the preview was created.
    shown.frame = frameIn(next.composition, shown, goesOn)
    shown.given = next
    trouble.problem = null
    // What may not sound is mixed once it is played with sound.
    if (muted === undefined) mixSound()
    if (goesOn) return transport.play()
    await made.drawAt(shown.frame)
    own.rest()
  }

  const view = $derived.by(() => {
    const { playing, speed } = transport
    const { problem, unreadable } = trouble
    const now = { frame: shown.frame, playing, speed, problem, unreadable, sound: sound.view }
    return viewOf(shown.given, shown.preview, now)
  })
  return {
    get view() {
      return view
    },
    /** Shows another composition of the same clip at the same source time; keeps playing if it plays. */
    show: (next: StudioComposition) => show(next).catch(fail),
    toggle: transport.toggle,
    pause: transport.pause,
    setSpeed: transport.setSpeed,
    shuttle: transport.shuttle,
    seekFrame: transport.seekFrame,
    ...soundControls(sound),
    /** To a second of the source. */
    seek: (seconds: number) => transport.seekFrame(frameAt(shown.given.composition, seconds)),
    /** Switches to another file of the source, at once or when playing ends. */
    playFile: (file: PlayedFile) => own.take(file),
    ...createQueries(() => [shown.preview, shown.frame, transport.playing], fail),
    close(): void {
      transport.pause()
      shows += 1
      shown.preview?.close()
      own.close()
      sound.close()
    },
  }
}

/** Props of each panel beside the picture, and of what it lays over the picture. */
export interface PanelProps {
  readonly clip: OpenClip
  readonly player: Player
}
