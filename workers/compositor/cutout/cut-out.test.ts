import { describe, expect, it } from 'vitest'
import { GROUNDS, nobody, pretendPerson } from '../../../test/support/pretend-people.ts'
import { resized } from '../../../test/support/resized.ts'
import { drawPicture, randomNumbers } from '../../../test/support/small-pictures.ts'
import type { ImageLayer, Rect } from '../../../server/contract/composition.ts'
import { SOURCE_FRAME } from '../../../server/contract/composition-pictures.ts'
import { cutOut, personIn } from './cut-out.ts'
import { cutOutJob, cutOutSize, type CutOutJob } from './cut-out-job.ts'
import type { Pixels } from './pixels.ts'

const PART = { x: 110, y: 40, width: 420, height: 440 }
const STILL = { kind: 'none', frames: 0 } as const

function layerOf(faces: readonly Rect[], over: Partial<ImageLayer> = {}): ImageLayer {
  return {
    kind: 'image',
    id: 'thumbnail:c',
    rect: { x: 0, y: 0, width: 420, height: 440 },
    part: PART,
    asset: { digest: SOURCE_FRAME, width: 640, height: 480, opaque: true },
    fit: 'fill',
    background: null,
    opacity: 1,
    startFrame: 0,
    endFrame: 1,
    intro: STILL,
    outro: STILL,
    ellipse: true,
    person: { faces: [...faces], others: [] },
    ...over,
  }
}

function cutFrom(picture: Pixels, layer: ImageLayer) {
  const job = cutOutJob(layer, picture, 1)
  const work = resized(picture, job.region, job.work)
  return { job, cut: cutOut(job, work, resized(picture, job.part, job.size)) }
}

/** Of the pixels that either has, those that both have, inside the part. */
function likeness(cut: Pixels, truth: Uint8Array): number {
  let both = 0
  let either = 0
  for (let y = 0; y < PART.height; y++)
    for (let x = 0; x < PART.width; x++) {
      const own = (cut.data[(y * cut.width + x) * 4 + 3] ?? 0) > 127 ? 1 : 0
      const known = truth[(y + PART.y) * 640 + x + PART.x] ?? 0
      both += own & known
      either += own | known
    }
  return both / either
}

describe('a person whose outline is known', () => {
  // Measured: 0.999 and more with the face, 0.98 and more by the box alone.
  it.each(Object.entries(GROUNDS))('is found before a ground: %s', (_, ground) => {
    const { picture, truth, face } = pretendPerson(ground)
    for (const [faces, least] of [
      [[face], 0.98],
      [[], 0.95],
    ] as const) {
      const { cut } = cutFrom(picture, layerOf(faces))
      if (cut === null) throw new Error('nobody stood out')
      expect(likeness(cut, truth)).toBeGreaterThan(least)
    }
  })

  it('is found though the picture is coarse and full of grain', () => {
    const { picture, truth, face } = pretendPerson(GROUNDS.gradient, { grain: 45 })
    const { cut } = cutFrom(picture, layerOf([face]))
    if (cut === null) throw new Error('nobody stood out')
    expect(likeness(cut, truth)).toBeGreaterThan(0.95)
  })

  it('is not the one beside them', () => {
    const left = pretendPerson(GROUNDS.plain, { middle: [0.3, 0.36], tall: 0.2 })
    const right = pretendPerson(GROUNDS.plain, { middle: [0.74, 0.4], tall: 0.2 })
    const data = Uint8ClampedArray.from(left.picture.data, (value, at) =>
      left.truth[at >> 2] === 1 ? value : (right.picture.data[at] ?? 0),
    )
    const part = { x: 20, y: 40, width: 340, height: 400 }
    const layer = layerOf([left.face], { part, person: { faces: [left.face], others: [right.face] } })
    const job = cutOutJob(layer, left.picture, 1)
    const person = personIn(job, resized({ ...left.picture, data }, job.region, job.work))
    const at = ({ x, y, width, height }: Rect): number =>
      person?.[Math.round(y + height / 2) * job.work.width + Math.round(x + width / 2)] ?? -1
    expect([job.faces.map(at), job.others.map(at)]).toEqual([[1], [0]])
  })
})

it('says so where nobody stands out: no face, and nothing but grain, a wall or dusk', () => {
  for (const ground of [GROUNDS.plain, GROUNDS.gradient, GROUNDS.noisy])
    expect(cutFrom(nobody(ground), layerOf([])).cut).toBeNull()
})

it('takes more or less as it is told, and the same of the same', () => {
  const { picture, face } = pretendPerson(GROUNDS.likeClothes, { grain: 20 })
  const size = (bias: number): number => {
    const layer = layerOf([face], { person: { faces: [face], others: [], bias } })
    const job = cutOutJob(layer, picture, 1)
    const person = personIn(job, resized(picture, job.region, job.work))
    return person?.reduce((sum, value) => sum + value, 0) ?? 0
  }
  const less = size(-1)
  const even = size(0)
  const more = size(1)
  expect(less).toBeLessThan(even)
  expect(even).toBeLessThan(more)
  expect(cutFrom(picture, layerOf([face])).cut).toEqual(cutFrom(picture, layerOf([face])).cut)
})

it('draws a ring around the outline, outside of it and as wide as asked, in any size', () => {
  const { picture, truth, face } = pretendPerson(GROUNDS.shelf)
  const ring = { colour: '#ff00ff', width: 12 }
  const { cut, job } = cutFrom(picture, layerOf([face], { ring }))
  if (cut === null) throw new Error('nobody stood out')
  expect([job.margin, cut.width, cut.height]).toEqual([14, 420 + 28, 440 + 28])
  const at = (x: number, y: number) => [
    ...cut.data.subarray(4 * (y * cut.width + x), 4 * (y * cut.width + x) + 4),
  ]
  // To the right of the head, half way down the face: skin, then ring, then nothing.
  const row = Math.round(face.y + face.height / 2)
  let edge = Math.round(face.x + face.width / 2)
  while (truth[row * 640 + edge] === 1) edge++
  const x = edge - PART.x + job.margin
  const y = row - PART.y + job.margin
  expect(at(x + 6, y)).toEqual([255, 0, 255, 255])
  expect(at(x + 20, y)[3]).toBe(0)
  expect(at(x - 6, y)[3]).toBe(255)
  expect(at(x - 6, y)[1]).toBeGreaterThan(30)
  expect(cutOutSize({ rect: { x: 0, y: 0, width: 4320, height: 2160 }, ring }, 1)).toMatchObject({
    width: 1920,
    height: 960,
    margin: 8,
  })
})

it('leaves nothing of the ground in the colours of a soft edge', () => {
  const { picture, face } = pretendPerson(() => [0, 255, 0])
  const { cut } = cutFrom(picture, layerOf([face]))
  if (cut === null) throw new Error('nobody stood out')
  let green = 0
  for (let at = 0; at < cut.data.length; at += 4) {
    const [r = 0, g = 0, b = 0, opacity = 0] = cut.data.subarray(at, at + 4)
    if (opacity > 60 && g > 200 && r < 120 && b < 120) green += 1
  }
  expect(green).toBe(0)
})

describe('a small picture of two colours', () => {
  const RED = [210, 50, 60]
  const width = 40
  const height = 34
  /** A post, joined below the box to one beside it; below the box also a piece that is loose. */
  const isRed = (x: number, y: number): boolean =>
    (x >= 16 && x < 24 && y >= 9) ||
    (x >= 16 && x < 31 && y >= 28) ||
    (x >= 27 && x < 31 && y >= 18) ||
    (x >= 10 && x < 13 && y >= 30 && y < 33)
  const picture = drawPicture(width, height, (x, y) => (isRed(x, y) ? RED : [40, 90, 200]))
  const box = { x: 8, y: 4, width: 24, height: 20 }
  const job: CutOutJob = {
    region: { x: 0, y: 0, width, height },
    part: box,
    work: { width, height },
    size: { width: 24, height: 20 },
    margin: 4,
    ring: { colour: '#00ff00', width: 2 },
    box,
    faces: [],
    others: [],
    bias: 0,
  }
  const noise = (): Pixels => {
    const random = randomNumbers(1)
    return drawPicture(width, height, () => [0, 1, 2].map(() => 100 + random() * 40))
  }

  it('is parted into the person and the rest, without pieces that are loose in the box', () => {
    const isTheirs = (x: number, y: number): boolean => isRed(x, y) && !(x >= 27 && y < 24) && x >= 16
    const found = personIn(job, picture)
    const expected = Array.from({ length: width * height }, (_, at) =>
      isTheirs(at % width, Math.floor(at / width)) ? 1 : 0,
    )
    expect(Array.from(found ?? [])).toEqual(expected)
    expect(personIn(job, noise())).toBeNull()
  })

  it('becomes the person in their colours, with a ring', () => {
    const large = resized(picture, job.part, job.size)
    const cut = cutOut(job, picture, large)
    if (cut === null) throw new Error('nobody stood out')
    expect([cut.width, cut.height]).toEqual([32, 28])
    const at = (x: number, y: number): number[] => {
      const start = ((y - box.y + job.margin) * cut.width + x - box.x + job.margin) * 4
      return [...cut.data.subarray(start, start + 4)]
    }
    // The post, its two sides, beside it, and where the other one was.
    for (const x of [16, 18, 20, 23]) expect(at(x, 15)).toEqual([...RED, 255])
    for (const x of [15, 24]) expect(at(x, 15)).toEqual([0, 255, 0, 255])
    for (const x of [12, 29]) expect(at(x, 20)).toEqual([0, 0, 0, 0])
    expect(cutOut(job, noise(), large)).toBeNull()
  })
})
