/** One try at publishing one post: from what is stored to what the platform, or the package, has of it. */
import { AppError, type Failure, refuse } from '../../contract/errors.ts'
import type {
  AccountCall,
  Cover,
  Later,
  Memo,
  Published,
  PublishJob,
  SocialMedia,
} from '../../adapters/social/adapter.ts'
import { writePackage } from '../../adapters/social/export.ts'
import { prepareMedia } from '../../adapters/social/prepare-media.ts'
import { takeCover } from '../../adapters/social/take-cover.ts'
import { ADAPTERS } from '../../adapters/social/registry.ts'
import { getAction, noteOnAction, type SocialAction } from '../../db/social-actions.ts'
import type { SocialPostRow } from '../../db/social-posts.ts'
import type { Clip } from '../../db/clips.ts'
import {
  bringMedia,
  findMediaById,
  mediaAddresses,
  storedMediaPath,
  type FoundMedia,
  type RenderResult,
} from '../rendering/register-media.ts'
import { requestRender } from '../rendering/render-clip.ts'
import { openSecret, sealSecret } from '../../secrets.ts'
import type { Services } from '../services.ts'
import { withAccount } from './accounts.ts'
import { clipOf } from './actions.ts'
import { clipVersions, sameVersions } from './approved-clip.ts'

/** The appliance's media that were published, as posts store them. */
export interface PublishedMedia {
  readonly mediaUrl: string | null
  readonly thumbnailUrl: string | null
}

/** The outcome of a try. `cancelled`: it was stopped before anything was sent. */
export type PublishOutcome =
  | { readonly kind: 'published'; readonly published: Published; readonly media: PublishedMedia }
  | { readonly kind: 'later'; readonly afterMs: number }
  | { readonly kind: 'cancelled' }

/** A lookup right after a cut may miss what the platform has only just taken. */
const SETTLE_MS = 30_000
const RENDER_WAIT_MS = 10 * 60_000
const RENDER_AGAIN_MS = 2000

/** Another process holds the action's lease. */
const leaseLost = (): AppError => new AppError('CANCELLED', { details: { lost: true } })
/** Thrown where a cancel is found before anything was sent. */
const cancelledNow = (): AppError => new AppError('CANCELLED', { details: { requested: true } })
/** Whether the action was cancelled by a request, and not lost with its lease. */
export const isCancelledByRequest = (error: unknown): boolean =>
  error instanceof AppError && error.details?.['requested'] === true

interface Try {
  readonly services: Services
  readonly action: SocialAction
  readonly owner: string
  readonly row: SocialPostRow
  readonly signal: AbortSignal
}

/** The action as it is stored now, while it is ours. */
function held({ services, action, owner }: Try): SocialAction {
  const now = getAction(services.db, action.id)
  if (now?.state !== 'running' || now.leaseOwner !== owner) throw leaseLost()
  return now
}

function note(one: Try, notes: Parameters<typeof noteOnAction>[2]): void {
  const { services, action, owner } = one
  if (!noteOnAction(services.db, { id: action.id, owner }, notes)) throw leaseLost()
}

// Addresses of uploads give access without a sign-in, so notes of adapters are sealed like tokens.
const purposeOf = ({ action }: Try): string => `social-memo:${action.key}`

function sealMemo(one: Try, memo: Memo): Memo {
  return { sealed: sealSecret(one.services.home, purposeOf(one), JSON.stringify(memo)) }
}

/** What was noted so far; nothing where it cannot be read any more. */
function memoOf(one: Try): Memo {
  const { sealed } = held(one).memo
  const text = typeof sealed === 'string' ? openSecret(one.services.home, purposeOf(one), sealed) : null
  return text === null ? {} : (JSON.parse(text) as Memo)
}

function remember(one: Try, changes: Memo, more: { sendingAt?: number } = {}): void {
  const memo = sealMemo(one, { ...memoOf(one), ...changes, $action: one.action.id })
  note(one, { memo, ...more })
}

/** Publishes, or continues. Throws socialFailure, AppError, CANCELLED (lease lost, or the appliance stops). */
export async function publishOnce(one: Try): Promise<PublishOutcome> {
  const { services, row, signal } = one
  if (row.accountId === null) return publishPackage(one)
  const known = publishedOf(memoOf(one))
  const input = { companyId: row.companyId, accountId: row.accountId, signal }
  return withAccount(services, input, async (call) => {
    const outcome: Published | Later | null = known ?? (await findOrPublish(one, call))
    if (outcome === null) return { kind: 'cancelled' }
    if ('later' in outcome) return { kind: 'later', afterMs: outcome.later }
    if (known === null) rememberPublished(one, outcome)
    const media = sentMediaOf(memoOf(one))
    return { kind: 'published', published: await withComment(one, call, outcome), media }
  })
}

/** Null: cancelled. */
async function findOrPublish(one: Try, call: AccountCall): Promise<Published | Later | null> {
  const { services, row, action } = one
  const adapter = ADAPTERS[row.platform]
  const { sendingAt } = held(one)
  if (sendingAt !== null) {
    const found = await adapter.find(jobOf(one, call, null, null))
    if (found !== null) return coverUnknown(one, found)
    const waited = services.now() - sendingAt
    if (waited < SETTLE_MS) return { later: SETTLE_MS - waited }
    // An earlier action of this post may have sent another version of it: nothing of that is of use.
    const stale = memoOf(one)['$action'] !== action.id
    note(one, { sendingAt: null, ...(stale ? { memo: sealMemo(one, {}) } : {}) })
  }
  if (held(one).cancelRequested) return null
  const clip = approvedClip(one)
  if (clip === null) return adapter.publish(jobOf(one, call, null, null))
  const video = await renderedVideo(one, clip)
  if (video === null) return { later: RENDER_AGAIN_MS }
  const { mediaUrl, thumbnailUrl } = publishedMedia(services, stillApproved(one, clip), video)
  remember(one, { $media: mediaUrl, $thumbnail: thumbnailUrl })
  const address = addressOf(services, video.id)
  const request = { ...adapter, config: services.config, home: services.home, signal: one.signal }
  return prepareMedia({ ...request, file: video.found.file, address }, (media) =>
    adapter.publish(jobOf(one, call, media, coverOf(one, video))),
  )
}

/** A platform that fetches a video from its address may take its time, and try again on the next day. */
const FETCHED_WITHIN_SECONDS = 48 * 3600

function addressOf(services: Services, id: string): string | null {
  const { publicUrl } = services.config
  return publicUrl === null
    ? null
    : (mediaAddresses(services, publicUrl, [id], FETCHED_WITHIN_SECONDS)(id) ?? null)
}

/** The clip as it was approved. INVALID_STATE when it was changed since. */
function approvedClip({ services, row, action }: Try): Clip | null {
  const clip = clipOf(services, row)
  if (sameVersions(action.approved, clipVersions(services, clip, row))) return clip
  throw new AppError('INVALID_STATE', {
    message: 'The clip was changed after the post was approved. Look at it and approve the post again.',
  })
}

/** The clip after it was rendered, which takes its time: what was changed meanwhile was not approved. */
const stillApproved = (one: Try, before: Clip): Clip => approvedClip(one) ?? before

interface Video {
  readonly id: string
  readonly found: FoundMedia
}

/** The clip's finished video; null: it is still being rendered. Throws the render's failure. */
async function renderedVideo({ services, signal }: Try, clip: Clip): Promise<Video | null> {
  const there = await videoOf(services, clip.renderedMedia)
  if (there !== null) return there
  let id: string
  const requested = requestRender(services, clip.id)
  if ('cached' in requested) id = requested.cached
  else {
    const gone = new Promise<'gone'>((resolve) =>
      signal.addEventListener('abort', () => resolve('gone'), { once: true }),
    )
    const settled = await Promise.race([
      services.jobs.whenSettled(requested.operationId, RENDER_WAIT_MS),
      gone,
    ])
    if (settled === 'gone' || settled === null) return null
    if (settled.state !== 'succeeded') throw renderFailure(settled.failure)
    id = (settled.result as RenderResult).mediaId
  }
  return (
    (await videoOf(services, id)) ??
    refuse('INVALID_STATE', 'The rendered file is gone; render the clip again.')
  )
}

/** Null also where the file was removed, or did not come back with its database. */
async function videoOf(services: Services, id: string | null): Promise<Video | null> {
  const found = await bringMedia(services, id)
  return id === null || found === null ? null : { id, found }
}

function publishedMedia(services: Services, clip: Clip, video: Video): PublishedMedia {
  const still = publishedThumbnail(clip)
  return { mediaUrl: storedMediaPath(services, video.id), thumbnailUrl: storedMediaPath(services, still) }
}

/** A full disk, a store that is away or a lost appliance passes; whatever else a render failed at, it will fail at again. */
function renderFailure(failure: Failure | null): AppError {
  const passes = ['DISK_FULL', 'STORE_UNAVAILABLE', 'INTERRUPTED'].includes(failure?.code ?? '')
  return new AppError(
    passes ? 'RENDER_FAILED' : 'INVALID_STATE',
    `The clip could not be rendered: ${failure?.message ?? 'the render was cancelled.'}`,
  )
}

function coverOf({ services, row, signal }: Try, { found }: Video): Cover | null {
  const seconds = row.coverSeconds
  if (seconds === null) return null
  const { config, home } = services
  return { seconds, picture: () => takeCover({ config, home, file: found.file, seconds, signal }) }
}

/** A picture is sent after the video: what was cut off in between is not looked up. */
function coverUnknown({ row }: Try, found: Published | Later): Published | Later {
  if ('later' in found || row.coverSeconds === null) return found
  if (ADAPTERS[row.platform].limits.cover !== 'picture') return found
  return { ...found, note: 'It was cut off while it was sent; look whether it has its cover.' }
}

function jobOf(one: Try, call: AccountCall, media: SocialMedia | null, cover: Cover | null): PublishJob {
  const { services, row, action } = one
  return {
    ...call,
    post: contentOf(row),
    key: action.key,
    startedAt: action.startedAt ?? services.now(),
    media,
    cover,
    memo: () => memoOf(one),
    remember: (changes) => remember(one, changes),
    sending: async () => {
      if (held(one).cancelRequested) throw cancelledNow()
      remember(one, {}, { sendingAt: services.now() })
      // An appliance that takes over has to know that it may be out.
      await services.charge?.settled()
    },
    notTaken: () => note(one, { sendingAt: null }),
    progress: (fraction) => note(one, { progress: Math.min(0.99, Math.max(0, fraction)) }),
  }
}

const contentOf = (row: SocialPostRow) => ({
  id: row.id,
  text: row.text,
  title: row.title,
  firstComment: row.firstComment,
  visibility: row.visibility,
})

// What is noted here and not by adapters begins with a dollar sign.
function publishedOf(memo: Memo): Published | null {
  const { $id: nativeId, $url: url, $note } = memo
  if (typeof nativeId !== 'string') return null
  return {
    nativeId,
    url: typeof url === 'string' ? url : null,
    ...(typeof $note === 'string' ? { note: $note } : {}),
  }
}

/** Nulls where nothing was noted: a text alone, or what an earlier version of the program has sent. */
function sentMediaOf({ $media, $thumbnail }: Memo): PublishedMedia {
  const noted = (value: unknown): string | null => (typeof value === 'string' ? value : null)
  return { mediaUrl: noted($media), thumbnailUrl: noted($thumbnail) }
}

function rememberPublished(one: Try, { nativeId, url, note: text }: Published): void {
  remember(one, { $id: nativeId, $url: url, $note: text ?? null })
}

/** A comment that fails, or whose outcome is unknown, does not make a published post a failed one. */
async function withComment(one: Try, call: AccountCall, published: Published): Promise<Published> {
  const { row, services } = one
  const { comment } = ADAPTERS[row.platform]
  if (comment === null || row.firstComment === null) return published
  const missing = (why: string): Published => ({
    ...published,
    note: [published.note, `The first comment is missing: ${why}`].filter(Boolean).join(' '),
  })
  if (memoOf(one)['$commenting'] === true) return missing('it was cut off; look whether it is there.')
  remember(one, { $commenting: true })
  try {
    await comment(call, published.nativeId, row.firstComment)
    return published
  } catch (error) {
    if (one.signal.aborted) throw error
    services.log.warn('a first comment was not taken', { post: row.id, platform: row.platform, error })
    return missing(error instanceof Error ? error.message : 'the platform refused it.')
  }
}

async function publishPackage(one: Try): Promise<PublishOutcome> {
  const { services, row } = one
  if (held(one).cancelRequested) return { kind: 'cancelled' }
  const approved = approvedClip(one)
  const video = approved === null ? null : await renderedVideo(one, approved)
  if (approved !== null && video === null) return { kind: 'later', afterMs: RENDER_AGAIN_MS }
  const clip = approved === null ? null : stillApproved(one, approved)
  const thumbnail = clip === null ? null : findMediaById(services, publishedThumbnail(clip))
  const media =
    clip === null || video === null
      ? { mediaUrl: null, thumbnailUrl: null }
      : publishedMedia(services, clip, video)
  const { label } = ADAPTERS[row.platform]
  const folder = await writePackage(services.home, {
    post: { ...contentOf(row), platform: row.platform },
    scheduledAt: row.scheduledAt,
    clip: clip === null ? null : { id: clip.id, title: clip.title, duration: clip.duration },
    video: video?.found.file ?? null,
    thumbnail: thumbnail?.file ?? null,
    cover: video === null ? null : coverOf(one, video),
    writtenAt: services.now(),
    signal: one.signal,
  })
  const text = `No ${label} account is meant: a package for uploading by hand lies in ${folder} of the appliance's home.`
  return { kind: 'published', published: { nativeId: '', url: null, note: text }, media }
}

/** Media id: the thumbnail that an editor has designed, else the middle of what was rendered, else the automatic one. */
function publishedThumbnail({
  document,
  renderedThumbnailMedia,
}: Pick<Clip, 'document' | 'renderedThumbnailMedia'>): string | null | undefined {
  const { thumbnail } = document.media
  const isDesigned = document.overrides?.thumbnail !== undefined && thumbnail !== undefined
  return isDesigned ? thumbnail : (renderedThumbnailMedia ?? thumbnail)
}
