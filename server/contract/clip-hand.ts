/**
 * What editors set by hand in the studio and no public field holds: part by part, each over what the nodes decide by
 * themselves. A part that is absent is left to the nodes. A new part is a file in `hand/`, a line here, and a line in
 * server/nodes/hand.
 */
import { Type, type Static } from '@sinclair/typebox'
import { HandBroll } from './hand/broll.ts'
import { HandLayouts } from './hand/layouts.ts'
import { HandNodes } from './hand/nodes.ts'
import { HandOverlays } from './hand/overlays.ts'
import { HandSpeakers } from './hand/speakers.ts'
import { HandThumbnail } from './hand/thumbnail.ts'
import { HandZooms } from './hand/zooms.ts'

const parts = {
  layouts: HandLayouts,
  zooms: HandZooms,
  overlays: HandOverlays,
  broll: HandBroll,
  nodes: HandNodes,
  speakers: HandSpeakers,
  thumbnail: HandThumbnail,
}

export const ClipHand = Type.Partial(Type.Object(parts, { additionalProperties: false }))
export type ClipHand = Static<typeof ClipHand>

/** Parts that are set; null leaves one to the nodes again. */
export const ClipHandChange = Type.Partial(
  Type.Object(
    {
      layouts: Type.Union([parts.layouts, Type.Null()]),
      zooms: Type.Union([parts.zooms, Type.Null()]),
      overlays: Type.Union([parts.overlays, Type.Null()]),
      broll: Type.Union([parts.broll, Type.Null()]),
      nodes: Type.Union([parts.nodes, Type.Null()]),
      speakers: Type.Union([parts.speakers, Type.Null()]),
      thumbnail: Type.Union([parts.thumbnail, Type.Null()]),
    },
    { additionalProperties: false },
  ),
)
export type ClipHandChange = Static<typeof ClipHandChange>

/** What is set after a change. */
export function changedHand(before: ClipHand | undefined, change: ClipHandChange): ClipHand | undefined {
  const after = Object.entries({ ...before, ...change }).filter(([, part]) => part !== null)
  return after.length === 0 ? undefined : Object.fromEntries(after)
}

/** Who speaks, as the clip's editor has named them, else as its run has. */
export const speakersOf = ({
  speakers,
  hand,
}: {
  readonly speakers: string[]
  readonly hand?: ClipHand | undefined
}): string[] => hand?.speakers ?? speakers
