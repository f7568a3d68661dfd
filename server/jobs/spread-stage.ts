/**
 * A stage of a long source that several worker nodes share: its parts are stages of their own, with keys of their own, and
 * the stage itself joins what they made. Its key and its result are those of one machine that does it alone.
 */
import { partInput } from '../../workers/protocol.ts'
import { artefactFolder, readResult } from '../../workers/artefacts.ts'
import { STAGES, type StageName } from '../../workers/stages/catalog.ts'
import type { StageDeclaration } from '../../workers/stages/declare.ts'
import { artefactInput, type StageInvocation } from '../domain/runs/plan/plan-draft.ts'
import type { Services } from '../domain/services.ts'
import { removeResult } from '../domain/settings/retention.ts'
import type { StageRequest, StageRunner, StageVerdict } from './attempt-stage.ts'

type Finished = Extract<StageVerdict, { kind: 'finished' }>

/** Share of the progress that is left for joining the parts. */
const JOINING = 0.02

type Deps = Pick<Services, 'home' | 'store'>

type Spread =
  | { readonly kind: 'ended'; readonly verdict: StageVerdict }
  | {
      readonly kind: 'made'
      readonly request: StageRequest
      /** The verdict of the stage with the time and the warnings of its parts, which are removed: they are joined. */
      readonly join: (verdict: Finished) => Promise<Finished>
    }

/** Makes the parts of a stage that is `spread`, all at once. A request without parts comes back as it is. */
export async function makeParts(deps: Deps, runner: StageRunner, request: StageRequest): Promise<Spread> {
  const { artefacts } = deps.home
  const parts = planParts(request.invocation, await secondsOf(artefacts, request.invocation))
  if (parts.length < 2) return { kind: 'made', request, join: (verdict) => Promise.resolve(verdict) }
  const keyed = await Promise.all(
    parts.map(async (invocation) => ({ invocation, key: await runner.keyOf(invocation, '') })),
  )
  const stop = new AbortController()
  const signal = AbortSignal.any([request.signal, stop.signal])
  const listeners = shareListeners(request, parts.length)
  const verdicts = await Promise.all(
    keyed.map(async (part, at) => {
      const own = listeners(at)
      const verdict = await runner.run({ ...request, ...part, ...own, signal })
      if (verdict.kind === 'finished') own.onProgress(1, '')
      // The others are of no use without it, unless it is tried again.
      else if (verdict.kind !== 'failed' || !verdict.retryable) stop.abort()
      return verdict
    }),
  )
  const isMade = (verdict: StageVerdict): verdict is Finished => verdict.kind === 'finished'
  const lost = verdicts.filter((verdict) => !isMade(verdict))
  if (lost.length > 0) {
    // What stopped the others says why; that they were stopped does not.
    const verdict = lost.find(({ kind }) => kind !== 'stopped') ?? { kind: 'stopped' as const }
    return { kind: 'ended', verdict }
  }
  const made = verdicts.filter(isMade)
  return {
    kind: 'made',
    request: withParts(request, keyed),
    join: async (verdict) => {
      for (const { invocation, key } of keyed)
        await removeResult(deps, artefactFolder(artefacts, invocation.stage, key))
      return joinVerdicts(verdict, made)
    },
  }
}

/** PURE: the invocations of the parts of a stage; none where it is not `spread`. */
export function planParts(invocation: StageInvocation, seconds: number): StageInvocation[] {
  const { spread }: StageDeclaration = STAGES[invocation.stage]
  if (spread === undefined) return []
  return Array.from({ length: Math.ceil(seconds / spread.seconds) }, (_, part) => ({
    ...invocation,
    slot: `${invocation.slot}:${part}`,
    stage: spread.into as StageName,
    params: { ...(invocation.params as object), part },
  }))
}

/** Length of the source, seconds; 0 where the stage is not `spread` or its input does not say it. */
async function secondsOf(artefacts: string, { stage, inputs }: StageInvocation): Promise<number> {
  const { spread }: StageDeclaration = STAGES[stage]
  const reference = spread === undefined ? undefined : inputs[spread.by]?.reference
  if (reference?.kind !== 'artefact') return 0
  const { stage: by, key } = reference
  const found = await readResult(artefacts, { stage: by, version: STAGES[by].version, key })
  return (found?.output as { durationSeconds?: number } | undefined)?.durationSeconds ?? 0
}

/** What each part tells becomes what the stage tells. The stage begins once, with the first part that does. */
function shareListeners(request: StageRequest, count: number) {
  const fractions = new Array<number>(count).fill(0)
  const positions = new Array<number>(count).fill(0)
  const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0)
  let begun: StageVerdict | null | undefined
  const begin = (): StageVerdict | null => (begun === undefined ? (begun = request.begin()) : begun)
  return (at: number): Pick<StageRequest, 'begin' | 'onProgress' | 'onCheckpoint'> => ({
    begin,
    onProgress: (fraction) => {
      fractions[at] = Math.max(fractions[at] ?? 0, fraction)
      const done = fractions.filter((share) => share >= 1).length
      request.onProgress((1 - JOINING) * (sum(fractions) / count), `${done} of ${count} parts are done`)
    },
    onCheckpoint: (position) => {
      positions[at] = Math.max(positions[at] ?? 0, position)
      request.onCheckpoint?.(sum(positions))
    },
  })
}

/** The request that joins: it has begun, and reports the last of its progress. */
function withParts(
  request: StageRequest,
  parts: readonly { invocation: StageInvocation; key: string }[],
): StageRequest {
  const inputs = parts.map(
    ({ invocation: { stage }, key }, at) => [partInput(at), artefactInput(stage, key)] as const,
  )
  return {
    ...request,
    invocation: {
      ...request.invocation,
      inputs: { ...request.invocation.inputs, ...Object.fromEntries(inputs) },
    },
    begin: () => null,
    onProgress: (fraction, note) => request.onProgress(1 - JOINING + JOINING * fraction, note),
  }
}

function joinVerdicts(verdict: Finished, parts: readonly Finished[]): Finished {
  return {
    ...verdict,
    milliseconds: parts.reduce((sum, part) => sum + part.milliseconds, verdict.milliseconds),
    warnings: [...new Set([...parts.flatMap(({ warnings }) => warnings), ...verdict.warnings])],
  }
}
