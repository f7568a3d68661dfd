import type { ClipFaces, FaceTrack } from '../../../contract/clip-measurements.ts'
import type { ManualLayout, ManualView } from '../../../contract/manual-overrides/layouts.ts'
import { SHAPE_TERMS } from '../../../contract/shapes/registry.ts'
import { declareCommand, edited, refuse } from '../declare.ts'
import { choice, params, where } from '../params.ts'
import { isOn, withNode } from '../settings.ts'
import { stretchAt } from '../where.ts'
import type { Stretch } from '../../../contract/time.ts'

const PEOPLE =
  '(?:the )?(?:speakers?|person(?: speaking)?|people|faces?|whoever (?:speaks|is speaking|talks|is talking)|one who (?:speaks|is speaking))'
const PICTURE = '(?:picture|frame|image|video|shot|screen|scene)'

/**
 * A layout of the whole clip is stored as an override of the workflow's node; a layout of a range is stored as a range.
 */
export const layout = declareCommand({
  name: 'layout',
  label: 'Layout',
  description:
    'Lays the picture out, all of it or a stretch: whole picture, follow who speaks, split between people, fill by a crop; automatic leaves it to the workflow',
  examples: ['show the whole picture', 'follow the speaker', 'split the screen from 0:02 to 0:05'],
  says: ['@kind'],
  fillers:
    'at once|side by side|together|show|fit|keep|display|see|layout|automatically|who (?:speaks|is speaking)|reset',
  params: params({
    kind: choice({
      whole: `(?:show|fit|use|keep|display|see)(?: me)?(?: the| it)? (?:whole|entire|full|complete|uncropped|original)(?: ${PICTURE})?|(?:whole|entire|full|complete|uncropped|original) ${PICTURE}|fit (?:the )?${PICTURE}|(?:do not|don't|no|stop) crop(?:ping)?|zoom (?:all the way )?out|blur(?:red)? (?:background|bars|borders)`,
      follow: `(?:follow|track|focus on|stay on|keep to|frame) ${PEOPLE}|keep ${PEOPLE} in (?:the )?${PICTURE}`,
      split: `split(?: the)?[ -]?(?:screen|view|layout|${PICTURE})|split|side by side|both(?: the)?(?: (?:people|speakers?|faces|of them))?(?: at once| side by side| together)?|(?:the )?two ${PEOPLE}`,
      fill: `fill the ${PICTURE}|crop (?:to|into) the (?:middle|centre|center)|cent(?:re|er) (?:crop|the ${PICTURE})|crop (?:it|the ${PICTURE})(?: to fill)?`,
      automatic:
        '(?:automatic|auto|default|usual|normal|reset (?:the )?) ?(?:layout|framing|reframing|crop)|lay ?it ?out|reframe',
    }),
    ...where,
  }),
  run(edit, context, { kind, ...at }) {
    const stretch = stretchAt(edit, context, at)
    if (stretch !== null) {
      const others = (edit.layouts ?? []).flatMap((one) => around(one, stretch))
      const made = kind === 'automatic' ? [] : [overriddenLayout(kind, stretch, context.faces)]
      const layouts = [...others, ...made].toSorted((a, b) => a.start - b.start)
      return edited({ ...edit, layouts: layouts.length === 0 ? null : layouts }, `${DONE[kind]}, there.`)
    }
    if (kind === 'automatic') {
      const { convert_to_vertical: _convert, ...others } = edit.nodes ?? {}
      const nodes = Object.keys(others).length === 0 ? null : others
      return edited({ ...edit, layouts: null, nodes }, `${DONE.automatic}.`)
    }
    if (kind === 'follow' && (context.faces?.tracks.length ?? 0) === 0)
      refuse('No faces were measured in this clip, so there is nobody to follow.')
    const { width, height } = context.output
    const config = { aspect_ratio: `${width}:${height}`, ...STYLES[kind] }
    const next = withNode(edit, context, 'convert_to_vertical', { on: true, config })
    const notes = edit.layouts === null ? '' : ' What was laid out by hand makes way.'
    return edited({ ...next, layouts: null }, `${DONE[kind]}.${notes}`)
  },
})

export const aspect = declareCommand({
  name: 'aspect',
  label: 'Aspect ratio',
  description: 'Changes the shape of the picture',
  examples: ['make it square', 'change the aspect ratio to 4:5'],
  says: ['@ratio'],
  fillers: 'convert|export|crop|reframe|aspect|shape|format|ratio|orientation',
  params: params({ ratio: choice(SHAPE_TERMS) }),
  run(edit, context, { ratio }) {
    const [across = 9, up = 16] = ratio.split(':').map(Number)
    const { width, height } = context.output
    if (Math.abs(width / height - across / up) < 0.01 && isOn(edit, context, 'convert_to_vertical'))
      refuse(`The picture is ${ratio} already.`)
    const next = withNode(edit, context, 'convert_to_vertical', { on: true, config: { aspect_ratio: ratio } })
    return edited(next, `The picture is ${ratio}.`)
  },
})

type Kind = 'whole' | 'follow' | 'split' | 'fill' | 'automatic'

const STYLES = {
  whole: { centerVertical: true, gaussian_blur: true },
  follow: { style: 'style_one', centerVertical: false, split_view: false, force_split_view: false },
  split: { style: 'style_two', centerVertical: false, split_view: true, force_split_view: true },
  fill: { style: 'style_none', centerVertical: false, split_view: false, force_split_view: false },
} as const
const DONE: Readonly<Record<Kind, string>> = {
  whole: 'The whole picture is shown over its blur',
  follow: 'The picture follows who speaks',
  split: 'The picture is split between people',
  fill: 'The middle of the picture fills the frame',
  automatic: 'The picture is laid out as the workflow says',
}

/** The parts of a layout outside a range that another layout takes. */
function around(one: ManualLayout, { start, end }: Stretch): ManualLayout[] {
  const pieces = [
    { ...one, end: Math.min(one.end, start) },
    { ...one, start: Math.max(one.start, end) },
  ]
  return pieces.filter((piece) => piece.end - piece.start > 0.05)
}

const FEW = 'Not enough faces were measured there.'

function overriddenLayout(
  kind: Exclude<Kind, 'automatic'>,
  { start, end }: Stretch,
  faces: ClipFaces | null,
): ManualLayout {
  const common = { start, end }
  const seen = mostSeen(faces, common)
  switch (kind) {
    case 'whole':
      return { kind: 'fit', ...common, zoom: 1, background: 'blur' }
    case 'fill':
      return { kind: 'crop', ...common, keyframes: [{ at: start, x: 0.5, y: 0.5, zoom: 1 }], eased: false }
    case 'follow': {
      const [who] = seen
      return who === undefined ? refuse(FEW) : { kind: 'follow', ...common, person: who.id, zoom: 1 }
    }
    case 'split': {
      const views = seen
        .slice(0, 2)
        .map((track) => viewOf(track, common))
        .toSorted((a, b) => a.x - b.x)
      return views.length < 2 ? refuse(FEW) : { kind: 'split', ...common, views }
    }
  }
}

/** The people of a range: those who speak most first, then those who are visible most. */
function mostSeen(faces: ClipFaces | null, { start, end }: Stretch): FaceTrack[] {
  const overlap = (from: number, to: number): number => Math.max(0, Math.min(end, to) - Math.max(start, from))
  return (faces?.tracks ?? [])
    .map((track) => ({
      track,
      points: track.points.filter(([at]) => at >= start && at <= end).length,
      speaks: track.speaking.reduce((sum, one) => sum + overlap(one.start, one.end), 0),
    }))
    .filter(({ points }) => points > 0)
    .toSorted((a, b) => b.speaks - a.speaks || b.points - a.points)
    .map(({ track }) => track)
}

function viewOf(track: FaceTrack, { start, end }: Stretch): ManualView {
  const points = track.points.filter(([at]) => at >= start && at <= end)
  const mean = (of: (point: FaceTrack['points'][number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / Math.max(1, points.length)
  const share = (value: number): number => Math.min(1, Math.max(0, Math.round(value * 1000) / 1000))
  return {
    x: share(mean(([, left, , width]) => left + width / 2)),
    y: share(mean(([, , top, , height]) => top + height / 2)),
    zoom: 1.2,
  }
}
