/**
 * Plays the open clip on a canvas: the composited preview over the extended cut, with the cut's own sound. Music, beeps
 * and ducking are heard in the finished file only.
 */
import type { StudioComposition, StudioClipSource } from '../../server/contract/studio-editor.ts'
import { sourceMoment } from '../../workers/compositor/source-place.ts'
import type { TextBlock } from '../../workers/compositor/layers/layer.ts'
import { frameAt } from '../preview/play-position.ts'
import { createPreview, type Preview } from '../preview/preview.ts'
import { openVideos } from '../preview/videos.ts'
import { playFrom } from './play-loop.ts'
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
  /** Shows another composition of the same clip, at about the same place. */
  show(given: StudioComposition): Promise<void>
  toggle(): void
  seekFrame(frame: number): void
  /** To a second of the source. */
  seek(seconds: number): void
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
  // Paused again before it had begun.
  if (error instanceof DOMException && error.name === 'AbortError') return null
  return sentence(error)
}

const filesOf = ({ files }: StudioComposition) => ({
  pictureUrl: (digest: string): string => files[digest] ?? '',
  fontUrl: (file: string): string => `/fonts/${encodeURIComponent(file)}`,
  fontFileUrl: (digest: string): string => files[digest] ?? '',
})

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
  const videos = openVideos((one) => (one === digest ? source.url : given.files[one]) ?? '')

  const from = { videos, withSource: source.url !== null, sourceStart: source.startSeconds }

  const fail = (error: unknown): void => void (problem = sentenceOf(error) ?? problem)

  function pause(): void {
    stop?.()
    stop = null
  }

  async function play(): Promise<void> {
    const { composition } = given
    const [shown, element] = [preview, preview?.sourcePlayer]
    if (shown === null || element === null || element === undefined) return
    if (frame >= composition.durationFrames - 1 - (composition.tailFrames ?? 0)) frame = 0
    await shown.drawAt(frame)
    stop = playFrom({
      ...{ composition, element, start: source.startSeconds, from: frame },
      onFrame: (next) => {
        frame = next
        shown.drawPlaying(next)
      },
      onEnd: (error) => {
        stop = null
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
    const own = ++shows
    const before = sourceMoment(given.composition, frame)
    const made = await createPreview(canvas, next.composition, { ...filesOf(next), ...from })
    if (own !== shows) {
      made.close()
      return
    }
    pause()
    preview?.close()
    preview = made
    given = next
    problem = null
    frame = frameAt(next.composition, before)
    await made.drawAt(frame)
  }

  const view = $derived<PlayerView>({
    ...{ frame, frames: given.composition.durationFrames, framesPerSecond: rateOf(given) },
    ...{ seconds: sourceMoment(given.composition, frame), playing: stop !== null, problem },
    warnings: preview?.warnings ?? [],
  })
  return {
    get view() {
      return view
    },
    show: (next) => show(next).catch(fail),
    toggle: () => (stop === null ? void play().catch(fail) : pause()),
    seekFrame,
    seek: (seconds) => seekFrame(frameAt(given.composition, seconds)),
    sourcePicture: () => preview?.sourcePlayer ?? null,
    blockOf: (layer) => preview?.blockAt(layer, frame) ?? null,
    shift(layer, by) {
      preview?.shift(layer, by)
      if (stop === null) preview?.drawAt(frame).catch(fail)
    },
    close() {
      pause()
      shows += 1
      preview?.close()
      videos.close()
    },
  }
}
