/** What the studio's first page shows. */
import { presentPlayed } from '../../contract/time-map/clip-times.ts'
import { join } from 'node:path'
import type { StudioClip, StudioListedRun, StudioRun, StudioSession } from '../../contract/studio.ts'
import { refuse } from '../../contract/errors.ts'
import { listClipsOfRun, listRecentClips, summariseClipsOfRuns, type Clip } from '../../db/clips.ts'
import { listRuns, type Run } from '../../db/runs.ts'
import { allCompanies } from '../people/companies.ts'
import { requireClip } from './get-clip.ts'
import { requireRun } from '../runs/runs.ts'
import { presentBasicClips } from './present-clip.ts'
import { mediaAddresses } from '../rendering/register-media.ts'
import { iso, isoOrNull } from '../moments.ts'
import { readyField } from '../promises/promised-times.ts'
import { waitingField } from '../runs/waiting.ts'
import type { DbServices, Services } from '../services.ts'
import type { SessionPerson } from '../people/sign-in.ts'

const RUNS_SHOWN = 50
const CLIPS_SHOWN = 60

/** The signed-in person and the companies that they see. */
export function studioSession(
  services: DbServices,
  input: {
    companyId: string
    allCompanies: boolean
    version: string
    person: Pick<SessionPerson, 'id' | 'name' | 'role'> | null
  },
): StudioSession {
  const { person } = input
  const visible = allCompanies(services).filter((one) => input.allCompanies || one.id === input.companyId)
  return {
    companyId: input.companyId,
    companies: visible.map(({ id, name }) => ({ id, name })),
    version: input.version,
    person: person === null ? null : { id: person.id, name: person.name, role: person.role },
  }
}

/** The sample video that is part of the appliance. */
export function sampleSource(services: Pick<Services, 'config'>): {
  kind: 'file'
  path: string
  displayName: string
} {
  const path = join(services.config.resources, 'sample', 'sample.mp4')
  return { kind: 'file', path, displayName: 'The sample' }
}

/** The company's newest runs. */
export function studioRuns(
  services: DbServices,
  input: { companyId: string; baseUrl: string },
): StudioListedRun[] {
  const runs = listRuns(services.db, input.companyId, RUNS_SHOWN)
  const summaries = summariseClipsOfRuns(
    services.db,
    runs.map((run) => run.id),
  )
  const pictures = [...summaries.values()].map(({ thumbnail }) => thumbnail)
  const address = mediaAddresses(services, input.baseUrl, pictures)
  return runs.map((run) => {
    const summary = summaries.get(run.id)
    return {
      ...presentRun(services, run, summary?.clips ?? 0),
      undecidedCount: summary?.undecided ?? 0,
      thumbnailUrl: address(summary?.thumbnail) ?? null,
    }
  })
}

/** A run as the studio shows it. */
export function presentRun(services: DbServices, run: Run, clipCount: number): StudioRun {
  return {
    id: run.id,
    workflowId: run.workflowId,
    workflowName: run.snapshot.workflowName,
    source: run.snapshot.source.kind === 'file' ? run.snapshot.source.displayName : run.snapshot.source.url,
    status: run.status,
    progress: run.progress,
    stage: run.stage,
    warnings: run.warnings,
    error: run.error,
    errorCode: run.errorCode,
    ...waitingField(run, Date.now()),
    ...readyField(services, 'run', run.id),
    clipCount,
    createdAt: iso(run.createdAt),
    finishedAt: isoOrNull(run.finishedAt),
  }
}

/** Clips of one run by score, or the company's newest. TRIGGER_NOT_FOUND for a run of another company. */
export function studioClips(
  services: DbServices,
  input: { companyId: string; runId: string | null; baseUrl: string },
): StudioClip[] {
  const clips =
    input.runId === null
      ? listRecentClips(services.db, input.companyId, CLIPS_SHOWN)
      : listClipsOfRun(
          services.db,
          requireRun(services, { companyId: input.companyId, triggerId: input.runId }).id,
        )
  return withReasons(services, clips, input.baseUrl)
}

/** One clip, with why it was picked. Throws CLIP_NOT_FOUND. */
export function studioClip(
  services: DbServices,
  { baseUrl, ...address }: { companyId: string; clipId: string; baseUrl: string },
): StudioClip {
  const [clip] = withReasons(services, [requireClip(services, address)], baseUrl)
  return clip ?? refuse('CLIP_NOT_FOUND')
}

/** Clips with why they were picked. */
export const withReasons = (services: DbServices, clips: readonly Clip[], baseUrl: string): StudioClip[] =>
  presentBasicClips(services, clips, baseUrl, ({ runId, createdAt, document }) => ({
    playedRanges: presentPlayed(document),
    runId,
    whyPicked: document.whyPicked,
    scoreReasons: document.scoreReasons,
    createdAt: iso(createdAt),
  }))
