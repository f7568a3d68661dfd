/** What works, what does not, and what to make next, from figures of posts; nothing where they are too few to tell. PURE. */
import type { PostAnalyticsItem } from '../../server/contract/tenant-api/analytics.ts'
import type { ClipResult } from './numbers.ts'

/** Fewer posts on a platform say nothing about it. */
const ENOUGH_POSTS = 3
/** Fewer posts altogether say nothing. */
export const ENOUGH_ALTOGETHER = 6
/** A platform stands out where its usual post has so many times the views of a usual post elsewhere. */
const STANDS_OUT = 1.5
/** A clip stands out where it has this share of all engagement. */
const LARGE_SHARE = 0.25

export interface PlatformAnswer {
  readonly platform: string
  /** Views of the post in the middle, there and on all other platforms. */
  readonly views: number
  readonly elsewhere: number
}

export interface Answers {
  /** Published posts with figures. */
  readonly posts: number
  /** The platform that does clearly better than the others; null: none does. */
  readonly works: PlatformAnswer | null
  readonly worksNot: PlatformAnswer | null
  /** The clip with a large share of all engagement; null: none has. */
  readonly best: { readonly clipId: string; readonly share: number } | null
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const upper = sorted[half] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[half - 1] ?? 0) + upper) / 2
}

/** Null: there are fewer posts than can tell anything. `best`: clips by engagement, the best first. */
export function answersOf(posts: readonly PostAnalyticsItem[], best: readonly ClipResult[]): Answers | null {
  const counted = posts.filter(({ status }) => status === 'success')
  if (counted.length < ENOUGH_ALTOGETHER) return null
  const compared = [...Map.groupBy(counted, ({ platform }) => platform)].flatMap(([platform, own]) => {
    const others = counted.filter((post) => post.platform !== platform)
    if (own.length < ENOUGH_POSTS || others.length < ENOUGH_POSTS) return []
    const [views, elsewhere] = [own, others].map((some) => median(some.map((post) => post.views)))
    return [{ platform, views: views ?? 0, elsewhere: elsewhere ?? 0 }]
  })
  const byRatio = compared.toSorted((a, b) => b.views / (b.elsewhere + 1) - a.views / (a.elsewhere + 1))
  const [first] = byRatio
  const last = byRatio.at(-1)
  const all = counted.reduce((sum, { engagementScore }) => sum + (engagementScore ?? 0), 0)
  const [top] = best
  const share = top === undefined || all === 0 ? 0 : top.engagementScore / all
  return {
    posts: counted.length,
    works:
      first !== undefined && first.views >= STANDS_OUT * first.elsewhere && first.views > 0 ? first : null,
    worksNot: last !== undefined && STANDS_OUT * last.views <= last.elsewhere && last !== first ? last : null,
    best: top === undefined || share < LARGE_SHARE ? null : { clipId: top.clipId, share },
  }
}
