/** Publishing and taking back in two steps: what is prepared, and what consumes the confirmation and fills the outbox. */
import type { Confirmation } from '../../contract/tenant-api/workflow.ts'
import type { DomainOperation } from '../../contract/tenant-api/operation.ts'
import { AppError, refuse } from '../../contract/errors.ts'
import { ADAPTERS } from '../../adapters/social/registry.ts'
import { getClip, type Clip } from '../../db/clips.ts'
import { getAccount, updateSocialPost, type SocialPostRow } from '../../db/social-posts.ts'
import {
  applyActionEvent,
  findOpenAction,
  getAction,
  insertAction,
  listActionsOfPost,
  type SocialAction,
} from '../../db/social-actions.ts'
import { newId } from '../../ids.ts'
import type { Caller } from '../access/authorise.ts'
import { consumeConfirmation, prepareConfirmation, refuseConsumed } from '../operations/confirmations.ts'
import { mediaAddresses } from '../rendering/register-media.ts'
import type { DbServices, Services } from '../services.ts'
import { clipVersions, sameVersions, type Approved } from './approved-clip.ts'
import { checkComplete } from './check-post.ts'
import { presentAction } from '../operations/read-operation.ts'
import { requireNext, requirePost } from './posts.ts'

type Deps = Pick<Services, 'db' | 'now' | 'home'>

interface PostAddress {
  readonly caller: Caller
  readonly id: string
}

/** The clip of a post; null without one. Throws INVALID_STATE when the clip was deleted. */
export function clipOf({ db }: DbServices, row: SocialPostRow): Clip | null {
  if (row.clipId === null) return null
  return (
    getClip(db, row.companyId, row.clipId) ??
    refuse('INVALID_STATE', 'The clip of this post is gone; give it another.')
  )
}

function accountOf({ db }: DbServices, row: SocialPostRow) {
  if (row.accountId === null) return null
  const account = getAccount(db, row.companyId, row.accountId)
  if (account?.state === 'connected') return account
  const { label } = ADAPTERS[row.platform]
  const message =
    account === null
      ? `The ${label} account of this post is not connected any more; give it another.`
      : `The ${label} account ${account.handle} must be connected again: cutroom social connect`
  throw new AppError('INVALID_STATE', { message, details: { accountId: row.accountId } })
}

const secondsOf = (clip: Clip | null) => (clip === null ? null : { seconds: clip.duration })

function previewOf(services: Deps, row: SocialPostRow, clip: Clip | null, baseUrl: string) {
  const account = accountOf(services, row)
  const address = mediaAddresses(services, baseUrl, [clip?.renderedMedia])
  const { label } = ADAPTERS[row.platform]
  const to = account === null ? 'a package on this appliance' : `${label}, as ${account.handle}`
  const when = row.scheduledAt === null ? 'now' : `at ${new Date(row.scheduledAt).toISOString()}`
  return {
    summary: `Publish to ${to}, ${when}.`,
    postId: row.id,
    platform: row.platform,
    account: account?.handle ?? null,
    destination: account === null ? 'export' : 'account',
    text: row.text,
    title: row.title,
    visibility: row.visibility,
    firstComment: row.firstComment,
    coverSeconds: row.coverSeconds,
    scheduledAt: row.scheduledAt === null ? null : new Date(row.scheduledAt).toISOString(),
    clip:
      clip === null
        ? null
        : {
            id: clip.id,
            title: clip.title,
            duration: clip.duration,
            video: address(clip.renderedMedia) ?? null,
          },
  }
}

/**
 * A confirmation to publish this post as it is. NOT_FOUND; INVALID_STATE; VALIDATION_FAILED for what the platform would
 * not take. May be called inside a transaction.
 */
export function preparePublish(services: Deps, input: PostAddress & { baseUrl: string }): Confirmation {
  const { caller, id, baseUrl } = input
  const row = requirePost(services, caller.companyId, id)
  requireNext(row, 'publish')
  const clip = clipOf(services, row)
  checkComplete(ADAPTERS[row.platform], row, secondsOf(clip))
  return prepareConfirmation(services, {
    caller,
    action: 'publish_post',
    // In the studio preparing is a part of approving; who wrote the post has prepared it.
    ...(caller.via === 'session' && row.editedBy !== null ? { preparedBy: row.editedBy } : {}),
    subject: { id: row.id, revision: row.revision },
    payload: clipVersions(services, clip, row),
    preview: previewOf(services, row, clip, baseUrl),
  })
}

function removable(row: SocialPostRow): boolean {
  return row.accountId === null || ADAPTERS[row.platform].remove !== null
}

function requireCancellable(row: SocialPostRow): void {
  requireNext(row, 'cancelled')
  if (row.status !== 'success' || removable(row)) return
  const { label } = ADAPTERS[row.platform]
  throw new AppError('INVALID_STATE', {
    message: `${label} lets no app take back what is published; delete it there.`,
    details: { status: row.status },
  })
}

/** A confirmation to stop this post, or to take it back. NOT_FOUND, INVALID_STATE. May be called inside a transaction. */
export function prepareCancel(services: Deps, input: PostAddress): Confirmation {
  const { caller, id } = input
  const row = requirePost(services, caller.companyId, id)
  requireCancellable(row)
  const { label } = ADAPTERS[row.platform]
  const summary =
    row.status === 'success'
      ? `Delete the published post ${row.accountId === null ? 'package' : `from ${label}`}.`
      : `Do not publish this post to ${label}.`
  return prepareConfirmation(services, {
    caller,
    action: 'cancel_post',
    subject: { id: row.id, revision: row.revision },
    payload: {},
    preview: {
      summary,
      postId: row.id,
      platform: row.platform,
      status: row.status,
      text: row.text,
      title: row.title,
      postUrl: row.postUrl,
      scheduledAt: row.scheduledAt === null ? null : new Date(row.scheduledAt).toISOString(),
    },
  })
}

interface Consumed extends PostAddress {
  readonly confirmationId: string
}

/** What an earlier try that may have reached the platform has left: the same post must not go out twice. */
function leftBefore({ db }: Deps, postId: string): Pick<SocialAction, 'key' | 'memo' | 'sendingAt'> {
  const earlier = listActionsOfPost(db, postId).find(({ kind }) => kind === 'publish')
  if (earlier === undefined) return { key: newId(), memo: {}, sendingAt: null }
  const { key, memo, sendingAt } = earlier
  return sendingAt === null ? { key, memo: {}, sendingAt } : { key, memo, sendingAt }
}

/**
 * Consumes the confirmation and puts the publishing into the outbox, for now or for its scheduled time. To be called in
 * the transaction that stores the answer. NOT_FOUND, INVALID_STATE, CONFIRMATION_*.
 */
export function publishPost(services: Deps, input: Consumed): DomainOperation {
  const { caller, id, confirmationId } = input
  const row = requirePost(services, caller.companyId, id)
  const subject = { id: row.id, revision: row.revision }
  const use = { caller, id: confirmationId, action: 'publish_post', subject } as const
  refuseConsumed(services, use)
  requireNext(row, 'publish')
  const approved = consumeConfirmation(services, use) as Approved
  if (!sameVersions(approved, clipVersions(services, clipOf(services, row), row)))
    throw new AppError('CONFIRMATION_MISMATCH', {
      message: 'The clip was changed since the confirmation was prepared; prepare it again.',
    })
  accountOf(services, row)
  const now = services.now()
  const availableAt = Math.max(now, row.scheduledAt ?? now)
  const isLater = availableAt > now
  requireNext(row, isLater ? 'schedule' : 'publish')
  const status = isLater ? 'scheduled' : 'publishing'
  updateSocialPost(services.db, row.id, { status, publishedAt: null, failure: null, updatedAt: now })
  return enqueue(services, row, 'publish', {
    availableAt,
    confirmationId,
    approved: { ...approved },
    ...leftBefore(services, row.id),
  })
}

/**
 * Consumes the confirmation and puts the cancelling into the outbox; an action that has not begun is cancelled at once.
 * To be called in the transaction that stores the answer. NOT_FOUND, INVALID_STATE, CONFIRMATION_*.
 */
export function cancelPost(services: Deps, input: Consumed): DomainOperation {
  const { caller, id, confirmationId } = input
  const { db } = services
  const row = requirePost(services, caller.companyId, id)
  const subject = { id: row.id, revision: row.revision }
  const use = { caller, id: confirmationId, action: 'cancel_post', subject } as const
  refuseConsumed(services, use)
  requireCancellable(row)
  consumeConfirmation(services, use)
  const now = services.now()
  const going = findOpenAction(db, row.id, 'publish')
  if (going !== null) {
    const touched = going.sendingAt !== null
    applyActionEvent(db, going.id, { kind: 'cancel', now, touched }, now, {
      failure: { code: 'CANCELLED', message: 'The post was cancelled.' },
    })
  }
  return enqueue(services, row, 'cancel', {
    availableAt: now,
    confirmationId,
    approved: {},
    key: newId(),
    memo: {},
    sendingAt: null,
  })
}

function enqueue(
  { db, now }: Deps,
  row: SocialPostRow,
  kind: 'publish' | 'cancel',
  given: Pick<SocialAction, 'availableAt' | 'confirmationId' | 'approved' | 'key' | 'memo' | 'sendingAt'>,
): DomainOperation {
  if (findOpenAction(db, row.id, kind) !== null)
    throw new AppError('INVALID_STATE', 'That is going on already.')
  const id = newId()
  const created = now()
  insertAction(db, {
    id,
    companyId: row.companyId,
    postId: row.id,
    kind,
    state: 'queued',
    ...given,
    createdAt: created,
    updatedAt: created,
  })
  const action = getAction(db, id)
  if (action === null) throw new Error('an action was not stored')
  return presentAction(action)
}
