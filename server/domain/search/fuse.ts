/** PURE. Joins ranked lists of the same things into one. */

/** Ranks count little below the first ones, and the first place of one list does not outdo two good places. */
const DAMPING = 60

/**
 * Reciprocal rank fusion (Cormack, Clarke, Büttcher: Reciprocal Rank Fusion outperforms Condorcet, SIGIR 2009): each list
 * gives a thing 1 / (60 + rank), times 61 here, so that the first place of one list is 1. The lists need no common scale.
 * Best first; among equals those of earlier lists. A thing that is in a list twice counts where it is first.
 */
export function fuseRanks(lists: readonly (readonly string[])[]): { key: string; score: number }[] {
  const scores = new Map<string, number>()
  for (const list of lists)
    for (const [rank, key] of [...new Set(list)].entries())
      scores.set(key, (scores.get(key) ?? 0) + (DAMPING + 1) / (DAMPING + 1 + rank))
  return [...scores]
    .map(([key, score]) => ({ key, score: Math.round(score * 1e4) / 1e4 }))
    .sort((a, b) => b.score - a.score)
}
