/** One clip for the domain API: read with its revision, edited against it. */
import type { ClipPatch, DomainClip } from '../../contract/tenant-api/clip.ts'
import type { Clip } from '../../db/clips.ts'
import { statusesOfClip } from '../../db/clip-statuses.ts'
import { requireClip } from './get-clip.ts'
import { presentClip } from './present-clip.ts'
import { etagOf, requireMatch } from '../revisions.ts'
import type { Services } from '../services.ts'
import { updateClip } from './update-clip.ts'

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

const revisionTag = ({ id, revision }: Pick<Clip, 'id' | 'revision'>): string => etagOf('clip', id, revision)

/** Where a clip comes from, for people; a file's name alone where it came from a file of the appliance. */
const withoutFolders = (url: string): string =>
  /^file:/i.test(url) ? (url.split(/[/\\]/).at(-1) ?? '') : url

function present(services: Pick<Services, 'db'>, clip: Clip, baseUrl: string): DomainClip {
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
    workflowRunId: runId ?? null,
    episodeId: fields.sourceId,
  }
}

/** The clip's document without what is of the inside. CLIP_NOT_FOUND. */
export function readClip(services: Pick<Services, 'db'>, { companyId, clipId, baseUrl }: Address): ReadClip {
  const clip = requireClip(services, { companyId, clipId })
  return { data: present(services, clip, baseUrl), etag: revisionTag(clip) }
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
 * Sets fields of the version that was read; answers the clip as it is now. Throws PRECONDITION_FAILED when it was edited
 * since, INVALID_CLIP_UPDATE, CLIP_NOT_FOUND.
 */
export async function patchClip(
  services: Omit<Services, 'jobs'>,
  { companyId, clipId, baseUrl }: Address,
  { patch, ifMatch }: { readonly patch: ClipPatch; readonly ifMatch: string },
): Promise<ReadClip & { readonly meta: { updatedFields: string[]; warnings: string[] } }> {
  const { tags, merge = true, ...body } = patch
  const { updatedFields, warnings = [] } = await updateClip(services, {
    companyId,
    clipId,
    body,
    merge,
    ...(tags === undefined ? {} : { tags: tidyTags(tags) }),
    guard: (clip) => requireMatch(ifMatch, revisionTag(clip)),
  })
  const fields = [...updatedFields, ...(tags === undefined ? [] : ['tags'])]
  return { ...readClip(services, { companyId, clipId, baseUrl }), meta: { updatedFields: fields, warnings } }
}
