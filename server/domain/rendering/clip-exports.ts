/** Files of delivery profiles that the appliance makes of a clip: requested, listed, and removed after some days. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { tryProfile } from '../../adapters/profile-trials.ts'
import { AppError, invalidRequest } from '../../contract/errors.ts'
import type { Profile } from '../../contract/profiles/profile.ts'
import { findProfile, PROFILES } from '../../contract/profiles/registry.ts'
import type { DomainOperation } from '../../contract/tenant-api/operation.ts'
import type { ExportedFile, ExportsMeta } from '../../contract/tenant-api/export.ts'
import type { ClipExport, ExportProfile, ProfileGroup, StudioExports } from '../../contract/studio-exports.ts'
import { getMedia } from '../../db/media.ts'
import { forgetExports, joinOrInsertExport, listExports } from '../../db/exports.ts'
import type { Operation } from '../../db/operations.ts'
import { requireClip } from '../clips/get-clip.ts'
import { readOperation } from '../operations/read-operation.ts'
import { iso } from '../moments.ts'
import type { HomeServices, Services } from '../services.ts'
import { removeResult } from '../settings/retention.ts'
import { deliveredProfile } from '../../nodes/index.ts'
import { FORMATS } from '../../interchange/index.ts'
import { planDelivery, requireProfile } from './plan-delivery.ts'
import { mediaAddresses } from './register-media.ts'

/** A file is there to be fetched: it can be made again at any time. */
const EXPORT_DAYS = 7
const DAY = 86_400_000

/** What a finished operation of the kind `export` leaves. */
export interface ExportResult {
  readonly mediaId: string
  /** Of the clip when it was made. */
  readonly revision: number
  /** What the file lacks, a sentence each. */
  readonly warnings: readonly string[]
}

/** Removes files that are over, and those of deleted clips. `signal` ends it between two of them. */
export async function sweepExports(
  services: Pick<Services, 'db' | 'home' | 'now' | 'store'>,
  signal: AbortSignal,
): Promise<number> {
  const { db, home, now } = services
  const kept = forgetExports(db, now() - EXPORT_DAYS * DAY)
  const folder = join(home.artefacts, 'export')
  let removed = 0
  for (const group of await readdir(folder).catch(() => []))
    for (const key of await readdir(join(folder, group)).catch(() => [])) {
      signal.throwIfAborted()
      const path = join(folder, group, key)
      const facts = await stat(path).catch(() => null)
      // One that is being made, or was just made, has no address yet.
      if (facts === null || kept.has(key) || now() - facts.mtimeMs < DAY) continue
      await removeResult(services, path)
      removed++
    }
  return removed
}

interface ClipAddress {
  readonly companyId: string
  readonly clipId: string
}

/**
 * Queues the file, or joins its operation; returns the operation's id. Throws CLIP_NOT_FOUND, INVALID_REQUEST for a profile that there is
 * not or that is words alone, RENDER_FAILED when nothing is left of the clip, and PROFILE_UNAVAILABLE before any work.
 */
export async function requestExport(
  services: Services,
  { companyId, clipId, profile: name }: ClipAddress & { readonly profile: string },
): Promise<{ readonly operationId: string }> {
  requireClip(services, { companyId, clipId })
  const profile = requireProfile(name)
  if (profile.delivery.kind === 'words')
    throw invalidRequest('profile', `"${name}" is text: it is there at once and needs no export.`)
  planDelivery(services, clipId, profile)
  await requireEncoder(services, profile)
  const { id } = joinOrInsertExport(services.db, { companyId, clipId, profile: name, now: services.now() })
  services.jobs.wake()
  return { operationId: id }
}

/** The encoder that makes the profile here, as ffmpeg names it. Throws PROFILE_UNAVAILABLE. */
export async function requireEncoder(
  { config }: Pick<Services, 'config'>,
  profile: Profile,
): Promise<string> {
  const trial = await tryProfile(config, profile)
  if (trial.available) return trial.encoder
  throw new AppError('PROFILE_UNAVAILABLE', {
    message: `${profile.name} cannot be made here. ${trial.why}`,
    details: { profile: profile.name, why: trial.why },
  })
}

/** Everything that a clip can be exported as, and what was made of it. Throws CLIP_NOT_FOUND. `baseUrl` has no slash at its end. */
export function listClipExports(
  services: HomeServices,
  { companyId, clipId, baseUrl }: ClipAddress & { readonly baseUrl: string },
): StudioExports {
  const clip = requireClip(services, { companyId, clipId })
  const operations = listExports(services.db, { companyId, clipId })
  const ids = operations.map(({ result }) => (result as ExportResult | null)?.mediaId)
  const addressOf = mediaAddresses(services, baseUrl, ids)
  const exports = operations.flatMap((operation) => {
    const { mediaId, revision, warnings = [] } = (operation.result as ExportResult | null) ?? {}
    const url = addressOf(mediaId) ?? null
    const media = url === null ? null : getMedia(services.db, mediaId ?? '')
    const state = stateOf(operation, url)
    if (state === null) return []
    const one: ClipExport = {
      operationId: operation.id,
      ...aboutProfile(operation),
      state,
      progress: operation.progress,
      stopping: operation.cancelRequested,
      url,
      bytes: media?.bytes ?? 0,
      warnings: [...warnings],
      problem: state === 'failed' ? (operation.failure?.message ?? '') : null,
      old: revision !== undefined && revision !== clip.revision,
      removedAt: media === null ? null : iso(media.createdAt + EXPORT_DAYS * DAY),
    }
    return [one]
  })
  const profiles = [...PROFILES.map(presentProfile), ...OTHER_FORMATS]
  return { profiles, chosen: deliveredProfile(clip.document), exports }
}

const STATES = { waiting: 'queued', going: 'running', finished: 'succeeded', failed: 'failed' } as const

/** The same for services: the files, the profiles that can be asked for, and the one that the clip asks for by itself. */
export function listExportedFiles(
  services: HomeServices,
  address: ClipAddress & { readonly baseUrl: string },
): { readonly data: ExportedFile[]; readonly meta: ExportsMeta } {
  const { chosen, exports } = listClipExports(services, address)
  const data = exports.map(
    ({ operationId, profile, state, progress, url, bytes, warnings, problem, old, removedAt }) => ({
      operationId,
      profile,
      state: STATES[state],
      progress,
      url,
      bytes,
      warnings,
      error: problem,
      outdated: old,
      removedAt,
    }),
  )
  const profiles = PROFILES.filter(({ delivery }) => delivery.kind !== 'words').map(
    ({ name, label, description, extension }) => ({ name, label, description, extension }),
  )
  return { data, meta: { profiles, chosen } }
}

/** Queues the file as `requestExport`, and returns its operation. */
export async function queueExport(
  services: Services,
  address: ClipAddress & { readonly profile: string; readonly baseUrl: string },
): Promise<DomainOperation> {
  const { operationId } = await requestExport(services, address)
  const { companyId, baseUrl } = address
  return readOperation(services, { companyId, operationId, baseUrl })
}

/** Null: it is not shown. What was stopped is gone, and so is a file that was removed. */
function stateOf({ state }: Operation, url: string | null): ClipExport['state'] | null {
  if (state === 'queued') return 'waiting'
  if (state === 'running') return 'going'
  if (state === 'failed') return 'failed'
  return state === 'succeeded' && url !== null ? 'finished' : null
}

/** The profile that an operation was queued with. */
export const profileOf = ({ input }: Pick<Operation, 'input'>): string =>
  (input as { readonly profile: string }).profile

function aboutProfile(operation: Operation): Pick<ClipExport, 'profile' | 'label' | 'sidecars'> {
  const name = profileOf(operation)
  const known = findProfile(name)
  return { profile: name, label: known?.label ?? name, sidecars: [...(known?.sidecars ?? [])] }
}

const GROUPS: Readonly<Record<Profile['delivery']['kind'], ProfileGroup>> = {
  video: 'video',
  captions: 'captions',
  stems: 'sound',
  preview: 'preview',
  words: 'words',
}

function presentProfile({ name, label, description, extension, delivery, sidecars }: Profile): ExportProfile {
  const format = delivery.kind === 'words' ? delivery.format : null
  return {
    name,
    label,
    description,
    extension,
    group: GROUPS[delivery.kind],
    format,
    sidecars: [...sidecars],
  }
}

/** Formats that are no delivery: they are for people who go on working. */
const OTHER_FORMATS: readonly ExportProfile[] = (
  [
    ['otio', 'timeline', 'A timeline for DaVinci Resolve, Premiere Pro and others that read OpenTimelineIO.'],
    ['fcpxml', 'timeline', 'A timeline for Final Cut Pro.'],
    ['fcp7', 'timeline', 'A timeline for Premiere Pro, DaVinci Resolve and older Final Cut Pro.'],
    ['edl', 'timeline', 'The cuts alone, for every editing program.'],
    ['txt', 'words', 'The words as plain text, with who says them.'],
  ] as const
).map(([format, group, description]) => {
  const { label, extension } = FORMATS[format]
  return { name: format, label, description, extension, group, format, sidecars: [] }
})
