/** Lists clips whose own stages are finished, with their files, one by one while their run goes on. */
import type { ClipDocument } from '../../contract/clip.ts'
import { ticksToSeconds } from '../../contract/time.ts'
import { framesToSeconds } from '../../contract/time-map/spans.ts'
import { joinOrInsertExport } from '../../db/exports.ts'
import { listRunClips, publishRunClip, type RunClip } from '../../db/run-clips.ts'
import { replaceMerged } from '../../db/review.ts'
import { advanceRun, type Run } from '../../db/runs.ts'
import {
  clipMedia,
  clipsOfSource,
  finished,
  requireFinished,
  registerRender,
  type ClipSource,
} from './finish-run.ts'
import { renderWarnings } from '../../contract/render-warnings.ts'
import { clipSlot, renderKeyOf } from './plan/plan-clips.ts'
import type { PlannedClip } from './plan/plan-input.ts'
import type { Services } from '../services.ts'
import type { Calibrated } from '../learning/apply.ts'
import { deliveredProfile } from '../../nodes/index.ts'
import { inTransaction } from '../../db/prepared.ts'

type Deps = Omit<Services, 'jobs'>

/** The document with the score that was calibrated by the company's own results. */
function marked(document: ClipDocument, mark: Calibrated | undefined): ClipDocument {
  if (mark === undefined) return document
  const own = document.scoreReasons.filter(({ name }) => name !== mark.reason.name)
  return { ...document, viralityScore: mark.score, scoreReasons: [...own, mark.reason] }
}

/** Clips whose stages are all finished. `marks`: their calibrated scores, by clip id. */
interface FinishedClips extends ClipSource {
  readonly planned: readonly PlannedClip[]
  readonly marks: ReadonlyMap<string, Calibrated>
}

/** Lists these clips of one source of a run, with their files. Clips that are listed already are not changed. */
export function publishClips(services: Deps, run: Run, finishedClips: FinishedClips): void {
  const { planned, pick } = finishedClips
  const planOf = new Map(planned.map((clip) => [clip.id, clip]))
  inTransaction(services.db, () => {
    for (const clip of clipsOfSource(services, run, finishedClips)) {
      const plan = planOf.get(clip.id)
      if (plan === undefined || clip.published) continue
      publishClip(services, run, clip, plan, finishedClips)
      if (pick?.request.kind === 'merge') replaceMerged(services.db, clip, pick.request.clipIds)
    }
  })
}

function publishClip(
  services: Deps,
  run: Run,
  clip: RunClip,
  { composition, warnings = [] }: PlannedClip,
  { results, marks }: FinishedClips,
): void {
  const render = finished(results, clipSlot(clip.ordinal, 'render'), 'render')
  const cut = requireFinished(results, clipSlot(clip.ordinal, 'cut'), 'cut').output
  const file = { companyId: run.companyId, id: clip.id, ordinal: clip.ordinal, title: clip.document.title }
  const rendered =
    render === null
      ? null
      : {
          ...registerRender(services, file, render),
          renderKey: renderKeyOf(composition),
          renderWarnings: renderWarnings(clip.id, [...warnings, ...(render.output.warnings ?? [])]),
        }
  const media = clipMedia(services, run, clip, results)
  const document: ClipDocument = {
    ...marked(clip.document, marks.get(clip.id)),
    media:
      media.thumbnail === undefined && rendered !== null
        ? { ...media, thumbnail: rendered.renderedThumbnailMedia }
        : media,
    // What was fetched meanwhile may come before the clip and after it.
    duration: framesToSeconds(composition.durationFrames, composition.output.frameRate),
    extended: { ...clip.document.extended, fileStart: ticksToSeconds(cut.sourceStart) },
  }
  publishRunClip(services.db, clip.id, document, rendered, services.now())
}

/**
 * Completes a run whose clips are all listed, and queues the finished files that they ask for; returns their ids. May be
 * called again after a crash.
 */
export function completeRun(services: Deps, run: Run): { clipIds: string[] } {
  const { db, now } = services
  return inTransaction(db, () => {
    const clips = listRunClips(db, run.id).filter(({ published }) => published)
    for (const { id: clipId, document } of clips) {
      const profile = deliveredProfile(document)
      if (profile !== null) joinOrInsertExport(db, { companyId: run.companyId, clipId, profile, now: now() })
    }
    advanceRun(db, run.id, 'Completed', now())
    return { clipIds: clips.map(({ id }) => id) }
  })
}
