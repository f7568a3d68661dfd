/**
 * One run on a home, for `cutroom run`. Where an appliance runs on the home, the run is put into its queue and followed;
 * where none does and the caller waits, the job machinery runs in this process, under the home's lock.
 */
import { constants } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { AppError } from '../contract/errors.ts'
import type { BasicClip } from '../contract/public-clip.ts'
import type { RunSource } from '../contract/run.ts'
import type { WorkflowResults } from '../contract/workflow.ts'
import { listClipsOfRun } from '../db/clips.ts'
import { getMedia } from '../db/media.ts'
import { requireCompany } from '../domain/people/companies.ts'
import { useMediaLinks } from '../domain/rendering/media-links.ts'
import { firstStart } from '../domain/first-start.ts'
import { requireRoomToGoOn } from '../domain/runs/resume-all.ts'
import { getWorkflowResults, resumeRun } from '../domain/runs/runs.ts'
import type { DbServices, Services } from '../domain/services.ts'
import { startLocalRun } from '../domain/runs/start-run.ts'
import { listWorkflows } from '../domain/workflows/workflows.ts'
import { openHome } from '../home.ts'
import { acquireHomeLock, readRunningAppliance, type HomeLock } from '../jobs/home-lock.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { useKey } from '../secrets.ts'
import { clipFileName } from './arguments.ts'
import type { CommonOptions, Terminal } from './command.ts'
import { createCommandLog, warnOfUnknownSettings } from './command-log.ts'
import { commandConfig, noJobs, openBesideAppliance } from './open-home.ts'
import { progressReporter } from './terminal.ts'
import { stopSignal } from './stop-signal.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'

export interface RunRequest {
  readonly companyId: string
  /** Id, or exact name. */
  readonly workflow: string
  readonly source: RunSource
  readonly nodeConfigs: unknown
  readonly wait: boolean
  /** Folder for copies of the finished clips; null: none. */
  readonly out: string | null
}

export interface FinishedRun {
  readonly run: Omit<WorkflowResults, 'clips'> & { readonly id: string }
  /** `file`: the copy in `out`, else the rendered file in the home. */
  readonly clips: readonly (BasicClip & { readonly file?: string })[]
}

type Deps = Omit<Services, 'jobs'>

const POLL_MS = 300
/** An appliance that stops for a restart is given this long to come back. */
const GONE_AFTER_MS = 15_000

/** What new and resumed runs have in common. */
type Following = Pick<RunRequest, 'wait' | 'out'>

/** Starts the run, and follows it on request. Throws AppError before anything is stored. */
export async function runOnHome(
  options: CommonOptions,
  request: RunRequest,
  terminal: Terminal,
): Promise<FinishedRun> {
  return onHome(options, request, terminal, (services) => {
    const input = {
      companyId: request.companyId,
      workflowId: workflowNamed(services, request),
      source: request.source,
      ...omitUndefined({ nodeConfigs: request.nodeConfigs }),
    }
    return startLocalRun(services, input).triggerId
  })
}

/** Resumes a run that ended in Error, and follows it on request. Throws TRIGGER_NOT_FOUND, INVALID_REQUEST, DISK_FULL. */
export async function resumeOnHome(
  options: CommonOptions,
  request: Following & { readonly triggerId: string },
  terminal: Terminal,
): Promise<FinishedRun> {
  return onHome(options, request, terminal, (services) => {
    requireRoomToGoOn(services)
    resumeRun(services, { companyId: null, triggerId: request.triggerId })
    return request.triggerId
  })
}

/** `begin` queues the work and gives the run's id. */
async function onHome(
  options: CommonOptions,
  request: Following,
  terminal: Terminal,
  begin: (services: Services) => string,
): Promise<FinishedRun> {
  const config = commandConfig(options)
  const log = createCommandLog('warn', options.json, terminal)
  warnOfUnknownSettings(log, omitUndefined({ home: options.home }))
  const home = openHome(config.home)
  // A password in the address is sealed with the appliance's key.
  useKey(home, config)
  const db = openBesideAppliance(home)
  try {
    const deps: Deps = { config, home, db, log, now: Date.now }
    useMediaLinks(deps)
    const { key } = await firstStart(deps)
    if (key !== null) terminal.note(firstUse(key, options.json))
    if (request.wait)
      return await withJobs(deps, (jobs) => followed({ ...deps, jobs }, begin, request, terminal))
    const triggerId = begin({ ...deps, jobs: noJobs })
    if (readRunningAppliance(home) === null)
      terminal.note(
        `No appliance is running on ${home.root}: the run begins when one is started (cutroom serve). --wait does it now.`,
      )
    return present(deps, triggerId)
  } finally {
    db.close()
  }
}

function firstUse(apiKey: string, json: boolean): string {
  const message = 'First use of this home. An API key for company "local", shown this once'
  return json
    ? JSON.stringify({ event: 'first-start', message, companyId: 'local', apiKey })
    : `${message}: ${apiKey}`
}

/** The company's workflow with this id or exact name. Throws COMPANY_NOT_FOUND, WORKFLOW_NOT_FOUND. */
export function workflowNamed(
  deps: DbServices,
  { companyId, workflow }: Pick<RunRequest, 'companyId' | 'workflow'>,
): string {
  requireCompany(deps, companyId)
  const workflows = listWorkflows(deps, { companyId })
  const named = workflows.filter(({ name }) => name === workflow)
  const found = workflows.find(({ id }) => id === workflow) ?? (named.length === 1 ? named[0] : undefined)
  if (found !== undefined) return found.id
  throw new AppError('WORKFLOW_NOT_FOUND', {
    message:
      named.length > 1
        ? `Several workflows of company "${companyId}" are named "${workflow}": give the id.`
        : `Company "${companyId}" has no workflow "${workflow}"; \`cutroom workflow list --company ${companyId}\` lists them.`,
    details: { workflowId: workflow },
  })
}

/** Uses the running appliance's jobs, or jobs of this process when no appliance has the home open. */
async function withJobs<T>(deps: Deps, use: (jobs: Jobs) => Promise<T>): Promise<T> {
  const lock = tryLock(deps)
  if (lock === null) return await use(noJobs)
  try {
    const { startJobs } = await import('../jobs/orchestrator.ts')
    const jobs = await startJobs(deps)
    try {
      return await use(jobs)
    } finally {
      await jobs.stop()
    }
  } finally {
    lock.release()
  }
}

function tryLock(deps: Deps): HomeLock | null {
  try {
    return acquireHomeLock(deps.home, deps.now())
  } catch (error) {
    if (error instanceof AppError && error.code === 'HOME_IN_USE') return null
    throw error
  }
}

async function followed(
  services: Services,
  begin: (services: Services) => string,
  request: Following,
  terminal: Terminal,
): Promise<FinishedRun> {
  const triggerId = begin(services)
  const progress = progressReporter(terminal)
  try {
    await untilSettled(services, triggerId, (results) => progress.update(results.progress, results.stage))
  } finally {
    progress.end()
  }
  const finished = present(services, triggerId)
  return request.out === null ? finished : await copyClips(finished, request.out)
}

async function untilSettled(
  services: Services,
  triggerId: string,
  onProgress: (results: WorkflowResults) => void,
): Promise<void> {
  const own = services.jobs !== noJobs
  const interrupted = stopSignal().then(() => {
    throw new AppError('INTERRUPTED', {
      message: `Interrupted. Run ${triggerId} goes on ${own ? 'when an appliance is started on this home' : 'in the running appliance'}.`,
    })
  })
  for (let lastSeen = Date.now(); ;) {
    const results = getWorkflowResults(services, { companyId: null, triggerId, baseUrl: '' })
    onProgress(results)
    if (results.status === 'Completed' || results.status === 'Error') return
    if (own || readRunningAppliance(services.home) !== null) lastSeen = Date.now()
    else if (Date.now() - lastSeen > GONE_AFTER_MS) {
      throw new AppError('INTERRUPTED', {
        message: `The appliance on this home stopped. Run ${triggerId} goes on when one is started again.`,
      })
    }
    await Promise.race([pause(POLL_MS), interrupted])
  }
}

function present(deps: Deps, triggerId: string): FinishedRun {
  const { config, db, home } = deps
  const baseUrl =
    config.publicUrl ?? readRunningAppliance(home)?.url ?? `http://${config.host}:${config.port}`
  const { clips, ...run } = getWorkflowResults(deps, { companyId: null, triggerId, baseUrl })
  const stored = new Map(listClipsOfRun(db, triggerId).map((clip) => [clip.id, clip.renderedMedia]))
  return {
    run: { id: triggerId, ...run },
    clips: clips.map((clip) => {
      const mediaId = stored.get(clip.id) ?? null
      const media = mediaId === null ? null : getMedia(db, mediaId)
      return media === null ? clip : { ...clip, file: join(home.root, media.path) }
    }),
  }
}

async function copyClips(finished: FinishedRun, out: string): Promise<FinishedRun> {
  await mkdir(out, { recursive: true })
  const clips = await Promise.all(
    finished.clips.map(async (clip, place) => {
      if (clip.file === undefined) return clip
      const file = join(out, clipFileName(place + 1, clip.title))
      // Shares the blocks where the file system can.
      await copyFile(clip.file, file, constants.COPYFILE_FICLONE)
      return { ...clip, file }
    }),
  )
  return { ...finished, clips }
}
