import { describe, expect, it } from 'vitest'
import { compile, words } from '../../../test/support/compiled.ts'
import { documentOf, factsOf, node } from '../../../test/support/node-values.ts'
import type { ClipFaces } from '../../contract/clip-measurements.ts'
import type { Composition, LayoutSpan } from '../../contract/composition.ts'
import { compileComposition } from '../index.ts'
import { cameraMotion, framingQuality } from './quality.ts'
import { omitUndefined } from '../../contract/omit-undefined.ts'

type Track = ClipFaces['tracks'][number]

/** Somebody who sits at `x` for the whole clip of `documentOf`: 10 to 40 s of the source. */
const sitting = (id: number, x: number, speaking: Track['speaking'] = [], y = 0.3): Track => ({
  id,
  points: Array.from({ length: 71 }, (_, at) => [5 + at / 2, x, y, 0.1, 0.18]),
  speaking,
})

const facesOf = (...tracks: Track[]): ClipFaces => ({
  start: 5,
  end: 45,
  shotStarts: [],
  screens: [],
  tracks,
})

const nodes = [node('convert_to_vertical', { style: 'style_one' }), node('add_subtitles')]
const facts = factsOf()

function compiled(faces: ClipFaces | undefined): Composition {
  const document = documentOf(nodes, omitUndefined({ faces }))
  return compileComposition({ document, words, facts }).composition
}

/** One view of a 1920x1080 source for all of 10 s. */
const still = (x: number): LayoutSpan[] => [
  { kind: 'crop', startFrame: 0, endFrame: 300, crop: { x, y: 0, width: 607.5, height: 1080 } },
]

describe('the record of a clip', () => {
  it('counts frames that cut a head, also where its face is whole', () => {
    const one = facesOf(sitting(0, 0.2))
    const composition = compiled(one)
    const cut = (x: number) =>
      framingQuality({ ...composition, layout: stillOver(composition, x) }, one)?.headCut
    // The face is from 384 to 576 pixels, the head 35 wider on each side.
    expect(composition.framing?.headCut).toBe(0)
    expect(cut(340)).toBe(0)
    expect(cut(375)).toBe(1)
    // Somebody who is hardly seen is not shown.
    expect(cut(560)).toBe(0)
  })

  it('is made where faces are known and not elsewhere', () => {
    expect(compiled(undefined).framing).toBeUndefined()
    expect(compiled(facesOf(sitting(0, 0.2))).framing).toMatchObject({ noFaceShown: 0, jerk: 0 })
    expect(compile(nodes, {}, factsOf({ video: null })).composition.framing).toBeUndefined()
  })

  it('counts frames that show nobody, and those that show another than who speaks', () => {
    const composition = compiled(facesOf(sitting(0, 0.2)))
    const both = facesOf(
      sitting(0, 0.05, [{ start: 10, end: 25 }]),
      sitting(1, 0.8, [{ start: 25, end: 40 }]),
    )
    const at = (x: number) => framingQuality({ ...composition, layout: stillOver(composition, x) }, both)
    expect(at(0)).toMatchObject({ noFaceShown: 0, onSpeaker: 0.5 })
    expect(at(1300)).toMatchObject({ noFaceShown: 0, onSpeaker: 0.5 })
    expect(at(600)).toMatchObject({ noFaceShown: 1, onSpeaker: 0 })
    // Nobody was seen to speak: there is nothing to be right about.
    expect(framingQuality(composition, facesOf(sitting(0, 0.2)))?.onSpeaker).toBeNull()
  })

  it('counts frames in which a caption lies on a face', () => {
    const composition = compiled(facesOf(sitting(0, 0.4, [], 0.2)))
    const low = framingQuality(composition, facesOf(sitting(0, 0.4, [], 0.2)))
    expect(low?.captionOnFace).toBe(0)
    const captions = composition.layers.find((layer) => layer.kind === 'captions')
    const spoken = captions?.cues.reduce((sum, cue) => sum + cue.endFrame - cue.startFrame, 0) ?? 0
    const onCaptions = facesOf(sitting(0, 0.45, [], (captions?.styles[0]?.yPercent ?? 0) / 100 - 0.09))
    const covered = framingQuality({ ...composition, layout: stillOver(composition, 656) }, onCaptions)
    expect(covered?.captionOnFace).toBeCloseTo(spoken / composition.durationFrames, 1)
    const silent = { ...composition, layers: [] }
    expect(framingQuality(silent, onCaptions)?.captionOnFace).toBeNull()
  })

  it('looks at no more than some thousand frames, however long the clip is', () => {
    const long = documentOf(nodes, { startTimestamp: 0, endTimestamp: 590, faces: facesOf(sitting(0, 0.2)) })
    const { framing } = compileComposition({ document: long, words, facts }).composition
    expect(framing?.frames).toBe(3000)
  })
})

function stillOver(composition: Composition, x: number): LayoutSpan[] {
  return still(x).map((span) => ({ ...span, endFrame: composition.durationFrames }))
}

describe('the motion of the camera', () => {
  const output = { width: 1080, height: 1920, frameRate: { numerator: 30, denominator: 1 } }
  const view = { y: 0, width: 600, height: 1066 }

  it('is none at rest, and none in a cut', () => {
    const cut: LayoutSpan[] = [0, 900].map((x, at) => ({
      kind: 'crop',
      startFrame: at * 60,
      endFrame: (at + 1) * 60,
      crop: { ...view, x },
    }))
    expect(cameraMotion({ layout: cut, output })).toEqual({ jerk: 0, acceleration: 0 })
  })

  it('of an eased move is that of its curve', () => {
    const rest = { kind: 'crop' as const, crop: { ...view, x: 0 } }
    const layout: LayoutSpan[] = [
      { ...rest, startFrame: 0, endFrame: 30 },
      { ...rest, startFrame: 30, endFrame: 90, cropTo: { ...view, x: 300 }, eased: true },
      { ...rest, startFrame: 90, endFrame: 120, crop: { ...view, x: 300 } },
    ]
    const { acceleration, jerk } = cameraMotion({ layout, output })
    // Half a width in two seconds: 6 * 0.5 / 2² at its edges.
    expect(acceleration).toBeGreaterThan(0.65)
    expect(acceleration).toBeLessThanOrEqual(0.75)
    expect(jerk).toBeGreaterThan(1.5)
    const sudden = layout.map((span) => ({ ...span, eased: undefined }) as unknown as LayoutSpan)
    expect(cameraMotion({ layout: sudden, output }).jerk).toBeGreaterThan(5 * jerk)
  })
})
