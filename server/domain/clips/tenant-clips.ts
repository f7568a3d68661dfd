/** Clips for the tenant API: one is read with its revision and edited against it; lists are filtered, sorted and counted. */
import type {
  ClipPatch,
  DomainClip,
  ClipsMeta,
  ClipSort,
  ClipsQuery,
  ClipSummary,
} from '../../contract/tenant-api/clip.ts'
import { type Clip, statusesOfClip } from '../../db/clips.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'
import { requireClip } from './get-clip.ts'
import { presentClip } from './present-clip.ts'
import { mediaPath } from '../rendering/register-media.ts'
import { clipEtag, requireMatch } from '../revisions.ts'
import type { DbServices, Services } from '../services.ts'
import { updateClip } from './update-clip.ts'
import { DEFAULT_PAGE } from '../../contract/tenant-api/envelope.ts'
import { AppError, refuse } from '../../contract/errors.ts'
import { searchClips } from '../../db/clip-lists/client.ts'
import type { ClipFilter, ClipPosition, ListedClip } from '../../db/clip-lists/types.ts'
import { decodeCursor, encodeCursor } from '../cursors.ts'
import { parseMoment } from '../moments.ts'

interface Address {
  readonly companyId: string
  readonly clipId: string
  /** Without a slash at its end. */
  readonly baseUrl: string
}

export interface ReadClip {
  readonly data: DomainClip
  readonly etag: string
}

/** Where a clip comes from, for people; a file's name alone where it came from a file of the appliance. */
const withoutFolders = (url: string): string =>
  /^file:/i.test(url) ? (url.split(/[/\\]/).at(-1) ?? '') : url

function present(services: DbServices, clip: Clip, baseUrl: string): DomainClip {
  const {
    companyId: _company,
    runId,
    taskId: _task,
    taskID: _old,
    ...shown
  } = presentClip(services, clip, baseUrl)
  const { clipHash: _hash, sourceID: _source, ...fields } = shown
  const statuses = statusesOfClip(services.db, clip.id)
  return {
    ...fields,
    originalUrl: withoutFolders(fields.originalUrl),
    status: statuses[0] ?? 'unrendered',
    statuses,
    tags: clip.document.tags ?? [],
    ...omitUndefined({ titleProposals: clip.document.titles }),
    workflowRunId: runId ?? null,
    episodeId: fields.sourceId,
  }
}

/** The clip's document without what is of the inside. CLIP_NOT_FOUND. */
export function readClip(services: DbServices, { companyId, clipId, baseUrl }: Address): ReadClip {
  const clip = requireClip(services, { companyId, clipId })
  return { data: present(services, clip, baseUrl), etag: clipEtag(clip) }
}

/** Each tag once, whatever its case, as it was written first. */
function tidyTags(tags: readonly string[]): string[] {
  const byKey = new Map<string, string>()
  for (const tag of tags.map((one) =>
    one
      .normalize('NFC')
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  ))
    if (tag !== '' && !byKey.has(tag.toLowerCase())) byKey.set(tag.toLowerCase(), tag)
  return [...byKey.values()]
}

/**
 * Sets fields of the version that was read; answers the clip as this edit left it. Throws PRECONDITION_FAILED when it was edited
 * since, INVALID_CLIP_UPDATE, CLIP_NOT_FOUND.
 */
export async function patchClip(
  services: Omit<Services, 'jobs'>,
  { companyId, clipId, baseUrl }: Address,
  { patch, ifMatch, editor }: { patch: ClipPatch; ifMatch: string; editor?: string | undefined },
): Promise<ReadClip & { meta: { updatedFields: string[]; warnings: string[] } }> {
  const { tags, merge = true, ...body } = patch
  const { answer, clip } = await updateClip(services, {
    companyId,
    clipId,
    body,
    merge,
    ...(tags === undefined ? {} : { tags: tidyTags(tags) }),
    ...omitUndefined({ editor }),
    guard: (before) => requireMatch(ifMatch, clipEtag(before)),
  })
  const { updatedFields, warnings = [] } = answer
  const fields = [...updatedFields, ...(tags === undefined ? [] : ['tags'])]
  return {
    data: present(services, clip, baseUrl),
    etag: clipEtag(clip),
    meta: { updatedFields: fields, warnings },
  }
}

function momentOf(query: ClipsQuery, field: 'modifiedAfter' | 'modifiedBefore'): number | undefined {
  const text = query[field]
  if (text === undefined) return undefined
  return (
    parseMoment(text, field === 'modifiedAfter' ? 'start' : 'end') ??
    refuse('VALIDATION_FAILED', {
      message: `"${field}" should be an ISO-8601 datetime.`,
      details: { field, expected: 'an ISO-8601 datetime' },
    })
  )
}

function filterOf({ workflowRunId: runId, ...fields }: ClipsQuery): ClipFilter {
  const modifiedAfter = momentOf(fields, 'modifiedAfter')
  const given = { ...fields, runId, modifiedAfter, modifiedBefore: momentOf(fields, 'modifiedBefore') }
  const filled = Object.entries(given).map(([name, value]) => [name, withoutEmpty(value)] as const)
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined))
}

/** An empty text, or a list of empty texts, is no filter. */
function withoutEmpty<T>(value: T | string | readonly string[]): T | string | readonly string[] | undefined {
  if (!Array.isArray(value)) return value === '' ? undefined : value
  const filled = (value as readonly string[]).filter((one) => one !== '')
  return filled.length === 0 ? undefined : filled
}

const iso = (time: number): string => new Date(time).toISOString()

function presentListed(services: DbServices, clip: ListedClip, baseUrl: string): ClipSummary {
  const { statuses, runId, thumbnail, createdAt, updatedAt, tags, people, keywords, ...shown } = clip
  return {
    ...shown,
    status: statuses[0] ?? 'unrendered',
    statuses: [...statuses],
    tags: [...tags],
    people: [...people],
    keywords: [...keywords],
    workflowRunId: runId,
    thumbnailUrl: thumbnail === null ? null : baseUrl + mediaPath(services, thumbnail),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
  }
}

/** Throws VALIDATION_FAILED for a moment that is none, INVALID_CURSOR. */
export async function listClips(
  services: DbServices,
  input: { companyId: string; query: ClipsQuery; baseUrl: string },
): Promise<{ data: ClipSummary[]; meta: ClipsMeta }> {
  const { companyId, query, baseUrl } = input
  const { sortBy = 'created_at', sortOrder: order = 'desc', limit = DEFAULT_PAGE, cursor, ...rest } = query
  const { countOnly = false, includeFacets = false, ...fields } = rest
  const filter = filterOf(fields)
  const bound = { list: 'clips', companyId, filter, sortBy, order }
  const after = cursor === undefined ? null : positionIn(bound, cursor)
  const found = await searchClips(services.db, {
    companyId,
    filter,
    count: countOnly || includeFacets,
    facets: includeFacets,
    page: countOnly ? null : { sortBy, order, after, limit },
  })
  return {
    data: found.clips.map((clip) => presentListed(services, clip, baseUrl)),
    meta: {
      nextCursor: found.next === null ? null : encodeCursor(bound, found.next),
      ...(found.total === null ? {} : { total: found.total }),
      ...(found.facets === null ? {} : { facets: found.facets }),
    },
  }
}

/** Cursors can be forged, so their values must have the types that the order compares. */
function positionIn(bound: { sortBy: ClipSort }, cursor: string): ClipPosition {
  const [value, id] = decodeCursor(bound, cursor, 2)
  const kind = bound.sortBy === 'title' ? 'string' : 'number'
  if (typeof id !== 'string' || value === undefined || typeof value !== kind)
    throw new AppError('INVALID_CURSOR')
  return [value, id]
}
