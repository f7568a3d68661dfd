/** Takes the thumbnail of an edited clip again: right after the edit, and with each render. */
import { saveThumbnail } from '../db/edit-clips.ts'
import type { Operation } from '../db/operations.ts'
import { registerThumbnail } from '../domain/runs/finish-run.ts'
import { thumbnailDesign } from '../nodes/index.ts'
import { thumbnailParams } from '../domain/runs/plan/plan-clips.ts'
import { sourceInput, type StageInvocation } from '../domain/runs/plan/plan-draft.ts'
import type { RenderPlan } from '../domain/rendering/render-clip.ts'
import type { Stages } from '../../workers/stages/catalog.ts'
import type { OutputOf } from '../../workers/stages/declare.ts'
import { fetchThenPlan, runClipStage, operationProgress } from './fetch-then-plan.ts'
import type { Machine } from './run-executor.ts'
import type { Verdict } from './verdict.ts'
import { nextTurn } from './lanes.ts'

/** The clip may be edited while its thumbnail is taken. After this many attempts the next operation takes it. */
const MAX_EDITS = 3

/** Executes the operation `thumbnail`: one clip as it is now. */
export async function executeThumbnail(
  machine: Machine,
  operation: Operation,
  signal: AbortSignal,
): Promise<Verdict> {
  const tried = new Set<string>()
  const onProgress = operationProgress(machine, operation)
  for (let edit = 1; ; edit++) {
    // Files that an edit named are fetched now, so that the preview and the thumbnail show them before any render.
    const plan = await fetchThenPlan(machine, operation, { tried, again: false, onProgress }, signal)
    if (plan === null) return { kind: 'stopped' }
    const taken = await retakeThumbnail(machine, operation, plan, signal)
    if (taken === 'stopped') return { kind: 'stopped' }
    if (taken === 'kept' || edit === MAX_EDITS) return { kind: 'succeeded', result: null }
  }
}

/**
 * Takes the thumbnail of the clip as planned, or finds it in the cache. `edited`: the clip has changed since and its
 * thumbnail stays. When it cannot be taken, the old one is removed, because it shows what is no longer in the clip; a
 * render leaves a still in its place.
 */
export async function retakeThumbnail(
  machine: Machine,
  operation: Operation,
  { clip, composition, assets }: Pick<RenderPlan, 'clip' | 'composition' | 'assets'>,
  signal: AbortSignal,
): Promise<'kept' | 'edited' | 'stopped'> {
  const { services } = machine
  const { companyId, ordinal, document } = clip
  const design = thumbnailDesign({ composition, document, assets })
  const invocation: StageInvocation = {
    slot: 'thumbnail',
    stage: 'thumbnail',
    params: thumbnailParams(composition, document.faces, design),
    inputs: { source: sourceInput(clip.sourceDigest) },
  }
  const { key, verdict } = await runClipStage(machine, operation, { invocation, companyId, signal })
  if (verdict.kind === 'stopped' || verdict.kind === 'done') return 'stopped'
  if (verdict.kind === 'failed')
    services.log.warn('a thumbnail could not be taken', { clip: clip.id, reason: verdict.failure.message })
  else
    for (const warning of (verdict.output as OutputOf<Stages['thumbnail']>).warnings ?? [])
      services.log.warn('a thumbnail is not as it was designed', { clip: clip.id, reason: warning })
  await nextTurn()
  const media =
    verdict.kind === 'failed'
      ? null
      : registerThumbnail(
          services,
          { companyId, id: clip.id, ordinal, title: document.title },
          { key, output: verdict.output as OutputOf<Stages['thumbnail']> },
        )
  return saveThumbnail(services.db, clip.id, clip.revision, media) ? 'kept' : 'edited'
}
