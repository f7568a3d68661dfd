import { describe, expect, it } from 'vitest'
import { compile } from '../../../test/support/compiled.ts'
import { documentOf, factsOf, node, spoken } from '../../../test/support/node-values.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import { type ClipFaces, encodeLevels } from '../../contract/clip-measurements.ts'
import type { TranscriptWord } from '../../contract/transcript.ts'
import { compileComposition } from '../index.ts'
import { inSentences } from '../../../test/support/sentences.ts'

const filler = (words: number): string => Array.from({ length: words }, () => 'so').join(' ')

/** Words from second 10, 0.3 s each; the clip plays 10 to 40 s. */
function zoomsOf(
  words: TranscriptWord[],
  config: Record<string, unknown> = {},
  over: Partial<ClipDocument> = {},
) {
  const nodes = [node('convert_to_vertical'), node('smart_zoom', { smart_zoom_config: config })]
  const input = { document: documentOf(nodes, over), words, facts: factsOf() }
  const { composition, warnings } = inSentences(compileComposition(input))
  expect(compileComposition(input).composition).toEqual(composition)
  return { zooms: composition.zooms ?? [], warnings }
}

describe('smart_zoom', () => {
  it('looks closer at a keyword, from its first word to the end of the sentence', () => {
    const words = spoken(`${filler(20)} every bike shop does that. ${filler(60)}`, 10)
    const { zooms, warnings } = zoomsOf(words, { intensity: 1.2 })
    expect(warnings).toEqual([])
    expect(zooms).toHaveLength(1)
    const start = 21 * 9
    expect(zooms[0]).toMatchObject({
      scale: 1.2,
      xPercent: 50,
      yPercent: 45,
      easeInFrames: 0,
      easeOutFrames: 0,
    })
    expect(Math.abs((zooms[0]?.startFrame ?? 0) - start)).toBeLessThanOrEqual(3)
    expect(Math.abs((zooms[0]?.endFrame ?? 0) - (25 * 9 - 1))).toBeLessThanOrEqual(3)
  })

  it.each([
    ['a number', `${filler(30)} about 4000 of them ${filler(50)}`],
    ['an exclamation', `${filler(30)} not at all! ${filler(50)}`],
  ])('looks closer at %s', (_name, text) => {
    const { zooms } = zoomsOf(spoken(text, 10))
    expect(zooms).toHaveLength(1)
    expect(Math.abs((zooms[0]?.startFrame ?? 0) - 31 * 9)).toBeLessThanOrEqual(2 * 9)
  })

  it('looks closer where somebody gets loud', () => {
    const levels = Array.from({ length: 4000 }, (_, hop) => (hop >= 1500 && hop < 1560 ? -8 : -20))
    const sound = {
      start: 5,
      hopSeconds: 0.01,
      levels: encodeLevels(levels),
      speechLevelDb: -20,
      noiseLevelDb: -60,
    }
    const { zooms } = zoomsOf(spoken(filler(99), 10), {}, { sound })
    expect(zooms).toHaveLength(1)
    // Second 20 of the source is second 10 of the clip.
    expect(Math.abs((zooms[0]?.startFrame ?? 0) - 300)).toBeLessThan(20)
  })

  it('leaves the first second alone, and never looks twice within a short time', () => {
    const words = spoken(Array.from({ length: 99 }, () => 'repair').join(' '), 10)
    const gaps = (['low', 'medium', 'high'] as const).map((frequency) => {
      const { zooms } = zoomsOf(words, { frequency })
      expect(zooms[0]?.startFrame).toBeGreaterThanOrEqual(30)
      expect(zooms.at(-1)?.endFrame).toBeLessThanOrEqual(900 - 15)
      const starts = zooms.map(({ startFrame }) => startFrame)
      zooms.slice(1).forEach((zoom, at) => expect(zoom.startFrame).toBeGreaterThan(zooms[at]?.endFrame ?? 0))
      return Math.min(...starts.slice(1).map((start, at) => start - (starts[at] ?? 0))) / 30
    })
    expect(gaps[0]).toBeGreaterThanOrEqual(9)
    expect(gaps[1]).toBeGreaterThanOrEqual(5.5)
    expect(gaps[2]).toBeGreaterThanOrEqual(3.5)
    expect(gaps[2]).toBeLessThan(gaps[0] ?? 0)
  })

  it('moves in and out when it is to be smooth', () => {
    const words = spoken(`${filler(30)} about 4000 of them ${filler(50)}`, 10)
    const [zoom] = zoomsOf(words, { mode: 'smooth' }).zooms
    expect(zoom).toMatchObject({ easeInFrames: 24, easeOutFrames: 18 })
    expect((zoom?.endFrame ?? 0) - (zoom?.startFrame ?? 0)).toBeGreaterThan(24 + 18)
  })

  it('goes to the face that speaks, where the crop shows it', () => {
    const at = (x: number): ClipFaces['tracks'][number]['points'] =>
      Array.from({ length: 81 }, (_, index) => [5 + index / 2, x, 0.2, 0.1, 0.18])
    const faces: ClipFaces = {
      start: 5,
      end: 45,
      shotStarts: [],
      tracks: [
        { id: 0, points: at(0.05), speaking: [{ start: 5, end: 45 }] },
        { id: 1, points: at(0.8), speaking: [] },
      ],
      screens: [],
    }
    const words = spoken(`${filler(30)} about 4000 of them ${filler(50)}`, 10)
    const [zoom] = zoomsOf(words, {}, { faces }).zooms
    // Near the left edge the crop cannot have the face in its middle: 192 of 607.5 source pixels.
    expect(zoom?.xPercent).toBeCloseTo((192 / 607.5) * 100, 0)
    expect(zoom?.yPercent).toBeCloseTo(29, 0)
  })

  it('says when there is nothing to look at, and does nothing at intensity 1', () => {
    expect(zoomsOf([]).warnings).toEqual([expect.stringMatching(/no moment/)])
    expect(zoomsOf([], { intensity: 1 })).toEqual({ zooms: [], warnings: [] })
  })
})

describe('remove_watermark', () => {
  const patchesOf = (config: Record<string, unknown>) => {
    const { composition, warnings } = compile([node('remove_watermark', { remove_watermark_config: config })])
    return { patches: composition.source.patches, warnings }
  }

  it('takes percent of the source and seconds of the clip', () => {
    const regions = [
      { x: 80, y: 5, width: 15, height: 10 },
      { x: 90, y: 90, width: 20, height: 20, start: 2, end: 4.5 },
    ]
    expect(patchesOf({ regions })).toEqual({
      patches: [
        { rect: { x: 1536, y: 54, width: 288, height: 108 }, startFrame: 0, endFrame: 900 },
        { rect: { x: 1728, y: 972, width: 192, height: 108 }, startFrame: 60, endFrame: 135 },
      ],
      warnings: [],
    })
  })

  it.each([
    [{ x: 100, y: 5, width: 15, height: 10 }, /nothing of it lies in the picture/],
    [{ x: 0, y: 0, width: 100, height: 100 }, /more than 25 %/],
    [{ x: 5, y: 5, width: 5, height: 5, start: 50, end: 60 }, /outside the clip/],
    [{ x: 5, y: 5, width: 5, height: 5, start: 5, end: 4 }, /outside the clip/],
  ])('leaves out %j, and says why', (region, expected) => {
    const { patches, warnings } = patchesOf({ regions: [region] })
    expect(patches).toBeUndefined()
    expect(warnings).toEqual([expect.stringMatching(expected)])
  })

  it('removes the logos that were found beside the named ones, and says where none were', () => {
    const nodes = (regions: object[]) => [
      node('remove_watermark', { remove_watermark_config: { auto: true, regions } }),
    ]
    const places = [{ x: 80, y: 5, width: 15, height: 10 }]
    const compiled = (logos: object, regions: object[] = []) => {
      const document = { ...documentOf(nodes(regions)), logos: { places, unsure: false, ...logos } }
      const { composition, warnings } = inSentences(
        compileComposition({ document, words: [], facts: factsOf() }),
      )
      return { rects: (composition.source.patches ?? []).map(({ rect }) => rect), warnings }
    }
    const found = { x: 1536, y: 54, width: 288, height: 108 }
    expect(compiled({})).toEqual({ rects: [found], warnings: [] })
    const named = [{ x: 0, y: 0, width: 10, height: 10 }]
    expect(compiled({}, named).rects).toEqual([{ x: 0, y: 0, width: 192, height: 108 }, found])
    expect(compiled({ places: [] }).warnings).toEqual([expect.stringMatching(/no logo was found.*`regions`/)])
    expect(compiled({ places: [], unsure: true }, named).warnings).toEqual([
      expect.stringMatching(/too little of the picture changes.*Only the named regions/),
    ])
  })

  it('says what it does not do', () => {
    expect(patchesOf({ auto: true }).warnings).toEqual([expect.stringMatching(/nobody looked for a logo/)])
    expect(patchesOf({}).warnings).toEqual([expect.stringMatching(/no regions/)])
  })
})
