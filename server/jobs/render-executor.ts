/** Executes the operation `render`: one clip as it is now, in one stage; and cuts its extended file again where it must. */
import { isStrict, type Operation } from '../db/operations.ts'
import { saveRenderedClip, type RunClip } from '../db/run-clips.ts'
import { registerRender, cutFile, registerArtefact } from '../domain/runs/finish-run.ts'
import { sourceInput, type StageInvocation, artefactInput, slotIn } from '../domain/runs/plan/plan-draft.ts'
import type { RenderResult } from '../domain/rendering/register-media.ts'
import type { Stages } from '../../workers/stages/catalog.ts'
import type { OutputOf } from '../../workers/stages/declare.ts'
import { fetchThenPlan, runClipStage, operationProgress } from './fetch-then-plan.ts'
import { retakeThumbnail } from './retake-thumbnail.ts'
import { nextTurn } from './lanes.ts'
import { renderComposition } from './render-composition.ts'
import type { Machine } from './run-executor.ts'
import type { Verdict } from './verdict.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import { failureOf } from '../contract/errors.ts'
import type { ClipDocument } from '../contract/clip.ts'
import { renderWarnings, type RenderWarning } from '../contract/render-warnings.ts'
import type { SourceFacts } from '../contract/source-facts.ts'
import { secondsToTicks, ticksToSeconds } from '../contract/time.ts'
import { framesToSeconds } from '../contract/time-map/spans.ts'
import { saveExtendedFile } from '../db/edit-clips.ts'
import { getMedia } from '../db/media.ts'
import { getRunStage } from '../db/runs.ts'

/** A clip that is edited while it renders is rendered again at most this often; then the newest file is the result. */
const MAX_EDITS = 3

export async function executeRender(
  machine: Machine,
  operation: Operation,
  signal: AbortSignal,
): Promise<Verdict> {
  const { services } = machine
  const tried = new Set<string>()
  for (let edit = 1; ; edit++) {
    const plan = await fetchThenPlan(machine, operation, { tried }, signal)
    if (plan === null) return { kind: 'stopped' }
    if (plan.cached !== null) return ended(operation, plan.cached, plan.clip.renderWarnings ?? [])
    const onProgress = operationProgress(machine, operation)
    const rendered = await renderComposition(machine, operation, { ...plan, onProgress }, signal)
    if (rendered.kind !== 'rendered') return rendered
    const { clip, composition, renderKey } = plan
    await recutExtended(machine, operation, clip, signal)
    await retakeThumbnail(machine, operation, plan, signal)
    await nextTurn()
    const file = { ...clip, title: clip.document.title }
    const media = registerRender(services, file, rendered)
    const warnings = renderWarnings(clip.id, [...plan.warnings, ...(rendered.output.warnings ?? [])])
    const duration = framesToSeconds(composition.durationFrames, composition.output.frameRate)
    const stored = saveRenderedClip(
      services.db,
      clip.id,
      clip.revision,
      { ...media, renderKey, renderWarnings: warnings, duration },
      services.now(),
    )
    if (stored || edit === MAX_EDITS)
      return ended(operation, media.renderedMedia, warnings, rendered.output.encoder)
  }
}

/** RENDER_INCOMPLETE of what is strict and lost something; its file stays for those who ask without `strict`. */
function ended(
  operation: Operation,
  mediaId: string,
  warnings: readonly RenderWarning[],
  encoder?: string,
): Verdict {
  const told = warnings.length === 0 ? {} : { warnings }
  if (isStrict(operation) && warnings.length > 0)
    return { kind: 'failed', failure: { ...failureOf('RENDER_INCOMPLETE'), details: told } }
  return {
    kind: 'succeeded',
    result: { mediaId, ...omitUndefined({ encoder }), ...told } satisfies RenderResult,
  }
}

/** Cuts the extended range again where its file lacks some of it. A failure is logged, and tried later. */
async function recutExtended(
  machine: Machine,
  operation: Operation,
  clip: RunClip,
  signal: AbortSignal,
): Promise<void> {
  const { extended } = clip.document
  const slot = slotIn(clip.document.chunk?.index, 'probe')
  const probe = clip.runId === null ? null : getRunStage(machine.services.db, clip.runId, slot)
  if (extended.uncut !== true || probe?.state !== 'finished') return
  const { services } = machine
  const invocation: StageInvocation = {
    slot: 'cut',
    stage: 'cut',
    params: { start: secondsToTicks(extended.start), end: secondsToTicks(extended.end) },
    inputs: { source: sourceInput(clip.sourceDigest), probe: artefactInput('probe', probe.key) },
  }
  const { companyId } = clip
  const { key, verdict } = await runClipStage(machine, operation, { invocation, companyId, signal })
  if (verdict.kind === 'failed')
    services.log.warn('an extended cut failed', { clip: clip.id, reason: verdict.failure.message })
  if (verdict.kind !== 'finished') return
  const cut = verdict.output as OutputOf<Stages['cut']>
  const before = clip.document.media.extended
  const { mediaType, ending } = cutFile(probe.output as SourceFacts)
  const name = (before === undefined ? undefined : getMedia(services.db, before)?.name) ?? `extended${ending}`
  const file = { companyId, clipId: clip.id, stage: 'cut' as const, key, file: cut.file, name, mediaType }
  const made: ClipDocument['extended'] = {
    start: extended.start,
    end: extended.end,
    fileStart: ticksToSeconds(cut.sourceStart),
  }
  saveExtendedFile(services.db, clip.id, made, registerArtefact(services, file))
}
