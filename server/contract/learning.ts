/** What is learned from a company's own results: the stored model, and its presentation. */
import { Type, type Static } from '@sinclair/typebox'
import { CLIP_FEATURES } from './clip-candidate.ts'
import { choice, nullable } from './config-fields.ts'

const FeatureName = Type.Union(CLIP_FEATURES.map((name) => Type.Literal(name)))
const share = (description: string) => nullable(Type.Number({ minimum: 0, maximum: 1 }), { description })

/** How a ranking does on pairs of clips of which one did better: the share that it ranks rightly. */
const HitRates = Type.Object({
  pairs: Type.Integer({ description: 'Pairs of clips of which one did clearly better' }),
  hitRate: share('Share of the pairs ranked rightly, each judged by a model that had not seen it'),
  defaultHitRate: share('The same of the score without anything learned'),
})

/** `few`: not enough examples; `default`: a learned model ranks no better; `learned`: it adjusts scores. */
const TasteState = choice(['few', 'default', 'learned'])

/** Everything is in units of the examples: features and score less their mean, over their deviation. */
export const TasteModel = Type.Composite([
  Type.Object({
    state: TasteState,
    /** Strength of the pull towards the default score; null where nothing is learned. */
    pull: nullable(Type.Number()),
    /** Of the raw score behind the mark of 0 to 100. */
    score: Type.Object({ mean: Type.Number(), deviation: Type.Number() }),
    features: Type.Array(
      Type.Object({
        name: FeatureName,
        mean: Type.Number(),
        deviation: Type.Number(),
        /** Added to the score by one deviation more of it, in deviations of the score. */
        weight: Type.Number(),
      }),
    ),
  }),
  HitRates,
])
export type TasteModel = Static<typeof TasteModel>

/** Where examples came from. */
export const ExampleCounts = Type.Object({
  published: Type.Integer({ description: 'Clips whose posts have counters to go by' }),
  kept: Type.Integer({ description: 'Clips that were edited, or of which a post was made' }),
  passedOver: Type.Integer({ description: 'Clips that nobody touched beside others that somebody did' }),
  deleted: Type.Integer(),
})
export type ExampleCounts = Static<typeof ExampleCounts>

/** GET /studio/learning and `cutroom learning show`. */
export const LearningReport = Type.Composite([
  Type.Object({
    companyId: Type.String(),
    state: TasteState,
    /** One sentence for people. */
    summary: Type.String(),
    version: Type.Integer(),
    trainedAt: Type.String(),
    examples: Type.Integer(),
    examplesNeeded: Type.Integer(),
    from: ExampleCounts,
    /** What raises or lowers scores beyond the default, strongest first; empty unless `learned`. */
    preferences: Type.Array(
      Type.Object({
        feature: FeatureName,
        /** For people: "a strong ending". */
        meaning: Type.String(),
        /** Points that one deviation more of it adds in the middle of the scale. */
        points: Type.Number(),
      }),
    ),
  }),
  HitRates,
])
export type LearningReport = Static<typeof LearningReport>
