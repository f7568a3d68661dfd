/** Learning from a company's own results: trains a model again when they have changed, and applies it to clips. */
import { FEATURES_VERSION } from '../../contract/clip-candidate.ts'
import type { ExampleCounts, LearningReport } from '../../contract/learning.ts'
import {
  examplesOfRun,
  getTasteModel,
  listCompanyExamples,
  listPostResults,
  saveTasteModel,
  type TasteModelRow,
} from '../../db/learning.ts'
import { digestOf } from '../../../workers/artefacts.ts'
import { requireCompany } from '../people/companies.ts'
import type { ClockServices, DbServices } from '../services.ts'
import { calibrated, preferencesOf, type Calibrated } from './apply.ts'
import { examplesOf, type Example } from './labels.ts'
import { EXAMPLES_NEEDED, trainTaste } from './train.ts'

/** Only the newest examples count: a company's taste changes, and training on this many takes a fraction of a second. */
const MAX_EXAMPLES = 400
const MAX_POSTS = 4000
/** Increase it when a change of the code gives another model for the same examples. */
const TRAINER_VERSION = 1

/** The company's examples as they are now. */
function collect({ db }: DbServices, companyId: string): { examples: Example[]; from: ExampleCounts } {
  const rows = listCompanyExamples(db, companyId, FEATURES_VERSION, MAX_EXAMPLES)
  const posts = listPostResults(db, companyId, MAX_POSTS)
  return examplesOf(
    rows.map(({ clipId, runId, features, score, revision, deletedAt }) => ({
      clipId,
      runId,
      features,
      score,
      edited: revision !== null && revision > 1,
      deleted: deletedAt !== null,
    })),
    posts.map(({ clipId, platform, status, publishedAt, countedAt, engagementScore }) => ({
      clipId,
      platform,
      published: status === 'success',
      counted:
        publishedAt === null || countedAt === null || engagementScore === null
          ? null
          : { engagement: engagementScore, age: countedAt - publishedAt },
    })),
  )
}

/** The model of the company's results as they are now; the cached one where nothing changed. */
function learnTaste(deps: ClockServices, companyId: string): { row: TasteModelRow; from: ExampleCounts } {
  const { examples, from } = collect(deps, companyId)
  const digest = digestOf({ trainer: TRAINER_VERSION, features: FEATURES_VERSION, examples })
  const known = getTasteModel(deps.db, companyId)
  if (known?.digest === digest) return { row: known, from }
  const learned = { companyId, digest, examples: examples.length, model: trainTaste(examples) }
  return { row: saveTasteModel(deps.db, learned, deps.now()), from }
}

/**
 * Calibrated scores for the clips of a run, by clip id; empty where nothing is learned. The same after a crash, because they
 * are computed from the default score.
 */
export function calibrateRun(
  deps: ClockServices,
  run: { id: string; companyId: string },
): Map<string, Calibrated> {
  const { model } = learnTaste(deps, run.companyId).row
  const marks = new Map<string, Calibrated>()
  for (const [clipId, clip] of examplesOfRun(deps.db, run.id)) {
    const mark = calibrated(model, clip)
    if (mark !== null) marks.set(clipId, mark)
  }
  return marks
}

/** What is learned, for people. Throws COMPANY_NOT_FOUND. */
export function describeLearning(deps: ClockServices, companyId: string): LearningReport {
  requireCompany(deps, companyId)
  const { row, from } = learnTaste(deps, companyId)
  const { model, version, examples, trainedAt } = row
  const { state, pairs, hitRate, defaultHitRate } = model
  return {
    companyId,
    state,
    summary: summaryOf(row),
    version,
    examples,
    from,
    examplesNeeded: EXAMPLES_NEEDED,
    trainedAt: new Date(trainedAt).toISOString(),
    preferences: preferencesOf(model),
    pairs,
    hitRate,
    defaultHitRate,
  }
}

function summaryOf({ model, examples }: TasteModelRow): string {
  const percent = (share: number | null): string => (share === null ? '-' : `${Math.round(share * 100)} %`)
  const { state, pairs, hitRate, defaultHitRate } = model
  if (state === 'few')
    return `Nothing is learned yet: there are ${examples} examples, and ${EXAMPLES_NEEDED} are needed.`
  const rates = `${percent(hitRate)} of ${pairs} pairs of clips are ranked rightly with what was learned, ${percent(defaultHitRate)} without`
  return state === 'default'
    ? `Scores are left as they are: what ${examples} examples teach does not tell better clips from worse than the score does (${rates}).`
    : `Scores go by ${examples} examples of this company: ${rates}.`
}
