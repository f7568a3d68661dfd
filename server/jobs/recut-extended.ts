/** Cuts the extended file of a clip again when its range was moved beyond that file; done with each render. */
import type { ClipDocument } from '../contract/clip.ts'
import type { SourceFacts } from '../contract/source-facts.ts'
import { secondsToTicks, ticksToSeconds } from '../contract/time.ts'
import { saveExtendedFile } from '../db/edit-clips.ts'
import { getMedia } from '../db/media.ts'
import type { Operation } from '../db/operations.ts'
import type { RunClip } from '../db/run-clips.ts'
import { getRunStage } from '../db/runs.ts'
import { cutFile, registerArtefact } from '../domain/runs/finish-run.ts'
import { artefactInput, sourceInput, type StageInvocation } from '../domain/runs/plan/plan-draft.ts'
import { slotIn } from '../domain/runs/plan/stream-slots.ts'
import type { Stages } from '../../workers/stages/catalog.ts'
import type { OutputOf } from '../../workers/stages/declare.ts'
import { attemptStage } from './attempt-stage.ts'
import type { Machine } from './run-executor.ts'

/**
 * Cuts the clip's extended range from the stored source where its file does not cover it. A failure is only logged: the
 * render does not need the file, and the next render tries again.
 */
export async function recutExtended(
  machine: Machine,
  operation: Operation,
  clip: RunClip,
  signal: AbortSignal,
): Promise<void> {
  const { extended } = clip.document
  const slot = slotIn(clip.document.chunk?.index, 'probe')
  const probe = clip.runId === null ? null : getRunStage(machine.services.db, clip.runId, slot)
  if (extended.uncut !== true || probe?.state !== 'finished') return
  const { services, stages } = machine
  const invocation: StageInvocation = {
    slot: 'cut',
    stage: 'cut',
    params: { start: secondsToTicks(extended.start), end: secondsToTicks(extended.end) },
    inputs: { source: sourceInput(clip.sourceDigest), probe: artefactInput('probe', probe.key) },
  }
  const { companyId } = clip
  const key = await stages.keyOf(invocation, operation.id)
  let attempts = 0
  const verdict = await attemptStage({
    begin: () => ++attempts,
    work: (begin) =>
      stages.run({ invocation, key, companyId, urgent: true, signal, onProgress: () => undefined, begin }),
    signal,
  })
  if (verdict.kind === 'failed')
    services.log.warn('an extended cut failed', { clip: clip.id, reason: verdict.failure.message })
  if (verdict.kind !== 'finished') return
  const cut = verdict.output as OutputOf<Stages['cut']>
  const before = clip.document.media.extended
  const { mediaType, ending } = cutFile(probe.output as SourceFacts)
  const name = (before === undefined ? undefined : getMedia(services.db, before)?.name) ?? `extended${ending}`
  const file = { companyId, stage: 'cut' as const, key, file: cut.file, name, mediaType }
  const made: ClipDocument['extended'] = {
    start: extended.start,
    end: extended.end,
    fileStart: ticksToSeconds(cut.sourceStart),
  }
  saveExtendedFile(services.db, clip.id, made, registerArtefact(services, file))
}
