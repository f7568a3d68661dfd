/** PURE: which of a run's results has its words. */
import type { Stages } from '../../../workers/stages/catalog.ts'
import type { OutputOf } from '../../../workers/stages/declare.ts'
import type { SlotResults } from './plan/plan-draft.ts'
import { SPEAKERS_SLOT } from './plan/plan-speakers.ts'

type WordsStage = 'captions' | 'speech' | 'speakers'

export interface WordsResult {
  readonly stage: WordsStage
  readonly key: string
  readonly output: OutputOf<Stages[WordsStage]>
}

/** The stage that has words in this slot of a plan. */
function wordsStage(slot: string): WordsStage | null {
  if (slot === SPEAKERS_SLOT) return 'speakers'
  if (slot === 'speech') return 'speech'
  return /^captions(:\d+)?$/.test(slot) ? 'captions' : null
}

/**
 * The words with speakers where there are any, else those of the captions or speech stage with the most words. The plan
 * decides the same way where captions are in doubt (plan-transcript.ts).
 */
export function wordsOfRun(results: SlotResults): WordsResult | null {
  let most: WordsResult | null = null
  for (const [slot, result] of results) {
    const stage = wordsStage(slot)
    if (stage === null || result.state !== 'finished') continue
    const output = result.output as WordsResult['output']
    if (output.wordCount === 0) continue
    if (stage === 'speakers') return { stage, key: result.key, output }
    if (most === null || output.wordCount > most.output.wordCount) most = { stage, key: result.key, output }
  }
  return most
}
