import { omitUndefined } from '../../../contract/omit-undefined.ts'
import { newZoom } from '../../editing/new-items.ts'
import type { CommandContext } from '../context.ts'
import { declareCommand, edited, refuse } from '../declare.ts'
import { LEXICON } from '../match/lexicon.ts'
import { choice, factor, flag, maybe, params, where } from '../params.ts'
import { isOn, withNode } from '../settings.ts'
import { beside, stretchAt, stretchFor } from '../where.ts'
import type { Stretch } from '../../../contract/time.ts'

/** Seconds: the default length, and the shortest zoom that is visible as a movement. */
const LENGTHS = { usual: 2, least: 0.8 }

export const addZoom = declareCommand({
  name: 'add_zoom',
  label: 'Add a zoom',
  description: 'Looks closer for a stretch; without words or times, where the player stands',
  examples: ['add a zoom on “three times”', 'zoom in from 0:03 to 0:05', 'zoom in here'],
  says: [['zoom', {}]],
  fillers: `add|insert|place|another|small|big|slow|quick|fast|smooth|nice|dramatic|effect|closer|${LEXICON['zoom'] ?? ''}|in`,
  params: params({
    ...where,
    scale: maybe(
      factor(
        { minimum: 1.02, maximum: 4, description: '1.3 is usual' },
        {
          1.6: 'a lot|really close|close|hard|strongly|all the way',
          1.15: 'a (?:bit|little)|slightly|gently|softly',
        },
        true,
      ),
    ),
  }),
  run(edit, context, { scale, ...at }) {
    const stretch = stretchFor(edit, context, at, LENGTHS)
    const before = edit.zooms ?? []
    const others = beside(before, stretch)
    const zoom = newZoom(before, stretch, { ...omitUndefined({ scale }), ...faceIn(context, stretch) })
    const zooms = [...others, zoom].toSorted((a, b) => a.start - b.start)
    const on = at.phrase === undefined ? '' : ` on “${at.phrase}”`
    const replaces = others.length < before.length ? ' It replaces the one that was there.' : ''
    const chosen = edit.zooms === null && isOn(edit, context, 'smart_zoom')
    const yields = chosen ? ' Zooms that were chosen by themselves make way for yours.' : ''
    return edited({ ...edit, zooms }, `A zoom to ${Math.round(zoom.scale * 100)} %${on}.${replaces}${yields}`)
  },
})

const rounded = (share: number): number => Math.round(share * 100_000) / 1000

/** The face's place where the source is shown whole. In a crop its place is not known here: the usual one is taken. */
function faceIn({ faces, output }: CommandContext, { start, end }: Stretch) {
  if (output.width <= output.height) return null
  const speaks = (track: { readonly speaking: readonly Stretch[] }): boolean =>
    track.speaking.some((one) => one.start < end && one.end > start)
  const point = faces?.tracks.find(speaks)?.points.find(([at]) => at >= start && at <= end)
  if (point === undefined) return null
  const [, left, top, width, height] = point
  return { xPercent: rounded(left + width / 2), yPercent: rounded(top + height / 2) }
}

export const removeZooms = declareCommand({
  name: 'remove_zooms',
  label: 'Remove zooms',
  description: 'Takes closer looks away: all, or those at some words or in a stretch',
  examples: ['remove all zooms', 'remove the zoom on “three times”'],
  says: [['off zoom', {}]],
  params: params(where),
  run(edit, context, at) {
    const stretch = stretchAt(edit, context, at)
    const zooms = edit.zooms ?? []
    const left = beside(zooms, stretch)
    if (stretch === null) {
      const chosen = edit.zooms === null && isOn(edit, context, 'smart_zoom')
      if (zooms.length === 0 && !chosen) refuse('The clip has no zooms.')
      const next = chosen ? withNode(edit, context, 'smart_zoom', { on: false }) : edit
      return edited({ ...next, zooms: chosen ? null : [] }, 'The clip has no zooms.')
    }
    const count = zooms.length - left.length
    if (count === 0) refuse('There is no zoom of yours there.')
    return edited({ ...edit, zooms: left }, count === 1 ? 'That zoom is gone.' : 'Those zooms are gone.')
  },
})

export const autoZooms = declareCommand({
  name: 'auto_zooms',
  label: 'Automatic zooms',
  description: 'Lets closer looks be chosen by themselves, or not',
  examples: ['turn on smart zoom', 'no automatic zooms'],
  says: [
    'autozoom @on',
    ['zoom automatically|by_itself|on_its_own', { on: true }],
    ['choose zoom', { on: true }],
  ],
  fillers: 'yourself|for me|automatically',
  params: params({
    on: flag('On'),
    frequency: maybe(choice({ high: 'lots of|many|more|frequent', low: 'few(?:er)?', medium: 'medium' })),
  }),
  run(edit, context, { on, frequency }) {
    const inner = ['smart_zoom_config', omitUndefined({ frequency })] as const
    const next = withNode(edit, context, 'smart_zoom', on ? { on, inner } : { on })
    if (!on) return edited(next, 'No zooms are chosen by themselves.')
    const own = edit.zooms === null ? '' : ' They stand in the place of yours.'
    return edited({ ...next, zooms: null }, `Zooms are chosen by themselves.${own}`)
  },
})
