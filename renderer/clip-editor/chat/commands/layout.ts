import type { ClipFaces, FaceTrack } from '../../../../server/contract/clip-faces.ts'
import type { ManualLayout, ManualView } from '../../../../server/contract/manual-overrides/layouts.ts'
import type { ClipEdit } from '../../../../server/nodes/editing/clip-edit.ts'
import type { CommandContext } from '../../../../server/nodes/commands/context.ts'
import { declareCommand, edited, refused, type Outcome } from './declare.ts'
import { withNode } from './nodes.ts'
import { isMissing, rulesWithWhere, stretchAt, type Stretch, type Where } from './where.ts'

type Kind = 'whole' | 'follow' | 'split' | 'fill' | 'automatic'

const PEOPLE =
  '(?:(?:the )?(?:speakers?|person(?: speaking)?|people|faces?|whoever (?:speaks|is speaking|talks|is talking)|one who (?:speaks|is speaking)))'
const WHOLE = '(?:whole|entire|full|complete|uncropped|original)'
const PICTURE = '(?:picture|frame|image|video|shot|screen|scene)'

/** The whole clip is laid out by the workflow's own node, set for this clip; a stretch by hand. */
export const layout = declareCommand({
  name: 'layout',
  examples: ['show the whole picture', 'follow the speaker', 'split the screen from 0:02 to 0:05'],
  rules: [
    ...laidOut(
      'whole',
      `(?:show|fit|use|keep|display|see|i want to see)(?: me)? (?:the |it )?${WHOLE}(?: ${PICTURE})?|(?:do not|don't|no|stop) crop(?:ping)?|fit (?:the )?${PICTURE}|zoom (?:all the way )?out|blur(?:red)? (?:background|bars|borders)`,
    ),
    ...laidOut(
      'follow',
      `(?:follow|track|focus on|stay on|keep to|frame) ${PEOPLE}(?: who (?:speaks|is speaking))?|keep ${PEOPLE} in (?:the )?${PICTURE}`,
    ),
    ...laidOut(
      'split',
      `(?:split(?: the)? ?(?:screen|${PICTURE}|view)?|(?:use|make|do|show|go) (?:an? |the |to )?split[ -]?(?:screen|view|layout)?|show both(?: (?:people|speakers|faces|of them))?|(?:show|put) (?:two|the two|both) ${PEOPLE}(?: (?:at once|side by side|together))?|side by side)`,
    ),
    ...laidOut(
      'fill',
      `(?:fill the (?:screen|frame|picture)|crop (?:to|into) the (?:middle|centre|center)|cent(?:re|er) (?:crop|the ${PICTURE})|crop (?:it|the ${PICTURE})(?: to fill)?)`,
    ),
    ...laidOut(
      'automatic',
      '(?:automatic|auto|default|usual|normal) (?:layout|framing|reframing|crop)|(?:use |reset (?:the )?)(?:layout|framing|automatic layout|automatic framing)|lay ?it ?out (?:automatically|by itself)|reframe (?:it )?automatically',
    ),
  ],
  run(edit, context, { kind, ...where }) {
    const stretch = stretchAt(edit, context, where)
    if (stretch !== null && isMissing(stretch)) return refused(stretch.why)
    return stretch === null ? layAll(edit, context, kind) : layStretch(edit, context, { kind, stretch })
  },
})

function laidOut(kind: Kind, source: string) {
  return rulesWithWhere(`(?:${source})`, (where: Where) => ({ kind, ...where }))
}

const STYLES = {
  whole: { centerVertical: true, gaussian_blur: true },
  follow: { style: 'style_one', centerVertical: false, split_view: false, force_split_view: false },
  split: { style: 'style_two', centerVertical: false, split_view: true, force_split_view: true },
  fill: { style: 'style_none', centerVertical: false, split_view: false, force_split_view: false },
  automatic: null,
} as const
const SAID: Readonly<Record<Kind, string>> = {
  whole: 'The whole picture is shown over its blur',
  follow: 'The picture follows who speaks',
  split: 'The picture is split between people',
  fill: 'The middle of the picture fills the frame',
  automatic: 'The picture is laid out as the workflow says',
}

function layAll(edit: ClipEdit, context: CommandContext, kind: Kind): Outcome {
  if (kind === 'automatic') {
    const { convert_to_vertical: _convert, ...others } = edit.nodes ?? {}
    const nodes = Object.keys(others).length === 0 ? null : others
    return edited({ ...edit, layouts: null, nodes }, `${SAID.automatic}.`)
  }
  if (kind === 'follow' && (context.faces?.tracks.length ?? 0) === 0)
    return refused('No faces were measured in this clip, so there is nobody to follow.')
  const { width, height } = context.output
  const next = withNode(edit, context, 'convert_to_vertical', {
    on: true,
    config: { aspect_ratio: `${width}:${height}`, ...STYLES[kind] },
  })
  const notes = edit.layouts === null ? '' : ' What was laid out by hand makes way.'
  return edited({ ...next, layouts: null }, `${SAID[kind]}.${notes}`)
}

function layStretch(
  edit: ClipEdit,
  context: CommandContext,
  { kind, stretch }: { readonly kind: Kind; readonly stretch: Stretch },
): Outcome {
  const others = (edit.layouts ?? []).flatMap((one) => around(one, stretch))
  if (kind === 'automatic')
    return edited({ ...edit, layouts: others.length === 0 ? null : others }, `${SAID.automatic}, there.`)
  const made = overriddenLayout(kind, stretch, context.faces)
  if (made === null) return refused('Not enough faces were measured there.')
  const layouts = [...others, made].toSorted((a, b) => a.start - b.start)
  return edited({ ...edit, layouts }, `${SAID[kind]}, there.`)
}

/** What is left of a layout beside a stretch that another one takes. */
function around(one: ManualLayout, { start, end }: Stretch): ManualLayout[] {
  const pieces = [
    { ...one, end: Math.min(one.end, start) },
    { ...one, start: Math.max(one.start, end) },
  ]
  return pieces.filter((piece) => piece.end - piece.start > 0.05)
}

function overriddenLayout(
  kind: Exclude<Kind, 'automatic'>,
  { start, end }: Stretch,
  faces: ClipFaces | null,
): ManualLayout | null {
  const common = { start, end }
  const seen = mostSeen(faces, common)
  switch (kind) {
    case 'whole':
      return { kind: 'fit', ...common, zoom: 1, background: 'blur' }
    case 'fill':
      return { kind: 'crop', ...common, keyframes: [{ at: start, x: 0.5, y: 0.5, zoom: 1 }], eased: false }
    case 'follow': {
      const [who] = seen
      return who === undefined ? null : { kind: 'follow', ...common, person: who.id, zoom: 1 }
    }
    case 'split': {
      const views = seen
        .slice(0, 2)
        .map((track) => viewOf(track, common))
        .toSorted((a, b) => a.x - b.x)
      return views.length < 2 ? null : { kind: 'split', ...common, views }
    }
  }
}

/** Who is in the stretch: those who speak most in it first, then those who are seen most. */
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
