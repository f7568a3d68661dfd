/**
 * What whoever has a share link may do, and nothing else: see its clips, comment, decide. The token, and the password where
 * there is one, are turned into a proof for a cookie of that link alone.
 */
import { createHash } from 'node:crypto'
import { AppError, refuse } from '../../contract/errors.ts'
import { normalPassword } from '../../contract/password-rules.ts'
import type {
  NewShareComment,
  NewShareDecision,
  ShareComment,
  SharedClip,
  SharedView,
} from '../../contract/sharing.ts'
import { getClip, type Clip } from '../../db/clips.ts'
import { inTransaction } from '../../db/prepared.ts'
import {
  findShareLink,
  insertShareComment,
  listLinkComments,
  listLinkDecisions,
  listShareClips,
  replaceShareDecision,
  updateShareLink,
  type ShareLinkRow,
} from '../../db/shares.ts'
import { newId } from '../../ids.ts'
import { iso } from '../moments.ts'
import { isPassword } from '../people/argon2/hash.ts'
import { isSameHash, secretHash } from '../people/secret-hash.ts'
import type { FoundMedia } from '../rendering/register-media.ts'
import type { ClockServices, Services } from '../services.ts'
import { stateOf } from './links.ts'
import { presentComment, presentDecision } from './present-feedback.ts'
import { findSharedMedia, prepareFile, sharedFile, type SharedFile } from './shared-file.ts'

/** Comments that a link takes: a person never reaches it, a program soon does. */
const MAX_COMMENTS = 5000

const closed = (): never =>
  refuse('SHARE_CLOSED', 'This link does not open anything any more. Ask whoever sent it for a new one.')

/** What a cookie holds: who has it had the token, and knew the password that holds now. */
const proofOf = ({ hash, passwordHash }: ShareLinkRow): string =>
  createHash('sha256')
    .update(`${hash}\n${passwordHash ?? ''}`)
    .digest('base64url')

/** The link behind an id and a token, whatever its state. SHARE_CLOSED for both alike where there is none. */
function linkWith(services: ClockServices, id: string, token: string): ShareLinkRow {
  const row = findShareLink(services.db, id)
  if (row === null || !isSameHash(secretHash(token), row.hash)) return closed()
  return stateOf(row, services.now()) === 'open' ? row : closed()
}

/**
 * Opens a link: the proof for its cookie. SHARE_CLOSED; SHARE_PASSWORD_NEEDED where the password is not given;
 * SIGN_IN_REFUSED where it is wrong.
 */
export async function openShared(
  services: ClockServices,
  given: { readonly id: string; readonly token: string; readonly password: string | null },
): Promise<{ readonly proof: string; readonly expiresAt: number }> {
  const row = linkWith(services, given.id, given.token)
  if (row.passwordHash !== null) {
    if (given.password === null || given.password === '')
      throw new AppError('SHARE_PASSWORD_NEEDED', 'This link has a password.')
    if (!(await isPassword(normalPassword(given.password), row.passwordHash)))
      throw new AppError('SIGN_IN_REFUSED', 'The password is not right.')
  }
  updateShareLink(services.db, row.id, { openedAt: services.now() })
  return { proof: proofOf(row), expiresAt: row.expiresAt }
}

/** The link that a cookie opens. SHARE_CLOSED, UNAUTHENTICATED where the cookie is none of it. */
function requireOpened(services: ClockServices, id: string, proof: string | null): ShareLinkRow {
  const row = findShareLink(services.db, id)
  if (row === null) throw new AppError('UNAUTHENTICATED')
  if (proof === null || !isSameHash(proof, proofOf(row))) throw new AppError('UNAUTHENTICATED')
  return stateOf(row, services.now()) === 'open' ? row : closed()
}

/** Reviewers address a link by its id, and are known by the cookie's proof. */
export interface Reviewer {
  readonly id: string
  readonly proof: string | null
}

function presentClip(link: ShareLinkRow, clip: Clip, shown: SharedFile): SharedClip {
  const { mediaId, lookKey: _own, ...file } = shown
  const { title, duration } = clip.document
  const media = mediaId === null ? null : `/shared/media/${link.id}/${clip.id}/${mediaId}`
  return { id: clip.id, title, duration, ...file, media }
}

/** Everything that the reviewer sees. A clip that was changed since it was rendered is rendered again. */
export function viewShared(services: Services, reviewer: Reviewer): SharedView {
  const link = requireOpened(services, reviewer.id, reviewer.proof)
  const shared = listShareClips(services.db, [link.id]).flatMap(
    ({ id }) => getClip(services.db, link.companyId, id) ?? [],
  )
  for (const clip of shared) prepareFile(services, link, clip)
  const files = shared.map((clip) => ({ clip, file: sharedFile(services, link, clip) }))
  const decisions = listLinkDecisions(services.db, link.id).flatMap((row) => {
    const seen = files.find(({ clip }) => clip.id === row.clipId)
    return seen === undefined ? [] : [presentDecision(row, seen.clip, seen.file.lookKey)]
  })
  return {
    id: link.id,
    title: link.title,
    by: link.createdBy,
    expiresAt: iso(link.expiresAt),
    download: link.download,
    clips: files.map(({ clip, file }) => presentClip(link, clip, file)),
    comments: listLinkComments(services.db, link.id).map(presentComment),
    decisions,
  }
}

function requireShared(services: ClockServices, link: ShareLinkRow, clipId: string): Clip {
  const shared = listShareClips(services.db, [link.id]).some(({ id }) => id === clipId)
  return (shared ? getClip(services.db, link.companyId, clipId) : null) ?? refuse('CLIP_NOT_FOUND')
}

/** A comment at a frame, or an answer to one of this link. SHARE_CLOSED, CLIP_NOT_FOUND, NOT_FOUND, INVALID_STATE. */
export function commentShared(services: Services, reviewer: Reviewer, given: NewShareComment): ShareComment {
  const link = requireOpened(services, reviewer.id, reviewer.proof)
  const clip = requireShared(services, link, given.clipId)
  const known = listLinkComments(services.db, link.id)
  if (known.length >= MAX_COMMENTS) refuse('INVALID_STATE', 'This link takes no more comments.')
  const asked = given.replyTo === undefined ? null : known.find(({ id }) => id === given.replyTo)
  if (asked === undefined || (asked !== null && asked.clipId !== given.clipId)) refuse('NOT_FOUND')
  const frame = asked === null ? (given.frame ?? 0) : null
  const row = {
    id: newId(),
    companyId: link.companyId,
    linkId: link.id,
    clipId: given.clipId,
    replyTo: asked === null ? null : (asked?.replyTo ?? asked?.id ?? null),
    author: given.author.trim(),
    side: 'reviewer' as const,
    text: given.text.trim(),
    frame,
    milliseconds:
      frame === null ? null : Math.round((frame / sharedFile(services, link, clip).frameRate) * 1000),
    createdAt: services.now(),
    resolvedAt: null,
    seenAt: null,
  }
  insertShareComment(services.db, row)
  return presentComment(row)
}

/** Approves a clip, or asks for changes: of the file that can be seen now. INVALID_STATE before there is one. */
export function decideShared(services: Services, reviewer: Reviewer, given: NewShareDecision): void {
  const link = requireOpened(services, reviewer.id, reviewer.proof)
  const clip = requireShared(services, link, given.clipId)
  const { mediaId, lookKey } = sharedFile(services, link, clip)
  if (mediaId === null)
    return refuse('INVALID_STATE', 'The clip is being rendered. Look at it first, then decide.')
  inTransaction(services.db, () =>
    replaceShareDecision(services.db, {
      companyId: link.companyId,
      linkId: link.id,
      clipId: given.clipId,
      reviewer: given.reviewer.trim(),
      decision: given.decision,
      note: given.note?.trim() ?? '',
      mediaId,
      lookKey,
      decidedAt: services.now(),
      seenAt: null,
    }),
  )
}

/** The file of a clip that goes out by the link, and whether it may be saved. NOT_FOUND for any other file. */
export function sharedMedia(
  services: Services,
  reviewer: Reviewer,
  { clipId, mediaId }: { readonly clipId: string; readonly mediaId: string },
): { readonly found: FoundMedia; readonly download: boolean } {
  const link = requireOpened(services, reviewer.id, reviewer.proof)
  const clip = requireShared(services, link, clipId)
  const found = findSharedMedia(services, link, { clip, mediaId })
  return { found: found ?? refuse('NOT_FOUND'), download: link.download }
}
