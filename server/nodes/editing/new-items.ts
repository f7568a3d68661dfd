/** What a zoom and a text are like when they are new, whether the timeline or a sentence of the chat adds them. PURE. */
import type { ManualOverlay } from '../../contract/manual-overrides/overlays.ts'
import type { ManualZoom } from '../../contract/manual-overrides/zooms.ts'
import type { Stretch } from '../../contract/time.ts'

export interface HasId {
  readonly id: string
}

type TextOverlay = Extract<ManualOverlay, { kind: 'text' }>

/** An id that none of these has: the name and a number. */
export function freeId(name: string, items: readonly HasId[]): string {
  for (let number = items.length + 1; ; number++) {
    const id = `${name}-${number}`
    if (!items.some((item) => item.id === id)) return id
  }
}

/** A zoom on this stretch, beside the zooms that there are. `set`: what is wanted otherwise. */
export const newZoom = (
  zooms: readonly HasId[],
  { start, end }: Stretch,
  set: Partial<Pick<ManualZoom, 'scale' | 'xPercent' | 'yPercent'>> = {},
): ManualZoom => ({
  id: freeId('zoom', zooms),
  start,
  end,
  scale: 1.25,
  xPercent: 50,
  yPercent: 40,
  easeSeconds: 0.3,
  ...set,
})

/** A text on the picture for this stretch, beside the overlays that there are. */
export const newText = (
  overlays: readonly HasId[],
  { start, end }: Stretch,
  text = 'Your text',
): TextOverlay => ({
  kind: 'text',
  id: freeId('text', overlays),
  start,
  end,
  text,
  fontFamily: 'Inter',
  fontSize: 90,
  fontWeight: 800,
  colour: '#ffffff',
  background: '#000000b3',
  xPercent: 50,
  yPercent: 30,
  opacity: 1,
  fadeSeconds: 0,
})
