import { expect, it } from 'vitest'
import type { Composition } from '../../contract/composition.ts'
import { TICKS_PER_SECOND } from '../../contract/time.ts'
import { remove } from '../editing/cut.ts'
import { contextOf, type OpenedClip } from './context.ts'
import { SAMPLE_EDIT, SAMPLE_WORDS } from '../../../test/support/sample-clip.ts'

/** 30 pictures a second, of these stretches of the source. */
function compositionOf(...kept: readonly (readonly [number, number])[]): Composition {
  let startFrame = 0
  const timeMap = kept.map(([start, end]) => {
    const endFrame = startFrame + Math.round((end - start) * 30)
    const span = {
      startFrame,
      endFrame,
      playbackRate: 1,
      sourceStart: start * TICKS_PER_SECOND,
      sourceEnd: end * TICKS_PER_SECOND,
    }
    startFrame = endFrame
    return span
  })
  const output = { width: 1080, height: 1920, frameRate: { numerator: 30, denominator: 1 } }
  return { timeMap, output, durationFrames: startFrame } as unknown as Composition
}

it('takes words that were just put back for heard, though the picture is still of the clip without them', () => {
  const { cut } = SAMPLE_EDIT
  const { endTimestamp: end } = cut
  const without = remove(cut, 10, 10.7)
  const view = {
    editor: {
      words: SAMPLE_WORDS,
      speakers: [],
      nodes: [],
      broll: [],
      faces: null,
      sound: null,
      language: 'en',
    },
    composed: { ...SAMPLE_EDIT, cut: without },
    // A node leaves the fifth word out.
    preview: { composition: compositionOf([10.7, 12.3], [12.8, end]) },
  } as unknown as OpenedClip
  const { heard } = contextOf(view, 12)
  expect([0, 1, 2].map((position) => heard(without, position))).toEqual([false, false, true])
  expect([0, 1, 2].map((position) => heard(cut, position))).toEqual([true, true, true])
  expect([heard(cut, 4), heard(cut, 5)]).toEqual([false, true])
})
