/** Share links of the studio: made, listed, extended, revoked; and what was said of a clip, answered and resolved. */
import { randomBytes } from 'node:crypto'
import { invalidRequest, refuse } from '../../contract/errors.ts'
import {
  SHARE_DAYS,
  type ClipFeedback,
  type ShareChange,
  type ShareComment,
  type ShareLink,
  type ShareLinks,
  type ShareMade,
  type ShareRequest,
} from '../../contract/sharing.ts'
import { normalPassword } from '../../contract/password-rules.ts'
import { inTransaction } from '../../db/prepared.ts'
import {
  countFeedback,
  countUnseen,
  findShareComment,
  findShareLink,
  insertShareClip,
  insertShareComment,
  insertShareLink,
  listClipComments,
  listClipDecisions,
  listShareClips,
  listShareLinks,
  markSeen,
  updateShareComment,
  updateShareLink,
  type ShareLinkRow,
} from '../../db/shares.ts'
import { forgetCopiesOfLink, listRenderingClips } from '../../db/share-copies.ts'
import { newId } from '../../ids.ts'
import { isThisMachine } from '../../reachable.ts'
import { requireClip } from '../clips/get-clip.ts'
import { iso } from '../moments.ts'
import { hashPassword } from '../people/argon2/hash.ts'
import { secretHash } from '../people/secret-hash.ts'
import type { ClockServices, DbServices, Services } from '../services.ts'
import { presentComment, presentDecision } from './present-feedback.ts'
import { lookKeyOf, prepareFile } from './shared-file.ts'

const DAY_MS = 86_400_000
const MIN_PASSWORD = 6

/** Whether a link opens anything now. */
export const stateOf = ({ revokedAt, expiresAt }: ShareLinkRow, now: number): ShareLink['state'] =>
  revokedAt !== null ? 'revoked' : expiresAt <= now ? 'expired' : 'open'

function presentLinks(
  services: ClockServices,
  companyId: string,
  rows: readonly ShareLinkRow[],
): ShareLink[] {
  const { db } = services
  const now = services.now()
  const shared = Map.groupBy(
    listShareClips(
      db,
      rows.map(({ id }) => id),
    ),
    ({ linkId }) => linkId,
  )
  const { said, decided } = countFeedback(db, companyId)
  const going = listRenderingClips(db, companyId)
  const isRendering = ({ watermark }: ShareLinkRow, id: string): boolean =>
    going.some(({ kind, clipId }) => clipId === id && (kind === 'review_copy') === (watermark !== null))
  const decidedOf = (id: string, decision: string): number =>
    decided.find((one) => one.linkId === id && one.decision === decision)?.n ?? 0
  return rows.map((row) => ({
    id: row.id,
    title: row.title,
    state: stateOf(row, now),
    clips: (shared.get(row.id) ?? []).map(({ id, title }) => ({ id, title })),
    hasPassword: row.passwordHash !== null,
    download: row.download,
    watermark: row.watermark,
    rendering: (shared.get(row.id) ?? []).filter((clip) => isRendering(row, clip.id)).length,
    createdBy: row.createdBy,
    createdAt: iso(row.createdAt),
    expiresAt: iso(row.expiresAt),
    openedAt: row.openedAt === null ? null : iso(row.openedAt),
    comments: said.find(({ linkId }) => linkId === row.id)?.n ?? 0,
    approved: decidedOf(row.id, 'approved'),
    changes: decidedOf(row.id, 'changes'),
  }))
}

/** Every link of the company, the newest first. */
export function listShares(services: Services, companyId: string): ShareLinks {
  const { host, publicUrl } = services.config
  return {
    links: presentLinks(services, companyId, listShareLinks(services.db, companyId)),
    onlyThisMachine: publicUrl === null && isThisMachine(host),
    unseen: countUnseen(services.db, companyId),
  }
}

/** INVALID_REQUEST for one that is guessed at once. */
async function passwordHashOf(given: string | undefined): Promise<string | null> {
  if (given === undefined || given === '') return null
  if (given.length < MIN_PASSWORD)
    throw invalidRequest('password', `The password has at least ${MIN_PASSWORD} characters, or is left out.`)
  return hashPassword(normalPassword(given))
}

/** The text of a watermark as it is drawn, null for none. INVALID_REQUEST for one that shows nothing. */
function readWatermark(given: string | undefined): string | null {
  const text = (given ?? '').replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()
  if (text === '') return null
  if (!/[\p{L}\p{N}\p{S}]/u.test(text))
    throw invalidRequest('watermark', 'The watermark has at least one letter or digit, or is left out.')
  return text
}

/**
 * Makes a link and begins to render what reviewers could not play yet. `by`: the name that they read. The address is shown
 * nowhere else; its token stands behind `#`, which browsers send to nobody. CLIP_NOT_FOUND, INVALID_REQUEST.
 */
export async function createShare(
  services: Services,
  input: ShareRequest & { readonly companyId: string; readonly by: string; readonly baseUrl: string },
): Promise<ShareMade> {
  const { companyId, by, baseUrl, download = false, days = SHARE_DAYS.usual } = input
  const clipIds = [...new Set(input.clipIds)]
  const shared = clipIds.map((clipId) => requireClip(services, { companyId, clipId }))
  const watermark = readWatermark(input.watermark)
  const passwordHash = await passwordHashOf(input.password)
  const token = randomBytes(32).toString('base64url')
  const now = services.now()
  const row: ShareLinkRow = {
    id: newId(),
    companyId,
    title: input.title.trim(),
    hash: secretHash(token),
    passwordHash,
    download,
    watermark,
    createdBy: by,
    createdAt: now,
    expiresAt: now + days * DAY_MS,
    revokedAt: null,
    openedAt: null,
  }
  inTransaction(services.db, () => {
    insertShareLink(services.db, row)
    for (const [position, clipId] of clipIds.entries())
      insertShareClip(services.db, { linkId: row.id, clipId, position })
  })
  for (const clip of shared) prepareFile(services, row, clip)
  const [link] = presentLinks(services, companyId, [row])
  if (link === undefined) throw new Error('a link that was stored is not there')
  return { link, address: `${baseUrl}/shared#${row.id}.${token}` }
}

function requireLink(services: DbServices, companyId: string, id: string): ShareLinkRow {
  const row = findShareLink(services.db, id)
  return row?.companyId === companyId ? row : refuse('NOT_FOUND', 'There is no such share link.')
}

/**
 * Lets a link open for so many days from now on, or gives it another watermark: its files go out with that at once, when they
 * are rendered. NOT_FOUND, INVALID_REQUEST, INVALID_STATE for one that was revoked.
 */
export function changeShare(
  services: Services,
  link: { readonly companyId: string; readonly id: string },
  { days, watermark }: ShareChange,
): ShareLinks {
  const { companyId, id } = link
  const row = requireLink(services, companyId, id)
  if (row.revokedAt !== null) refuse('INVALID_STATE', 'A link that was revoked stays so. Make a new one.')
  const changed = {
    ...row,
    ...(days === undefined ? {} : { expiresAt: services.now() + days * DAY_MS }),
    ...(watermark === undefined ? {} : { watermark: readWatermark(watermark) }),
  }
  inTransaction(services.db, () => {
    updateShareLink(services.db, id, changed)
    if (changed.watermark !== row.watermark) forgetCopiesOfLink(services.db, id)
  })
  if (stateOf(changed, services.now()) === 'open')
    for (const shared of listShareClips(services.db, [id]))
      prepareFile(services, changed, requireClip(services, { companyId, clipId: shared.id }))
  return listShares(services, companyId)
}

/** Ends a link for good; what was said stays. NOT_FOUND. */
export function revokeShare(services: Services, companyId: string, id: string): ShareLinks {
  const row = requireLink(services, companyId, id)
  if (row.revokedAt === null) updateShareLink(services.db, id, { revokedAt: services.now() })
  forgetCopiesOfLink(services.db, id)
  return listShares(services, companyId)
}

/** What was said of a clip and decided about it, by every link; it counts as seen then. CLIP_NOT_FOUND. */
export function readFeedback(
  services: Pick<Services, 'db' | 'home' | 'now'>,
  address: { readonly companyId: string; readonly clipId: string },
): ClipFeedback {
  const { companyId, clipId } = address
  const clip = requireClip(services, address)
  const rows = listClipDecisions(services.db, companyId, clipId)
  const lookKey = rows.length === 0 ? null : lookKeyOf(services, clip)
  const feedback = {
    comments: listClipComments(services.db, companyId, clipId).map(presentComment),
    decisions: rows.map((row) => presentDecision(row, clip, lookKey)),
  }
  markSeen(services.db, companyId, clipId, services.now())
  return feedback
}

/** Answers a reviewer's comment. NOT_FOUND. */
export function answerComment(
  services: ClockServices,
  input: {
    readonly companyId: string
    readonly commentId: string
    readonly by: string
    readonly text: string
  },
): ShareComment {
  const { companyId, commentId, by, text } = input
  const asked = findShareComment(services.db, companyId, commentId) ?? refuse('NOT_FOUND')
  const now = services.now()
  const row = {
    id: newId(),
    companyId,
    linkId: asked.linkId,
    clipId: asked.clipId,
    replyTo: asked.replyTo ?? asked.id,
    author: by,
    side: 'studio' as const,
    text: text.trim(),
    frame: null,
    milliseconds: null,
    createdAt: now,
    resolvedAt: null,
    seenAt: now,
  }
  insertShareComment(services.db, row)
  return presentComment(row)
}

/** Marks a comment as done, or as open again. NOT_FOUND. */
export function resolveComment(
  services: ClockServices,
  input: { readonly companyId: string; readonly commentId: string; readonly resolved: boolean },
): ShareComment {
  const { companyId, commentId, resolved } = input
  const row = findShareComment(services.db, companyId, commentId) ?? refuse('NOT_FOUND')
  const resolvedAt = resolved ? services.now() : null
  updateShareComment(services.db, commentId, { resolvedAt })
  return presentComment({ ...row, resolvedAt })
}
