/** Executes the operation `export`: the file of one delivery profile, of the clip as it is now. */
import { sentencesOf } from '../contract/render-remarks.ts'
import { setResumableKey, type Operation } from '../db/operations.ts'
import { profileOf, requireEncoder, type ExportResult } from '../domain/rendering/clip-exports.ts'
import { exportInvocation, planDelivery, requireProfile } from '../domain/rendering/plan-delivery.ts'
import { fileStem } from '../domain/rendering/file-names.ts'
import { registerArtefact } from '../domain/runs/finish-run.ts'
import type { Stages } from '../../workers/stages/catalog.ts'
import type { OutputOf } from '../../workers/stages/declare.ts'
import { fetchThenPlan, operationProgress, runClipStage } from './fetch-then-plan.ts'
import { nextTurn } from './lanes.ts'
import type { Machine } from './run-executor.ts'
import type { Verdict } from './verdict.ts'

export async function executeExport(
  machine: Machine,
  operation: Operation,
  signal: AbortSignal,
): Promise<Verdict> {
  const { services } = machine
  const { db } = services
  const profile = requireProfile(profileOf(operation))
  const { delivery } = profile
  if (delivery.kind === 'words') throw new Error(`${profile.name} is text and was queued all the same`)
  // Files that the clip names are fetched first; what cannot be had is told in the plan.
  if ((await fetchThenPlan(machine, operation, { tried: new Set() }, signal)) === null)
    return { kind: 'stopped' }
  const planned = planDelivery(services, operation.subjectId, profile)
  const { id: clipId, companyId, revision, document } = planned.clip
  const invocation = exportInvocation(planned, delivery, await requireEncoder(services, profile))
  setResumableKey(db, operation.id, await machine.stages.keyOf(invocation, operation.id))
  const onProgress = operationProgress(machine, operation)
  const request = { invocation, companyId, signal, onProgress }
  const { key, verdict } = await runClipStage(machine, operation, request, operation.attempts - 1)
  if (verdict.kind === 'done' || verdict.kind === 'stopped') return { kind: 'stopped' }
  if (verdict.kind === 'failed') return { kind: 'failed', failure: verdict.failure }
  await nextTurn()
  const output = verdict.output as OutputOf<Stages['export']>
  const name = `${fileStem(document.title, 'clip')}.${profile.extension}`
  const mediaId = registerArtefact(services, {
    companyId,
    clipId,
    stage: 'export',
    key,
    file: output.file,
    name,
    mediaType: profile.mediaType,
  })
  const warnings = [...new Set(sentencesOf([...planned.warnings, ...(output.warnings ?? [])]))]
  return { kind: 'succeeded', result: { mediaId, revision, warnings } satisfies ExportResult }
}
