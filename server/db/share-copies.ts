/** Queries of the copies that watermarked share links have of their clips. */
import { and, eq, gt, inArray, isNotNull, isNull, lte, or, type SQL } from 'drizzle-orm'
import type { Db } from './client.ts'
import { inTransaction } from './prepared.ts'
import { findBy, type Orm } from './rows.ts'
import { media, operations, shareClips, shareLinks } from './schema.ts'

export const findShareClip = findBy(shareClips, 'linkId', 'clipId')

const isOpen = (now: number): SQL | undefined =>
  and(isNull(shareLinks.revokedAt), gt(shareLinks.expiresAt, now))

/** The watermarked links that open this clip now, each with the copy that it has. */
export const listWatermarkedLinks = (db: Orm, clipId: string, now: number) =>
  db.orm
    .select({
      linkId: shareLinks.id,
      watermark: shareLinks.watermark,
      copyKey: shareClips.copyKey,
      copyMedia: shareClips.copyMedia,
    })
    .from(shareClips)
    .innerJoin(shareLinks, eq(shareLinks.id, shareClips.linkId))
    .where(and(eq(shareClips.clipId, clipId), isNotNull(shareLinks.watermark), isOpen(now)))
    .orderBy(shareLinks.createdAt)
    .all()

/** Removes the addresses of these files that no link has any more: the files themselves go as other results do. */
function removeUnused(db: Orm, ids: readonly (string | null)[]): void {
  const gone = ids.filter((id) => id !== null)
  if (gone.length === 0) return
  const named = db.orm
    .select({ id: shareClips.copyMedia })
    .from(shareClips)
    .where(inArray(shareClips.copyMedia, gone))
    .all()
  const unused = gone.filter((id) => named.every((one) => one.id !== id))
  db.orm.delete(media).where(inArray(media.id, unused)).run()
}

function forgetCopies(db: Db, ofLinks: SQL | undefined): void {
  inTransaction(db, () => {
    const links = db.orm.select({ id: shareLinks.id }).from(shareLinks).where(ofLinks)
    const where = and(inArray(shareClips.linkId, links), isNotNull(shareClips.copyKey))
    const copies = db.orm.select({ media: shareClips.copyMedia }).from(shareClips).where(where).all()
    if (copies.length === 0) return
    db.orm.update(shareClips).set({ copyKey: null, copyMedia: null }).where(where).run()
    removeUnused(
      db,
      copies.map((copy) => copy.media),
    )
  })
}

/** Forgets the copies of one link. */
export const forgetCopiesOfLink = (db: Db, linkId: string): void =>
  forgetCopies(db, eq(shareLinks.id, linkId))

/** Forgets the copies of links that were revoked or are over. */
export const forgetCopiesOfClosedLinks = (db: Db, now: number): void =>
  forgetCopies(db, or(isNotNull(shareLinks.revokedAt), lte(shareLinks.expiresAt, now)))

/** Stores a copy in place of the one before, unless its link has closed or has another text by now. */
export function saveShareCopy(
  db: Db,
  of: { readonly linkId: string; readonly clipId: string; readonly watermark: string; readonly now: number },
  copy: { readonly key: string; readonly mediaId: string },
): void {
  const { linkId, clipId, watermark, now } = of
  inTransaction(db, () => {
    const before = findShareClip(db, linkId, clipId)
    const wanted = db.orm
      .select({ id: shareLinks.id })
      .from(shareLinks)
      .where(and(eq(shareLinks.id, linkId), eq(shareLinks.watermark, watermark), isOpen(now)))
      .get()
    if (before !== null && wanted !== undefined)
      db.orm
        .update(shareClips)
        .set({ copyKey: copy.key, copyMedia: copy.mediaId })
        .where(and(eq(shareClips.linkId, linkId), eq(shareClips.clipId, clipId)))
        .run()
    removeUnused(db, [copy.mediaId, before?.copyMedia ?? null])
  })
}

/** Clips of a company that are being rendered, for themselves or as copies of links. */
export const listRenderingClips = (db: Orm, companyId: string) =>
  db.orm
    .select({ kind: operations.kind, clipId: operations.subjectId })
    .from(operations)
    .where(
      and(
        eq(operations.companyId, companyId),
        inArray(operations.kind, ['render', 'review_copy']),
        inArray(operations.state, ['queued', 'running']),
      ),
    )
    .all()
