/** The playhead of the sample stands at 14 s; the player counts from 0 at 10 s. */
import { describe } from 'vitest'
import { itDoes, type CommandCase } from '../../../../test/support/command-cases.ts'
import type { ClipFaces, FaceTrack } from '../../../contract/clip-measurements.ts'
import type { CommandContext } from '../context.ts'
import type { CommandCall } from '../index.ts'

type Given<Name extends CommandCall['name']> = Extract<CommandCall, { name: Name }>['arguments']
const auto = (given: Given<'auto_zooms'>): CommandCall => ({ name: 'auto_zooms', arguments: given })
const remove = (given: Given<'remove_zooms'>): CommandCall => ({ name: 'remove_zooms', arguments: given })
const add = (given: Given<'add_zoom'>): CommandCall => ({ name: 'add_zoom', arguments: given })

const zoom = (number: number, start: number, end: number, scale = 1.25) => ({
  id: `zoom-${number}`,
  start,
  end,
  scale,
  xPercent: 50,
  yPercent: 40,
  easeSeconds: 0.3,
})
const node = (enabled: boolean, config: Record<string, unknown> = {}) => ({ smart_zoom: { enabled, config } })
const CHOSEN = {
  nodes: [{ type: 'smart_zoom', enabled: true, config: {} }] as unknown as CommandContext['nodes'],
}
const ON = { smart_zoom_config: { enabled: true } }

describe('zooms that are chosen', () => {
  const BY_THEMSELVES = 'Zooms are chosen by themselves.'
  itDoes([
    { name: 'on', call: auto({ on: true }), made: [{ zooms: null, nodes: node(true, ON) }, BY_THEMSELVES] },
    {
      name: 'often',
      call: auto({ on: true, frequency: 'high' }),
      made: [
        { zooms: null, nodes: node(true, { smart_zoom_config: { enabled: true, frequency: 'high' } }) },
        BY_THEMSELVES,
      ],
    },
    {
      name: 'on, in place of others',
      call: auto({ on: true }),
      edit: { zooms: [] },
      made: [{ zooms: null, nodes: node(true, ON) }, `${BY_THEMSELVES} They stand in the place of yours.`],
    },
    {
      name: 'off',
      call: auto({ on: false }),
      made: [{ nodes: node(false) }, 'No zooms are chosen by themselves.'],
    },
    {
      name: 'off, beside others',
      call: auto({ on: false, frequency: 'low' }),
      edit: { zooms: [zoom(1, 11, 12)], nodes: node(true, ON) },
      made: [{ nodes: node(false, ON) }, 'No zooms are chosen by themselves.'],
    },
  ])
})

describe('zooms that are removed', () => {
  const NONE = 'The clip has no zooms.'
  const THERE = 'There is no zoom of yours there.'
  const one = zoom(1, 11, 12)
  const two = zoom(2, 13, 14)
  const three = zoom(3, 15, 16)
  itDoes([
    { name: 'all', call: remove({}), edit: { zooms: [one, two] }, made: [{ zooms: [] }, NONE] },
    { name: 'all that are chosen', call: remove({}), context: CHOSEN, made: [{ nodes: node(false) }, NONE] },
    {
      name: 'all, beside those that would be chosen',
      call: remove({}),
      edit: { zooms: [one] },
      context: CHOSEN,
      made: [{ zooms: [] }, NONE],
    },
    { name: 'none', call: remove({}), refused: NONE },
    { name: 'none of an empty list', call: remove({}), edit: { zooms: [] }, refused: NONE },
    {
      name: 'none where none would be chosen',
      call: remove({}),
      edit: { zooms: [] },
      context: CHOSEN,
      refused: NONE,
    },
    {
      name: 'one',
      call: remove({ from: 1, to: 2 }),
      edit: { zooms: [one, two] },
      made: [{ zooms: [two] }, 'That zoom is gone.'],
    },
    {
      name: 'two',
      call: remove({ from: 1.5, to: 3.5 }),
      edit: { zooms: [one, two, three] },
      made: [{ zooms: [three] }, 'Those zooms are gone.'],
    },
    {
      name: 'at words',
      call: remove({ phrase: 'three times' }),
      edit: { zooms: [one, two] },
      made: [{ zooms: [one] }, 'That zoom is gone.'],
    },
    { name: 'between two', call: remove({ from: 2, to: 3 }), edit: { zooms: [one, two] }, refused: THERE },
    { name: 'where there are none', call: remove({ from: 2, to: 3 }), refused: THERE },
    { name: 'where some may be chosen', call: remove({ from: 2 }), context: CHOSEN, refused: THERE },
  ])
})

describe('a zoom that is added', () => {
  const one = zoom(1, 11, 12)
  const late = zoom(2, 20, 21)
  itDoes([
    { name: 'at the playhead', call: add({}), made: [{ zooms: [zoom(1, 14, 16)] }, 'A zoom to 125 %.'] },
    {
      name: 'for a stretch',
      call: add({ from: 1, to: 3 }),
      made: [{ zooms: [zoom(1, 11, 13)] }, 'A zoom to 125 %.'],
    },
    {
      name: 'from a time on',
      call: add({ from: 1 }),
      made: [{ zooms: [zoom(1, 11, 13)] }, 'A zoom to 125 %.'],
    },
    {
      name: 'long enough to be seen',
      call: add({ from: 1, to: 1.4 }),
      made: [{ zooms: [zoom(1, 10.8, 11.6)] }, 'A zoom to 125 %.'],
    },
    {
      name: 'just so long',
      call: add({ from: 1, to: 1.8 }),
      made: [{ zooms: [zoom(1, 11, 11.8)] }, 'A zoom to 125 %.'],
    },
    {
      name: 'on words',
      call: add({ phrase: 'nobody listened' }),
      made: [{ zooms: [zoom(1, 14.75, 15.55)] }, 'A zoom to 125 % on “nobody listened”.'],
    },
    {
      name: 'a little',
      call: add({ scale: 1.02 }),
      made: [{ zooms: [zoom(1, 14, 16, 1.02)] }, 'A zoom to 102 %.'],
    },
    { name: 'a lot', call: add({ scale: 4 }), made: [{ zooms: [zoom(1, 14, 16, 4)] }, 'A zoom to 400 %.'] },
    {
      name: 'in whole percent',
      call: add({ scale: 1.236 }),
      made: [{ zooms: [zoom(1, 14, 16, 1.236)] }, 'A zoom to 124 %.'],
    },
    {
      name: 'between others',
      call: add({}),
      edit: { zooms: [one, late] },
      made: [{ zooms: [one, zoom(3, 14, 16), late] }, 'A zoom to 125 %.'],
    },
    {
      name: 'beside others that touch it',
      call: add({}),
      edit: { zooms: [zoom(1, 12, 14), zoom(2, 16, 18)] },
      made: [{ zooms: [zoom(1, 12, 14), zoom(3, 14, 16), zoom(2, 16, 18)] }, 'A zoom to 125 %.'],
    },
    {
      name: 'in place of another',
      call: add({}),
      edit: { zooms: [zoom(1, 15, 17), late] },
      made: [{ zooms: [zoom(3, 14, 16), late] }, 'A zoom to 125 %. It replaces the one that was there.'],
    },
    {
      name: 'in place of chosen ones',
      call: add({}),
      context: CHOSEN,
      made: [
        { zooms: [zoom(1, 14, 16)] },
        'A zoom to 125 %. Zooms that were chosen by themselves make way for yours.',
      ],
    },
    {
      name: 'where none would be chosen',
      call: add({}),
      edit: { zooms: [] },
      context: CHOSEN,
      made: [{ zooms: [zoom(1, 14, 16)] }, 'A zoom to 125 %.'],
    },
    {
      name: 'on words that are not said',
      call: add({ phrase: 'banana bread' }),
      refused: '“banana bread” is not said in this clip.',
    },
  ])
})

describe('the face that is looked at, from 14 to 16 s', () => {
  const wide = { width: 1920, height: 1080 }
  const track = (
    id: number,
    points: FaceTrack['points'],
    ...speaking: readonly (readonly [number, number])[]
  ): FaceTrack => ({
    id,
    points,
    speaking: speaking.map(([start, end]) => ({ start, end })),
  })
  const looks = (
    name: string,
    place: readonly [x: number, y: number],
    tracks: FaceTrack[] | null,
    output = wide,
  ): CommandCase => {
    const faces: ClipFaces | null =
      tracks === null ? null : { start: 10, end: 27, shotStarts: [], screens: [], tracks }
    const [xPercent, yPercent] = place
    return {
      name,
      call: add({}),
      context: { faces, output },
      made: [{ zooms: [{ ...zoom(1, 14, 16), xPercent, yPercent }] }, 'A zoom to 125 %.'],
    }
  }
  const points: FaceTrack['points'] = [[15, 0.2, 0.3, 0.1, 0.2]]
  const USUAL = [50, 40] as const
  const THERE = [25, 40] as const
  const elsewhere = track(8, [[15, 0.7, 0.1, 0.1, 0.1]], [2, 13], [17, 20])
  itDoes([
    looks('who speaks', THERE, [track(1, points, [14, 16])]),
    looks('where the face is', [76.123, 15], [track(1, [[15, 0.71123, 0.1, 0.1, 0.1]], [14, 16])]),
    looks('who speaks then', THERE, [elsewhere, track(1, points, [11, 12], [15, 15.5])]),
    looks('nobody who speaks before', USUAL, [track(1, [[15, 0.7, 0.1, 0.1, 0.1]], [10, 14])]),
    looks('nobody who speaks after', USUAL, [track(1, [[15, 0.7, 0.1, 0.1, 0.1]], [16, 20])]),
    looks(
      'from its beginning',
      [75, 15],
      [
        track(
          1,
          [
            [13.9, 0, 0, 0, 0],
            [14, 0.7, 0.1, 0.1, 0.1],
          ],
          [10, 27],
        ),
      ],
    ),
    looks(
      'until its end',
      [75, 15],
      [
        track(
          1,
          [
            [13.9, 0, 0, 0, 0],
            [16, 0.7, 0.1, 0.1, 0.1],
          ],
          [10, 27],
        ),
      ],
    ),
    looks('nobody before it or after it', USUAL, [
      track(
        1,
        [
          [13.9, 0, 0, 0, 0],
          [16.1, 0, 0, 0, 0],
        ],
        [10, 27],
      ),
    ]),
    looks('nobody who is silent', USUAL, [track(1, [[15, 0.7, 0.1, 0.1, 0.1]])]),
    looks('nobody', USUAL, []),
    looks('nobody measured', USUAL, null),
    looks('nobody in an upright crop', USUAL, [track(1, [[15, 0.7, 0.1, 0.1, 0.1]], [14, 16])], {
      width: 1080,
      height: 1920,
    }),
    looks('nobody in a square crop', USUAL, [track(1, [[15, 0.7, 0.1, 0.1, 0.1]], [14, 16])], {
      width: 1080,
      height: 1080,
    }),
  ])
})
