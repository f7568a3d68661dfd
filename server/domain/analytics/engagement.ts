/** PURE: how posts are ranked. */

export interface Counters {
  readonly views: number
  readonly likes: number
  readonly comments: number
  readonly shares: number
}

/** For relative ranking; it has no unit. Never below 5. */
export function engagementScore({ views, likes, comments, shares }: Counters): number {
  return likes * 2 + comments * 3 + shares * 4 + Math.max(5, views / 100)
}

/** Percent by which the score grew from the refresh before; null when there was none. */
export function growthRate(latest: number, before: number | undefined): number | null {
  return before === undefined || before <= 0 ? null : ((latest - before) / before) * 100
}
