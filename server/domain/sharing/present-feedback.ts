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

/** `clip`: its file now, and whether that file is the clip as it is (a key that is gone says that it changed). */
export const presentDecision = (
  row: ShareDecisionRow,
  clip: { readonly renderedMedia: string | null; readonly renderKey: string | null },
): ShareDecided => ({
  clipId: row.clipId,
  reviewer: row.reviewer,
  decision: row.decision,
  note: row.note,
  decidedAt: iso(row.decidedAt),
  outdated: clip.renderKey === null || clip.renderedMedia !== row.mediaId,
})
