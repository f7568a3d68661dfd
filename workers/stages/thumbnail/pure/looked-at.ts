/** What of the source's picture a thumbnail is judged by. PURE. */
import type { Composition, Rect } from '../../../../server/contract/composition.ts'

/** Of a composition of one frame: what is shown of the source; of several views the largest. Display pixels. */
export function lookedAt({ layout, source }: Pick<Composition, 'layout' | 'source'>): Rect {
  const [span] = layout
  if (span === undefined) return { x: 0, y: 0, width: source.width, height: source.height }
  if (span.kind !== 'panes') return span.crop
  const area = ({ rect }: (typeof span.panes)[number]): number => rect.width * rect.height
  const [largest] = span.panes.toSorted((a, b) => area(b) - area(a))
  return largest?.crop ?? { x: 0, y: 0, width: source.width, height: source.height }
}
