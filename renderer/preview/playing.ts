/** Ways to play a clip on the preview: by the clock of its mixed sound, by that of the source's file, and backwards. */
import { sourceFrames, type Composition } from '../../server/contract/composition.ts'
import { rationalToNumber } from '../../server/contract/time.ts'
import { sourceMoment } from '../../server/contract/time-map/frames.ts'
import { ConnectionLost } from '../state/outage.ts'
import { playStep } from '../../server/contract/time-map/play-position.ts'

export interface Playing {
  readonly composition: Composition
  /** The player of the source's file; null: it has no picture. */
  readonly element: HTMLVideoElement | null
  /** Second of the source at which the file begins. */
  readonly start: number
  readonly from: number
  /** Times natural speed; negative: backwards. */
  readonly speed: number
  readonly onFrame: (frame: number) => void | Promise<void>
  /** Came to its end, or could not begin (with the error), or its file is read no further (ConnectionLost). */
  readonly onEnd: (error?: unknown) => void
}

/** Calls `next` for each picture of the screen until it is stopped. */
function eachPicture(next: (stop: () => void) => void, onStop: () => void) {
  let request = 0
  let stopped = false
  const stop = (): void => {
    stopped = true
    cancelAnimationFrame(request)
    onStop()
  }
  const run = (): void => {
    if (stopped) return
    request = requestAnimationFrame(run)
    next(stop)
  }
  return { run, stop, isStopped: () => stopped }
}

/** A picture that is further from the sound than this, seconds, is sought; nearer, it runs a little faster or slower. */
const MAX_APART = 0.15
/** How much faster or slower, for each second apart, and at most. */
const CATCH_UP = 2
const MOST_CATCH_UP = 0.2
/** Browsers play at most so fast. */
const MAX_RATE = 16

/**
 * Plays by the clock of the mixed sound, with the picture beside it. Where the source jumps the picture is sought, a little
 * ahead, because seeking takes time in which the sound goes on.
 */
export function playMix({ audio, ...playing }: Playing & { readonly audio: HTMLAudioElement }): () => void {
  const { composition, element, start, speed } = playing
  const perSecond = rationalToNumber(composition.output.frameRate)
  const last = composition.durationFrames - 1
  const played = sourceFrames(composition)
  let seekBegun = 0
  let seekTook = 0.05

  function follow(frame: number, rate: number): void {
    if (element === null) return
    if (frame < played.startFrame || frame >= played.endFrame) return element.pause()
    const now = performance.now() / 1000
    if (element.seeking) return
    if (seekBegun > 0) {
      seekTook = Math.min(0.5, now - seekBegun)
      seekBegun = 0
    }
    const wanted = sourceMoment(composition, frame) - start
    const apart = wanted - element.currentTime
    if (Math.abs(apart) > MAX_APART * Math.max(1, rate)) {
      element.currentTime = Math.max(0, wanted + seekTook * rate)
      seekBegun = now
    }
    const push = 1 + Math.max(-MOST_CATCH_UP, Math.min(MOST_CATCH_UP, apart * CATCH_UP))
    const next = Math.min(MAX_RATE, rate * push)
    if (Math.abs(element.playbackRate - next) > 0.01) element.playbackRate = next
    if (element.paused) element.play().catch(() => undefined)
  }

  const loop = eachPicture(
    (stop) => {
      if (element !== null && element.error !== null) {
        stop()
        playing.onEnd(new ConnectionLost())
        return
      }
      const frame = Math.min(last, Math.floor(audio.currentTime * perSecond + 1e-6))
      follow(frame, rateAt(composition, frame) * speed)
      if (!audio.ended) return void playing.onFrame(frame)
      stop()
      playing.onEnd()
    },
    () => {
      audio.pause()
      element?.pause()
    },
  )
  if (element !== null) element.muted = true
  audio.currentTime = playing.from / perSecond
  audio.playbackRate = speed
  audio.play().then(loop.run, (error: unknown) => {
    if (loop.isStopped()) return
    loop.stop()
    playing.onEnd(error)
  })
  return loop.stop
}

/** How fast the source is played at an output frame. */
const rateAt = ({ timeMap }: Composition, frame: number): number =>
  timeMap.findLast(({ startFrame }) => startFrame <= frame)?.playbackRate ?? 1

interface FilePlaying extends Playing {
  readonly element: HTMLVideoElement
  /** A factor, 0 to 1. */
  readonly volume: number
}

/**
 * Plays the segments of the file in turn from the frame `from`, to which it must be seeked already; returns what stops it.
 * The file's own clock leads; frames are drawn as they come. The head before it has the time of the page.
 */
export function playFile({
  composition,
  element,
  start,
  from,
  speed,
  volume,
  ...to
}: FilePlaying): () => void {
  const { startFrame: first } = sourceFrames(composition)
  const perSecond = rationalToNumber(composition.output.frameRate)
  const begun = performance.now()
  let frame = from
  const fail = (error: unknown): void => {
    if (loop.isStopped()) return
    loop.stop()
    to.onEnd(error)
  }
  const loop = eachPicture(
    (stop) => {
      if (element.error !== null) {
        stop()
        to.onEnd(new ConnectionLost())
        return
      }
      if (element.seeking) return
      if (frame < first) {
        // The head is none of the file's, whose clock stands still.
        const now = from + Math.floor(((performance.now() - begun) / 1000) * perSecond * speed)
        frame = Math.min(first, now)
        if (frame < first) void to.onFrame(frame)
        else element.play().catch(fail)
        return
      }
      const step = playStep(composition, element.currentTime + start, frame)
      if (step.kind === 'end') {
        stop()
        to.onEnd()
        return
      }
      frame = step.frame
      if (step.kind === 'jump') element.currentTime = step.seconds - start
      else {
        const rate = Math.min(MAX_RATE, step.rate * speed)
        if (element.playbackRate !== rate) element.playbackRate = rate
        void to.onFrame(frame)
      }
    },
    () => element.pause(),
  )
  element.muted = volume === 0
  element.volume = volume
  if (from < first) loop.run()
  else element.play().then(loop.run, fail)
  return loop.stop
}

/** Shows frame after frame backwards, without sound, as fast as they can be sought. */
export function playBackwards({ composition, from, speed, onFrame, onEnd }: Playing): () => void {
  const perSecond = rationalToNumber(composition.output.frameRate)
  const begun = performance.now()
  let drawing = false
  const loop = eachPicture(
    (stop) => {
      if (drawing) return
      const frame = Math.max(0, Math.round(from + ((performance.now() - begun) / 1000) * perSecond * speed))
      drawing = true
      void Promise.resolve(onFrame(frame)).finally(() => {
        drawing = false
        if (frame > 0 || loop.isStopped()) return
        stop()
        onEnd()
      })
    },
    () => undefined,
  )
  loop.run()
  return loop.stop
}
