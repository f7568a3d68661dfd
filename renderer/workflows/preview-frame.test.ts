import { expect, it } from 'vitest'
import { captionLayer, sampleComposition, TITLE } from '../../test/support/sample-composition.ts'
import { frameOf } from './preview-frame.ts'

const LATE = { ...TITLE, startFrame: 70, endFrame: 80 }

it('shows what the node draws, where that is seen', () => {
  const composition = sampleComposition({ layers: [captionLayer('one two three four', 10, 2), LATE] })
  expect(frameOf(composition, 'add_title_overlay')).toBe(75)
  expect(frameOf(composition, 'add_subtitles')).toBe(10)
  const zooms = [
    {
      startFrame: 40,
      endFrame: 50,
      scale: 1.2,
      xPercent: 50,
      yPercent: 50,
      easeInFrames: 0,
      easeOutFrames: 0,
    },
  ]
  expect(frameOf({ ...composition, zooms }, 'smart_zoom')).toBe(45)
})

it('shows the beginning for nodes that draw nothing, and never a frame past the end', () => {
  expect(frameOf(sampleComposition(), 'find_clips')).toBe(60)
  expect(frameOf(sampleComposition({ durationFrames: 20 }), null)).toBe(19)
  const card = { ...LATE, id: 'end-card', startFrame: 85, endFrame: 400 }
  expect(frameOf(sampleComposition({ layers: [card] }), 'add_outro')).toBe(89)
})
