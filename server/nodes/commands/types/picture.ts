import type { ClipFaces, FaceTrack } from '../../../contract/clip-measurements.ts'
import type { ManualLayout, ManualView } from '../../../contract/manual-overrides/layouts.ts'
import { omitUndefined } from '../../../contract/omit-undefined.ts'
import { SHAPE_TERMS } from '../../../contract/shapes/registry.ts'
import type { Stretch } from '../../../contract/time.ts'
import { partsBeside } from '../../editing/cut.ts'
import { newZoom } from '../../editing/new-items.ts'
import { omit } from '../../merge.ts'
import type { CommandContext } from '../context.ts'
import { declareCommands, refuse } from '../declare.ts'
import { LEXICON } from '../match/lexicon.ts'
import { choice, factor, flag, optional, where } from '../params.ts'
import { isOn, withNode } from '../settings.ts'
import { beside, stretchAt, stretchFor } from '../where.ts'

const PEOPLE =
  '(?:the )?(?:speakers?|person(?: speaking)?|people|faces?|whoever (?:speaks|is speaking|talks|is talking)|one who (?:speaks|is speaking))'
const PICTURE = '(?:picture|frame|image|video|shot|screen|scene)'

const STYLES = {
  whole: { centerVertical: true, gaussian_blur: true },
  follow: { style: 'style_one', centerVertical: false, split_view: false, force_split_view: false },
  split: { style: 'style_two', centerVertical: false, split_view: true, force_split_view: true },
  fill: { style: 'style_none', centerVertical: false, split_view: false, force_split_view: false },
} as const
const DONE = {
  whole: 'The whole picture is shown over its blur',
  follow: 'The picture follows who speaks',
  split: 'The picture is split between people',
  fill: 'The middle of the picture fills the frame',
  automatic: 'The picture is laid out as the workflow says',
} as const

const FEW = 'Not enough faces were measured there.'

/** What a range looks like in this layout. */
function manualLayout(
  kind: keyof typeof STYLES,
  { start, end }: Stretch,
  faces: ClipFaces | null,
): ManualLayout {
  const seen = mostSeen(faces, { start, end })
  switch (kind) {
    case 'whole':
      return { kind: 'fit', start, end, zoom: 1, background: 'blur' }
    case 'fill':
      return { kind: 'crop', start, end, keyframes: [{ at: start, x: 0.5, y: 0.5, zoom: 1 }], eased: false }
    case 'follow':
      return { kind: 'follow', start, end, person: seen[0]?.id ?? refuse(FEW), zoom: 1 }
    case 'split': {
      const views = seen.slice(0, 2).map(({ points }) => viewOf(points))
      if (views.length < 2) refuse(FEW)
      return { kind: 'split', start, end, views: views.toSorted((a, b) => a.x - b.x) }
    }
  }
}

/** The people of a range with their places in it: those who speak most first, then those who are visible most. */
function mostSeen(faces: ClipFaces | null, { start, end }: Stretch): Pick<FaceTrack, 'id' | 'points'>[] {
  return (faces?.tracks ?? [])
    .map(({ id, points, speaking }) => ({
      id,
      points: points.filter(([at]) => at >= start && at <= end),
      speaks: speaking.reduce(
        (sum, one) => sum + Math.max(0, Math.min(end, one.end) - Math.max(start, one.start)),
        0,
      ),
    }))
    .filter(({ points }) => points.length > 0)
    .toSorted((a, b) => b.speaks - a.speaks || b.points.length - a.points.length)
}

function viewOf(points: FaceTrack['points']): ManualView {
  const share = (of: (point: FaceTrack['points'][number]) => number): number => {
    const mean = points.reduce((sum, point) => sum + of(point), 0) / points.length
    return Math.min(1, Math.max(0, Math.round(mean * 1000) / 1000))
  }
  return {
    x: share(([, left, , width]) => left + width / 2),
    y: share(([, , top, , height]) => top + height / 2),
    zoom: 1.2,
  }
}

/** Seconds: the default length, and the shortest zoom that is visible as a movement. */
const LENGTHS = { usual: 2, least: 0.8 }

const rounded = (share: number): number => Math.round(share * 100_000) / 1000

/** The face's place where the source is shown whole. In a crop its place is not known here: the usual one is taken. */
function faceIn({ faces, output }: CommandContext, { start, end }: Stretch) {
  if (output.width <= output.height) return null
  const track = faces?.tracks.find(({ speaking }) =>
    speaking.some((one) => one.start < end && one.end > start),
  )
  const point = track?.points.find(([at]) => at >= start && at <= end)
  if (point === undefined) return null
  const [, left, top, width, height] = point
  return { xPercent: rounded(left + width / 2), yPercent: rounded(top + height / 2) }
}

/** What is seen of the source: layouts, the shape, and zooms. */
export const picture = declareCommands({
  /** A layout of the whole clip is stored as an override of the workflow's node, one of a range as a range. */
  layout: {
    description:
      'Lays the picture out, all of it or a stretch: whole picture, follow who speaks, split between people, fill by a crop; automatic leaves it to the workflow',
    examples: ['show the whole picture', 'follow the speaker', 'split the screen from 0:02 to 0:05'],
    says: ['@kind'],
    fillers:
      'at once|side by side|together|show|fit|keep|display|see|layout|automatically|who (?:speaks|is speaking)|reset',
    params: {
      kind: choice({
        whole: `(?:show|fit|use|keep|display|see)(?: me)?(?: the| it)? (?:whole|entire|full|complete|uncropped|original)(?: ${PICTURE})?|(?:whole|entire|full|complete|uncropped|original) ${PICTURE}|fit (?:the )?${PICTURE}|(?:do not|don't|no|stop) crop(?:ping)?|zoom (?:all the way )?out|blur(?:red)? (?:background|bars|borders)`,
        follow: `(?:follow|track|focus on|stay on|keep to|frame) ${PEOPLE}|keep ${PEOPLE} in (?:the )?${PICTURE}`,
        split: `split(?: the)?[ -]?(?:screen|view|layout|${PICTURE})|split|side by side|both(?: the)?(?: (?:people|speakers?|faces|of them))?(?: at once| side by side| together)?|(?:the )?two ${PEOPLE}`,
        fill: `fill the ${PICTURE}|crop (?:to|into) the (?:middle|centre|center)|cent(?:re|er) (?:crop|the ${PICTURE})|crop (?:it|the ${PICTURE})(?: to fill)?`,
        automatic:
          '(?:automatic|auto|default|usual|normal|reset (?:the )?) ?(?:layout|framing|reframing|crop)|lay ?it ?out|reframe',
      }),
      ...where,
    },
    run({ kind, ...at }, edit, context) {
      const stretch = stretchAt(edit, context, at)
      if (stretch !== null) {
        const others = (edit.layouts ?? []).flatMap((one) => partsBeside(one, stretch, 0.05))
        const made = kind === 'automatic' ? [] : [manualLayout(kind, stretch, context.faces)]
        const layouts = [...others, ...made].toSorted((a, b) => a.start - b.start)
        return [{ layouts: layouts.length === 0 ? null : layouts }, `${DONE[kind]}, there.`]
      }
      if (kind === 'automatic') {
        const nodes = omit(edit.nodes ?? {}, 'convert_to_vertical') as NonNullable<typeof edit.nodes>
        const own = Object.keys(nodes).length === 0 ? null : nodes
        return [{ layouts: null, nodes: own }, `${DONE.automatic}.`]
      }
      if (kind === 'follow' && (context.faces?.tracks.length ?? 0) === 0)
        refuse('No faces were measured in this clip, so there is nobody to follow.')
      const { width, height } = context.output
      const config = { aspect_ratio: `${width}:${height}`, ...STYLES[kind] }
      const notes = edit.layouts === null ? '' : ' What was laid out by hand makes way.'
      const made = withNode(edit, context, 'convert_to_vertical', true, config)
      return [{ ...made, layouts: null }, `${DONE[kind]}.${notes}`]
    },
  },
  aspect: {
    label: 'Aspect ratio',
    description: 'Changes the shape of the picture',
    examples: ['make it square', 'change the aspect ratio to 4:5'],
    says: ['@ratio'],
    fillers: 'convert|export|crop|reframe|aspect|shape|format|ratio|orientation',
    params: { ratio: choice(SHAPE_TERMS) },
    run({ ratio }, edit, context) {
      const [across = 9, up = 16] = ratio.split(':').map(Number)
      const { width, height } = context.output
      if (Math.abs(width / height - across / up) < 0.01 && isOn(edit, context, 'convert_to_vertical'))
        refuse(`The picture is ${ratio} already.`)
      const config = { aspect_ratio: ratio }
      return [withNode(edit, context, 'convert_to_vertical', true, config), `The picture is ${ratio}.`]
    },
  },
  auto_zooms: {
    label: 'Automatic zooms',
    description: 'Lets closer looks be chosen by themselves, or not',
    examples: ['turn on smart zoom', 'no automatic zooms'],
    says: [
      'autozoom @on',
      ['zoom automatically|by_itself|on_its_own', { on: true }],
      ['choose zoom', { on: true }],
    ],
    fillers: 'yourself|for me|automatically',
    params: {
      on: flag('On'),
      ...optional({
        frequency: choice({ high: 'lots of|many|more|frequent', low: 'few(?:er)?', medium: 'medium' }),
      }),
    },
    run({ on, frequency }, edit, context) {
      if (!on) return [withNode(edit, context, 'smart_zoom', false), 'No zooms are chosen by themselves.']
      const config = { smart_zoom_config: { enabled: true, ...omitUndefined({ frequency }) } }
      const own = edit.zooms === null ? '' : ' They stand in the place of yours.'
      const made = withNode(edit, context, 'smart_zoom', true, config)
      return [{ ...made, zooms: null }, `Zooms are chosen by themselves.${own}`]
    },
  },
  remove_zooms: {
    description: 'Takes closer looks away: all, or those at some words or in a stretch',
    examples: ['remove all zooms', 'remove the zoom on “three times”'],
    says: [['off zoom', {}]],
    params: where,
    run(at, edit, context) {
      const stretch = stretchAt(edit, context, at)
      const before = edit.zooms ?? []
      const zooms = beside(before, stretch)
      if (stretch === null) {
        const chosen = edit.zooms === null && isOn(edit, context, 'smart_zoom')
        if (before.length === 0 && !chosen) refuse('The clip has no zooms.')
        return [chosen ? withNode(edit, context, 'smart_zoom', false) : { zooms }, 'The clip has no zooms.']
      }
      const count = before.length - zooms.length
      if (count === 0) refuse('There is no zoom of yours there.')
      return [{ zooms }, count === 1 ? 'That zoom is gone.' : 'Those zooms are gone.']
    },
  },
  add_zoom: {
    label: 'Add a zoom',
    description: 'Looks closer for a stretch; without words or times, where the player stands',
    examples: ['add a zoom on “three times”', 'zoom in from 0:03 to 0:05', 'zoom in here'],
    says: [['zoom', {}]],
    fillers: `add|insert|place|another|small|big|slow|quick|fast|smooth|nice|dramatic|effect|closer|${LEXICON['zoom'] ?? ''}|in`,
    params: {
      ...where,
      ...optional({
        scale: factor(
          { minimum: 1.02, maximum: 4, description: '1.3 is usual' },
          {
            1.6: 'a lot|really close|close|hard|strongly|all the way',
            1.15: 'a (?:bit|little)|slightly|gently|softly',
          },
          true,
        ),
      }),
    },
    run({ scale, ...at }, edit, context) {
      const stretch = stretchFor(edit, context, at, LENGTHS)
      const before = edit.zooms ?? []
      const others = beside(before, stretch)
      const zoom = newZoom(before, stretch, { ...omitUndefined({ scale }), ...faceIn(context, stretch) })
      const on = at.phrase === undefined ? '' : ` on “${at.phrase}”`
      const replaces = others.length < before.length ? ' It replaces the one that was there.' : ''
      const chosen = edit.zooms === null && isOn(edit, context, 'smart_zoom')
      const yields = chosen ? ' Zooms that were chosen by themselves make way for yours.' : ''
      const zooms = [...others, zoom].toSorted((a, b) => a.start - b.start)
      return [{ zooms }, `A zoom to ${Math.round(zoom.scale * 100)} %${on}.${replaces}${yields}`]
    },
  },
})
