/** What pointers and arrow keys drag on the picture. */
import type { Place } from './captions/snap.ts'

/** Follows a pointer that has gone down until it is released. */
export function followPointer(
  onMove: (next: PointerEvent) => void,
  onEnd: (last: PointerEvent) => void = () => undefined,
): void {
  const stop = new AbortController()
  const { signal } = stop
  const end = (last: PointerEvent): void => {
    stop.abort()
    onEnd(last)
  }
  window.addEventListener('pointermove', onMove, { signal })
  window.addEventListener('pointerup', end, { signal })
  window.addEventListener('pointercancel', end, { signal })
}

/** Follows a pointer in percent of an element's size since it went down; `step` is the same throughout. */
export function dragOver(
  event: PointerEvent,
  over: HTMLElement | undefined,
  onMove: (by: Place, step: symbol, next: PointerEvent) => void,
  onEnd?: () => void,
): void {
  if (event.button !== 0 || over === undefined) return
  const { width, height } = over.getBoundingClientRect()
  const step = Symbol('drag')
  followPointer((next) => {
    const x = ((next.clientX - event.clientX) / width) * 100
    const y = ((next.clientY - event.clientY) / height) * 100
    onMove({ x, y }, step, next)
  }, onEnd)
}

const ARROWS: Readonly<Record<string, Place>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/** How an arrow key moves something: one percent, with Shift five; null for another key. */
export function keyStep(key: string, shift: boolean): Place | null {
  const way = ARROWS[key]
  const by = shift ? 5 : 1
  return way === undefined ? null : { x: way.x * by, y: way.y * by }
}

interface Box extends Place {
  readonly width: number
  readonly height: number
}

/** The style of what lies over a part of a picture; `whole`: the picture's size, absent: percent. */
export function boxStyle({ x, y, width, height }: Box, whole = { width: 100, height: 100 }): string {
  const across = 100 / whole.width
  const down = 100 / whole.height
  return `left: ${x * across}%; top: ${y * down}%; width: ${width * across}%; height: ${height * down}%`
}

/** The events of a control whose drag is one step: pass them to its `input`. */
export function dragEvents(onset: (input: HTMLInputElement, drag: symbol) => void) {
  let drag: symbol | undefined
  const end = (): void => void (drag = undefined)
  return {
    oninput: ({ currentTarget }: Event & { currentTarget: HTMLInputElement }): void =>
      onset(currentTarget, (drag ??= Symbol('drag'))),
    onchange: end,
    onblur: end,
  }
}
