import { describe, expect, it } from 'vitest'
import { sampleComposition, TITLE } from '../../../test/support/sample-composition.ts'
import { buildTimeMap } from '../../../server/contract/time-map/spans.ts'
import { secondsToTicks } from '../../../server/contract/time.ts'
import {
  joinsOf,
  keyframeTimes,
  pointsOf,
  propertiesOf,
  setPoint,
  valueOfProperty,
  withJoin,
  withPoints,
} from './motion.ts'

const { timeMap, durationFrames } = buildTimeMap(
  [
    { start: 1, end: 3, playbackRate: 1 },
    { start: 4, end: 6, playbackRate: 1 },
  ],
  { numerator: 30, denominator: 1 },
  secondsToTicks(60),
)
const composition = { ...sampleComposition({ durationFrames, layers: [TITLE] }), timeMap }

describe('transitions at cuts', () => {
  it('are the usual one until one is chosen for a cut, and again when that is taken back', () => {
    const config = { transition: 'whip' as const, transitionSeconds: 0.5 }
    const [join] = joinsOf(composition, config)
    expect(join).toMatchObject({ at: 3.5, transition: 'whip', seconds: 0.5, isOwn: false, shownSeconds: 0 })
    if (join === undefined) throw new Error('no cut')
    const changed = withJoin(config, join, { transition: 'dip', color: 'white' })
    const [own] = joinsOf(composition, changed)
    expect(own).toMatchObject({ transition: 'dip', color: 'white', seconds: 0.5, isOwn: true })
    expect(withJoin(changed, own ?? join, null)).toEqual({ ...config, cuts: [] })
  })
})

describe('keyframes of a layer', () => {
  const title = { layer: 'title', property: 'opacity' }

  it('are set, replaced at their moment, and removed', () => {
    const first = withPoints({}, title, setPoint([], { time: 2, value: 1, easing: 'linear' }))
    const more = withPoints(
      first,
      title,
      setPoint(pointsOf(first, 'title', 'opacity'), { time: 1, value: 0, easing: 'ease_in' }),
    )
    expect(pointsOf(more, 'title', 'opacity').map(({ time, value }) => [time, value])).toEqual([
      [1, 0],
      [2, 1],
    ])
    const again = setPoint(pointsOf(more, 'title', 'opacity'), { time: 2, value: 0.4, easing: 'hold' })
    expect(again).toHaveLength(2)
    expect(keyframeTimes(more, 'title')).toEqual([1, 2])
    expect(withPoints(more, title, [])).toEqual({ keyframes: [] })
  })

  it('are offered for what the layer has, with what it is now', () => {
    expect(propertiesOf(composition, 'title')).toEqual(['opacity', 'xPercent', 'yPercent', 'face.fontSize'])
    expect(propertiesOf(composition, 'logo')).toEqual([])
    expect(valueOfProperty(composition, 'title', 'xPercent', 3)).toBe(50)
    expect(valueOfProperty(composition, 'title', 'opacity', 3)).toBe(1)
  })
})
