import { describe, expect, it } from 'vitest'
import { sampleComposition, TITLE } from '../../../../test/support/sample-composition.ts'
import type { ImageLayer, Layer, ShapeLayer } from '../../../../server/contract/composition.ts'
import { splitGround } from '../drawing.ts'

const STILL = { kind: 'none', frames: 0 } as const
const ground: ShapeLayer = {
  kind: 'shape',
  id: 'ground',
  colour: '#112233',
  radius: 0,
  startFrame: 0,
  endFrame: 90,
  rect: { x: 0, y: 0, width: 1080, height: 1920 },
}
const cover: ImageLayer = {
  kind: 'image',
  id: 'cover',
  fit: 'cover',
  background: null,
  opacity: 1,
  intro: STILL,
  outro: STILL,
  asset: { digest: 'c', width: 10, height: 10, opaque: true },
  rect: { x: 0, y: 0, width: 100, height: 100 },
  startFrame: 0,
  endFrame: 90,
}
const split = (layers: Layer[], hasVideo = false) => {
  const { ground: still, over } = splitGround(sampleComposition({ layers, source: { hasVideo } }))
  return [still?.layers.map(({ id }) => id) ?? null, over.layers.map(({ id }) => id)]
}

describe('splitGround', () => {
  it('takes what stands still from the bottom up', () => {
    expect(split([ground, cover, TITLE])).toEqual([['ground', 'cover'], ['title']])
    expect(split([ground])).toEqual([['ground'], []])
  })

  it('stops at the first layer that moves: what is over it must stay over it', () => {
    expect(split([ground, TITLE, cover])).toEqual([['ground'], ['title', 'cover']])
    expect(split([TITLE, ground])).toEqual([null, ['title', 'ground']])
  })

  it.each<[string, Layer]>([
    ['comes later', { ...ground, startFrame: 1 }],
    ['goes earlier', { ...cover, endFrame: 89 }],
    ['fades in', { ...cover, intro: { kind: 'fade', frames: 5 } }],
  ])('leaves what %s', (_name, layer) => {
    expect(split([layer])).toEqual([null, [layer.id]])
  })

  it('leaves the layers of a source with a picture alone', () => {
    expect(split([ground, cover], true)).toEqual([null, ['ground', 'cover']])
  })
})
