import { describe, expect, it } from 'vitest'
import type { ImageLayer, Layer } from '../../contract/composition.ts'
import type { MotionConfig } from '../../contract/motion-config.ts'
import { buildTimeMap } from '../../contract/time-map/spans.ts'
import { secondsToTicks } from '../../contract/time.ts'
import { EditableClip } from '../../contract/update-clip.ts'
import { TITLE } from '../../../test/support/sample-composition.ts'
import { valueProblem } from '../judge-values.ts'
import { withBrollEdges } from './broll-edges.ts'
import { curveAt } from '../../contract/keyframes/curves.ts'
import { valueAt } from '../../contract/keyframes/keyframes.ts'
import { withKeyframes } from './keyframes.ts'

const RATE = { numerator: 30, denominator: 1 }
const OUTPUT = { width: 1080, height: 1920, frameRate: RATE }
const NONE = { kind: 'none', frames: 0 } as const

const insert = (id: string, startFrame: number, endFrame: number): ImageLayer => ({
  kind: 'image',
  id,
  asset: { digest: 'a', width: 10, height: 10, opaque: true },
  rect: { x: 0, y: 0, width: 1080, height: 1920 },
  fit: 'cover',
  background: null,
  opacity: 1,
  startFrame,
  endFrame,
  intro: NONE,
  outro: NONE,
})

const BROLL = {
  inserts: ['a', 'b'].map((id) => ({
    id,
    start: 0,
    end: 1,
    provider: 'library' as const,
    kind: 'image' as const,
    url: '',
    sourceStart: 0,
    matched: '',
    name: '',
    credit: '',
  })),
}
const edged = (config: MotionConfig, layers: Layer[]) => withBrollEdges(layers, BROLL, config, OUTPUT)

describe('the edges of b-roll', () => {
  it('are as they were without a transition, and on other layers', () => {
    const layers = [insert('a', 30, 90), TITLE]
    expect(edged({}, layers)).toEqual(layers)
    expect(edged({ brollTransition: 'whip' }, [insert('logo', 0, 90)])).toEqual([insert('logo', 0, 90)])
  })

  it.each([
    ['cross_fade', 'fade', 'fade'],
    ['whip', 'right', 'left'],
    ['zoom', 'large', 'large'],
  ] as const)('come and go by %s within its own frames', (brollTransition, intro, outro) => {
    const [layer] = edged({ brollTransition, brollTransitionSeconds: 0.5 }, [insert('a', 30, 90)])
    expect(layer).toEqual({
      ...insert('a', 30, 90),
      intro: { kind: intro, frames: 15 },
      outro: { kind: outro, frames: 15 },
    })
  })

  it('pass from one picture to the next, without the speaker between', () => {
    const [first, second] = edged({ brollTransition: 'cross_fade' }, [
      insert('a', 30, 60),
      insert('b', 60, 90),
    ])
    expect(first).toMatchObject({ endFrame: 72, outro: NONE })
    expect(second).toMatchObject({ startFrame: 60, intro: { kind: 'fade', frames: 12 } })
  })

  it('dip to a colour that lies over both, and goes', () => {
    const [, before, after] = edged({ brollTransition: 'dip', brollTransitionColor: 'white' }, [
      insert('a', 30, 90),
    ])
    expect(before).toMatchObject({ kind: 'shape', colour: 'white', startFrame: 24, endFrame: 36 })
    expect(after).toMatchObject({ kind: 'shape', startFrame: 84, endFrame: 96 })
  })
})

describe('keyframes of a clip', () => {
  const { timeMap } = buildTimeMap(
    [
      { start: 10, end: 12, playbackRate: 1 },
      { start: 14, end: 16, playbackRate: 1 },
    ],
    RATE,
    secondsToTicks(60),
  )
  const put = (keyframes: NonNullable<MotionConfig['keyframes']>) => {
    const warned: (string | null)[] = []
    const { layers } = withKeyframes(
      { layers: [TITLE], tracks: [] },
      { keyframes },
      timeMap,
      (_code, field) => {
        warned.push(field)
      },
    )
    return { keyframes: layers[0]?.keyframes, warned }
  }

  it('are on the frames where their moments are played, inside of the bounds of the property', () => {
    const points = [
      { time: 15, value: 2, easing: 'hold' as const },
      { time: 11, value: 0.5 },
      { time: 13, value: 0.7 },
    ]
    expect(put([{ layer: 'title', property: 'opacity', points }])).toEqual({
      keyframes: [
        {
          property: 'opacity',
          points: [
            { frame: 30, value: 0.5, easing: 'linear' },
            { frame: 60, value: 0.7, easing: 'linear' },
            { frame: 90, value: 1, easing: 'hold' },
          ],
        },
      ],
      warned: [],
    })
  })

  it('follow a curve of their own, inside of the bounds of the property as well', () => {
    const curve = { x1: 0.34, y1: 2, x2: 0.64, y2: 1 }
    const points = [{ time: 10, value: 0, curve }, { time: 12, value: 1 }] // prettier-ignore
    const [own] = put([{ layer: 'title', property: 'opacity', points }]).keyframes ?? []
    const all = own?.points ?? []
    expect([all[0], all.at(-1)]).toMatchObject([
      { frame: 0, value: 0 },
      { frame: 60, value: 1 },
    ])
    expect(all.length).toBeGreaterThan(5)
    expect(Math.max(...all.map(({ value }) => value))).toBe(1)
    expect(valueAt(all, 15)).toBeCloseTo(curveAt(curve, 0.25), 2)
  })

  it('of what the clip does not have are named', () => {
    const points = [{ time: 11, value: 1 }]
    expect(put([{ layer: 'logo', property: 'opacity', points }]).warned).toEqual([
      'motionConfig.keyframes.0.layer',
    ])
    expect(put([{ layer: 'title', property: 'rect.x', points }]).warned).toEqual([
      'motionConfig.keyframes.0.property',
    ])
  })
})

describe('what a caller sends', () => {
  it.each([
    [{ transition: 'swipe' }, 'motionConfig.transition'],
    [{ transitionSeconds: 9 }, 'motionConfig.transitionSeconds'],
    [{ cuts: [{ at: 3, transition: 'dip', color: 'red' }] }, 'motionConfig.cuts.0.color'],
    [
      { keyframes: [{ layer: 'title', property: 'startFrame', points: [] }] },
      'motionConfig.keyframes.0.property',
    ],
    [
      {
        keyframes: [{ layer: 'title', property: 'opacity', points: [{ time: 1, value: 1, easing: 'wild' }] }],
      },
      'motionConfig.keyframes.0.points.0.easing',
    ],
    [
      {
        keyframes: [
          {
            layer: 'title',
            property: 'opacity',
            points: [{ time: 1, value: 1, curve: { x1: 2, y1: 0, x2: 1, y2: 1 } }],
          },
        ],
      },
      'motionConfig.keyframes.0.points.0.curve.x1',
    ],
    [{ wobble: true }, 'motionConfig.wobble'],
  ])('is refused by its field: %j', (motionConfig, path) => {
    expect(valueProblem(EditableClip, { motionConfig })?.path).toBe(path)
  })
})
