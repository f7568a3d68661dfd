/** Plays the segments of the source's file in turn. The file's own clock leads; frames are drawn as they come. */
import type { Composition } from '../../server/contract/composition.ts'
import { playStep } from '../preview/play-position.ts'

export interface Playing {
  readonly composition: Composition
  readonly element: HTMLVideoElement
  /** Second of the source at which the file begins. */
  readonly start: number
  readonly from: number
  readonly onFrame: (frame: number) => void
  /** Came to its end, or could not begin (with the error). */
  readonly onEnd: (error?: unknown) => void
}

/** Starts at the frame `from`, to which the file must be seeked already; returns what stops it. */
export function playFrom({ composition, element, start, from, onFrame, onEnd }: Playing): () => void {
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
  element.muted = false
  element.play().then(next, (error: unknown) => {
    if (stopped) return
    stop()
    onEnd(error)
  })
  return stop
}
