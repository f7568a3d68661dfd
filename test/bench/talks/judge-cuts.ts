/** Whether what a clip leaves out of a story was needed, by the marks of its lines. */
import type { PlantedStory, Span } from './read-talk.ts'

/** Seconds by which edges may be off: pauses around a cut belong to no line. */
const NEAR = 0.35

/**
 * Harmed: something that the opening or the pay-off needs is lost. Torn: all that is needed stays, but also the rest of an
 * aside whose beginning is lost, or a question whose answer is.
 */
export function judgeCut({ parts }: PlantedStory, cuts: readonly Span[]): 'right' | 'torn' | 'harmed' {
  const isTouched = (part: Span): boolean =>
    cuts.some(({ start, end }) => Math.min(end, part.end) - Math.max(start, part.start) > NEAR)
  if (parts.some((part) => part.need !== 'spare' && isTouched(part))) return 'harmed'
  const isTorn = parts.some(
    (part, at) =>
      part.need === 'spare' &&
      (cuts.some(({ start, end }) => end > part.start + NEAR && end < part.end - NEAR && start < part.end) ||
        (part.isQuestion &&
          parts[at + 1]?.need === 'spare' &&
          !isGone(part, cuts) &&
          isGone(parts[at + 1] ?? part, cuts))),
  )
  return isTorn ? 'torn' : 'right'
}

const isGone = (part: Span, cuts: readonly Span[]): boolean =>
  cuts.some(({ start, end }) => start < part.start + NEAR && end > part.end - NEAR)
