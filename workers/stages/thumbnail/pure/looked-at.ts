/** The area of the source's picture by which a thumbnail is judged. PURE. */
import type { Composition, Rect } from '../../../../server/contract/composition.ts'

/** For a composition of one frame: the visible area of the source, or the largest of several. Display pixels. */
export function lookedAt({ layout, source }: Pick<Composition, 'layout' | 'source'>): Rect {
  const [span] = layout
  if (span === undefined) return { x: 0, y: 0, width: source.width, height: source.height }
  if (span.kind !== 'panes') return span.crop
  const area = ({ rect }: (typeof span.panes)[number]): number => rect.width * rect.height
  const [largest] = span.panes.toSorted((a, b) => area(b) - area(a))
  return largest?.crop ?? { x: 0, y: 0, width: source.width, height: source.height }
}
