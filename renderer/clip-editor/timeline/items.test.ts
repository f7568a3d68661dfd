import { expect, it } from 'vitest'
import { documentOf, factsOf, node, spoken } from '../../../test/support/node-values.ts'
import { compileComposition } from '../../../server/nodes/index.ts'
import type { ManualOverrides } from '../../../server/contract/manual-overrides.ts'
import { chosenOf, keyOf, nameOf } from './items.ts'
import { automaticZooms, stretchOfFrames } from './automatic-zooms.ts'
import { omitUndefined } from '../../../server/contract/omit-undefined.ts'

const facts = factsOf()
const words = spoken(
  'So this is what I mean. Every bike deserves a second life! You see it at the dump, three times. And that is it.',
  11,
)
/** A piece is left out, and the last one is played at twice its speed. */
const segments = [
  { startSeconds: 0, endSeconds: 8 },
  { startSeconds: 12, endSeconds: 30, playbackRate: 2 },
]
const compiled = (
  overrides: ManualOverrides | undefined,
  nodes = [node('smart_zoom', { smart_zoom_config: { frequency: 'high' } })],
) =>
  compileComposition({
    document: documentOf(nodes, { segments, ...omitUndefined({ overrides }) }),
    words,
    facts,
  }).composition

it('takes the zooms that nodes chose over, so that nothing jumps with the first edit', () => {
  const before = compiled(undefined)
  expect(before.zooms?.length).toBeGreaterThan(0)
  expect(compiled({ zooms: automaticZooms(before) }).zooms).toEqual(before.zooms)
})

it('finds zooms again that an editor has set, over cuts and at another speed', () => {
  const common = { scale: 1.5, xPercent: 20, yPercent: 80, easeSeconds: 0.4 }
  const zooms = [
    { id: 'a', start: 11, end: 13.5, ...common },
    { id: 'b', start: 17, end: 24, ...common },
    { id: 'c', start: 30, end: 36, ...common },
  ]
  const first = compiled({ zooms }, [])
  expect(first.zooms).toHaveLength(3)
  expect(compiled({ zooms: automaticZooms(first) }, []).zooms).toEqual(first.zooms)
  expect(stretchOfFrames(first, { startFrame: 0, endFrame: first.durationFrames })).toEqual({
    start: 10,
    end: 40,
  })
})

it('names what is chosen, and finds it again', () => {
  for (const chosen of [
    { lane: 'cut', index: 3 },
    { lane: 'title' },
    { lane: 'overlays', id: 'a name with spaces' },
  ] as const)
    expect(chosenOf(keyOf(chosen))).toEqual(chosen)
  expect(chosenOf('elsewhere x')).toBeNull()
  expect([nameOf('https://x.test/a/b.png?key=secret'), nameOf('cutroom-source:ab')]).toEqual([
    'b.png',
    'From the library',
  ])
})
