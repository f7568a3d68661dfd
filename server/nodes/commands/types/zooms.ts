import { omitUndefined } from '../../../contract/omit-undefined.ts'
import type { Stretch } from '../../../contract/time.ts'
import { newZoom } from '../../editing/new-items.ts'
import type { CommandContext } from '../context.ts'
import { declareCommands, refuse } from '../declare.ts'
import { LEXICON } from '../match/lexicon.ts'
import { choice, factor, flag, optional, where } from '../params.ts'
import { isOn, withNode } from '../settings.ts'
import { beside, stretchAt, stretchFor } from '../where.ts'

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

export const zooms = declareCommands({
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
      return [
        { ...withNode(edit, context, 'smart_zoom', true, config), zooms: null },
        `Zooms are chosen by themselves.${own}`,
      ]
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
      return [
        { zooms: [...others, zoom].toSorted((a, b) => a.start - b.start) },
        `A zoom to ${Math.round(zoom.scale * 100)} %${on}.${replaces}${yields}`,
      ]
    },
  },
})
