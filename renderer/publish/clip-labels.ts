/** Labels that distinguish clips in a list. PURE. */
import { clockTime } from '../ui/time.ts'

export interface LabelledClip {
  readonly id: string
  readonly title: string
  /** Seconds. */
  readonly duration: number
  readonly aspectRatio: string
  /** ISO 8601. */
  readonly createdAt: string
}

/**
 * The title and length of each clip, by its id. Equal labels get the format, then the creation time (as `momentOf`
 * writes it), then a number, each only where it makes a difference.
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
