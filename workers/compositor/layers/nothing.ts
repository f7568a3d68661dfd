/** A layer that the compositor does not paint: ffmpeg lays moving pictures over itself. */
import type { PreparedLayer } from './layer.ts'

export function paintsNothing({ id }: { readonly id: string }): PreparedLayer {
  return {
    id,
    box: null,
    shown: [],
    stateAt: () => '',
    paintedAt: () => null,
    damage: () => null,
    draw: () => undefined,
  }
}
