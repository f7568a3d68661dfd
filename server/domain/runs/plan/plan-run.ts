/**
 * PURE: what a run does next, decided from its frozen snapshot and the stages that are finished, and nothing else. The
 * same rows give the same plan after any crash. What each place in the plan is called (`probe`, `clip:3:cut`) is here.
 */
import type { Failure } from '../../../contract/errors.ts'
import type { ClipCandidate, FindClipsSettings } from '../../../contract/clip-candidate.ts'
import type { RunSnapshot } from '../../../contract/run.ts'
import { manyChannels } from '../../../contract/many-channels.ts'
import type { SourceFacts } from '../../../contract/source-facts.ts'
import { ticksToSeconds } from '../../../contract/time.ts'
import { findClipsSettings, requiredAssetsOfRun } from '../../../nodes/index.ts'
import { STAGES, type StageName, type Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf, ParamsOf } from '../../../../workers/stages/declare.ts'
import { assetInvocation } from './plan-assets.ts'
import { clipStages, thumbnailFallback } from './plan-clips.ts'
import { withUserInfo } from '../source-url.ts'
import { planBroll } from './plan-broll.ts'
import { planFaces } from './plan-faces.ts'
import { planLogo } from './plan-logo.ts'
import {
  artefactInput,
  fail,
  need,
  settled,
  sourceInput,
  type Draft,
  type SlotResults,
  type StageInvocation,
} from './plan-draft.ts'
import { judgedCandidates, planJudge } from './plan-judge.ts'
import { planSenses } from './plan-senses.ts'
import { sensesOf } from './plan-sounds.ts'
import { planSpeakers } from './plan-speakers.ts'
import { planTranscript } from './plan-transcript.ts'
import { omitUndefined } from '../../../contract/omit-undefined.ts'
import type { RunPlan, PlanInput } from './plan-input.ts'

/** Decides the next steps of a run. */
export function planRun(input: PlanInput): RunPlan {
  const settings = findClipsSettings(input.snapshot.nodes, input.snapshot.keywords)
  const draft: Draft = { results: input.results, ready: [], slots: [], warnings: [], failure: null }
  const end = walk(draft, input, settings)
  const failed = draft.failure === null ? {} : { failure: draft.failure }
  return {
    ready: draft.failure === null ? draft.ready : [],
    makeClips: end === 'clips-unmade',
    done: end === 'done',
    ...failed,
    status: end === 'done' ? 'Learning' : 'Processing',
    slots: draft.slots,
    expectedClips: input.clips?.length ?? Math.max(1, Math.min(settings.maxClips, 5)),
    warnings: draft.warnings,
  }
}

function walk(
  draft: Draft,
  input: PlanInput,
  settings: FindClipsSettings,
): 'waiting' | 'clips-unmade' | 'done' {
  const ingest = need(draft, ingestInvocation(input))
  if (ingest === null) return 'waiting'
  const source = sourceInput(ingest.output.digest)
  const probe = need(draft, { slot: 'probe', stage: 'probe', params: {}, inputs: { source } })
  if (probe === null) return 'waiting'
  const facts = probe.output
  draft.warnings.push(...facts.warnings)
  const refusal = refuse(facts, settings, input.snapshot)
  if (refusal !== null) {
    fail(draft, refusal)
    return 'waiting'
  }
  // Beside everything else; the clips are made when each was fetched or could not be.
  const named = [...requiredAssetsOfRun(input.snapshot.nodes), ...(input.drafted ?? [])]
  const assets = [...new Map(named.map((asset) => [asset.url, asset])).values()].map((asset) =>
    settled(draft, assetInvocation(asset, input.environment)),
  )
  const logo = planLogo(draft, { snapshot: input.snapshot, facts, source })
  const durationSeconds = ticksToSeconds(facts.duration)
  const audio =
    facts.audio === null
      ? null
      : need(draft, {
          slot: 'audio',
          stage: 'audio',
          params: { streamIndex: facts.audio.streamIndex, durationSeconds, ...manyChannels(facts.audio) },
          inputs: { source },
        })
  if (facts.audio !== null && audio === null) return 'waiting'
  const audioInput = audio === null ? {} : { audio: artefactInput('audio', audio.key) }
  if (audio !== null) {
    // Beside everything else: nothing waits for it, and a run without a waveform is still a run.
    const params = { samplesPerPeak: SAMPLES_PER_PEAK }
    need(draft, { slot: 'peaks', stage: 'peaks', params, inputs: audioInput }, 'There is no waveform.')
  }
  const { snapshot, environment } = input
  const looking = { facts, source, installed: environment.sounds }
  const senses = planSenses(draft, { snapshot, settings, audio, ...looking })
  const transcript = planTranscript(draft, { facts, ingest, audio, source, settings, snapshot, environment })
  if (transcript === 'waiting' || draft.failure !== null) return 'waiting'
  const spoken =
    transcript === null ? null : planSpeakers(draft, { transcript, audio, installed: environment.speakers })
  if (spoken === 'waiting' || senses === 'waiting') return 'waiting'
  const words = spoken === null ? {} : { transcript: artefactInput(spoken.stage, spoken.key) }
  const found = need(draft, {
    slot: 'find-clips',
    stage: 'find-clips',
    params: { settings, durationSeconds, ...sensesOf(snapshot, settings, ingest.output) },
    inputs: { ...words, ...audioInput, ...senses },
  })
  if (found === null) return 'waiting'
  draft.warnings.push(...found.output.warnings)
  if (found.output.candidates.length === 0) {
    fail(draft, { code: 'NO_CLIPS', message: found.output.summary })
    return 'waiting'
  }
  const candidates = planJudge(draft, { ...found.output, settings, snapshot, judge: environment.judge })
  if (candidates === 'waiting') return 'waiting'
  const looked = planFaces(draft, {
    snapshot,
    facts,
    candidates,
    installed: environment.faces,
    inputs: { source, ...audioInput },
  })
  const searched = planBroll(draft, { snapshot, candidates, services: environment.services })
  if (!logo || !looked || !searched || assets.includes(false)) return 'waiting'
  if (input.clips === null) return 'clips-unmade'
  for (const clip of input.clips) {
    for (const item of clipStages(clip, {
      source,
      probeKey: probe.key,
      transcript: words.transcript ?? null,
    })) {
      need(draft, item as StageInvocation & { params: never }, thumbnailFallback(item))
    }
  }
  return draft.ready.length === 0 && draft.failure === null ? 'done' : 'waiting'
}

/** 10 ms of 16 kHz sound: fine enough to trim by, 720 KB for an hour. */
const SAMPLES_PER_PEAK = 160

function ingestInvocation({ snapshot, environment }: PlanInput): StageInvocation & {
  stage: 'ingest'
  params: ParamsOf<Stages['ingest']>
} {
  const given = snapshot.source
  const { addresses, idleTimeoutSeconds, totalTimeoutSeconds, known, pages, access = null } = environment
  const keyed =
    given.kind === 'url' ? { kind: given.kind, url: given.url } : { kind: given.kind, path: given.path }
  const source = keyed.kind === 'url' ? { ...keyed, url: withUserInfo(keyed.url, access) } : keyed
  return {
    slot: 'ingest',
    stage: 'ingest',
    params: {
      source,
      addresses,
      maxBytes: environment.maxSourceBytes,
      minFreeBytes: environment.minFreeBytes,
      idleTimeoutSeconds,
      totalTimeoutSeconds,
      known,
      ...omitUndefined({ pages }),
    },
    // Limits and what is known of the address may differ at the next attempt; it is still the same download.
    keyParams: { source: keyed },
    inputs: {},
  }
}

/** What can be said against a source as soon as it was looked at, or null. */
function refuse(facts: SourceFacts, settings: FindClipsSettings, snapshot: RunSnapshot): Failure | null {
  const audiogram = snapshot.nodes.some((node) => node.type === 'add_audiogram' && node.enabled)
  if (facts.video === null && !audiogram) {
    return {
      code: 'SOURCE_NOT_VIDEO',
      message:
        'The source has sound and no picture, and this workflow makes clips from a picture. Use a workflow with the node add_audiogram, such as “Audiogram”, which every company starts with: it draws the sound.',
    }
  }
  const seconds = ticksToSeconds(facts.duration)
  if (!settings.wholeSource && settings.pinned.length === 0 && seconds < settings.minLength) {
    return {
      code: 'VIDEO_TOO_SHORT',
      message: `The ${facts.video === null ? 'recording' : 'video'} is ${seconds.toFixed(1)} s long, and the shortest clip asked for is ${settings.minLength} s.`,
      details: { durationSeconds: seconds, minLengthSeconds: settings.minLength },
    }
  }
  return null
}

/** The candidates of a finished find-clips stage, as a language model has judged them where one was asked. */
export function candidatesOf(results: SlotResults): readonly ClipCandidate[] {
  const judged = judgedCandidates(results)
  if (judged !== null) return judged
  const result = results.get('find-clips')
  return result?.state === 'finished' ? (result.output as OutputOf<Stages['find-clips']>).candidates : []
}

/** Weight of one clip's stages, for clips that are only expected. */
const CLIP_WEIGHT =
  STAGES.cut.weight + STAGES.thumbnail.weight + STAGES['transcript-file'].weight + STAGES.render.weight
/** Before the source was looked at, the middle part of a run is guessed at. */
const UNKNOWN_WEIGHT =
  STAGES.probe.weight +
  STAGES.audio.weight +
  STAGES.peaks.weight +
  STAGES.captions.weight +
  STAGES['find-clips'].weight

/** PURE: how far a run is, 0 to 1, and what it is doing. `fractions`: progress of running stages by place. */
export function describeProgress(
  plan: RunPlan,
  results: SlotResults,
  fractions: ReadonlyMap<string, number>,
): { progress: number; label: string } {
  let done = 0
  let total = 0
  for (const { slot, stage } of plan.slots) {
    const { weight } = STAGES[stage]
    total += weight
    done += weight * (results.has(slot) ? 1 : Math.min(1, fractions.get(slot) ?? 0))
  }
  const clipsKnown = plan.slots.some(({ slot }) => slot.startsWith('clip:'))
  if (!clipsKnown) total += plan.expectedClips * CLIP_WEIGHT
  const seen = plan.slots.reduce(
    (sum, { slot, stage }) => sum + (slot.startsWith('clip:') ? 0 : STAGES[stage].weight),
    0,
  )
  if (!clipsKnown) total += Math.max(0, STAGES.ingest.weight + UNKNOWN_WEIGHT - seen)
  return {
    progress: plan.done ? 1 : Math.min(0.99, done / Math.max(1, total)),
    label: labelOf(plan, results),
  }
}

function labelOf(plan: RunPlan, results: SlotResults): string {
  const open = plan.slots.filter(({ slot }) => !results.has(slot))
  const heaviest = open.reduce<{ slot: string; stage: StageName } | null>(
    (best, item) => (best === null || STAGES[item.stage].weight > STAGES[best.stage].weight ? item : best),
    null,
  )
  if (heaviest === null) return ''
  const alike = plan.slots.filter((item) => item.stage === heaviest.stage && item.slot.startsWith('clip:'))
  if (alike.length < 2) return STAGES[heaviest.stage].label
  const finished = alike.filter(({ slot }) => results.has(slot)).length
  return `${STAGES[heaviest.stage].label} (${finished + 1} of ${alike.length})`
}
