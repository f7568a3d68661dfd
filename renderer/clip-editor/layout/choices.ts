/** The layouts that a shot can have, and a description of its current one. PURE. */
import type { Composition, LayoutSpan, Rect } from '../../../server/contract/composition.ts'
import type { ManualLayout, ManualView } from '../../../server/contract/manual-overrides/layouts.ts'
import { cropAt, paneAt, paneRects, viewOfRect, viewRect } from '../../../server/nodes/index.ts'
import { movedTo, setLayout, type Stretch } from './stretches.ts'
import { sameSeat, type SeenPerson } from './people.ts'
import { layout as messages } from '../../messages/picture.ts'

export type Kind = 'auto' | ManualLayout['kind']

interface Size {
  readonly width: number
  readonly height: number
}

/** The closest that a view comes, in the studio as in the contract. */
export const CLOSEST = 8

/** What a stretch shows on its frames. */
export function spansIn(layout: readonly LayoutSpan[], { startFrame, endFrame }: Stretch): LayoutSpan[] {
  return layout.filter((span) => span.startFrame < endFrame && startFrame < span.endFrame)
}

/** One short sentence: who or what is shown, and who decided it. */
export function shownAs(
  set: ManualLayout | null,
  people: readonly SeenPerson[],
  spans: readonly LayoutSpan[],
): string {
  switch (set?.kind) {
    case undefined:
      return messages.shown.automatic(automatic(spans, people))
    case 'fit':
      return set.background === 'black' ? messages.shown.fitOnBlack : messages.shown.fitOnBlur
    case 'split':
      return messages.shown.split(set.views.length)
    case 'follow': {
      const person = people.find(({ id }) => id === set.person)
      return person === undefined ? messages.shown.personMissing : messages.shown.person(person.name)
    }
    case 'crop':
      return set.keyframes.length === 1
        ? messages.shown.crop
        : messages.shown.cropKeyframes(set.keyframes.length)
  }
}

function automatic(spans: readonly LayoutSpan[], people: readonly SeenPerson[]): string {
  const [first, ...others] = spans
  if (first === undefined) return messages.shown.nothing
  if (others.some(({ kind }) => kind !== first.kind)) return messages.shown.several
  if (first.kind === 'fit') return messages.shown.whole
  if (first.kind === 'panes')
    return first.panes.length === 2
      ? messages.shown.panes(first.panes.length)
      : messages.shown.panes(first.panes.length)
  if (people.length === 0) return messages.shown.part
  return people.length === 1 ? messages.shown.followsPerson : messages.shown.followsSpeaker
}

/** The view on the middle of a face. */
export function viewOnFace({ x, y, width, height }: Rect, zoom: number): ManualView {
  // A little below the face, so that it comes to lie in the upper third.
  return { x: x + width / 2, y: Math.min(1, y + height * 0.9), zoom }
}

/** How close a view of this shape is that shows a face at about this share of its height. */
export function zoomOnFace(face: Rect, source: Size, shape: number, part = 0.28): number {
  const most = Math.min(source.height, source.width / shape)
  return Math.min(3, Math.max(1, part / Math.max(0.02, (face.height * source.height) / most)))
}

/** The rectangle that the composition shows on a frame, where it shows one; otherwise the largest in the middle. */
function shownRect(composition: Pick<Composition, 'layout' | 'source' | 'output'>, frame: number): Rect {
  const { source, output } = composition
  const span = composition.layout.findLast(({ startFrame }) => startFrame <= frame)
  if (span?.kind === 'crop') return cropAt(span, Math.min(frame, span.endFrame - 1))
  return viewRect({ x: 0.5, y: 0.5, zoom: 1 }, source, output.width / output.height)
}

/** The rectangles of the source that are seen on a frame; a whole picture is none. */
export function shownRects({ layout }: Pick<Composition, 'layout'>, frame: number): Rect[] {
  const span = layout.findLast(({ startFrame }) => startFrame <= frame)
  if (span?.kind === 'crop') return [cropAt(span, Math.min(frame, span.endFrame - 1))]
  return span?.kind === 'panes' ? span.panes.map((pane) => paneAt(pane, span, frame)) : []
}

/** The first views of a split: the people in the picture from left to right, then places side by side. */
export function firstViews(
  count: number,
  people: readonly SeenPerson[],
  { source, output }: Pick<Composition, 'source' | 'output'>,
): ManualView[] {
  const rects = paneRects(count, output)
  return Array.from({ length: count }, (_, at) => {
    const rect = rects[at]
    const shape = rect === undefined ? 1 : rect.width / rect.height
    const person = people[at]
    if (person === undefined) return { x: (at + 0.5) / count, y: 0.5, zoom: 1.2 }
    return viewOnFace(person.face, zoomOnFace(person.face, source, shape))
  })
}

/** The layout of a shot after choosing a kind; null: automatic. */
export function chosen(
  kind: Kind,
  stretch: Stretch,
  given: {
    readonly people: readonly SeenPerson[]
    readonly composition: Pick<Composition, 'layout' | 'source' | 'output'>
    /** The frame and the source second that are on. */
    readonly frame: number
    readonly second: number
  },
): ManualLayout | null {
  const { start, end } = stretch
  const { people, composition } = given
  switch (kind) {
    case 'auto':
      return null
    case 'fit':
      return { kind, start, end, zoom: 1, background: 'blur' }
    case 'split':
      return { kind, start, end, views: firstViews(2, people, composition) }
    case 'follow': {
      const [person] = people
      return person === undefined ? null : { kind, start, end, person: person.id, zoom: 1 }
    }
    case 'crop': {
      const { source, output } = composition
      const view = viewOfRect(shownRect(composition, given.frame), source, output.width / output.height)
      return { kind, start, end, eased: true, keyframes: [{ ...view, at: given.second }] }
    }
  }
}

/** Copies a layout to other shots; a followed person becomes the one in the same seat there, if any. */
export function spread(
  layouts: readonly ManualLayout[],
  from: { readonly set: ManualLayout | null; readonly people: readonly SeenPerson[] },
  to: readonly { readonly stretch: Stretch; readonly people: readonly SeenPerson[] }[],
): ManualLayout[] {
  const { set, people } = from
  const followed = set?.kind === 'follow' ? people.find(({ id }) => id === set.person) : undefined
  return to.reduce<ManualLayout[]>(
    (all, { stretch, people: there }) => {
      if (set?.kind !== 'follow') return setLayout(all, stretch, set === null ? null : movedTo(set, stretch))
      const person = followed === undefined ? undefined : sameSeat(followed, there)
      return person === undefined
        ? all
        : setLayout(all, stretch, {
            ...movedTo(set, stretch),
            kind: 'follow',
            person: person.id,
            zoom: set.zoom,
          })
    },
    [...layouts],
  )
}
