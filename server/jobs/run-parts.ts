/** The sources of a run, one or the chunks of a recording, each with its own clips; rebuilt from rows. */
import type { AssetNeed } from '../contract/asset.ts'
import { listRunClips } from '../db/run-clips.ts'
import {
  addRunWarnings,
  advanceRun,
  listRunStages,
  saveStageFinished,
  saveStageStarted,
  type Run,
} from '../db/runs.ts'
import { draftRunClips, makeRunClips } from '../domain/runs/finish-run.ts'
import { type SlotResults, isStream, RECORD_SLOT, shownSlot } from '../domain/runs/plan/plan-draft.ts'
import { describeProgress, planRun } from '../domain/runs/plan/plan-run.ts'
import type { PlanEnvironment, PlannedClip, RunPlan } from '../domain/runs/plan/plan-input.ts'
import {
  describeStream,
  partsOfStream,
  planStream,
  type PartState,
  type RunPart,
  type StreamPlan,
} from '../domain/runs/plan/plan-stream.ts'
import { completeRun, finishRun, publishClips } from '../domain/runs/publish-clips.ts'
import type { Services } from '../domain/services.ts'
import { calibrateRun } from '../domain/learning/learn.ts'

type Deps = Omit<Services, 'jobs'>

const NO_CLIPS_YET: PartState = { clips: null, drafted: null }

/** Reads the sources of this run from its rows. */
export function createRunParts(services: Deps, run: Run) {
  const { db } = services
  const made = new Map<number | null, PartState>()
  const shown = shownChunks(services, run)
  const stateOf = (index: number | null): PartState => made.get(index) ?? NO_CLIPS_YET
  const records = (results: SlotResults): boolean => isStream(run.snapshot.source, results)

  const parts = (results: SlotResults): RunPart[] => {
    const { id: runId, snapshot } = run
    return records(results)
      ? partsOfStream({ runId, snapshot, results })
      : [{ index: null, snapshot, results, chunk: null }]
  }

  return {
    /** Drafts and makes the clips of every source whose candidates are known. Read the rows again afterwards. */
    prepare: async (results: SlotResults, environment: PlanEnvironment): Promise<void> => {
      for (const part of parts(results)) {
        if (stateOf(part.index).clips !== null || (part.index !== null && shown.has(part.index))) continue
        if (part.results.get('find-clips')?.state !== 'finished') continue
        made.set(part.index, await nextClips(services, run, part, environment, stateOf(part.index)))
      }
    },
    plan: (results: SlotResults, environment: PlanEnvironment): RunPlan => {
      const { id: runId, snapshot } = run
      return records(results)
        ? planStream({ runId, snapshot, results, environment, stateOf, isShown: (index) => shown.has(index) })
        : planRun({ snapshot, results, environment, ...stateOf(null) })
    },
    /** `fractions`: progress of running stages, 0 to 1; `notes`: their last words; both by slot. */
    describe: (
      plan: RunPlan,
      results: SlotResults,
      { fractions, notes }: { fractions: ReadonlyMap<string, number>; notes: ReadonlyMap<string, string> },
    ): { progress: number; label: string } =>
      isStreamPlan(plan)
        ? describeStream(plan, results, fractions, notes.get(RECORD_SLOT) ?? '')
        : describeProgress(plan, results, fractions),
    /** Lists the clips of finished chunks while the run continues. */
    showFinished: (plan: RunPlan): void => {
      if (!isStreamPlan(plan)) return
      for (const { part, plan: own } of plan.parts) {
        const { clips } = stateOf(part.index)
        if (part.index === null || !own.done || clips === null || shown.has(part.index)) continue
        publishClips(services, run, { ...part, planned: clips, marks: calibrateScores(services, run) })
        storeShown(services, run, part.index)
        shown.add(part.index)
      }
    },
    /** Completes a run whose plan is done; returns the ids of its clips. */
    finish: (plan: RunPlan, results: SlotResults): { clipIds: string[] } => {
      advanceRun(db, run.id, 'Learning', services.now())
      const whole = isStreamPlan(plan) ? plan.parts.find(({ part }) => part.index === null)?.part : null
      if (whole === undefined) return completeRun(services, run)
      const clips: readonly PlannedClip[] = stateOf(null).clips ?? []
      return finishRun(services, run, whole?.results ?? results, clips, calibrateScores(services, run))
    },
  }
}

const isStreamPlan = (plan: RunPlan): plan is StreamPlan => 'parts' in plan

/** Chunks whose clips are listed. People may have edited or deleted them, so they are not made again. */
function shownChunks({ db }: Deps, run: Run): Set<number> {
  const clips = listRunClips(db, run.id)
  const published = clips.flatMap((clip) => (clip.published ? (clip.document.chunk?.index ?? []) : []))
  const noted = listRunStages(db, run.id).flatMap(({ slot }) => {
    const index = /^chunk:(\d+):shown$/.exec(slot)?.[1]
    return index === undefined ? [] : [Number(index)]
  })
  return new Set([...published, ...noted])
}

function storeShown({ db, now }: Deps, run: Run, index: number): void {
  const place = { runId: run.id, slot: shownSlot(index), now: now() }
  saveStageStarted(db, { ...place, stage: 'record', key: '' })
  saveStageFinished(db, { ...place, output: null, reused: false, milliseconds: 0, warnings: [] })
}

/** Scores of the clips, calibrated by the company's own results. A failure here does not fail the run. */
function calibrateScores(services: Deps, run: Run): ReturnType<typeof calibrateRun> {
  try {
    return calibrateRun(services, run)
  } catch (error) {
    services.log.error('the results of a company could not be learned from', { run: run.id, error })
    addRunWarnings(services.db, run.id, [
      'The company’s own results could not be learned from: the scores are those without them.',
    ])
    return new Map()
  }
}

/** Drafts the clips as soon as their candidates are known, and makes them once the files of the drafts are fetched. */
async function nextClips(
  services: Deps,
  run: Run,
  part: RunPart,
  environment: PlanEnvironment,
  known: PartState,
): Promise<PartState> {
  const { snapshot, results } = part
  const mayMake = (drafted: readonly AssetNeed[] | null): boolean =>
    planRun({ snapshot, results, environment, clips: null, drafted }).makeClips
  const drafted = known.drafted ?? (mayMake(null) ? await draftRunClips(services, run, part) : null)
  const ready = drafted !== null && mayMake(drafted)
  return { drafted, clips: ready ? await makeRunClips(services, run, part) : null }
}
