/** Clips as Review shows them: decisions at once and how they are undone, and what they play of the source. PURE. */
import type { ReviewClip, ReviewState } from '../../server/contract/review.ts'
import type { Stretch } from '../../server/contract/time.ts'

export interface Decision {
  readonly clipId: string
  readonly review: ReviewState
}

/** One step of undo: what the clips were before. */
export type DecisionStep = readonly Decision[]

/** The clips with decisions that are not confirmed yet. */
export const withDecisions = (
  clips: readonly ReviewClip[],
  pending: ReadonlyMap<string, ReviewState>,
): readonly ReviewClip[] =>
  pending.size === 0
    ? clips
    : clips.map((clip) => {
        const review = pending.get(clip.id)
        return review === undefined ? clip : { ...clip, review }
      })

/** What undoes a decision about these clips; those that are so already are left out. */
export const stepBack = (
  clips: readonly ReviewClip[],
  clipIds: readonly string[],
  next: ReviewState,
): DecisionStep =>
  clips
    .filter(({ id, review }) => clipIds.includes(id) && review !== next)
    .map(({ id, review }) => ({ clipId: id, review }))

/** K and X decide, and take the same decision back. */
export const toggled = (now: ReviewState, wanted: Exclude<ReviewState, 'undecided'>): ReviewState =>
  now === wanted ? 'undecided' : wanted

/** Kept clips that have no file, or one of before their last edits, and that are not being rendered. */
export const toRender = (clips: readonly ReviewClip[]): readonly ReviewClip[] =>
  clips.filter(
    ({ review, renderedUrl, isOutdated, render }) =>
      review === 'kept' &&
      (renderedUrl === undefined || isOutdated) &&
      render?.state !== 'queued' &&
      render?.state !== 'running',
  )

/** Shorter gaps between what is played, as fillers leave them, are not shown; seconds. */
const GAP_SHOWN = 3

/** The stretches of the source that a clip plays, in order; a merged one has several. */
export const rangesOf = ({ playedRanges }: Pick<ReviewClip, 'playedRanges'>): Stretch[] =>
  playedRanges.reduce<Stretch[]>((ranges, { start, end }) => {
    const last = ranges.at(-1)
    if (last === undefined || start - last.end >= GAP_SHOWN) return [...ranges, { start, end }]
    return ranges.with(-1, { ...last, end })
  }, [])
