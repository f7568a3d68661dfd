import { describe, expect, it } from 'vitest'
import { factsOf, node } from '../../test/support/node-values.ts'
import { analysisNeeds, findClipsSettings, outputShape } from './index.ts'
import { aspectName, outputFrameRate } from './settings.ts'

describe('findClipsSettings', () => {
  const bounds = (config: Record<string, unknown>) => {
    const { minLength, maxLength } = findClipsSettings([node('find_clips', config)], [])
    return [minLength, maxLength]
  }
  it.each([
    [{}, [20, 60]],
    [{ min_length: 5 }, [5, 60]],
    [{ min_length: 90 }, [90, 180]],
    [{ max_length: 30 }, [15, 30]],
    [{ max_length: 120 }, [20, 120]],
    [{ min_length: 8, max_length: 9 }, [8, 9]],
  ])('%j has the bounds %j', (config, expected) => {
    expect(bounds(config)).toEqual(expected)
  })

  const ranges = [
    { start: 100, end: 130 },
    { start: 10, end: 30 },
  ]
  it.each([
    [{}, { maxClips: 10, pinnedOnly: false, pinnedMode: 'ranges', pinned: [] }],
    [{ pinnedTimestamps: ranges }, { maxClips: 12, pinnedOnly: false, pinnedMode: 'ranges' }],
    [
      { pinnedTimestamps: ranges, pinnedTimestampsOnly: true },
      { maxClips: 2, pinnedOnly: true },
    ],
    [
      { pinnedTimestamps: ranges, pinnedTimestampMode: 'search_within' },
      { maxClips: 10, pinnedMode: 'search_within' },
    ],
    [{ pinnedTimestampsOnly: true }, { maxClips: 10, pinnedOnly: false }],
  ])('%j asks for %j', (config, expected) => {
    expect(findClipsSettings([node('find_clips', config)], [])).toMatchObject(expected)
  })

  it('sorts the pinned ranges and passes words on', () => {
    const settings = findClipsSettings(
      [node('find_clips', { pinnedTimestamps: ranges, prompt: 'a', promptAdjustment: 'b' })],
      ['Cutroom'],
    )
    expect(settings.pinned.map((range) => range.start)).toEqual([10, 100])
    expect(settings).toMatchObject({
      prompt: 'a',
      promptAdjustment: 'b',
      keywords: ['Cutroom'],
      wholeSource: false,
    })
  })

  it('takes the whole source without an enabled find_clips', () => {
    expect(findClipsSettings([], []).wholeSource).toBe(true)
    expect(findClipsSettings([node('find_clips', {}, false)], []).wholeSource).toBe(true)
    expect(analysisNeeds([])).toEqual({ modelKey: 'conversational', speechModel: '' })
    expect(
      analysisNeeds([node('find_clips', { model_key: 'multimodal', speechModel: 'whisper-small' })]),
    ).toEqual({ modelKey: 'multimodal', speechModel: 'whisper-small' })
  })
})

describe('outputShape', () => {
  const shape = (config: Record<string, unknown> | null, width: number, height: number) => {
    const nodes = config === null ? [] : [node('convert_to_vertical', config)]
    const result = outputShape(nodes, factsOf({ width, height }))
    return [result.width, result.height, result.aspectRatio]
  }
  it.each([
    [{}, 1280, 720, [1080, 1920, '9:16']],
    [{ aspect_ratio: '9:16' }, 640, 480, [1080, 1920, '9:16']],
    [{ aspect_ratio: '1:1' }, 1920, 1080, [1080, 1080, '1:1']],
    [{ aspect_ratio: '4:5' }, 1920, 1080, [1080, 1350, '4:5']],
    [{ aspect_ratio: '16:9' }, 720, 1280, [1920, 1080, '16:9']],
    [{ aspect_ratio: '21:9' }, 1920, 1080, [1920, 822, '21:9']],
    [null, 3840, 2160, [1920, 1080, '16:9']],
    [null, 1280, 720, [1280, 720, '16:9']],
    [null, 2160, 3840, [1080, 1920, '9:16']],
    [null, 853, 480, [854, 480, '16:9']],
    [null, 1440, 1440, [1080, 1080, '1:1']],
    [null, 1920, 800, [1920, 800, '12:5']],
  ])('%j of %ix%i is %j', (config, width, height, expected) => {
    expect(shape(config, width, height)).toEqual(expected)
  })

  it('ignores a converter that is off, and gives sound alone a frame', () => {
    expect(outputShape([node('convert_to_vertical', {}, false)], factsOf())).toMatchObject({
      width: 1920,
      height: 1080,
    })
    expect(outputShape([], factsOf({ video: null }))).toEqual({
      width: 1920,
      height: 1080,
      aspectRatio: '16:9',
      frameRate: { numerator: 30, denominator: 1 },
    })
  })

  it.each([
    [24000, 1001, 24000, 1001],
    [25, 1, 25, 1],
    [60000, 1001, 60000, 1001],
    [60, 1, 60, 1],
    [120000, 1001, 60000, 1001],
    [100, 1, 50, 1],
    [144, 1, 48, 1],
    [240, 1, 60, 1],
    [12, 1, 24, 1],
    [5, 1, 25, 1],
    [15, 1, 30, 1],
  ])('a source of %i/%i plays at %i/%i', (numerator, denominator, expectedN, expectedD) => {
    expect(outputFrameRate({ numerator, denominator })).toEqual({
      numerator: expectedN,
      denominator: expectedD,
    })
  })

  it('names shapes', () => {
    expect([aspectName(1080, 1348), aspectName(1000, 900)]).toEqual(['4:5', '10:9'])
  })
})
