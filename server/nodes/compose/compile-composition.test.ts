import { Value } from '@sinclair/typebox/value'
import { describe, expect, it } from 'vitest'
import { compile, subtitled, vertical, words } from '../../../test/support/compiled.ts'
import { factsOf, node } from '../../../test/support/node-values.ts'
import { Composition } from '../../contract/composition.ts'
import { secondsToTicks } from '../../contract/time.ts'

describe('compileComposition', () => {
  it('makes a valid Composition of the default vertical nodes, the same one each time', () => {
    const first = compile(vertical)
    expect([...Value.Errors(Composition, first.composition)]).toEqual([])
    expect(first.composition).toEqual(compile(vertical).composition)
    expect(first.warnings).toEqual([])
    expect(first.composition).toMatchObject({
      output: { width: 1080, height: 1920, frameRate: { numerator: 30, denominator: 1 } },
      durationFrames: 900,
      layout: [
        { kind: 'crop', startFrame: 0, endFrame: 900, crop: { x: 656.25, y: 0, width: 607.5, height: 1080 } },
      ],
      audio: { integratedLufs: -14, truePeakDb: -1.5, crossfadeMs: 10, edgeFadeMs: 15 },
    })
    expect(first.captions?.cues[0]?.words[0]).toEqual({ text: 'So', startFrame: 30, endFrame: 38 })
    expect(first.captions?.styles).toHaveLength(1)
    expect(first.title).toMatchObject({
      text: 'A title that says it',
      startFrame: 0,
      endFrame: 150,
      fadeFrames: 9,
    })
  })

  it('joins takes without moving anything in time, and moves what has keyframes', () => {
    const segments = [
      { startSeconds: 0, endSeconds: 10 },
      { startSeconds: 14, endSeconds: 30 },
    ]
    const hard = compile(vertical, { segments }).composition
    const points = [
      { time: 10, value: 0 },
      { time: 12, value: 1 },
    ]
    const motionConfig = {
      transition: 'whip',
      transitionSeconds: 0.4,
      keyframes: [{ layer: 'title', property: 'opacity', points }],
    }
    const { composition } = compile(vertical, { segments, motionConfig })
    const { transitions, layers, ...rest } = composition
    const { layers: still, ...others } = hard
    expect([...Value.Errors(Composition, composition)]).toEqual([])
    expect(rest).toEqual(others)
    expect(transitions).toMatchObject([{ kind: 'whip', cutFrame: 300, frames: 12 }])
    expect(layers.map(({ keyframes: _moving, ...layer }) => layer)).toEqual(still)
    expect(layers.filter(({ keyframes }) => keyframes !== undefined).map(({ id }) => id)).toEqual(['title'])
  })

  it('draws captions under the title', () => {
    expect(compile(vertical.toReversed()).composition.layers.map((layer) => layer.kind)).toEqual([
      'captions',
      'title',
    ])
  })

  it('leaves out what is off', () => {
    const nodes = [node('add_subtitles', {}, false), node('add_title_overlay', {}, false)]
    expect(compile(nodes).composition.layers).toEqual([])
    expect(compile([], { subtitleConfig: {} }).captions).toBeDefined()
  })

  it('ignores stored settings that no schema knows, and says which', () => {
    const { captions, warnings } = subtitled({ fontColor: 7, nonsense: 1, fontSize: '90' })
    expect(captions?.styles[0]?.face).toMatchObject({ fontSize: 90, colour: '#ffffff' })
    expect(warnings).toEqual([
      expect.stringContaining('add_subtitles.subtitle_config.fontColor was ignored'),
      expect.stringContaining('add_subtitles.subtitle_config.nonsense was ignored'),
    ])
  })

  it('keeps segments, drops the words between them, and counts at the source rate', () => {
    const segments = [
      { startSeconds: 0, endSeconds: 2 },
      { startSeconds: 4, endSeconds: 8, playbackRate: 2 },
    ]
    const facts = factsOf({ frameRate: { numerator: 30000, denominator: 1001 } })
    const { composition, captions } = compile(vertical, { segments }, facts)
    expect(composition.durationFrames).toBe(120)
    const shown = captions?.cues.flatMap((cue) => cue.words.map((word) => word.text)) ?? []
    expect(shown.slice(0, 3)).toEqual(['So', 'this', 'is'])
    expect(shown.length).toBeLessThan(words.length)
    expect(captions?.cues.every((cue) => cue.endFrame <= 120)).toBe(true)
  })

  it('says of a source without an index that a seek may land between key frames', () => {
    const { source } = compile(vertical, {}, { ...factsOf({}), container: 'mpegts' }).composition
    expect(source.seeksLoosely).toBe(true)
    expect(compile(vertical).composition.source).not.toHaveProperty('seeksLoosely')
    const over = { ...factsOf({}), container: 'mpegts' }
    if (over.video !== null) over.video.endTime = secondsToTicks(30)
    expect(compile(vertical, {}, over).composition.source.pictureEnd).toBe(secondsToTicks(30))
    expect(source).not.toHaveProperty('pictureEnd')
  })

  it('says of HDR that its primaries are not known', () => {
    const primaries = (hdr: boolean) => {
      const facts = factsOf({})
      if (facts.video !== null) Object.assign(facts.video, { hdr, colourPrimaries: 'unknown' })
      return compile(vertical, {}, facts).composition.source.unknownPrimaries
    }
    expect([primaries(true), primaries(false)]).toEqual([true, undefined])
  })

  it('says where the picture begins, if the sound begins before it', () => {
    const late = factsOf({})
    if (late.video !== null) late.video.startTime = secondsToTicks(4)
    expect(compile(vertical, {}, late).composition.source.pictureStart).toBe(secondsToTicks(4))
    expect(compile(vertical, {}, { ...late, audio: null }).composition.source).not.toHaveProperty(
      'pictureStart',
    )
    expect(compile(vertical).composition.source).not.toHaveProperty('pictureStart')
  })

  it('handles sound alone and picture alone', () => {
    const sound = compile(vertical, {}, factsOf({ video: null })).composition
    expect(sound.source).toMatchObject({ hasVideo: false, width: 1080, height: 1920 })
    expect(sound.layout[0]).toMatchObject({ crop: { x: 0, y: 0, width: 1080, height: 1920 } })
    const picture = compile(vertical, {}, factsOf({ audio: null })).composition
    expect(picture.audio.integratedLufs).toBeNull()
  })

  it.each([
    ['bt709', 'bt709'],
    ['smpte170m', 'bt601'],
    ['bt470bg', 'bt601'],
    ['bt2020nc', 'bt2020'],
    ['unknown', undefined],
  ])('says what %s means to the renderer: %s', (colourSpace, colourMatrix) => {
    const { composition } = compile(vertical, {}, factsOf({ colourSpace }))
    expect(composition.source.colourMatrix).toBe(colourMatrix)
  })

  it('refuses a clip outside its source', () => {
    expect(() => compile(vertical, { startTimestamp: 700, endTimestamp: 730 })).toThrow(
      /Nothing is left of the clip/,
    )
  })
})

describe('layout', () => {
  const layoutOf = (config: Record<string, unknown>) =>
    compile([node('convert_to_vertical', config)]).composition.layout[0]
  it('fits the whole picture when it is to be centred', () => {
    expect(layoutOf({ centerVertical: true, zoom: 0.2, gaussian_blur: true })).toEqual({
      kind: 'fit',
      startFrame: 0,
      endFrame: 900,
      crop: { x: 0, y: 0, width: 1920, height: 1080 },
      zoom: 1,
      background: 'blur',
    })
    expect(layoutOf({ centerVertical: true, zoom: 1.4, y_offset: -8 })).toMatchObject({
      zoom: 1.4,
      background: 'black',
      yOffsetPercent: -8,
    })
  })
  it('crops otherwise, whatever zoom and blur say', () => {
    expect(layoutOf({ zoom: 3, gaussian_blur: true, aspect_ratio: '1:1' })).toMatchObject({
      kind: 'crop',
      crop: { x: 420, y: 0, width: 1080, height: 1080 },
    })
    expect(compile([node('convert_to_vertical', { split_view: true })]).warnings).toHaveLength(1)
  })
})
