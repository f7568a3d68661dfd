/** Watched folders: added, listed, paused, removed. What is done with them is in jobs/watch-loop.ts. */
import { AppError, invalidRequest, refuse } from '../../contract/errors.ts'
import {
  DEFAULT_SETTLE_SECONDS,
  type WatchedFile,
  type WatchFolder,
  type WatchFolderRequest,
  type WatchStatus,
} from '../../contract/watch.ts'
import { getRun } from '../../db/runs.ts'
import {
  countWatchedFiles,
  countWrittenClips,
  deleteFailedFiles,
  deleteWatchedFile,
  deleteWatchFolder,
  getWatchedFile,
  getWatchFolder,
  insertWatchFolder,
  listFailedRuns,
  listWatchedFiles,
  listWatchFolders,
  updateWatchFolder,
  type ListedFile,
  type WatchFolderRow,
} from '../../db/watch.ts'
import { newId } from '../../ids.ts'
import { requireCompany } from '../people/companies.ts'
import { resumeRun } from '../runs/runs.ts'
import type { DbServices, Services } from '../services.ts'
import { listWorkflows, requireWorkflow } from '../workflows/workflows.ts'
import { checkFolder, isWithin, type CheckedFolder } from './folder-paths.ts'

const iso = (time: number): string => new Date(time).toISOString()

export const NOTHING_SEEN: WatchStatus = {
  scannedAt: null,
  files: 0,
  settling: 0,
  waiting: 0,
  taking: null,
  problem: null,
  outputProblem: null,
}

function present(services: DbServices, row: WatchFolderRow): WatchFolder {
  const { db } = services
  const { id, companyId, workflowId, folder, output, settleSeconds, state, status, createdAt } = row
  const counts = { taken: 0, duplicate: 0, failed: 0, skipped: 0, clips: countWrittenClips(db, id) }
  for (const { state: kind, files } of countWatchedFiles(db, id)) counts[kind] = files
  const workflow = listWorkflows(services, { companyId }).find((one) => one.id === workflowId)
  return {
    id,
    companyId,
    workflowId,
    workflowName: workflow?.name ?? null,
    folder,
    output,
    settleSeconds,
    state,
    status: state === 'paused' ? { ...status, settling: 0, waiting: 0, taking: null, problem: null } : status,
    counts,
    createdAt: iso(createdAt),
  }
}

export interface NewWatchFolder extends Omit<WatchFolderRequest, 'companyId'> {
  readonly companyId: string
  /** Folders that the caller may name, with what is in them; null: any. */
  readonly roots: readonly string[] | null
}

/**
 * Begins to watch a folder. The output folder is made where there is none. INVALID_REQUEST: a folder that may not be
 * watched or written to; COMPANY_NOT_FOUND, WORKFLOW_NOT_FOUND.
 */
export async function addWatchFolder(
  services: Pick<Services, 'db' | 'home' | 'now'>,
  input: NewWatchFolder,
): Promise<WatchFolder> {
  const { companyId, workflowId, roots } = input
  requireCompany(services, companyId)
  requireWorkflow(services, { companyId, workflowId })
  const checking = { home: services.home.root, roots }
  const folder = await checkFolder(input.folder, { ...checking, field: 'folder' }, 'read')
  const output = await checkOutput(input.output, folder, checking)
  refuseLoops(services, { companyId, folder, output })
  const row: WatchFolderRow = {
    id: newId(),
    companyId,
    workflowId,
    folder: folder.path,
    output: output?.path ?? null,
    folderIsMount: folder.isMount,
    outputIsMount: output?.isMount ?? false,
    settleSeconds: input.settleSeconds ?? DEFAULT_SETTLE_SECONDS,
    skipsExisting: input.skipExisting ?? false,
    state: 'active',
    status: NOTHING_SEEN,
    createdAt: services.now(),
  }
  insertWatchFolder(services.db, row)
  return present(services, row)
}

async function checkOutput(
  given: string | undefined,
  folder: CheckedFolder,
  checking: { readonly home: string; readonly roots: readonly string[] | null },
): Promise<CheckedFolder | null> {
  if (given === undefined || given === '') return null
  // Before it is made.
  if (isWithin(folder.path, given)) throw outputInside(folder.path)
  const output = await checkFolder(given, { ...checking, field: 'output' }, 'write')
  if (isWithin(folder.path, output.path)) throw outputInside(folder.path)
  return output
}

const outputInside = (folder: string): AppError =>
  invalidRequest(
    'output',
    `The output folder lies in the watched folder ${folder}, so its clips would be taken as videos. Name one beside it.`,
  )

/** Finished clips must not be taken as videos, by any watched folder; nor a folder twice for the same company. */
function refuseLoops(
  { db }: DbServices,
  added: {
    readonly companyId: string
    readonly folder: CheckedFolder
    readonly output: CheckedFolder | null
  },
): void {
  const { companyId, folder, output } = added
  for (const other of listWatchFolders(db)) {
    if (output !== null && isWithin(other.folder, output.path)) throw outputInside(other.folder)
    if (other.output !== null && isWithin(folder.path, other.output))
      throw invalidRequest(
        'folder',
        `Clips of another watched folder are written to ${other.output}, which lies in ${folder.path}; they would be taken as videos.`,
      )
    if (other.companyId === companyId && other.folder === folder.path)
      throw invalidRequest('folder', `${folder.path} is watched for this company already.`)
  }
}

/** Of a company, or of every one (null). */
export function describeWatchFolders(services: DbServices, companyId: string | null): WatchFolder[] {
  return listWatchFolders(services.db)
    .filter((row) => companyId === null || row.companyId === companyId)
    .map((row) => present(services, row))
}

function requireFolder({ db }: DbServices, id: string): WatchFolderRow {
  return getWatchFolder(db, id) ?? refuse('NOT_FOUND', 'There is no such watched folder.')
}

/** One watched folder with what was taken from it, the newest first. NOT_FOUND. */
export function describeWatchFolder(
  services: DbServices,
  id: string,
  limit: number,
): { readonly folder: WatchFolder; readonly files: WatchedFile[] } {
  const folder = present(services, requireFolder(services, id))
  return { folder, files: listWatchedFiles(services.db, id, limit).map(presentFile) }
}

function presentFile({ file, run, clips }: ListedFile): WatchedFile {
  const { id, path, bytes, state, runId, failure, updatedAt } = file
  const known =
    runId === null || run === null ? null : { id: runId, status: run.status, progress: run.progress }
  const problem = failure?.message ?? (known?.status === 'Error' ? (run?.error ?? 'The run failed.') : null)
  return { id, path, bytes, state, problem, run: known, clips, changedAt: iso(updatedAt) }
}

/** Paused: nothing more is taken; runs that were started go on, and their clips are written. NOT_FOUND. */
export function changeWatchFolder(
  services: DbServices,
  id: string,
  state: WatchFolder['state'],
): WatchFolder {
  requireFolder(services, id)
  updateWatchFolder(services.db, id, { state })
  return present(services, requireFolder(services, id))
}

/** Forgets the folder and what was taken from it; files, runs and clips stay. NOT_FOUND. */
export function removeWatchFolder({ db }: DbServices, id: string): void {
  if (!deleteWatchFolder(db, id)) throw new AppError('NOT_FOUND', 'There is no such watched folder.')
}

/**
 * Tries again what failed: one file, or every one. A run that failed goes on where it stopped. Returns how many.
 * NOT_FOUND; INVALID_STATE for a file that has not failed.
 */
export function retryWatched(
  services: Services,
  { folderId, fileId }: { readonly folderId: string; readonly fileId?: string },
): { retried: number } {
  const { db } = services
  requireFolder(services, folderId)
  if (fileId === undefined) {
    const failed = listFailedRuns(db, folderId)
    for (const triggerId of failed) resumeRun(services, { companyId: null, triggerId })
    return { retried: deleteFailedFiles(db, folderId) + failed.length }
  }
  const file =
    getWatchedFile(db, folderId, fileId) ?? refuse('NOT_FOUND', 'There is no such file of this folder.')
  const run = file.runId === null ? null : getRun(db, file.runId)
  if (file.state === 'failed' || file.state === 'skipped') deleteWatchedFile(db, folderId, fileId)
  else if (run?.status === 'Error') resumeRun(services, { companyId: null, triggerId: run.id })
  else throw new AppError('INVALID_STATE', 'This file has not failed; there is nothing to try again.')
  return { retried: 1 }
}
