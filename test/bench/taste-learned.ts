/** Learning for companies whose taste is known: how well it ranks clips that it was not trained on. */
import { calibrated } from '../../server/domain/learning/apply.ts'
import { hitRateOf, trainTaste } from '../../server/domain/learning/train.ts'
import {
  AS_SCORED,
  LIKES_FEELINGS,
  NO_TASTE,
  syntheticExamples,
  type Preference,
} from '../support/taste-examples.ts'
import { percent } from './measure/spread.ts'
import type { FigureTable } from './report.ts'

const COMPANIES = 40
const UNSEEN = 120
const EXAMPLES = [19, 20, 60, 200] as const

interface Kind {
  readonly name: string
  readonly preference: Preference
  readonly chance: number
  /** Accuracy on unseen clips where examples carry no signal: that of the score alone. */
  readonly truth: Preference
}

const KINDS: readonly Kind[] = [
  {
    name: 'a taste that the score does not know',
    preference: LIKES_FEELINGS,
    chance: 0.5,
    truth: LIKES_FEELINGS,
  },
  { name: 'the taste of the score', preference: AS_SCORED, chance: 0.7, truth: AS_SCORED },
  { name: 'none: results by chance', preference: NO_TASTE, chance: 1, truth: AS_SCORED },
]

export function learnedTable(): FigureTable {
  const rows = KINDS.flatMap((kind) =>
    EXAMPLES.map((count) => {
      const of = Array.from({ length: COMPANIES }, (_, seed) => measure(kind, count, seed + 1))
      const mean = (pick: (one: (typeof of)[number]) => number): number =>
        of.reduce((sum, one) => sum + pick(one), 0) / of.length
      return [
        kind.name,
        String(count),
        `${of.filter(({ used }) => used).length} of ${COMPANIES}`,
        percent(mean(({ learned }) => learned)),
        percent(mean(({ byScore }) => byScore)),
      ]
    }),
  )
  return {
    title: 'Learning from results',
    columns: ['taste of the company', 'examples', 'used', 'pairs ranked rightly', 'by the score alone'],
    rows,
    notes: [
      `${COMPANIES} made-up companies each; pairs of ${UNSEEN} clips that were not learned from, held against what the company would say without chance. Where results are chance, what the score says counts as right: learning can only harm. They say that what is there to be learned is found, not how far an audience's taste can be told from these features.`,
    ],
  }
}

function measure({ preference, chance, truth }: Kind, count: number, seed: number) {
  const model = trainTaste(syntheticExamples(count, { preference, chance, seed }))
  const unseen = syntheticExamples(UNSEEN, { preference: truth, chance: 0, seed: seed + 1000 })
  const truths = unseen.map((clip) => ({ label: clip.truth }))
  const scores = unseen.map(({ score }) => score)
  const marks = unseen.map((clip) => calibrated(model, clip)?.score ?? clip.score)
  return {
    used: model.state === 'learned',
    learned: hitRateOf(truths, marks).rate ?? 0,
    byScore: hitRateOf(truths, scores).rate ?? 0,
  }
}
