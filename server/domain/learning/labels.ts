/**
 * PURE. What is known of how well clips did, as one number each, -1 (worst) to 1 (best).
 *
 * By an audience: of the posts made of a clip, each post's engagement score (`analytics/refresh-rules.ts`) over the share of its final
 * engagement that a post of its age has usually got, then its place among the company's posts on the same platform: -1
 * the last, 1 the first, drawn towards 0 where there are few to compare with. Posts younger than a day say nothing yet.
 * By hand: a clip that was edited, or of which a post was made, was kept (0.5); a deleted one was not (-1); one that
 * nobody touched, in a run of which somebody touched another, was passed over (0). Untouched runs say nothing: perhaps
 * nobody has looked yet. Where both are known, the audience counts three times as much as the hand.
 */
import { type ClipFeatures, rawScore } from '../../contract/clip-candidate.ts'
import type { ExampleCounts } from '../../contract/learning.ts'

/** A clip that an example may be made of. */
export interface ExampleClip {
  readonly clipId: string
  readonly runId: string
  readonly features: ClipFeatures
  /** 0 to 100. */
  readonly score: number
  readonly edited: boolean
  readonly deleted: boolean
}

export interface ExamplePost {
  readonly clipId: string | null
  readonly platform: string
  /** Published and not deleted; drafts and failures only show an intention. */
  readonly published: boolean
  /** Newest engagement score and how old the post was then, milliseconds; null before the first refresh. */
  readonly counted: { readonly engagement: number; readonly age: number } | null
}

/** What a model learns from. */
export interface Example {
  readonly clipId: string
  /** Clips of one run were made of one video: they are judged by a model that has seen none of them. */
  readonly group: string
  readonly features: ClipFeatures
  /** Raw score, before anything learned. */
  readonly raw: number
  readonly label: number
  readonly weight: number
}

const HOUR = 3_600_000
/** Counters of a younger post depend more on the hour than on the clip. */
const YOUNGEST = 24 * HOUR
/** A post has half of what it will ever get after so long. */
const HALF_TIME = 36 * HOUR
const USED = 0.5
const DELETED = -1
const AUDIENCE_SHARE = 0.75
/** Being passed over is a weaker sign than being used or deleted. */
const PASSED_OVER_WEIGHT = 0.5
/** So many posts on a platform draw a place among them half-way to the middle. */
const FEW_POSTS = 2

/**
 * The label of each clip, -1 (bad) to 1, with its weight, from results and edits of the company; and how many examples
 * there are of each kind.
 */
export function examplesOf(
  clips: readonly ExampleClip[],
  posts: readonly ExamplePost[],
): { examples: Example[]; from: ExampleCounts } {
  const places = placesOf(posts)
  const meant = new Set(posts.flatMap(({ clipId }) => clipId ?? []))
  const touched = (clip: ExampleClip): boolean => clip.edited || clip.deleted || meant.has(clip.clipId)
  const looked = new Set(clips.filter(touched).map(({ runId }) => runId))
  const from = { published: 0, kept: 0, passedOver: 0, deleted: 0 }
  const examples = clips.flatMap((clip): Example[] => {
    const audience = places.get(clip.clipId) ?? null
    if (audience === null && !looked.has(clip.runId)) return []
    const isUsed = clip.edited || meant.has(clip.clipId)
    const byEdits = clip.deleted ? DELETED : isUsed ? USED : 0
    from[audience !== null ? 'published' : clip.deleted ? 'deleted' : isUsed ? 'kept' : 'passedOver'] += 1
    return [
      {
        clipId: clip.clipId,
        group: clip.runId,
        features: clip.features,
        raw: rawScore(clip.score),
        label: audience === null ? byEdits : AUDIENCE_SHARE * audience + (1 - AUDIENCE_SHARE) * byEdits,
        weight: audience === null && byEdits === 0 ? PASSED_OVER_WEIGHT : 1,
      },
    ]
  })
  return { examples, from }
}

/** The mean place of each clip's posts among the posts on their platforms, -1 to 1. */
function placesOf(posts: readonly ExamplePost[]): Map<string, number> {
  const byPlatform = new Map<string, { clipId: string | null; value: number }[]>()
  for (const { clipId, platform, published, counted } of posts) {
    if (!published || counted === null || counted.age < YOUNGEST) continue
    const value = counted.engagement * (1 + HALF_TIME / counted.age)
    byPlatform.set(platform, [...(byPlatform.get(platform) ?? []), { clipId, value }])
  }
  const places = new Map<string, number[]>()
  for (const rivals of byPlatform.values()) {
    for (const { clipId, value } of rivals) {
      if (clipId === null) continue
      const below = rivals.filter((one) => one.value < value).length
      const alike = rivals.filter((one) => one.value === value).length
      const place = (2 * (below + alike / 2)) / rivals.length - 1
      const drawn = place * (rivals.length / (rivals.length + FEW_POSTS))
      places.set(clipId, [...(places.get(clipId) ?? []), drawn])
    }
  }
  return new Map(
    [...places].map(([clipId, all]) => [clipId, all.reduce((sum, one) => sum + one, 0) / all.length]),
  )
}
