import { describe, expect, it } from 'vitest'
import { documentOf, factsOf, node, spoken } from '../../../test/support/node-values.ts'
import type { Assets } from '../../contract/asset.ts'
import { encodeLevels, type ClipSound, decodeWave } from '../../contract/clip-measurements.ts'
import type { ClipDocument } from '../../contract/clip.ts'
import type { AudiogramLayer, Layer } from '../../contract/composition.ts'
import type { SourceFacts } from '../../contract/source-facts.ts'
import { compileComposition, neededMeasurements, requiredAssetsOfRun } from '../index.ts'
import { AUDIOGRAM_PRESETS } from '../presets/audiograms.ts'
import { inSentences } from '../../../test/support/sentences.ts'

/** Loud in the first half of each second, from 5 to 45 s. */
const SOUND: ClipSound = {
  start: 5,
  hopSeconds: 0.02,
  speechLevelDb: -16,
  noiseLevelDb: -70,
  levels: encodeLevels(Array.from({ length: 2000 }, (_, hop) => (hop % 50 < 25 ? -15 : -80))),
}
const PODCAST: SourceFacts = factsOf({ video: null })
const COVER = { digest: 'c'.repeat(64), width: 600, height: 600, opaque: true }
const picture = (digest: string) => ({ digest: digest.repeat(64), width: 800, height: 600, opaque: true })
const ASSETS: Assets = new Map([
  ['https://x/back.jpg', { state: 'ready', kind: 'image', picture: picture('b') }],
  ['https://x/cover.jpg', { state: 'ready', kind: 'image', picture: picture('e') }],
])

interface Given {
  config?: Record<string, unknown>
  facts?: SourceFacts
  more?: ReturnType<typeof node>[]
  document?: Partial<ClipDocument>
  assets?: Assets
}

function compile({ config = {}, facts = PODCAST, more = [], document = {}, assets = ASSETS }: Given = {}) {
  const nodes = [node('convert_to_vertical'), node('add_audiogram', config), ...more]
  const made = documentOf(nodes, { sound: SOUND, ...document }, facts)
  const words = spoken('this damn thing works for everybody', 10.1, 0.3, 0.1)
  const { composition, warnings } = inSentences(compileComposition({ document: made, words, facts, assets }))
  const wave = composition.layers.find((layer) => layer.kind === 'audiogram')
  return { composition, warnings, wave, ids: composition.layers.map((layer) => layer.id) }
}
const heightsOf = (wave: AudiogramLayer | undefined) => decodeWave(wave?.levels ?? '')
const layerOf = (layers: readonly Layer[], id: string) => layers.find((layer) => layer.id === id)

describe('the wave', () => {
  it('needs the levels of the sound', () => {
    expect([...neededMeasurements([node('add_audiogram')])]).toEqual(['sound-levels'])
  })

  it('is as high as the sound is loud, frame by frame', () => {
    const heights = heightsOf(compile().wave)
    expect(heights).toHaveLength(900)
    expect([0, 7, 13].map((frame) => heights[frame])).toEqual([1, 1, 1])
    expect([16, 22, 28].map((frame) => heights[frame])).toEqual([0, 0, 0])
    expect([30, 46].map((frame) => heights[frame])).toEqual([1, 0])
  })

  it('goes by what is played: cuts and speed move it', () => {
    const segments = [
      { startSeconds: 0.5, endSeconds: 1 },
      { startSeconds: 4, endSeconds: 5, playbackRate: 2 },
    ]
    const heights = heightsOf(compile({ document: { segments } }).wave)
    expect(heights).toHaveLength(30)
    expect([...heights.slice(1, 14)].every((height) => height === 0)).toBe(true)
    expect([...heights.slice(15, 22)].every((height) => height === 1)).toBe(true)
    expect([...heights.slice(23, 30)].every((height) => height === 0)).toBe(true)
  })

  it.each(['silence', 'beep'])('is flat where a word is muted (%s)', (mode) => {
    const more = [node('remove_curse_words', { remove_curse_words_config: { mode, includeMild: true } })]
    const { composition, wave } = compile({ more, config: {} })
    const [mask] = composition.audio.masks ?? []
    if (mask === undefined) return expect.fail('nothing is muted')
    const frame = Math.round(((mask.start + mask.end) / 2 / 705_600_000) * 30)
    const heights = heightsOf(wave)
    const unmuted = heightsOf(compile().wave)
    expect([heights[frame], unmuted[frame]]).toEqual([0, frame % 30 < 15 ? 1 : 0])
  })

  it('does not blow noise up', () => {
    const levels = encodeLevels(Array.from({ length: 2000 }, (_, hop) => (hop % 2 === 0 ? -62 : -66)))
    const heights = heightsOf(compile({ document: { sound: { ...SOUND, levels } } }).wave)
    expect(Math.max(...heights)).toBeLessThan(0.5)
  })

  it('is missing, with a sentence, where there is nothing to draw', () => {
    const mute = compile({ facts: factsOf({ audio: null }) })
    expect([mute.wave, mute.warnings]).toEqual([undefined, [expect.stringContaining('no sound')]])
    const { sound: _sound, ...unmeasured } = documentOf([node('add_audiogram')], {}, PODCAST)
    const { warnings } = inSentences(compileComposition({ document: unmeasured, words: [], facts: PODCAST }))
    expect(warnings).toEqual([expect.stringContaining('not measured')])
    expect(compile({ config: { audiogram_config: { width: 0 } } }).warnings).toHaveLength(1)
  })

  it('stands where it is told, in its colour and form', () => {
    const audiogram_config = { x: 25, y: 75, width: 40, height: 10, waveColor: 'tomato', waveStyle: 'line' }
    expect(compile({ config: { audiogram_config } }).wave).toMatchObject({
      rect: { x: 54, y: 1344, width: 432, height: 192 },
      colour: '#ff6347',
      style: 'line',
    })
  })
})

describe('sound alone', () => {
  it('stands on the preset’s background, from the first frame to the last', () => {
    const { composition, ids, warnings } = compile({ config: { template: 'Sunset' } })
    expect([ids, warnings]).toEqual([['audiogram-background', 'audiogram'], []])
    expect(composition.layers[0]).toMatchObject({ kind: 'shape', startFrame: 0, endFrame: 900 })
    expect(composition.source).toMatchObject({ hasVideo: false, hasAudio: true })
  })

  it('shows the cover of the file, or the one that is given, or none', () => {
    const facts = { ...PODCAST, cover: COVER }
    const coverOf = (config: Record<string, unknown>, of: SourceFacts = facts) => {
      const { composition, warnings } = compile({ config: { audiogram_config: config }, facts: of })
      const layer = layerOf(composition.layers, 'audiogram-cover')
      return [layer?.kind === 'image' ? layer.asset.digest[0] : null, warnings.length]
    }
    expect(coverOf({})).toEqual(['c', 0])
    expect(coverOf({ coverUrl: 'https://x/cover.jpg' })).toEqual(['e', 0])
    expect(coverOf({ coverUrl: 'https://x/gone.jpg' })).toEqual(['c', 1])
    expect(coverOf({ showCover: false, coverUrl: 'https://x/cover.jpg' })).toEqual([null, 0])
    expect(coverOf({ showCover: true }, PODCAST)).toEqual([null, 1])
  })

  it('takes a background of one’s own, and holds it under a card that comes after the end', () => {
    const audiogram_config = { backgroundColor: 'navy', backgroundUrl: 'https://x/back.jpg' }
    const card = node('add_outro', { end_card_option: { url: 'https://x/cover.jpg', duration: 2 } })
    const { composition, ids } = compile({ config: { audiogram_config }, more: [card] })
    expect(ids.slice(0, 3)).toEqual(['audiogram-background', 'audiogram-picture', 'audiogram'])
    const held = composition.layers.slice(0, 3).map((layer) => ('endFrame' in layer ? layer.endFrame : 0))
    expect(held).toEqual([960, 960, 900])
    expect(composition.layers[0]).toMatchObject({ colour: '#000080' })
    expect(requiredAssetsOfRun([node('add_audiogram', { audiogram_config })]).map(({ url }) => url)).toEqual([
      'https://x/back.jpg',
    ])
  })

  it('is not cropped, zoomed or patched: there is no picture', () => {
    const { composition } = compile({ more: [node('smart_zoom'), node('remove_watermark')] })
    expect(composition).not.toHaveProperty('zooms')
    expect(composition.layout).toHaveLength(1)
  })
})

describe('a video', () => {
  const facts = factsOf()

  it('keeps its picture under the wave, which has an edge to be seen by', () => {
    const { ids, wave } = compile({ facts, config: { template: 'paper' } })
    expect(ids).toEqual(['audiogram'])
    expect(wave?.halo).toBeDefined()
  })

  it('is covered where that is asked for', () => {
    const config = { audiogram_config: { backgroundColor: '#00000080', coverUrl: 'https://x/cover.jpg' } }
    const { ids, wave } = compile({ facts, config })
    expect(ids).toEqual(['audiogram-background', 'audiogram-cover', 'audiogram'])
    expect(wave?.halo).toBeUndefined()
  })
})

describe('presets', () => {
  it('names the others when there is none of that name', () => {
    const { warnings } = compile({ config: { template: 'disco' } })
    expect(warnings).toEqual([expect.stringMatching(/"disco".*midnight.*paper.*sunset.*neon.*artwork/)])
  })

  it.each(AUDIOGRAM_PRESETS.map((preset) => [preset.id, preset] as const))(
    '%s stays in the picture',
    (_id, preset) => {
      for (const places of Object.values(preset.places)) {
        for (const { x, y, width, height } of [places.alone, places.withCover, places.overPicture]) {
          expect([x - width / 2, y - height / 2].every((edge) => edge >= 0)).toBe(true)
          expect([x + width / 2, y + height / 2].every((edge) => edge <= 100)).toBe(true)
        }
      }
    },
  )
})
