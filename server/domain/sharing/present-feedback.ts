/** What reviewers said and decided, as the studio and they see it. PURE. */
import type { ShareComment, ShareDecided } from '../../contract/sharing.ts'
import type { ShareCommentRow, ShareDecisionRow } from '../../db/shares.ts'
import { iso } from '../moments.ts'

export const presentComment = (row: ShareCommentRow): ShareComment => ({
  id: row.id,
  clipId: row.clipId,
  author: row.author,
  side: row.side,
  text: row.text,
  frame: row.frame,
  seconds: row.milliseconds === null ? null : row.milliseconds / 1000,
  replyTo: row.replyTo,
  createdAt: iso(row.createdAt),
  resolved: row.resolvedAt !== null,
})

interface SeenClip {
  readonly renderedMedia: string | null
  readonly renderKey: string | null
}

/** Decisions from before looks were kept go by the clip's file: one that is gone, or another, says that it changed. */
const isOutdated = (row: ShareDecisionRow, clip: SeenClip, lookKey: string | null): boolean =>
  row.lookKey === null
    ? clip.renderKey === null || clip.renderedMedia !== row.mediaId
    : lookKey !== null && lookKey !== row.lookKey

/** `lookKey`: how the clip looks now; null where nothing can change that any more. */
export const presentDecision = (
  row: ShareDecisionRow,
  clip: SeenClip,
  lookKey: string | null,
): ShareDecided => ({
  clipId: row.clipId,
  reviewer: row.reviewer,
  decision: row.decision,
  note: row.note,
  decidedAt: iso(row.decidedAt),
  outdated: isOutdated(row, clip, lookKey),
})
