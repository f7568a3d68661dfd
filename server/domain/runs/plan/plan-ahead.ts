/**
 * PURE: speech that is transcribed while the source is still being downloaded. What is found ahead only saves work: `speech`
 * takes over the windows whose samples are the same, so its key and its result are those of a run without this.
 */
import type { SoundPiece } from '../../../../workers/stages/speech-ahead/declaration.ts'
import { partInput } from '../../../../workers/protocol.ts'
import type { PlanContext } from './plan-input.ts'
import { artefactInput, planOptionalStage, sourceInput, type PlannedInput } from './plan-draft.ts'

/** A piece of sound that the download has delivered. */
export const pieceSlot = (part: number): string => `piece:${part}`
export const isPieceSlot = (slot: string): boolean => /^piece:\d+$/.test(slot)
const aheadSlot = (part: number): string => `ahead:${part}`

/** Whether the sound of a download is to be heard ahead: a model of this appliance transcribes it. */
export function hearsAhead({
  snapshot,
  environment,
}: Pick<PlanContext, 'snapshot' | 'environment'>): boolean {
  const { speech, voiceActivity = false } = environment
  return snapshot.source.kind === 'url' && speech.state === 'installed' && voiceActivity
}

/**
 * Adds the transcription of the next piece that is there. They follow one another, since each begins with what the one
 * before it knows of voices. Once the download has ended (`isWhole`) none is begun; one that is under way is waited for by
 * what uses it.
 */
export function planAhead(context: PlanContext, isWhole: boolean): void {
  if (!hearsAhead(context)) return
  const done = heardParts(context)
  for (const part of done.keys()) planPiece(context, part)
  const next = done.length
  if (context.results.has(aheadSlot(next))) return
  if (!isWhole || context.begun?.has(aheadSlot(next)) === true) planPiece(context, next)
}

/** Whether a piece is being transcribed that was begun during the download. */
export const isHearingAhead = ({ begun, results }: Pick<PlanContext, 'begun' | 'results'>): boolean =>
  [...(begun ?? [])].some((slot) => slot.startsWith('ahead:') && !results.has(slot))

/** The parts that were heard ahead, as inputs that are in no key. */
export const inputsHeardAhead = (context: Pick<PlanContext, 'results'>): Record<string, PlannedInput> =>
  Object.fromEntries(
    heardParts(context).map((key, part) => [
      partInput(part),
      { ...artefactInput('speech-ahead', key), saves: true as const },
    ]),
  )

/** The keys of the results, from the first part on without a gap. */
function heardParts({ results }: Pick<PlanContext, 'results'>): string[] {
  const keys: string[] = []
  for (;;) {
    const result = results.get(aheadSlot(keys.length))
    if (result?.state !== 'finished') return keys
    keys.push(result.key)
  }
}

function planPiece(context: PlanContext, part: number): void {
  const delivered = context.results.get(pieceSlot(part))
  const before = part === 0 ? undefined : context.results.get(aheadSlot(part - 1))
  const { speech } = context.environment
  if (delivered?.state !== 'finished' || speech.state !== 'installed') return
  const { keywords, language = '' } = context.snapshot
  planOptionalStage(context, {
    slot: aheadSlot(part),
    stage: 'speech-ahead',
    params: { language: language.split('-')[0] ?? '', keywords, model: speech.model ?? '', part },
    inputs: {
      source: sourceInput((delivered.output as SoundPiece).digest),
      ...(before === undefined ? {} : { before: artefactInput('speech-ahead', before.key) }),
    },
  })
}
