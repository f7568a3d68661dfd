/**
 * The sources of a run, one or the chunks of a recording, and what was picked from it, each with its own clips; rebuilt
 * from rows.
 */
import type { AssetNeed } from '../contract/asset.ts'
import type { ClipStates, PlanEnvironment, PlannedClip, RunPlan } from '../domain/runs/plan/plan-input.ts'
import { listOpenPicks, saveKnownRanges, settlePick, type RunPick } from '../db/picks.ts'
import { listRunClips } from '../db/run-clips.ts'
import {
  addRunWarnings,
  advanceRun,
  listRunStages,
  saveStageFinished,
  saveStageStarted,
  type Run,
} from '../db/runs.ts'
import { clipsOfSource, draftRunClips, makeRunClips, neededFiles } from '../domain/runs/finish-run.ts'
import { clipSlot } from '../domain/runs/plan/plan-clips.ts'
import { type SlotResults, isStream, RECORD_SLOT, shownSlot } from '../domain/runs/plan/plan-draft.ts'
import { knownRanges, planInRun, resultsOfPick } from '../domain/runs/plan/plan-picks.ts'
import { candidatesOf, describeProgress, planRun } from '../domain/runs/plan/plan-run.ts'
import {
  describeStream,
  partsOfStream,
  planStream,
  type RunPart,
  type StreamPlan,
} from '../domain/runs/plan/plan-stream.ts'
import { completeRun, publishClips } from '../domain/runs/publish-clips.ts'
import type { Services } from '../domain/services.ts'
import { calibrateRun } from '../domain/learning/learn.ts'

type Deps = Omit<Services, 'jobs'>

/** A source of the run, or a pick of it. */
interface Part extends RunPart {
  readonly pick: RunPick | null
}

interface PlannedPick {
  readonly part: Part
  readonly plan: RunPlan
}

/** The plan of a run with that of its open picks. */
export interface PlanWithPicks extends RunPlan {
  /** Null where only picks are carried out. */
  readonly main: RunPlan | null
  readonly picks: readonly PlannedPick[]
}

type PartKey = Pick<Part, 'index' | 'pick'>

/** How far the clips of a part are, as this process knows it. */
interface State extends ClipStates {
  readonly drafted: Map<number, readonly AssetNeed[]>
  readonly made: Map<number, PlannedClip>
  readonly settled: Set<number>
}

const NO_CLIPS_YET: ClipStates = { drafted: new Map(), made: new Map(), settled: new Set() }

/** The clips of a run's parts: drafted, made and listed as their stages end. */
function createPartClips(services: Deps, run: Run) {
  const states = new Map<string, State>()
  const keyOf = ({ index, pick }: PartKey): string => `${pick?.number ?? 0}:${index ?? ''}`
  const stateOf = (part: PartKey): ClipStates => states.get(keyOf(part)) ?? NO_CLIPS_YET
  const planOf = (part: Part, environment: PlanEnvironment): RunPlan => {
    const { snapshot, results, pick } = part
    const what = pick === null ? {} : { pick: pick.request }
    return planRun({ snapshot, results, environment, ...what, ...stateOf(part) })
  }

  return {
    stateOf,
    planOf,
    /** Drafts and makes the clips of a part that can be. */
    advance: async (part: Part, environment: PlanEnvironment): Promise<void> => {
      if (part.results.get('find-clips')?.state !== 'finished') return
      const state = states.get(keyOf(part)) ?? readState(services, run, part)
      states.set(keyOf(part), state)
      const { draftable } = planOf(part, environment)
      if (draftable.length > 0) {
        const needs = await draftRunClips(services, run, part, draftable)
        for (const ordinal of draftable) state.drafted.set(ordinal, needs.get(ordinal) ?? [])
      }
      const { makeable } = planOf(part, environment)
      if (makeable.length === 0) return
      for (const clip of makeRunClips(services, run, part, makeable)) state.made.set(clip.ordinal, clip)
    },
    /** Lists the clips of a part that are finished. */
    list: (part: Part, { finished }: RunPlan): void => {
      const state = states.get(keyOf(part))
      if (state === undefined || finished.length === 0) return
      const planned = finished.flatMap((ordinal) => state.made.get(ordinal) ?? [])
      publishClips(services, run, { ...part, planned, marks: calibrateScores(services, run) })
      for (const ordinal of finished) state.settled.add(ordinal)
    },
  }
}

/** What is picked is looked at first, whatever the run does with what it finds. */
const openPicks = ({ db }: Deps, run: Run, results: SlotResults): Part[] =>
  listOpenPicks(db, run.id).map((pick) => ({
    index: null,
    snapshot: { ...run.snapshot, endsAt: 'found' },
    results: resultsOfPick(results, pick.number),
    chunk: null,
    pick,
  }))

/** Reads the sources of this run from its rows. `picksOnly`: its picks alone are carried out. */
export function createRunParts(services: Deps, run: Run, { picksOnly }: { readonly picksOnly: boolean }) {
  const { db } = services
  const clips = createPartClips(services, run)
  const shown = shownChunks(services, run)
  const isShown = (index: number): boolean => shown.has(index)
  const records = (results: SlotResults): boolean => isStream(run.snapshot.source, results)
  const inSource = (index: number | null): ClipStates => clips.stateOf({ index, pick: null })

  const sources = (results: SlotResults): Part[] => {
    const { id: runId, snapshot } = run
    if (picksOnly) return []
    return records(results)
      ? partsOfStream({ runId, snapshot, results }).map((part) => ({ ...part, pick: null }))
      : [{ index: null, snapshot, results, chunk: null, pick: null }]
  }
  const planSources = (
    results: SlotResults,
    environment: PlanEnvironment,
    begun: ReadonlySet<string>,
  ): RunPlan | null => {
    const { id: runId, snapshot } = run
    if (picksOnly) return null
    return records(results)
      ? planStream({ runId, snapshot, results, environment, stateOf: inSource, isShown })
      : planRun({ snapshot, results, begun, environment, ...inSource(null) })
  }

  return {
    /** Drafts and makes clips whose candidates are known and measured. Read the rows again afterwards. */
    prepare: async (results: SlotResults, environment: PlanEnvironment): Promise<void> => {
      for (const part of [...openPicks(services, run, results), ...sources(results)]) {
        if (part.index === null || !shown.has(part.index)) await clips.advance(part, environment)
      }
    },
    /** `begun`: the slots of stages that are being carried out. */
    plan: (results: SlotResults, environment: PlanEnvironment, begun: ReadonlySet<string>): PlanWithPicks =>
      withPicks(
        planSources(results, environment, begun),
        openPicks(services, run, results).map((part) => ({ part, plan: clips.planOf(part, environment) })),
      ),
    /** `fractions`: progress of running stages, 0 to 1; `notes`: their last words; both by slot. */
    describe: (
      plan: PlanWithPicks,
      results: SlotResults,
      { fractions, notes }: { fractions: ReadonlyMap<string, number>; notes: ReadonlyMap<string, string> },
    ): { progress: number; label: string } => {
      const main = plan.main ?? plan
      return isStreamPlan(main)
        ? describeStream(main, results, fractions, notes.get(RECORD_SLOT) ?? '')
        : describeProgress(main, results, fractions)
    },
    /** Lists finished clips while the run continues, and ends picks for which nothing is left to do. */
    showFinished: ({ main, picks }: PlanWithPicks, results: SlotResults): void => {
      for (const { part, plan } of picks) {
        clips.list(part, plan)
        endPick(services, part, plan)
      }
      if (main === null) return
      if (!isStreamPlan(main)) return sources(results).forEach((part) => clips.list(part, main))
      for (const { part, plan } of main.parts) {
        clips.list({ ...part, pick: null }, plan)
        if (part.index === null || !plan.done || shown.has(part.index)) continue
        storeShown(services, run, part.index)
        shown.add(part.index)
      }
    },
    /** Completes a run whose plan is done; returns the ids of its clips. */
    finish: (): { clipIds: string[] } => {
      if (picksOnly) return { clipIds: [] }
      advanceRun(db, run.id, 'Learning', services.now())
      return completeRun(services, run)
    },
  }
}

const isStreamPlan = (plan: RunPlan): plan is StreamPlan => 'parts' in plan

/** What is picked comes first: somebody waits for it. */
function withPicks(main: RunPlan | null, picks: readonly PlannedPick[]): PlanWithPicks {
  const placed = picks.map(({ part, plan }) => planInRun(plan, part.pick?.number ?? 0))
  const areDone = picks.every(({ plan }) => plan.done || plan.failure !== undefined)
  const ofPicks = {
    ready: placed.flatMap(({ ready }) => ready),
    slots: placed.flatMap(({ slots }) => slots),
    warnings: picks.flatMap(({ plan }) => plan.warnings),
  }
  const base: RunPlan = main ?? {
    draftable: [],
    makeable: [],
    finished: [],
    done: true,
    status: 'Processing',
    expectedClips: 0,
    ...ofPicks,
  }
  return {
    ...base,
    ready: main === null ? ofPicks.ready : [...ofPicks.ready, ...main.ready],
    warnings: [...ofPicks.warnings, ...(main?.warnings ?? [])],
    done: base.done && areDone,
    main,
    picks,
  }
}

/** What the rows tell of a part's clips, and which of its candidates the run has already. */
function readState(services: Deps, run: Run, part: Part): State {
  const clips = clipsOfSource(services, run, part)
  const settled = new Set(clips.flatMap(({ ordinal, published }) => (published ? ordinal : [])))
  const there = new Set(clips.map(({ ordinal }) => ordinal))
  for (const [ordinal] of candidatesOf(part.results).entries()) {
    // Somebody deleted the clip after it was listed.
    if (!there.has(ordinal) && part.results.get(clipSlot(ordinal, 'cut'))?.state === 'finished')
      settled.add(ordinal)
  }
  for (const { place } of knownOf(services, run, part)) if (!there.has(place)) settled.add(place)
  return { drafted: neededFiles(clips.filter(({ published }) => !published)), made: new Map(), settled }
}

function knownOf({ db, now }: Deps, run: Run, { pick, results }: Part): NonNullable<RunPick['known']> {
  if (pick?.request.kind !== 'find') return []
  if (pick.known !== null) return pick.known
  const others = listRunClips(db, run.id).filter((clip) => clip.pick !== pick.number)
  const ranges = others.flatMap(({ id, document: { startTimestamp, endTimestamp, timestampBoundary } }) => [
    { id, start: startTimestamp, end: endTimestamp },
    { id, ...timestampBoundary },
  ])
  const known = knownRanges(candidatesOf(results), ranges)
  saveKnownRanges(db, pick.id, known, now())
  return known
}

function endPick({ db, now }: Deps, { pick }: Part, plan: RunPlan): void {
  if (pick === null) return
  if (plan.failure !== undefined) settlePick(db, pick.id, 'failed', now(), plan.failure)
  else if (plan.done) settlePick(db, pick.id, 'finished', now())
}

/** Chunks whose clips are listed. People may have edited or deleted them, so they are not made again. */
function shownChunks({ db }: Deps, run: Run): Set<number> {
  return new Set(
    listRunStages(db, run.id).flatMap(({ slot }) => {
      const index = /^chunk:(\d+):shown$/.exec(slot)?.[1]
      return index === undefined ? [] : [Number(index)]
    }),
  )
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
