/** Runs the stages of an inspection with the engine and the cache of runs; nothing is stored but their results. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError, refuse } from '../contract/errors.ts'
import {
  withSpeakers,
  type ClipFaces,
  type FaceBoxes,
  type RangeSpeakers,
} from '../contract/clip-measurements.ts'
import { PIPELINE_VERSION, type RunSnapshot, type RunSource } from '../contract/run.ts'
import type { PictureFacts, SoundEvent } from '../contract/source-facts.ts'
import { ticksToSeconds } from '../contract/time.ts'
import type { Transcript } from '../contract/transcript.ts'
import {
  presentClips,
  presentFaces,
  presentFraming,
  presentShots,
  presentSpeaking,
  presentStretches,
  presentTurns,
  presentWords,
} from '../domain/inspection/present-inspection.ts'
import { ACTIVE_SPEAKER_SLOT } from '../domain/runs/plan/plan-active-speaker.ts'
import { FACES_SLOT, SOUNDS_SLOT, VOICE_SLOT } from '../domain/runs/plan/plan-detections.ts'
import type { SlotResult } from '../domain/runs/plan/plan-draft.ts'
import type { PlanEnvironment } from '../domain/runs/plan/plan-input.ts'
import {
  planInspection,
  type InspectionPart,
  type InspectionPlan,
  type InspectionWishes,
} from '../domain/runs/plan/plan-inspection.ts'
import { SPEAKERS_SLOT, wordsOfRun } from '../domain/runs/plan/plan-transcript.ts'
import type { Services } from '../domain/services.ts'
import { readVoices, type Recognised } from '../domain/voices/recognise.ts'
import type { SpeakerVoice } from '../../workers/stages/speakers/pure/voices.ts'
import { DEFAULT_WORKFLOWS, overridesFromBody, resolveNodes } from '../nodes/index.ts'
import { artefactFolder } from '../../workers/artefacts.ts'
import { STAGES, type StageName, type Stages } from '../../workers/stages/catalog.ts'
import type { OutputOf } from '../../workers/stages/declare.ts'
import { omitUndefined } from '../contract/omit-undefined.ts'
import { attemptStage, type StageRunner } from './attempt-stage.ts'
import { createStages, speechModelState } from './orchestrator.ts'
import { applianceEnvironment } from './run-executor.ts'

type Deps = Pick<Services, 'config' | 'home' | 'log'>

export interface InspectionRequest extends InspectionWishes {
  readonly source: RunSource
  readonly prompt: string
  /** Settings of convert_to_vertical: ratio and style; undefined: as in the default workflow. */
  readonly aspect?: string
  readonly style?: string
  /** Finds the speakers whose voices were named. */
  readonly recognise: (voices: readonly SpeakerVoice[] | null) => Recognised
}

/** Each part that was requested, and one sentence for each that is missing or poorer than it could be. */
export type Inspection = Readonly<Partial<Record<InspectionPart, unknown>>> & {
  readonly warnings: readonly string[]
}

interface Listening {
  readonly signal: AbortSignal
  readonly onProgress: (fraction: number, note: string) => void
}

/** Throws INVALID_NODE_CONFIG for a wrong ratio or style before any work, and the failure of a source that cannot be read. */
export async function inspectSource(
  deps: Deps,
  request: InspectionRequest,
  listening: Listening,
): Promise<Inspection> {
  const snapshot = snapshotOf(request)
  const { engine, stages } = createStages(deps, null)
  try {
    const environment = await applianceEnvironment(
      deps.config,
      await speechModelState(deps.config, deps.home),
    )
    const results = new Map<string, SlotResult>()
    const warnings: string[] = []
    const plan = () => planInspection({ snapshot, results, environment }, request)
    const expected = expectedStages(request.parts, environment)
    await runStages(stages, { expected, plan, results, warnings }, listening)
    return await presentInspection(deps, { request, snapshot, results, plan: plan(), warnings })
  } finally {
    await engine.stop()
  }
}

/** The first default workflow with the request's settings. */
function snapshotOf({ source, prompt, aspect, style }: InspectionRequest): RunSnapshot {
  const [workflow] = DEFAULT_WORKFLOWS
  if (workflow === undefined) throw new Error('there is no default workflow')
  const nodeConfigs = {
    find_clips: { prompt },
    convert_to_vertical: omitUndefined({ aspect_ratio: aspect, style }),
  }
  const { nodes } = resolveNodes(
    { nodes: workflow.nodes, edges: workflow.edges ?? [] },
    overridesFromBody({ nodeConfigs }),
  )
  return {
    workflowId: '',
    workflowName: workflow.name,
    nodes,
    source,
    originalUrl: source.kind === 'url' ? source.url : source.displayName,
    keywords: [],
    channel: 'current',
    pipelineVersion: PIPELINE_VERSION,
  }
}

interface Work {
  readonly expected: ReadonlySet<StageName>
  readonly plan: () => InspectionPlan
  readonly results: Map<string, SlotResult>
  readonly warnings: string[]
}

/** Runs what is ready until nothing is left. Throws the failure of a stage that everything needs. */
async function runStages(stages: StageRunner, work: Work, { signal, onProgress }: Listening): Promise<void> {
  const scope = randomUUID()
  const running = new Map<string, Promise<void>>()
  const fractions = new Map<string, number>()
  let slots: InspectionPlan['slots'] = []
  for (;;) {
    if (signal.aborted) throw new AppError('INTERRUPTED')
    const { ready, failure, ...known } = work.plan()
    slots = known.slots
    if (failure !== null)
      throw new AppError(failure.code, {
        message: failure.message,
        ...omitUndefined({ details: failure.details }),
      })
    for (const invocation of ready) {
      const { slot, stage } = invocation
      if (running.has(slot)) continue
      const report = (fraction: number, note: string): void => {
        fractions.set(slot, fraction)
        onProgress(
          shareDone(work.expected, slots, { results: work.results, fractions }),
          note === '' ? STAGES[stage].label : note,
        )
      }
      const done = runStage(stages, invocation, { scope, signal, onProgress: report })
        .then(({ result, warnings }) => {
          work.results.set(slot, result)
          work.warnings.push(...warnings)
        })
        .finally(() => running.delete(slot))
      running.set(slot, done)
    }
    if (running.size === 0) return
    await Promise.race(running.values())
  }
}

/** The stages that make each part, beside those that every part needs. */
const STAGES_OF_PARTS: Readonly<Record<InspectionPart, readonly StageName[]>> = {
  voice: ['voice'],
  speakers: ['speakers'],
  faces: ['faces', 'active-speaker'],
  framing: ['faces', 'active-speaker'],
  shots: ['faces'],
  sounds: ['sound-events'],
  words: ['voice', 'speech', 'speakers'],
  clips: ['voice', 'speech', 'speakers', 'find-clips'],
}

/** The stages that probably run: those of the parts whose models are installed. */
function expectedStages(
  parts: ReadonlySet<InspectionPart>,
  { faces, speakers, sounds, activeSpeaker }: PlanEnvironment,
): ReadonlySet<StageName> {
  const installed: Partial<Record<StageName, boolean>> = {
    faces,
    speakers,
    'sound-events': sounds,
    'active-speaker': faces && activeSpeaker === true,
  }
  const base: StageName[] = ['ingest', 'probe', 'audio']
  const ofParts = [...parts].flatMap((part) => STAGES_OF_PARTS[part])
  return new Set([...base, ...ofParts.filter((stage) => installed[stage] !== false)])
}

/** The share of the expected work that is done, 0 to 1. It never falls, because what is expected is known from the start. */
function shareDone(
  expected: ReadonlySet<StageName>,
  slots: InspectionPlan['slots'],
  { results, fractions }: Pick<Work, 'results'> & { readonly fractions: ReadonlyMap<string, number> },
): number {
  const total = [...expected].reduce((sum, stage) => sum + STAGES[stage].weight, 0)
  const done = slots
    .filter(({ stage }) => expected.has(stage))
    .reduce(
      (sum, { slot, stage }) =>
        sum + STAGES[stage].weight * (results.has(slot) ? 1 : (fractions.get(slot) ?? 0)),
      0,
    )
  return Math.min(0.99, done / total)
}

async function runStage(
  stages: StageRunner,
  invocation: InspectionPlan['ready'][number],
  { scope, signal, onProgress }: Listening & { readonly scope: string },
): Promise<{ result: SlotResult; warnings: readonly string[] }> {
  const key = await stages.keyOf(invocation, scope)
  let attempts = 0
  const verdict = await attemptStage({
    begin: () => ++attempts,
    work: (begin, onCheckpoint) =>
      stages.run({ invocation, key, companyId: '', urgent: true, signal, onProgress, onCheckpoint, begin }),
    signal,
  })
  if (verdict.kind === 'finished')
    return {
      result: { state: 'finished', key, output: verdict.output, failure: null },
      warnings: verdict.warnings,
    }
  if (verdict.kind !== 'failed') throw new AppError('INTERRUPTED')
  return { result: { state: 'failed', key, output: null, failure: verdict.failure }, warnings: [] }
}

interface Finished {
  readonly request: InspectionRequest
  readonly snapshot: RunSnapshot
  readonly results: ReadonlyMap<string, SlotResult>
  readonly plan: InspectionPlan
  /** Of the stages. */
  readonly warnings: readonly string[]
}

async function presentInspection(deps: Deps, finished: Finished): Promise<Inspection> {
  const { request, plan, warnings } = finished
  const voices = request.parts.has('speakers') ? readVoices(deps, finished.results.get(SPEAKERS_SLOT)) : null
  const recognised = request.recognise(voices)
  const read = createReader(deps, finished.results)
  const presenters = await createPresenters(read, finished, recognised.names)
  const made = [...request.parts].map(async (part) => [part, await presenters[part]()] as const)
  return {
    ...Object.fromEntries(await Promise.all(made)),
    warnings: [...new Set([...plan.warnings, ...warnings, ...recognised.warnings])],
  }
}

/** One function for each part, called for those that were requested. */
async function createPresenters(
  read: ResultReader,
  { snapshot, plan }: Finished,
  names: Recognised['names'],
): Promise<Record<InspectionPart, () => unknown>> {
  const { digest } = read.output('ingest', 'ingest') ?? refuse('INTERNAL')
  const facts = read.output('probe', 'probe') ?? refuse('INTERNAL')
  const size = facts.video ?? { width: 0, height: 0 }
  const [seen = null] = ((await read.file(FACES_SLOT, 'faces', ({ file }) => file)) ?? []) as ClipFaces[]
  const joined = await read.file(ACTIVE_SPEAKER_SLOT, 'active-speaker', ({ file }) => file)
  const [speakers = null] = (joined ?? []) as RangeSpeakers[]
  const faces = seen === null ? null : withSpeakers(seen, speakers)
  return {
    voice: async () => presentStretches(await read.file(VOICE_SLOT, 'voice', ({ voiceFile }) => voiceFile)),
    speakers: async () =>
      presentTurns(await read.file(SPEAKERS_SLOT, 'speakers', ({ turnsFile }) => turnsFile), names),
    faces: async () => {
      const boxes = await read.file(FACES_SLOT, 'faces', ({ boxesFile }) => boxesFile)
      const [found] = (boxes ?? []) as FaceBoxes[]
      return {
        ...presentFaces(found?.tracks ?? [], size),
        speaking: faces === null ? [] : presentSpeaking(faces, speakers),
      }
    },
    framing: () =>
      facts.video === null
        ? { width: 0, height: 0, samples: [] }
        : presentFraming({ facts, faces, nodes: snapshot.nodes, digest }),
    shots: async () => {
      if (facts.video === null) return []
      const picture = await read.file('look-over', 'look-over', ({ pictureFile }) => pictureFile)
      const starts = faces?.shotStarts ?? (picture as PictureFacts | null)?.cuts ?? []
      return presentShots(starts, ticksToSeconds(facts.duration))
    },
    sounds: async () => {
      const events = await read.file(SOUNDS_SLOT, 'sound-events', ({ eventsFile }) => eventsFile)
      const named = ((events ?? []) as SoundEvent[]).map(({ kind, start, end }) => ({
        label: kind,
        start,
        end,
      }))
      return presentStretches(named)
    },
    words: async () => presentWords((await read.transcript())?.words ?? []),
    clips: () => presentClips(plan.candidates ?? []),
  }
}

type ResultReader = ReturnType<typeof createReader>

/** Reads outputs and files of finished stages; null where a stage did not run or failed. */
function createReader({ home }: Deps, results: ReadonlyMap<string, SlotResult>) {
  const outputOf = <Name extends StageName>(slot: string, _stage: Name): OutputOf<Stages[Name]> | null => {
    const result = results.get(slot)
    return result?.state === 'finished' ? (result.output as OutputOf<Stages[Name]>) : null
  }
  const readFileOf = async (stage: StageName, key: string, file: string): Promise<unknown> =>
    JSON.parse(await readFile(join(artefactFolder(home.artefacts, stage, key), file), 'utf8'))
  return {
    output: outputOf,
    file: async <Name extends StageName>(
      slot: string,
      stage: Name,
      nameOf: (output: OutputOf<Stages[Name]>) => string | undefined,
    ): Promise<unknown> => {
      const output = outputOf(slot, stage)
      const file = output === null ? undefined : nameOf(output)
      return file === undefined ? null : await readFileOf(stage, results.get(slot)?.key ?? '', file)
    },
    transcript: async (): Promise<Transcript | null> => {
      const words = wordsOfRun(results)
      if (words === null) return null
      return (await readFileOf(words.stage, words.key, words.output.transcriptFile)) as Transcript
    },
  }
}
