/** What the makers of all kinds of delivery are given, and what they give back. */
import type { Composition } from '../../../server/contract/composition.ts'
import type { Delivery } from '../../../server/contract/profiles/profile.ts'
import type { RenderRemark } from '../../../server/contract/render-remarks.ts'

export interface Work<Kind extends Delivery['kind'] = Delivery['kind']> {
  readonly composition: Composition
  readonly delivery: Extract<Delivery, { kind: Kind }>
  /** As ffmpeg names it. */
  readonly encoder: string
}

export interface Made {
  /** In the stage's folder. */
  readonly file: string
  readonly width: number
  readonly height: number
  readonly frames: number
  readonly durationSeconds: number
  readonly integratedLufs: number | null
  readonly warnings: readonly RenderRemark[]
}
