import { describe, expect, it } from 'vitest'
import { documentOf, factsOf, node } from '../../../test/support/node-values.ts'
import type { Assets, AssetState } from '../../contract/asset.ts'
import type { SoundAsset } from '../../contract/composition.ts'
import { secondsToTicks } from '../../contract/time.ts'
import { compileComposition, requiredAssets, requiredAssetsOfRun } from '../index.ts'
import { musicLevel, MAX_OPTIONS, pickMusic } from './music.ts'
import { inSentences } from '../../../test/support/sentences.ts'

const sound = (letter: string, seconds = 60): SoundAsset => ({
  digest: letter.repeat(64),
  audioStream: 0,
  duration: secondsToTicks(seconds),
  integratedLufs: -11,
})
const heard = (asset: SoundAsset): AssetState => ({ state: 'ready', kind: 'audio', sound: asset })
const ASSETS: Assets = new Map<string, AssetState>([
  ['bed.mp3', heard(sound('b'))],
  ['other.mp3', heard(sound('c'))],
  ['end.mp3', heard(sound('e', 4))],
  ['gone.mp3', { state: 'failed', message: 'There is no file at this address.' }],
  [
    'card.png',
    {
      state: 'ready',
      kind: 'image',
      picture: { digest: 'f'.repeat(64), width: 1080, height: 1920, opaque: true },
    },
  ],
])

/** A clip of 30 s at 30 frames a second. */
function laid(
  nodes: ReturnType<typeof node>[],
  over: Parameters<typeof documentOf>[1] = {},
  facts = factsOf(),
) {
  const document = documentOf(nodes, over, facts)
  const { composition, warnings } = inSentences(
    compileComposition({ document, words: [], facts, assets: ASSETS }),
  )
  return { tracks: composition.audio.tracks ?? [], audio: composition.audio, warnings, composition }
}
const bed = { background_music_option: { url: 'bed.mp3', volume: 0.5 } }
const card = (over: object = {}) => node('add_outro', { end_card_option: { url: 'card.png', ...over } })

describe('music under the clip', () => {
  it('goes round from the first frame to the last, faded, lowered under speech', () => {
    const { tracks, warnings } = laid([node('add_music', bed)])
    expect(warnings).toEqual([])
    expect(tracks).toEqual([
      {
        id: 'music',
        asset: sound('b'),
        sourceStart: 0,
        startFrame: 0,
        endFrame: 900,
        loop: true,
        levelDb: -6.02,
        duckDb: 12,
        fadeInMs: 500,
        fadeOutMs: 1500,
      },
    ])
  })

  it('is not lowered where ducking is off', () => {
    expect(laid([node('add_music', { ...bed, ducking: false })]).tracks[0]?.duckDb).toBe(0)
  })

  it.each([
    [1, 'clip', 0],
    [0.5, 'clip', -6.02],
    [0.1, 'closing', -20],
    [undefined, 'clip', -10.46],
    [undefined, 'closing', -4.44],
    [0, 'clip', null],
  ] as const)('takes volume %s of %s as %s dB', (volume, place, level) => {
    expect(musicLevel(volume, place)).toBe(level)
  })

  it('is not there at volume 0', () => {
    const silent = { background_music_option: { url: 'bed.mp3', volume: 0 } }
    expect(laid([node('add_music', silent)])).toMatchObject({ tracks: [], warnings: [] })
  })

  it('is named when it could not be had', () => {
    const { tracks, warnings } = laid([node('add_music', { background_music_option: { url: 'gone.mp3' } })])
    expect(tracks).toEqual([])
    expect(warnings).toEqual([
      'add_music.background_music_option.url (gone.mp3) is left out: There is no file at this address.',
    ])
  })

  it('goes on in the tail, under a card without music', () => {
    const { tracks, composition } = laid([node('add_music', bed), card({ duration: 2 })])
    expect(composition.durationFrames).toBe(960)
    expect(tracks).toMatchObject([{ id: 'music', startFrame: 0, endFrame: 960 }])
  })

  it('is brought to the usual loudness where the source is silent', () => {
    const mute = factsOf({ audio: null })
    expect(laid([node('add_music', bed)], {}, mute).audio.integratedLufs).toBe(-14)
    expect(laid([], {}, mute).audio.integratedLufs).toBeNull()
  })
})

describe('music under the end card', () => {
  const outro = { outro_music_option: { url: 'end.mp3' } }

  it('starts with the card, is played once, and the other fades out under it', () => {
    const { tracks, warnings } = laid([node('add_music', { ...bed, ...outro }), card({ duration: 6 })])
    expect(warnings).toEqual([])
    expect(tracks).toMatchObject([
      { id: 'music', startFrame: 0, endFrame: 930, fadeOutMs: 1000 },
      // Four seconds of music under six of card.
      { id: 'outro-music', startFrame: 900, endFrame: 1020, loop: false, levelDb: -4.44, fadeOutMs: 1000 },
    ])
  })

  it('starts with a card that comes before the end, and ends with it', () => {
    const { tracks } = laid([node('add_music', { ...bed, ...outro }), card({ secondsBeforeEnd: 2 })])
    expect(tracks).toMatchObject([{ endFrame: 870 }, { startFrame: 840, endFrame: 900, duckDb: 12 }])
  })

  it('is the outro node’s own before that of the music, and that before the brand’s', () => {
    const brand = node('apply_branding', { outro_music_url: 'bed.mp3', outro_card_url: 'card.png' })
    const music = node('add_music', { outro_music_option: { url: 'other.mp3' } })
    const own = node('add_outro', {
      end_card_option: { url: 'card.png' },
      outro_music_option: { url: 'end.mp3' },
    })
    const played = (...nodes: ReturnType<typeof node>[]) =>
      laid(nodes).tracks.map(({ asset }) => asset.digest[0])
    expect(played(brand)).toEqual(['b'])
    expect(played(brand, music)).toEqual(['c'])
    expect(played(brand, music, own)).toEqual(['e'])
  })

  it('is not played without a card, and says so', () => {
    const { tracks, warnings } = laid([node('add_music', { ...bed, ...outro })])
    expect(tracks).toMatchObject([{ id: 'music', endFrame: 900 }])
    expect(warnings).toEqual([
      'add_music.outro_music_option.url is not heard: the clip has no end card that it could be played under.',
    ])
  })

  it('takes the whole clip when the card does', () => {
    const { tracks } = laid([node('add_music', { ...bed, ...outro }), card({ secondsBeforeEnd: 99 })])
    expect(tracks).toMatchObject([{ id: 'outro-music', startFrame: 0, endFrame: 120 }])
  })
})

describe('one of several tracks', () => {
  const options = Array.from({ length: 40 }, (_, index) => ({ url: `${index}.mp3` }))

  it('is the same for a clip whatever else changes, and every one that can be is picked for some clip', () => {
    const picked = Array.from(
      { length: 400 },
      (_, clip) => pickMusic(options.slice(0, 7), `clip-${clip}`)?.['url'],
    )
    expect(new Set(picked).size).toBe(7)
    expect(
      Array.from({ length: 400 }, (_, clip) => pickMusic(options.slice(0, 7), `clip-${clip}`)?.['url']),
    ).toEqual(picked)
    expect(pickMusic([{ name: 'no address' }, { url: 'x' }], 'any')).toEqual({ url: 'x' })
    expect(pickMusic([], 'any')).toBeUndefined()
  })

  it('is fetched for a run with all the others, and for a clip alone', () => {
    const nodes = [node('add_music', { background_music_options: options.slice(0, 3) })]
    expect(requiredAssetsOfRun(nodes).map(({ url, kind }) => `${kind} ${url}`)).toEqual([
      'audio 0.mp3',
      'audio 1.mp3',
      'audio 2.mp3',
    ])
    const document = documentOf(nodes)
    expect(requiredAssets(document).map(({ url }) => url)).toEqual([document.backgroundMusicOption?.['url']])
  })

  it('is one of the first when there are very many, and says so', () => {
    const nodes = [node('add_music', { background_music_options: options })]
    expect(requiredAssetsOfRun(nodes)).toHaveLength(MAX_OPTIONS)
    expect(laid(nodes).warnings).toContain(
      `add_music.background_music_options: tracks after the first ${MAX_OPTIONS} are not used.`,
    )
  })
})
