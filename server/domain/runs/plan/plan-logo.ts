/** PURE: the look for a burned-in logo in the whole source, for nodes that are to find it: before the clips are made. */
import type { ClipLogos } from '../../../contract/clip-logos.ts'
import type { RunSnapshot } from '../../../contract/run.ts'
import type { SourceFacts } from '../../../contract/source-facts.ts'
import { ticksToSeconds } from '../../../contract/time.ts'
import { neededMeasurements } from '../../../nodes/index.ts'
import type { Stages } from '../../../../workers/stages/catalog.ts'
import type { OutputOf } from '../../../../workers/stages/declare.ts'
import { need, type Draft, type PlannedInput, type SlotResults } from './plan-draft.ts'

const LOGO_SLOT = 'find-logo'

/** Whether the run can go on: no logo has to be looked for, or the look is over, however it ended. */
export function planLogo(
  draft: Draft,
  input: {
    readonly snapshot: RunSnapshot
    readonly facts: SourceFacts
    readonly source: PlannedInput
  },
): boolean {
  const { snapshot, facts, source } = input
  if (facts.video === null || !neededMeasurements(snapshot.nodes).has('logos')) return true
  const { width, height, streamIndex } = facts.video
  const params = { streamIndex, width, height, durationSeconds: ticksToSeconds(facts.duration) }
  need(draft, { slot: LOGO_SLOT, stage: 'find-logo', params, inputs: { source } }, 'No logo was looked for.')
  return draft.results.has(LOGO_SLOT)
}

/** What was found; null where nobody looked, or the look failed. */
export function foundLogos(results: SlotResults): ClipLogos | null {
  const result = results.get(LOGO_SLOT)
  return result?.state === 'finished' ? (result.output as OutputOf<Stages['find-logo']>).logos : null
}
