/** Share links for reviewers without an account: what each opens, what was said there, and what was decided. */
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ofCompany } from './schema-companies.ts'

export const shareLinks = sqliteTable(
  'share_links',
  {
    id: text('id').primaryKey(),
    companyId: ofCompany(),
    title: text('title').notNull(),
    /** SHA-256 of the token, which is shown once. */
    hash: text('hash').notNull(),
    /** argon2id; null: the link alone opens it. */
    passwordHash: text('password_hash'),
    /** Whether reviewers may save the files. */
    download: integer('download', { mode: 'boolean' }).notNull(),
    /** The text over the picture of its files; null: they go out as they are. */
    watermark: text('watermark'),
    /** The name of who made it, as reviewers read it. */
    createdBy: text('created_by').notNull(),
    createdAt: integer('created_at').notNull(),
    expiresAt: integer('expires_at').notNull(),
    revokedAt: integer('revoked_at'),
    /** When a reviewer opened it last; null: nobody has. */
    openedAt: integer('opened_at'),
  },
  (table) => [index('share_links_by_company').on(table.companyId, table.createdAt, table.id)],
)

const ofLink = () =>
  text('link_id')
    .notNull()
    .references(() => shareLinks.id, { onDelete: 'cascade' })
/** What is of a clip goes with it: a trigger of the migration, since the table of clips imports this file's neighbours. */
const ofClip = () => text('clip_id').notNull()

/** The clips of a link, in the order in which they are shown. */
export const shareClips = sqliteTable(
  'share_clips',
  {
    linkId: ofLink(),
    clipId: ofClip(),
    position: integer('position').notNull(),
    /** Of a link with a watermark: the render key of the copy that was made for it, and its media id. */
    copyKey: text('copy_key'),
    copyMedia: text('copy_media'),
  },
  (table) => [
    primaryKey({ columns: [table.linkId, table.clipId] }),
    index('share_clips_by_clip').on(table.clipId),
  ],
)

/** What reviewers, and the studio in answer, said of a clip. */
export const shareComments = sqliteTable(
  'share_comments',
  {
    id: text('id').primaryKey(),
    companyId: ofCompany(),
    linkId: ofLink(),
    clipId: ofClip(),
    /** The comment that this one answers; null: it stands alone. */
    replyTo: text('reply_to'),
    author: text('author').notNull(),
    side: text('side').$type<'reviewer' | 'studio'>().notNull(),
    text: text('text').notNull(),
    /** Frame of the played file, from 0, and its time; null for answers. */
    frame: integer('frame'),
    milliseconds: integer('milliseconds'),
    createdAt: integer('created_at').notNull(),
    resolvedAt: integer('resolved_at'),
    /** When somebody of the studio saw it; null: new. */
    seenAt: integer('seen_at'),
  },
  (table) => [
    index('share_comments_by_clip').on(table.clipId, table.createdAt, table.id),
    index('share_comments_new').on(table.companyId, table.seenAt),
  ],
)

/** What a reviewer decided of a clip, last: of exactly the file that was shown. */
export const shareDecisions = sqliteTable(
  'share_decisions',
  {
    companyId: ofCompany(),
    linkId: ofLink(),
    clipId: ofClip(),
    reviewer: text('reviewer').notNull(),
    decision: text('decision').$type<'approved' | 'changes'>().notNull(),
    note: text('note').notNull(),
    /** The media id of the file that was seen. */
    mediaId: text('media_id').notNull(),
    /** The render key of the clip as it looked then, without a watermark; null: of before it was kept. */
    lookKey: text('look_key'),
    decidedAt: integer('decided_at').notNull(),
    seenAt: integer('seen_at'),
  },
  (table) => [primaryKey({ columns: [table.linkId, table.clipId, table.reviewer] })],
)
