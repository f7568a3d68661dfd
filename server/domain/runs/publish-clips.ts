/** Lists finished clips with their files: in the transaction that completes a run, or for each chunk of a livestream. */
import type { ClipDocument } from '../../contract/clip.ts'
import { refuse } from '../../contract/errors.ts'
import { ticksToSeconds } from '../../contract/time.ts'
import { listRunClips, publishRunClip } from '../../db/run-clips.ts'
import { advanceRun, type Run } from '../../db/runs.ts'
import { clipMedia, clipsOfSource, requireFinished, registerRender, type ClipSource } from './finish-run.ts'
import { clipSlot, renderKeyOf } from './plan/plan-clips.ts'
import type { SlotResults } from './plan/plan-draft.ts'
import type { PlannedClip } from './plan/plan-input.ts'
import type { Services } from '../services.ts'
import type { Calibrated } from '../learning/apply.ts'
import { inTransaction } from '../../db/prepared.ts'

type Deps = Omit<Services, 'jobs'>

/** The document with the score that was calibrated by the company's own results. */
function marked(document: ClipDocument, mark: Calibrated | undefined): ClipDocument {
  if (mark === undefined) return document
  const own = document.scoreReasons.filter(({ name }) => name !== mark.reason.name)
  return { ...document, viralityScore: mark.score, scoreReasons: [...own, mark.reason] }
}

/** Clips whose stages are all finished. `marks`: their calibrated scores, by clip id. */
export interface FinishedClips extends ClipSource {
  readonly planned: readonly PlannedClip[]
  readonly marks: ReadonlyMap<string, Calibrated>
}

/** Lists the clips of one source of a run, with their files. Clips that are listed already are not changed. */
export function publishClips(services: Deps, run: Run, finishedClips: FinishedClips): void {
  const { results, planned, marks } = finishedClips
  const compositions = new Map(planned.map((clip) => [clip.id, clip.composition]))
  const now = services.now()
  inTransaction(services.db, () => {
    for (const clip of clipsOfSource(services, run, finishedClips)) {
      if (clip.published) continue
      const composition =
        compositions.get(clip.id) ?? refuse('INTERNAL', `clip ${clip.ordinal} was not planned`)
      const render = requireFinished(results, clipSlot(clip.ordinal, 'render'), 'render')
      const cut = requireFinished(results, clipSlot(clip.ordinal, 'cut'), 'cut').output
      const rendered = registerRender(
        services,
        { companyId: run.companyId, ordinal: clip.ordinal, title: clip.document.title },
        render,
      )
      const media = clipMedia(services, run, clip, results)
      const document: ClipDocument = {
        ...marked(clip.document, marks.get(clip.id)),
        media:
          media.thumbnail === undefined ? { ...media, thumbnail: rendered.renderedThumbnailMedia } : media,
        extended: { ...clip.document.extended, fileStart: ticksToSeconds(cut.sourceStart) },
      }
      publishRunClip(
        services.db,
        clip.id,
        document,
        { ...rendered, renderKey: renderKeyOf(composition) },
        now,
      )
    }
  })
}

/** Completes a run whose clips are all listed; returns their ids. */
export function completeRun(services: Deps, run: Run): { clipIds: string[] } {
  advanceRun(services.db, run.id, 'Completed', services.now())
  return { clipIds: listRunClips(services.db, run.id).flatMap(({ id, published }) => (published ? id : [])) }
}

/**
 * Completes a run of one source whose stages are all finished; returns the ids of its clips. May be called again after a
 * crash.
 */
export function finishRun(
  services: Deps,
  run: Run,
  results: SlotResults,
  planned: readonly PlannedClip[],
  marks: ReadonlyMap<string, Calibrated> = new Map(),
): { clipIds: string[] } {
  return inTransaction(services.db, () => {
    publishClips(services, run, { results, chunk: null, planned, marks })
    return completeRun(services, run)
  })
}
