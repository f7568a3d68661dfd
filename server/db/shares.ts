/** Queries of share links, of what reviewers said and of what they decided. */
import { and, asc, count, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { clips, shareClips, shareComments, shareDecisions, shareLinks } from './schema.ts'
import { findBy, insertInto, listBy, updateBy, type Orm } from './rows.ts'

export type ShareLinkRow = typeof shareLinks.$inferSelect
export type ShareCommentRow = typeof shareComments.$inferSelect
export type ShareDecisionRow = typeof shareDecisions.$inferSelect

export const insertShareLink = insertInto(shareLinks)
export const insertShareClip = insertInto(shareClips)
export const findShareLink = findBy(shareLinks, 'id')
export const updateShareLink = updateBy(shareLinks, 'id')
/** Ends every link; what was said by them stays. */
export function revokeAllShareLinks(db: Orm, now: number): void {
  db.orm.update(shareLinks).set({ revokedAt: now }).where(isNull(shareLinks.revokedAt)).run()
}

/** Links of a company, the newest first. */
export const listShareLinks = (db: Orm, companyId: string): ShareLinkRow[] =>
  db.orm
    .select()
    .from(shareLinks)
    .where(eq(shareLinks.companyId, companyId))
    .orderBy(desc(shareLinks.createdAt), desc(shareLinks.id))
    .all()

/** The clips of links in their order, with their titles. */
export const listShareClips = (db: Orm, linkIds: readonly string[]) =>
  db.orm
    .select({ linkId: shareClips.linkId, id: clips.id, title: clips.title })
    .from(shareClips)
    .innerJoin(clips, eq(clips.id, shareClips.clipId))
    .where(inArray(shareClips.linkId, [...linkIds]))
    .orderBy(asc(shareClips.linkId), asc(shareClips.position))
    .all()

export const insertShareComment = insertInto(shareComments)
export const updateShareComment = updateBy(shareComments, 'id')
export const findShareComment = findBy(shareComments, 'companyId', 'id')
export const listLinkComments = listBy(shareComments, ['linkId'], 'createdAt', 'id')
export const listClipComments = listBy(shareComments, ['companyId', 'clipId'], 'createdAt', 'id')

/** A reviewer's decision takes the place of the one before. A new row, so that it is an event. */
export function replaceShareDecision(db: Orm, row: ShareDecisionRow): void {
  const { linkId, clipId, reviewer } = row
  db.orm
    .delete(shareDecisions)
    .where(
      and(
        eq(shareDecisions.linkId, linkId),
        eq(shareDecisions.clipId, clipId),
        eq(shareDecisions.reviewer, reviewer),
      ),
    )
    .run()
  db.orm.insert(shareDecisions).values(row).run()
}
export const listLinkDecisions = listBy(shareDecisions, ['linkId'], 'decidedAt')
export const listClipDecisions = listBy(shareDecisions, ['companyId', 'clipId'], 'decidedAt')

/** How many comments reviewers made by each link, and how many clips were decided how. */
export function countFeedback(db: Orm, companyId: string) {
  const said = db.orm
    .select({ linkId: shareComments.linkId, n: count() })
    .from(shareComments)
    .where(and(eq(shareComments.companyId, companyId), eq(shareComments.side, 'reviewer')))
    .groupBy(shareComments.linkId)
    .all()
  const decided = db.orm
    .select({
      linkId: shareDecisions.linkId,
      decision: shareDecisions.decision,
      n: sql<number>`count(distinct ${shareDecisions.clipId})`,
    })
    .from(shareDecisions)
    .where(eq(shareDecisions.companyId, companyId))
    .groupBy(shareDecisions.linkId, shareDecisions.decision)
    .all()
  return { said, decided }
}

/** Comments and decisions of reviewers that nobody of the studio has seen. */
export function countUnseen(db: Orm, companyId: string): number {
  const comments = db.orm
    .select({ n: count() })
    .from(shareComments)
    .where(
      and(
        eq(shareComments.companyId, companyId),
        isNull(shareComments.seenAt),
        eq(shareComments.side, 'reviewer'),
      ),
    )
    .get()
  const decisions = db.orm
    .select({ n: count() })
    .from(shareDecisions)
    .where(and(eq(shareDecisions.companyId, companyId), isNull(shareDecisions.seenAt)))
    .get()
  return (comments?.n ?? 0) + (decisions?.n ?? 0)
}

/** Marks what was said of a clip as seen. */
export function markSeen(db: Orm, companyId: string, clipId: string, now: number): void {
  const of = (table: typeof shareComments | typeof shareDecisions) =>
    and(eq(table.companyId, companyId), eq(table.clipId, clipId), isNull(table.seenAt))
  db.orm.update(shareComments).set({ seenAt: now }).where(of(shareComments)).run()
  db.orm.update(shareDecisions).set({ seenAt: now }).where(of(shareDecisions)).run()
}
