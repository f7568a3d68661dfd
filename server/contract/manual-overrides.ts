/**
 * What editors set in the studio that no public field holds, part by part; a part that is absent is computed by the
 * nodes. A new part is a file in `manual-overrides/`, a line here, and a line in server/nodes/manual-overrides.
 */
import { Type, type Static } from '@sinclair/typebox'
import { ManualBroll } from './manual-overrides/broll.ts'
import { ManualLayouts } from './manual-overrides/layouts.ts'
import { ManualNodes } from './manual-overrides/nodes.ts'
import { ManualOverlays } from './manual-overrides/overlays.ts'
import { ManualSpeakers } from './manual-overrides/speakers.ts'
import { ManualThumbnail } from './manual-overrides/thumbnail.ts'
import { ManualZooms } from './manual-overrides/zooms.ts'
import { closedObject, nullable } from './config-fields.ts'

const parts = {
  layouts: ManualLayouts,
  zooms: ManualZooms,
  overlays: ManualOverlays,
  broll: ManualBroll,
  nodes: ManualNodes,
  speakers: ManualSpeakers,
  thumbnail: ManualThumbnail,
}

export const ManualOverrides = Type.Partial(closedObject(parts))
export type ManualOverrides = Static<typeof ManualOverrides>

/** Parts that are set; null leaves one to the nodes again. */
export const ManualOverridesChange = Type.Partial(
  closedObject({
    layouts: nullable(parts.layouts),
    zooms: nullable(parts.zooms),
    overlays: nullable(parts.overlays),
    broll: nullable(parts.broll),
    nodes: nullable(parts.nodes),
    speakers: nullable(parts.speakers),
    thumbnail: nullable(parts.thumbnail),
  }),
)
export type ManualOverridesChange = Static<typeof ManualOverridesChange>

/** What is set after a change. */
export function mergeOverrides(
  before: ManualOverrides | undefined,
  change: ManualOverridesChange,
): ManualOverrides | undefined {
  const after = Object.entries({ ...before, ...change }).filter(([, part]) => part !== null)
  return after.length === 0 ? undefined : Object.fromEntries(after)
}

/** Speaker names: the editor's, else the run's. */
export const speakersOf = ({
  speakers,
  overrides,
}: {
  readonly speakers: string[]
  readonly overrides?: ManualOverrides | undefined
}): string[] => overrides?.speakers ?? speakers
