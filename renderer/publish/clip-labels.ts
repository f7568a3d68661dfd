/** How clips are told apart in a list of their titles. PURE. */
import { clockTime } from '../ui/time.ts'

export interface LabelledClip {
  readonly id: string
  readonly title: string
  /** Seconds. */
  readonly duration: number
  readonly aspectRatio: string
  /** As the appliance writes moments. */
  readonly createdAt: string
}

/**
 * The title and length of each, by its id. What reads the same gets its shape as well, then its moment (as `momentOf` writes
 * it), then a number: only where nothing before has told it from the others.
 */
export function clipLabels(
  clips: readonly LabelledClip[],
  momentOf: (at: string) => string,
): ReadonlyMap<string, string> {
  let labels = new Map(clips.map(({ id, title, duration }) => [id, `${title} (${clockTime(duration)})`]))
  const further = [
    ({ aspectRatio }: LabelledClip) => aspectRatio,
    ({ createdAt }: LabelledClip) => momentOf(createdAt),
    ({ id }: LabelledClip) => `${clips.findIndex((one) => one.id === id) + 1}`,
  ]
  for (const more of further) {
    const alike = Map.groupBy(clips, ({ id }) => labels.get(id))
    const helps = (same: readonly LabelledClip[]): boolean => new Set(same.map(more)).size > 1
    labels = new Map(
      clips.map((clip) => {
        const label = labels.get(clip.id) ?? ''
        return [clip.id, helps(alike.get(label) ?? []) ? `${label} · ${more(clip)}` : label]
      }),
    )
  }
  return labels
}
