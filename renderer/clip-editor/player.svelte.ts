/**
 * Plays the open clip on a canvas: the composited preview over the extended cut, with the cut's own sound. Music, beeps
 * and ducking are only in the finished file.
 */
import type { StudioComposition, StudioClipSource } from '../../server/contract/studio-editor.ts'
import { sourceMoment } from '../../workers/compositor/source-place.ts'
import type { TextBlock } from '../../workers/compositor/layers/layer.ts'
import { startOfFrame } from './timeline/automatic-zooms.ts'
import { frameAt, playStep } from '../preview/play-position.ts'
import { createPreview, type Preview } from '../preview/preview.ts'
import { openSourceFile, type PlayedFile, type SourceFile } from './played-file.ts'
import { fontUrl } from './captions/fonts.ts'
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
  readonly problem: string | null
  readonly warnings: readonly string[]
}

export type Player = ReturnType<typeof createPlayer>

const rateOf = ({ composition }: StudioComposition): number =>
  composition.output.frameRate.numerator / composition.output.frameRate.denominator

function sentenceOf(error: unknown): string | null {
  // Paused before playing began.
  if (error instanceof DOMException && error.name === 'AbortError') return null
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
  now: Pick<PlayerView, 'frame' | 'playing' | 'problem'>,
): PlayerView => ({
  ...now,
  frames: given.composition.durationFrames,
  framesPerSecond: rateOf(given),
  seconds: sourceMoment(given.composition, now.frame),
  frameStart: startOfFrame(given.composition, now.frame),
  warnings: preview?.warnings ?? [],
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

/** The first frame to play: the current one, or the start when it is at the end. */
const beginning = ({ durationFrames, tailFrames = 0 }: StudioComposition['composition'], frame: number) =>
  frame >= durationFrames - 1 - tailFrames ? 0 : frame

/** What is shown. */
class Shown {
  given: StudioComposition
  preview = $state.raw<Preview | null>(null)
  frame = $state(0)

  constructor(first: StudioComposition) {
    this.given = $state.raw(first)
  }
}

interface Transported {
  readonly muted: () => boolean
  /** Where the file that is played begins in the source, seconds. */
  readonly startSeconds: () => number
  /** It has come to rest. */
  readonly onRest: () => void
  readonly fail: (error: unknown) => void
}

/** Plays, pauses and seeks what is shown. */
function createTransport(shown: Shown, { muted, startSeconds, onRest, fail }: Transported) {
  let stop = $state.raw<(() => void) | null>(null)

  function halt(): void {
    stop?.()
    stop = null
  }

  function pause(): void {
    halt()
    onRest()
  }

  async function play(): Promise<void> {
    const { preview, given } = shown
    const { composition } = given
    const element = preview?.sourcePlayer
    if (preview === null || !element) return
    shown.frame = beginning(composition, shown.frame)
    await preview.drawAt(shown.frame)
    // Playing has started meanwhile, or another composition is shown.
    if (stop !== null) return
    if (preview !== shown.preview) return play()
    stop = playFrom({
      composition,
      element,
      start: startSeconds(),
      from: shown.frame,
      muted: muted(),
      onFrame: (next) => preview.drawPlaying((shown.frame = next)),
      onEnd: (error) => {
        pause()
        if (error !== undefined) fail(error)
      },
    })
  }

  function seekFrame(to: number): void {
    const goesOn = stop !== null
    pause()
    shown.frame = Math.max(0, Math.min(shown.given.composition.durationFrames - 1, Math.round(to)))
    ;(goesOn ? play() : shown.preview?.drawAt(shown.frame))?.catch(fail)
  }

  return {
    get playing() {
      return stop !== null
    },
    /** Stops without `onRest`: something else is about to be played. */
    halt,
    pause,
    play,
    seekFrame,
    toggle: () => (stop === null ? void play().catch(fail) : pause()),
  }
}

/** `muted`: read each time that playing begins; what nobody has clicked on may not sound. */
export function createPlayer(
  canvas: HTMLCanvasElement,
  source: StudioClipSource,
  first: StudioComposition,
  { muted = () => false }: { readonly muted?: () => boolean } = {},
) {
  const shown = new Shown(first)
  let problem = $state<string | null>(null)
  let shows = 0
  const fail = (error: unknown): void => void (problem = sentenceOf(error) ?? problem)
  const transport = createTransport(shown, {
    muted,
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
    const made = await previewOf(canvas, next, own)
    if (call !== shows) return made.close()
    const goesOn = transport.playing
    transport.halt()
    shown.preview?.close()
    shown.preview = made
    // The current frame may have changed while the preview was created.
    shown.frame = frameAt(next.composition, sourceMoment(shown.given.composition, shown.frame))
    shown.given = next
    problem = null
    if (goesOn && made.sourcePlayer) return transport.play()
    await made.drawAt(shown.frame)
    own.rest()
  }

  const view = $derived(
    viewOf(shown.given, shown.preview, { frame: shown.frame, playing: transport.playing, problem }),
  )
  return {
    get view() {
      return view
    },
    /** Shows another composition of the same clip at the same source time; keeps playing if it plays. */
    show: (next: StudioComposition) => show(next).catch(fail),
    toggle: transport.toggle,
    seekFrame: transport.seekFrame,
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
    },
  }
}

/** Props of each panel beside the picture, and of what it lays over the picture. */
export interface PanelProps {
  readonly clip: OpenClip
  readonly player: Player
}

interface Playing {
  readonly composition: Composition
  readonly element: HTMLVideoElement
  /** Second of the source at which the file begins. */
  readonly start: number
  readonly from: number
  readonly muted: boolean
  readonly onFrame: (frame: number) => void
  /** Came to its end, or could not begin (with the error). */
  readonly onEnd: (error?: unknown) => void
}

/**
 * Plays the segments of the file in turn from the frame `from`, to which it must be seeked already; returns what stops it.
 * The file's own clock leads; frames are drawn as they come.
 */
function playFrom({ composition, element, start, from, muted, onFrame, onEnd }: Playing): () => void {
  let frame = from
  let request = 0
  let stopped = false
  const stop = (): void => {
    stopped = true
    cancelAnimationFrame(request)
    element.pause()
  }
  const next = (): void => {
    if (stopped) return
    request = requestAnimationFrame(next)
    if (element.seeking) return
    const step = playStep(composition, element.currentTime + start, frame)
    if (step.kind === 'end') {
      stop()
      onEnd()
      return
    }
    frame = step.frame
    if (step.kind === 'jump') element.currentTime = step.seconds - start
    else {
      if (element.playbackRate !== step.rate) element.playbackRate = step.rate
      onFrame(frame)
    }
  }
  element.muted = muted
  element.play().then(next, (error: unknown) => {
    if (stopped) return
    stop()
    onEnd(error)
  })
  return stop
}
