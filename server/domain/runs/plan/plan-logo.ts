/** PURE: the search for a burned-in logo in the whole source, before the clips are made, for nodes that remove one. */
import type { ClipLogos } from '../../../contract/clip-measurements.ts'
import { ticksToSeconds } from '../../../contract/time.ts'
import { neededMeasurements } from '../../../nodes/index.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf } from '../../../../workers/stages/declare.ts'
import type { PlanContext, PlannedSource } from './plan-input.ts'
import { planStage, type SlotResults } from './plan-draft.ts'

const LOGO_SLOT = 'find-logo'

/** Whether the run can continue: no node needs the logo, or the search has ended, with or without a result. */
export function planLogo(context: PlanContext, source: PlannedSource): boolean {
  const { facts, input } = source
  if (facts.video === null || !neededMeasurements(context.snapshot.nodes).has('logos')) return true
  const { width, height, streamIndex } = facts.video
  const params = { streamIndex, width, height, durationSeconds: ticksToSeconds(facts.duration) }
  planStage(
    context,
    { slot: LOGO_SLOT, stage: 'find-logo', params, inputs: { source: input } },
    'No logo was looked for.',
  )
  return context.results.has(LOGO_SLOT)
}

/** The logos that were found; null where there was no search, or it failed. */
export function foundLogos(results: SlotResults): ClipLogos | null {
  const result = results.get(LOGO_SLOT)
  return result?.state === 'finished' ? (result.output as OutputOf<Stages['find-logo']>).logos : null
}
