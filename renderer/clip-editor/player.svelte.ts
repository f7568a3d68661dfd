/**
 * Plays the open clip on a canvas: the composited preview over the extended cut, with the cut's own sound. Music, beeps
 * and ducking are heard in the finished file only.
 */
import type { StudioComposition, StudioClipSource } from '../../server/contract/studio-editor.ts'
import { sourceMoment } from '../../workers/compositor/source-place.ts'
import type { TextBlock } from '../../workers/compositor/layers/layer.ts'
import { frameAt } from '../preview/play-position.ts'
import { createPreview, type Preview } from '../preview/preview.ts'
import { playFrom } from './play-loop.ts'
import { openSourceFile, type PlayedFile, type SourceFile } from './played-file.ts'
import { sentence } from '../ui/sentence.ts'

export interface PlayerView {
  /** The frame of the output that is shown. */
  readonly frame: number
  readonly frames: number
  readonly framesPerSecond: number
  /** Second of the source that is shown. */
  readonly seconds: number
  readonly playing: boolean
  readonly problem: string | null
  readonly warnings: readonly string[]
}

export interface Player {
  readonly view: PlayerView
  /** Shows another composition of the same clip at the same source time; keeps playing if it plays. */
  show(given: StudioComposition): Promise<void>
  toggle(): void
  seekFrame(frame: number): void
  /** To a second of the source. */
  seek(seconds: number): void
  /** Switches to another file of the source, at once or when playing ends. */
  playFile(file: PlayedFile): Promise<void>
  /** The text of a layer as the compositor lays it out, nearest to the frame that is shown; output pixels. */
  blockOf(layer: string): TextBlock | null
  /** Shows a layer so many output pixels away from its place, until another composition is shown. */
  shift(layer: string, by: { readonly x: number; readonly y: number }): void
  /** The player of the source's own picture, whole and as it is; null while there is none. */
  sourcePicture(): HTMLVideoElement | null
  close(): void
}

const rateOf = ({ composition }: StudioComposition): number =>
  composition.output.frameRate.numerator / composition.output.frameRate.denominator

function sentenceOf(error: unknown): string | null {
  // Paused before playing began.
  if (error instanceof DOMException && error.name === 'AbortError') return null
  return sentence(error)
}

const filesOf = ({ files }: StudioComposition) => ({
  pictureUrl: (digest: string): string => files[digest] ?? '',
  fontUrl: (file: string): string => `/fonts/${encodeURIComponent(file)}`,
  fontFileUrl: (digest: string): string => files[digest] ?? '',
})

const previewOf = (
  canvas: HTMLCanvasElement,
  given: StudioComposition,
  { file, videos }: SourceFile,
): Promise<Preview> =>
  createPreview(canvas, given.composition, {
    ...filesOf(given),
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
  warnings: preview?.warnings ?? [],
})

/** Queries of the current preview. */
const asked = (
  current: () => readonly [Preview | null, number, boolean],
  fail: (error: unknown) => void,
) => ({
  sourcePicture: (): HTMLVideoElement | null => current()[0]?.sourcePlayer ?? null,
  blockOf(layer: string): TextBlock | null {
    const [shown, frame] = current()
    return shown?.blockAt(layer, frame) ?? null
  },
  shift(layer: string, by: { readonly x: number; readonly y: number }): void {
    const [shown, frame, playing] = current()
    shown?.shift(layer, by)
    if (!playing) shown?.drawAt(frame).catch(fail)
  },
})

/** The first frame to play: the current one, or the start when it is at the end. */
const beginning = ({ durationFrames, tailFrames = 0 }: StudioComposition['composition'], frame: number) =>
  frame >= durationFrames - 1 - tailFrames ? 0 : frame

export function createPlayer(
  canvas: HTMLCanvasElement,
  source: StudioClipSource,
  first: StudioComposition,
): Player {
  let given = $state.raw(first)
  let preview = $state.raw<Preview | null>(null)
  let frame = $state(0)
  let stop = $state.raw<(() => void) | null>(null)
  let problem = $state<string | null>(null)
  let shows = 0
  const digest = first.composition.source.digest
  const fail = (error: unknown): void => void (problem = sentenceOf(error) ?? problem)
  const own = openSourceFile(source, {
    digest,
    fail,
    addressOf: (one) => given.files[one] ?? '',
    playing: () => stop !== null,
    moment: () => (given.composition.source.hasVideo ? sourceMoment(given.composition, frame) : null),
    showAgain: () => show(given),
  })

  function pause(): void {
    stop?.()
    stop = null
    own.rest()
  }

  async function play(): Promise<void> {
    const { composition } = given
    const shown = preview
    const element = preview?.sourcePlayer
    if (shown === null || !element) return
    frame = beginning(composition, frame)
    await shown.drawAt(frame)
    // Playing has started meanwhile, or another composition is shown.
    if (stop !== null) return
    if (shown !== preview) return play()
    stop = playFrom({
      composition,
      element,
      start: own.file.startSeconds,
      from: frame,
      onFrame: (next) => shown.drawPlaying((frame = next)),
      onEnd: (error) => {
        pause()
        if (error !== undefined) fail(error)
      },
    })
  }

  function seekFrame(to: number): void {
    const goesOn = stop !== null
    pause()
    frame = Math.max(0, Math.min(given.composition.durationFrames - 1, Math.round(to)))
    ;(goesOn ? play() : preview?.drawAt(frame))?.catch(fail)
  }

  async function show(next: StudioComposition): Promise<void> {
    const call = ++shows
    const made = await previewOf(canvas, next, own)
    if (call !== shows) return made.close()
    const goesOn = stop !== null
    stop?.()
    stop = null
    preview?.close()
    preview = made
    // The current frame may have changed while the preview was created.
    frame = frameAt(next.composition, sourceMoment(given.composition, frame))
    ;[given, problem] = [next, null]
    if (goesOn && made.sourcePlayer) return play()
    await made.drawAt(frame)
    own.rest()
  }

  const view = $derived(viewOf(given, preview, { frame, playing: stop !== null, problem }))
  return {
    get view() {
      return view
    },
    show: (next) => show(next).catch(fail),
    toggle: () => (stop === null ? void play().catch(fail) : pause()),
    seekFrame,
    seek: (seconds) => seekFrame(frameAt(given.composition, seconds)),
    playFile: (file) => own.take(file),
    ...asked(() => [preview, frame, stop !== null], fail),
    close() {
      pause()
      shows += 1
      preview?.close()
      own.close()
    },
  }
}
